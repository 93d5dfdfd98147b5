"""Pictures, diagrams and boxes in Word files: what they say is read, or said not to be."""

from __future__ import annotations

import pymupdf
import pytest
from office_builder import aside, docx, live, p, r, tbl, tc

from bidproof.documents import ParsedFile, parse_file
from bidproof.params import DocumentParams

NO_OCR = DocumentParams(ocr=False)


@pytest.fixture
def read(tmp_path):
    def go(body: str, params: DocumentParams = NO_OCR, **more) -> ParsedFile:
        return parse_file(docx(tmp_path / "offer.docx", body, **more), params, workers=0)

    return go


def picture(text: str) -> bytes:
    with pymupdf.open() as document:
        page = document.new_page(width=400, height=160)
        page.insert_text((20, 60), text, fontsize=18)
        page.insert_text((20, 100), "This certificate is issued to Acme Ltd.", fontsize=14)
        return page.get_pixmap(dpi=150).tobytes("png")


DRAWN = '<w:r><w:drawing><a:blip r:embed="i"/></w:drawing></w:r>'


def test_a_scan_pasted_into_the_text_is_recognised(read):
    parsed = read(
        p("Certificate:", runs=r("Certificate:") + DRAWN), DocumentParams(),
        parts={"media/image1.png": picture("Valid until 31 December 2027")}, relations={"i": ("image", "media/image1.png")},
    )  # fmt: skip
    assert "Valid until 31 December 2027" in " ".join(live(parsed))
    assert parsed.blocks["anchor"].to_list()[1] == "paragraph 1 picture"


def test_a_scan_that_nobody_read_makes_its_page_unreadable(read):  # T11
    parsed = read(
        p("", runs=DRAWN),
        parts={"media/image1.png": picture("x")},
        relations={"i": ("image", "media/image1.png")},
    )
    assert parsed.pages["status"].to_list() == ["unreadable"]
    assert "OCR is off" in parsed.pages["note"][0]


def test_white_text_in_a_text_box_or_a_coloured_frame_is_seen(read):
    white = '<w:color w:val="FFFFFF"/>'
    box = f"<w:r><w:drawing><wps:txbx><w:txbxContent>{p('', runs=r('On blue', white))}</w:txbxContent></wps:txbx></w:drawing></w:r>"
    frame = tbl((tc(p("", runs=r("In the frame", white)), '<w:shd w:val="clear" w:fill="1F4E79"/>'),))
    parsed = read(p("", runs=r("Cover") + box) + frame + p("", runs=r("unseen", white)))
    assert live(parsed) == ["Cover", "On blue", "In the frame"]
    assert aside(parsed, "hidden") == ["unseen"]


def test_words_of_a_diagram_are_read(read):
    data = (
        '<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
        "<dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Delivery in 30 days</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>"
    )
    drawn = '<w:r><w:drawing><dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="d"/></w:drawing></w:r>'
    parsed = read(
        p("", runs=r("Plan") + drawn),
        parts={"diagrams/data1.xml": data},
        relations={"d": ("diagramData", "diagrams/data1.xml")},
    )
    assert live(parsed) == ["Plan", "Delivery in 30 days"]


def test_a_picture_too_small_for_text_is_noted(read):
    with pymupdf.open() as document:
        logo = document.new_page(width=60, height=40).get_pixmap().tobytes("png")
    parsed = read(
        p("", runs=r("Acme Ltd") + DRAWN), DocumentParams(),
        parts={"media/image1.png": logo}, relations={"i": ("image", "media/image1.png")},
    )  # fmt: skip
    assert parsed.pages.select("status", "coverage").rows() == [("text", 1.0)]
    assert "too small for any" in parsed.pages["note"][0]
