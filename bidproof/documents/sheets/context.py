"""What all pages of an open PDF share and must know to be read: labels, language, layers. Reads no page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class Context(NamedTuple):
    """What the pages of a file share.

    `labelled`: the file names its pages itself; `language`: ISO 639-1 of the file's text, empty when unknown;
    `layers`: numbers of the layers that are switched off.
    """

    labelled: bool = False
    language: str = ""
    layers: tuple[int, ...] = ()


def context_of(document: Any, language: str = "") -> Context:
    """Context of an open document; broken trees count as none."""
    return Context(_has_labels(document), language, _layers_off(document))


def _has_labels(document: Any) -> bool:
    try:
        return bool(document.get_page_labels())
    except Exception:
        return False


def _layers_off(document: Any) -> tuple[int, ...]:
    try:
        if not document.get_ocgs():
            return ()
        import pymupdf

        pdf = pymupdf._as_pdf_document(document)
        count = pymupdf.mupdf.pdf_count_layers(pdf)
        return tuple(at for at in range(count) if not pymupdf.mupdf.pdf_layer_is_enabled(pdf, at))
    except Exception:
        return ()


@contextmanager
def all_layers(document: Any, layers: tuple[int, ...]) -> Iterator[None]:
    """The document with those layers switched on, for as long as it takes."""
    import pymupdf

    pdf = pymupdf._as_pdf_document(document)
    try:
        for layer in layers:
            pymupdf.mupdf.pdf_enable_layer(pdf, layer, 1)
        yield
    finally:
        for layer in layers:
            pymupdf.mupdf.pdf_enable_layer(pdf, layer, 0)
