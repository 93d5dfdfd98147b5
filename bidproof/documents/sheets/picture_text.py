"""What pictures on a page of text say: their words among those of the page, a remark each, a note where print was not read.

Which pictures are looked at and what is recognised in one is settled in `pictures`.
"""

from __future__ import annotations

from typing import Any

from bidproof.documents.page import Affine, RawPage, Rect, Remark, transform
from bidproof.documents.sheets.pictures import BIG, Picture, read_picture_area, unread_pictures
from bidproof.documents.sheets.words import Fragment, PageWords, Visibility, read_words
from bidproof.params import DocumentParams


def add_picture_text(
    page: Any,
    raw: RawPage,
    words: PageWords,
    matrix: Affine,
    area: Rect,
    pictures: list[Rect],
    params: DocumentParams,
    hint: str,
) -> list[Rect]:
    """Add what pictures between the text say to `words`, remarks and notes to `raw`.

    Returns the boxes, in the reading frame, of the pictures that were read.

    Args:
        page: the open page.
        raw: what is known of it.
        words: its words in the reading frame.
        matrix: from MuPDF's page space to the reading frame.
        area: the page's box in MuPDF's page space.
        pictures: boxes of its pictures there.
        params: whether and how to recognise.
        hint: language of the page or file.
    """
    import pymupdf

    back = tuple(~pymupdf.Matrix(matrix))
    texts = [transform(part.box, back) for part in words.fragments]
    read = []
    for box in unread_pictures(area, pictures, texts):
        picture = read_picture_area(page, area, box, params, hint)
        frame = transform(box, matrix)
        if picture.text is not None:
            seen = Visibility((-1e6, -1e6, 1e6, 1e6), [], scanned=True)
            found = read_words(picture.text, matrix, seen, printed=False).fragments
            words.fragments += found
            read.append(frame)
            _remark(raw, picture, raw.place(frame), " ".join(part.text for part in found))
        else:
            _remark(raw, picture, raw.place(frame))
    return read


def by_picture(fragments: list[Fragment], pictures: list[Rect]) -> list[list[Fragment]]:
    """The text of the page itself, then that of each picture that was read, by its box in the reading frame."""
    if not pictures:
        return [fragments]
    parts: list[list[Fragment]] = [[] for _ in range(len(pictures) + 1)]
    for fragment in fragments:
        x, y = (fragment.box[0] + fragment.box[2]) / 2, (fragment.box[1] + fragment.box[3]) / 2
        inside = (n for n, box in enumerate(pictures, 1) if box[0] <= x <= box[2] and box[1] <= y <= box[3])
        parts[next(inside, 0)].append(fragment)
    return [part for part in parts if part]


def _remark(raw: RawPage, picture: Picture, place: Rect, said: str = "") -> None:
    size = f"a picture over {picture.share:.0%} of the page"
    if said:
        raw.remarks.append(
            Remark(raw.page, "picture_text", said, f"{size}, read by OCR", "info", True, place)
        )
        raw.notes.append(f"{size} was recognised by OCR")
    elif picture.problem:
        detail = f"{size} was not read: {picture.problem}"
        raw.remarks.append(Remark(raw.page, "unread_picture", "", detail, "warn", False, place))
        raw.notes.append(detail)
    elif picture.text is None and picture.share >= BIG:
        detail = f"{size} looks like a photograph or drawing; it was not searched for text"
        raw.remarks.append(Remark(raw.page, "unread_picture", "", detail, "info", False, place))
