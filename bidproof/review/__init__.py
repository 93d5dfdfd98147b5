"""What people see of the results: the compliance matrix and its exports. Holds no pipeline stage."""

from bidproof.review.exports import to_csv, to_json
from bidproof.review.html import to_html
from bidproof.review.matrix import build_matrix
from bidproof.review.model import Matrix
from bidproof.review.reading import read_matrix
from bidproof.review.workbook import to_xlsx

__all__ = ["Matrix", "build_matrix", "read_matrix", "to_csv", "to_html", "to_json", "to_xlsx"]
