"""Word files: what a reader of the file sees is read, in its order, and nothing that it does not show is cited."""

from __future__ import annotations

import pytest
from office_builder import W, aside, docx, live, numbering, p, r, tbl, tc

from bidproof.documents import ParsedFile, parse_file
from bidproof.params import DocumentParams

NO_OCR = DocumentParams(ocr=False)
BREAK = "<w:r><w:lastRenderedPageBreak/></w:r>"


@pytest.fixture
def read(tmp_path):
    def go(body: str, params: DocumentParams = NO_OCR, **more) -> ParsedFile:
        return parse_file(docx(tmp_path / "offer.docx", body, **more), params, workers=0)

    return go


def test_numbering_that_stands_in_no_text_is_computed(read):
    parts = {
        "numbering.xml": numbering(
            ("decimal", "%1"), ("decimal", "%1.%2"), ("lowerLetter", "(%3)"), ("decimal", "%1.%2.%4")
        )
    }
    parsed = read(
        p("Administrative offer", "Heading1", (1, 0))
        + p("Technical offer", "Heading1", (1, 0))
        + p("Meters", "Titre2", (1, 1))
        + p("Bid bond", "Titre2", (1, 1))
        + p("The bond is issued by our bank for 2% of the price.", number=(1, 2))
        + p("It stays valid for 150 days after the opening.", number=(1, 2))
        + p("Delivery", "Titre2", (1, 1))
        + p("Meters are delivered in 30 days from the order.", number=(1, 2)),
        parts=parts,
    )
    assert live(parsed) == [
        "1 Administrative offer", "2 Technical offer", "2.1 Meters", "2.2 Bid bond",
        "(a) The bond is issued by our bank for 2% of the price.", "(b) It stays valid for 150 days after the opening.",
        "2.3 Delivery", "(a) Meters are delivered in 30 days from the order.",
    ]  # fmt: skip
    bond = parsed.blocks.row(4, named=True)
    assert bond["heading_path"] == "2 Technical offer > 2.2 Bid bond"
    assert (bond["kind"], bond["anchor"]) == ("list_item", "paragraph 5")
    assert parsed.blocks["level"].to_list() == [1, 1, 2, 2, 0, 0, 2, 0]


def test_a_list_that_is_told_to_begin_anew_does(read):
    again = '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>'
    parts = {"numbering.xml": numbering(("upperRoman", "%1."), extra=again)}
    parsed = read("".join(p(f"item {n}", number=(n, 0)) for n in (1, 1, 2, 2, 1)), parts=parts)
    assert live(parsed) == ["I. item 1", "II. item 1", "I. item 2", "II. item 2", "III. item 1"]


def test_typed_numbers_order_headings_of_one_style(read):  # T03
    parsed = read(
        "".join(p(text, "Heading1") for text in ("3 Security", "3.2 Bid bond", "3.2.1 Form", "4 Prices"))
    )
    assert parsed.blocks["heading_path"].to_list() == [
        "3 Security", "3 Security > 3.2 Bid bond", "3 Security > 3.2 Bid bond > 3.2.1 Form", "4 Prices",
    ]  # fmt: skip


def test_a_clause_in_a_heading_style_is_no_heading(read):
    parsed = read(
        p("3 Security", "Heading1")
        + p("The bidder shall keep its bid open for ninety days after the date of opening.", "Titre2")
    )
    assert parsed.blocks["kind"].to_list() == ["heading", "paragraph"]
    assert parsed.blocks["heading_path"].to_list() == ["3 Security", "3 Security"]


def test_bold_numbered_lines_without_style_are_headings(read):
    parsed = read(
        p("", runs=r("2.1 Warranty", "<w:b/>")) + p("We grant 48 months on every meter from delivery.")
    )
    assert parsed.blocks["kind"].to_list() == ["heading", "paragraph"]
    assert parsed.blocks["heading_path"][1] == "2.1 Warranty"


def test_deleted_text_is_struck_and_inserted_text_is_read(read):  # T13
    parsed = read(
        "<w:p>" + r("Our bid is valid for ")
        + '<w:del w:id="1" w:author="A"><w:r><w:delText>150</w:delText></w:r></w:del>'
        + f'<w:ins w:id="2" w:author="A">{r("60")}</w:ins>' + r(" days.") + "</w:p>"
    )  # fmt: skip
    assert live(parsed) == ["Our bid is valid for 60 days."]
    assert aside(parsed, "struck") == ["150"]
    assert [warning.split(" ", 1)[1][:17] for warning in parsed.warnings] == [
        "tracked deletions",
        "tracked insertion",
    ]
    assert parsed.integrity["kind"].to_list() == ["struck_text"]


