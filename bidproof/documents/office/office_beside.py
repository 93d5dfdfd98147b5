"""What an Office file carries beside its text: files inside it, programs, signatures. Told, never opened."""

from __future__ import annotations

import posixpath

from bidproof.documents.office.office_package import Package
from bidproof.documents.office.office_rows import OfficeRows

_NAMED = 5


def note_beside(package: Package, rows: OfficeRows) -> None:
    """Add warnings and remarks on embedded files, macros, signatures and damaged parts."""
    names = package.names("")
    embedded = [
        posixpath.basename(name) for name in names if "/embeddings/" in f"/{name}" and "/_rels/" not in name
    ]
    if embedded:
        listed = ", ".join(embedded[:_NAMED]) + (", …" if len(embedded) > _NAMED else "")
        count = "1 file inside it is" if len(embedded) == 1 else f"{len(embedded)} files inside it are"
        rows.warn(f"{count} not read ({listed}); save them beside it")
        for name in embedded:
            rows.remark(
                0, "embedded_file", name, "lies inside the file and is not read; save it beside it", "warn"
            )
    if any(posixpath.basename(name) == "vbaproject.bin" for name in names):
        rows.warn("carries macros, which are not run; what they would change is not read")
        rows.remark(0, "active_content", "", "carries macros, which are not run", "warn")
    if any(name.startswith("_xmlsignatures/") for name in names):
        rows.remark(0, "signature", "", "carries a digital signature, which is not checked")
    for part in package.damaged:
        rows.warn(f"its part {part} is damaged and not read; ask the sender for a sound copy")
