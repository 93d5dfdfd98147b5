"""Word files: equations and raised marks change no figure, and what the page does not show is not cited."""

from __future__ import annotations

import pytest
from office_builder import W, aside, docx, live, p, r, tbl, tc

from bidproof.documents import ParsedFile, parse_file
from bidproof.params import DocumentParams

NO_OCR = DocumentParams(ocr=False)
BREAK = "<w:r><w:lastRenderedPageBreak/></w:r>"


@pytest.fixture
def read(tmp_path):
    def go(body: str, params: DocumentParams = NO_OCR, **more) -> ParsedFile:
        return parse_file(docx(tmp_path / "offer.docx", body, **more), params, workers=0)

    return go


MATHS = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def said(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def test_an_equation_keeps_its_fractions_and_exponents_apart(read):  # T14
    # Run together, 402 7/2 10⁶ would be the figure 40272106.
    fraction = f"<m:f><m:num>{said('7')}</m:num><m:den>{said('2')}</m:den></m:f>"
    power = f"<m:sSup><m:e>{said('10')}</m:e><m:sup>{said('6')}</m:sup></m:sSup>"
    root = f"<m:rad><m:deg/><m:e>{said('a+b')}</m:e></m:rad>"
    gone = f'<w:del w:id="1">{said("99")}</w:del>'
    parsed = read(
        p("", runs=r("Loss ") + f"<m:oMath {MATHS}>{said('P=402')}{fraction}{power}</m:oMath>" + r("3 W"))
        + p("", runs=r("Over 4") + f"<m:oMath {MATHS}>{fraction}{gone}</m:oMath>" + r(" days"))
        + p("", runs=f"<m:oMath {MATHS}>{root}</m:oMath>")
    )
    assert live(parsed) == ["Loss P=402 7/2 10⁶ 3 W", "Over 4 7/2 days", "√(a+b)"]
    assert aside(parsed, "struck") == ["99"]


def test_a_figure_is_not_changed_by_what_is_raised_or_lowered_beside_it(read):  # T14
    # A mark raised by its position and not by a style would make 91 days 911; 3 1/2 would be 3/2; 12.50 EUR, 12.
    raised, sup, sub = (
        '<w:position w:val="6"/>',
        '<w:vertAlign w:val="superscript"/>',
        '<w:vertAlign w:val="subscript"/>',
    )
    parsed = read(
        p("", runs=r("Valid 91") + r("1", raised) + r(" days"))
        + p("", runs=r("Valid 3") + r("1", sup) + r("/") + r("2", sub) + r(" years"))
        + p("", runs=r("Fee 12") + r("50", sup) + r(" EUR"))
        + p("", runs=r("All of ", raised) + r("9", raised) + r("0 days", raised))
        + p("", runs=r("Valid 90") + r("1", sub) + r(" days"))
        + p("", runs=r("10") + r("-", sup) + r("6", sup) + r(" m"))
    )
    assert live(parsed) == [
        "Valid 91 days",
        "Valid 3 1/2 years",
        "Fee 12.50 EUR",
        "All of 90 days",
        "Valid 90₁ days",
        "10⁻⁶ m",
    ]


@pytest.mark.parametrize(
    "look",
    [
        '<w:color w:val="000000"/><w:shd w:val="clear" w:fill="000000"/>',
        '<w:color w:val="FDFDFD"/>',
        '<w:highlight w:val="black"/>',
        '<w:w w:val="1"/>',
        "<w14:textFill><w14:noFill/></w14:textFill>",
        '<w14:textFill><w14:solidFill><w14:srgbClr w14:val="FF0000"><w14:alpha w14:val="100000"/>'
        "</w14:srgbClr></w14:solidFill></w14:textFill>",
    ],
)
def test_letters_that_cannot_be_told_from_their_ground_are_not_cited(read, look):  # T55
    # Such words are read by programs and by no person: "we accept" would answer a clause.
    w14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
    parsed = read(f"<w:customXml {w14}>" + p("", runs=r("We accept", look) + r(" live")) + "</w:customXml>")
    assert (live(parsed), aside(parsed, "hidden")) == (["live"], ["We accept"])


def test_letters_that_stand_out_from_a_dark_ground_are_read(read):
    # A header set in white, or without a colour, on black cells must not be lost.
    parsed = read(
        p("", runs=r("White", '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="000000"/>'))
        + p("", runs=r("Automatic", '<w:shd w:val="clear" w:fill="000000"/>'))
        + p("", runs=r("Marked", '<w:highlight w:val="yellow"/>'))
    )
    assert live(parsed) == ["White", "Automatic", "Marked"]


def test_paragraphs_off_the_sheet_or_in_flat_lines_are_not_cited(read):  # T55
    parsed = read(
        p("We accept", extra='<w:ind w:left="-20000"/>')
        + p("We agree", extra='<w:spacing w:line="1" w:lineRule="exact"/>')
        + p("Seen", extra='<w:ind w:left="-300"/><w:spacing w:line="240" w:lineRule="exact"/>')
    )
    assert (live(parsed), aside(parsed, "hidden")) == (["Seen"], ["We accept", "We agree"])


def box(text: str, properties: str = "") -> str:
    inside = f"<w:txbxContent>{p(text)}</w:txbxContent>"
    return (
        f'<w:drawing><wp:anchor><wp:docPr id="1" name="x" {properties}/><a:graphic><a:graphicData><wps:wsp>'
        f"<wps:txbx>{inside}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing>"
    )


def test_text_boxes_and_notes_that_are_switched_off_or_deleted_are_not_cited(read):  # T13 T55
    # Their text stands in parts of its own and would be read as if it were on the page.
    notes = (
        f'<w:footnotes {W}><w:footnote w:id="2"><w:p>{r("Gone: 60 days")}</w:p></w:footnote></w:footnotes>'
    )
    parsed = read(
        p("", runs="<w:r>" + box("Hidden: 40 days", 'hidden="1"') + "</w:r>")
        + p("", runs='<w:del w:id="1"><w:r>' + box("Deleted: 50 days") + "</w:r></w:del>")
        + p("", runs=r("Body") + '<w:del w:id="2"><w:r><w:footnoteReference w:id="2"/></w:r></w:del>')
        + p("", runs="<w:r>" + box("Shown: 70 days") + "</w:r>"),
        parts={"footnotes.xml": notes},
    )
    assert live(parsed) == ["Body", "Shown: 70 days"]
    assert aside(parsed, "hidden") == ["Hidden: 40 days"]
    assert aside(parsed, "struck") == ["Deleted: 50 days", "Gone: 60 days"]


def test_text_under_a_merged_cell_is_not_cited(read):  # T55
    # Word shows "Lot 1" over all three rows, and nothing of the price that still stands below it.
    parsed = read(
        tbl(
            ("Lot", "Item", "Price"),
            (tc("Lot 1", '<w:vMerge w:val="restart"/>'), "Meters", "100.00"),
            (tc("Lot 9", "<w:vMerge/>"), "Boxes", "300.00"),
            head=True,
        )
    )
    assert live(parsed) == ["Lot | Item | Price", "Lot 1 | Meters | 100.00", "Lot 1 | Boxes | 300.00"]
    assert aside(parsed, "hidden") == ["Lot 9"]


def test_a_deleted_paragraph_mark_joins_two_paragraphs(read):
    # Parted, "valid for" and "435 days" are two statements that say nothing.
    mark = '<w:rPr><w:del w:id="1"/></w:rPr>'
    parsed = read(p("The bid is valid for", extra=mark) + p(" 435 days.") + p("Next."))
    rows = parsed.blocks.to_dicts()
    assert [(row["text"], row["anchor"]) for row in rows] == [
        ("The bid is valid for 435 days.", "paragraph 2"),
        ("Next.", "paragraph 3"),
    ]


def test_ruby_text_and_watermarks_are_read(read):
    # The base word of a ruby and the words of a drawn watermark stand on the page and must not vanish.
    ruby = f"<w:r><w:ruby><w:rt>{r('reading')}</w:rt><w:rubyBase>{r('60 days')}</w:rubyBase></w:ruby></w:r>"
    mark = '<w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r>'
    parsed = read(p("", runs=r("Valid ") + ruby) + p("", runs=mark))
    assert live(parsed) == ["Valid 60 days", "DRAFT"]
    assert "reading" in [row["text"] for row in parsed.integrity.to_dicts()]