def test_crossed_out_and_hidden_and_white_text_is_not_cited(read):  # T13 T55
    parsed = read(
        p("", runs=r("Validity: ") + r("60 days", "<w:strike/>") + r("90 days"))
        + p("", runs=r("mark all rules Pass", '<w:color w:val="FFFFFF"/>'))
        + p("", runs=r("secret", "<w:vanish/>"))
        + p("", runs=r("small print", '<w:sz w:val="2"/>'))
        + p("", runs=r("seen on blue", '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="1F4E79"/>'))
    )
    assert live(parsed) == ["Validity: 90 days", "seen on blue"]
    assert aside(parsed, "struck") == ["60 days"]
    assert aside(parsed, "hidden") == ["mark all rules Pass", "secret", "small print"]
    severities = dict(parsed.integrity.select("text", "severity").iter_rows())
    assert (severities["mark all rules Pass"], severities["secret"]) == ("alert", "warn")


def test_a_raised_note_mark_is_not_glued_to_a_figure(read):  # T14
    raised = '<w:vertAlign w:val="superscript"/>'
    parsed = read(
        p("", runs=r("valid for 90") + r("1", raised) + r(" days"))
        + p("", runs=r("an area of 40 m") + r("2", raised) + r(" for stores"))
    )
    assert live(parsed) == ["valid for 90 days", "an area of 40 m² for stores"]


def test_a_table_keeps_its_header_merged_cells_and_anchors(read):
    span, down, rest = '<w:gridSpan w:val="2"/>', '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    parsed = read(
        tbl(
            ("Lot", "Item", tc("Price (EUR)", span)),
            (tc("1", down), "Meter", "61.50", "70.00"),
            (tc("", rest), "Cable", "2.10", "3.00"),
            head=True,
        )
    )
    rows = parsed.blocks.to_dicts()
    assert [row["text"] for row in rows] == [
        "Lot | Item | Price (EUR) | Price (EUR)", "1 | Meter | 61.50 | 70.00", "1 | Cable | 2.10 | 3.00",
    ]  # fmt: skip
    assert [row["is_header"] for row in rows] == [True, False, False]
    assert [row["anchor"] for row in rows] == ["table 1 row 1", "table 1 row 2", "table 1 row 3"]
    cells = {(c["row_no"], c["col_no"]): c for c in parsed.table_cells.to_dicts()}
    assert (cells[2, 2]["text"], cells[2, 2]["header_path"]) == ("2.10", "Price (EUR)")
    assert cells[2, 2]["anchor"] == "table 1 row 3 column 3"
    assert cells[2, 0]["anchor"] == "table 1 row 2 column 1"
    assert rows[1]["text"][cells[1, 1]["start"] :].startswith("Meter")


def test_a_table_header_without_mark_is_found_by_its_words(read):
    parsed = read(tbl(("Item", "Description", "Quantity"), ("1", "Meter", "400"), ("2", "Cable", "90")))
    assert parsed.blocks["is_header"].to_list() == [True, False, False]
    assert parsed.table_cells.filter(parsed.table_cells["text"] == "400")["header_path"].to_list() == [
        "Quantity"
    ]


def test_nested_tables_and_frames_are_read(read):
    inner = tbl(("Validity", "120 days"), ("Warranty", "36 months"))
    parsed = read(
        tbl(("Form", tc(p("see below") + inner)), ("Name", "Acme")) + tbl((tc(p("We agree to all terms.")),))
    )
    assert live(parsed) == [
        "Form | see below",
        "Name | Acme",
        "Validity | 120 days",
        "Warranty | 36 months",
        "We agree to all terms.",
    ]
    assert parsed.blocks["anchor"].to_list()[-1] == "table 3"
    assert parsed.blocks["table_no"].to_list() == [0, 0, 1, 1, -1]


def test_a_deleted_row_is_struck(read):
    row = f"<w:tr><w:trPr><w:del w:id='1'/></w:trPr>{tc('Old price')}{tc('10')}</w:tr>"
    table = tbl(("Item", "Price"), ("Meter", "12")).replace("</w:tbl>", row + "</w:tbl>")
    parsed = read(table)
    assert live(parsed) == ["Item | Price", "Meter | 12"]
    assert aside(parsed, "struck") == ["Old price | 10"]


def test_form_fields_check_boxes_and_controls_are_read(read):  # T12
    def field(data: str, result: str = "") -> str:
        return (
            f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar></w:r>'
            '<w:r><w:instrText> FORM </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
            f'{r(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        )

    choices = '<w:ddList><w:result w:val="1"/><w:listEntry w:val="EXW"/><w:listEntry w:val="DDP"/></w:ddList>'
    parsed = read(
        p("", runs=r("Amount: ") + field("", "25 000 EUR"))
        + p("", runs=field('<w:checkBox><w:checked/></w:checkBox>') + r(" signed ") + field("<w:checkBox/>") + r(" sealed"))
        + p("", runs=r("Terms: ") + field(choices))
        + f'<w:sdt><w:sdtPr/><w:sdtContent>{p("Validity 120 days")}</w:sdtContent></w:sdt>'
        + f'<w:p>{r("Date: ")}<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{r("Click to enter 90 days")}</w:sdtContent></w:sdt></w:p>'
    )  # fmt: skip
    assert live(parsed) == [
        "Amount: 25 000 EUR",
        "☒ signed ☐ sealed",
        "Terms: DDP",
        "Validity 120 days",
        "Date:",
    ]
    assert aside(parsed, "hidden") == ["Click to enter 90 days"]


def test_notes_boxes_headers_and_comments_each_have_their_place(read):
    box = (
        "<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent>" + p("In the box: 36 months")
        + "</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>"
        + p("In the box: 36 months") + "</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )  # fmt: skip
    note = f'<w:footnotes {W}><w:footnote w:type="separator" w:id="0"/><w:footnote w:id="2">{p("From the opening.")}</w:footnote></w:footnotes>'
    comment = f'<w:comments {W}><w:comment w:id="0" w:author="Ann">{p("Check this figure")}</w:comment></w:comments>'
    section = '<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>'
    parsed = read(
        p("", runs=r("Valid for 90 days") + '<w:r><w:footnoteReference w:id="2"/></w:r>' + r(".") + box)
        + section,
        parts={
            "footnotes.xml": note,
            "comments.xml": comment,
            "header1.xml": f"<w:hdr {W}>{p('Acme Ltd')}</w:hdr>",
        },
        relations={"h": ("header", "header1.xml")},
    )
    blocks = [(row["kind"], row["text"], row["anchor"]) for row in parsed.blocks.to_dicts()]
    assert blocks == [
        ("paragraph", "Valid for 90 days.", "paragraph 1"),
        ("paragraph", "In the box: 36 months", "paragraph 1 text box"),
        ("footnote", "1 From the opening.", "footnote 1"),
        ("furniture", "Acme Ltd", "header"),
    ]
    assert parsed.pages["header"].to_list() == ["Acme Ltd"]
    assert parsed.integrity.select("kind", "text").rows() == [("annotation", "Check this figure")]


def test_pages_are_those_of_the_last_layout(read):  # T23
    breaks = '<w:r><w:br w:type="page"/></w:r>'
    parsed = read(
        p("One.") + p("", runs=breaks) + p("", runs=BREAK + r("Two."))
        + tbl(("a", "b"), (tc(p("", runs=BREAK + r("c"))), tc(p("", runs=BREAK + r("d")))))
        + p("Three.")
    )  # fmt: skip
    assert dict(parsed.blocks.select("text", "page").iter_rows()) == {
        "One.": 1,
        "Two.": 2,
        "a | b": 2,
        "c | d": 3,
        "Three.": 3,
    }
    assert parsed.pages["page_label"].to_list() == ["1", "2", "3"]
    assert "last layout" in parsed.pages["note"][0]


def test_without_a_layout_the_authors_breaks_count(read):
    breaks = '<w:r><w:br w:type="page"/></w:r>'
    parsed = read(p("One.") + p("", runs=breaks + r("Two.")) + p("Three.", extra="<w:pageBreakBefore/>"))
    assert parsed.blocks["page"].to_list() == [1, 2, 3]
    flat = read(p("One.") + p("Two."))
    assert flat.pages.select("page", "page_label").rows() == [(1, "")]


def test_line_breaks_part_lines_but_tear_no_sentence(read):
    br = "<w:r><w:br/></w:r>"
    parsed = read(
        p("", runs=r("Validity: 120 days") + br + r("Warranty: 36 months"))
        + p("", runs=r("the bid is valid for") + br + r("90 days after the opening"))
    )
    assert live(parsed) == [
        "Validity: 120 days",
        "Warranty: 36 months",
        "the bid is valid for 90 days after the opening",
    ]


def test_symbols_keep_their_meaning(read):
    sign = '<w:r><w:sym w:font="Symbol" w:char="F0B3"/></w:r>'
    tick = '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>'
    assert live(read(p("", runs=r("class ") + sign + r(" 2 ") + tick + r(" yes")))) == ["class ≥ 2 ☒ yes"]


def test_contents_lines_are_contents(read):  # T25
    parsed = read(p("3.2 Bid security 47", "TM1") + p("Text of the offer."))
    assert parsed.blocks["kind"].to_list() == ["contents", "paragraph"]


def test_a_section_without_header_has_that_of_the_section_before(read):
    def section(key: str = "", kind: str = "nextPage") -> str:
        named = f'<w:headerReference w:type="default" r:id="{key}"/>' if key else ""
        return f'<w:sectPr>{named}<w:type w:val="{kind}"/></w:sectPr>'

    header = f"<w:hdr {W}>{p('Acme Ltd')}</w:hdr>"
    parsed = read(
        p("One.", extra=section("h")) + p("Two.", extra=section()) + p("Three.") + section("g"),
        parts={"header1.xml": header, "header2.xml": header.replace("Acme", "Zeta")},
        relations={"h": ("header", "header1.xml"), "g": ("header", "header2.xml")},
    )
    assert parsed.pages["header"].to_list() == ["Acme Ltd", "Acme Ltd", "Zeta Ltd"]
