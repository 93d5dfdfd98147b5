"""Word files: what a reader of the file sees is read, in its order, and nothing that it does not show is cited."""

from __future__ import annotations

import pymupdf
import pytest
from office_builder import STYLES, W, aside, docx, live, numbering, p, r, tbl, tc

from bidproof.documents import ParsedFile, inspect_files, parse_file
from bidproof.errors import UnreadableFileError
from bidproof.intake.source_files import SourceFile, hash_file
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


def inspected(path, name=None):
    file = SourceFile(
        file_name=name or path.name, path=path, size=path.stat().st_size, sha256=hash_file(path)
    )
    frame = inspect_files(
        [file],
        pack="t--b",
        tender="t",
        bidder="b",
        tender_name="T",
        bidder_name="B",
        role="bid",
        params=NO_OCR,
    )
    return frame.row(0, named=True)


def test_a_word_file_under_a_pdf_name_is_read_and_said(tmp_path):
    path = docx(
        tmp_path / "offer.pdf", p("Our bid is valid for 150 days from the date of opening of the bids.")
    )
    row = inspected(path)
    assert (row["kind"], row["status"], row["page_count"], row["language"]) == ("docx", "ok", 1, "en")
    assert row["warnings"] == ["offer.pdf: is a Word document under another name; it is read as one"]
    assert parse_file(path, NO_OCR).blocks["anchor"].to_list() == ["paragraph 1"]


def test_a_word_file_is_the_same_read_here_or_apart(tmp_path):
    path = docx(tmp_path / "offer.docx", p("One.") + tbl(("Item", "Price"), ("Meter", "12")))
    here, apart = parse_file(path, NO_OCR, workers=0), parse_file(path, NO_OCR, workers=1)
    assert here.to_bytes() == apart.to_bytes()


@pytest.mark.parametrize(
    ("stream", "words"),
    [
        ("EncryptedPackage", "asks for a password"),
        ("WordDocument", "save it as .docx"),
        ("Workbook", "save it as .xlsx"),
        ("PowerPoint Document", "print it to PDF"),
    ],
)
def test_old_and_locked_office_files_say_what_to_do(tmp_path, stream, words):
    path = tmp_path / "old.pdf"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600 + stream.encode("utf-16-le"))
    row = inspected(path)
    assert (row["status"], row["encrypted"]) == ("unreadable", stream == "EncryptedPackage")
    assert words in row["warnings"][0]


def test_a_word_file_that_is_a_bomb_is_refused_in_one_line(tmp_path):
    path = docx(tmp_path / "bomb.docx", p("x"), parts={"media/image1.bin": b"\0" * (3 << 20)})
    with pytest.raises(
        UnreadableFileError, match=r"unpacks to 3 MB, more than documents.max_unpacked_mb \(1\)"
    ):
        parse_file(path, NO_OCR.model_copy(update={"max_unpacked_mb": 1}))


@pytest.mark.parametrize("damage", ["<w:p>", "<!DOCTYPE a [<!ENTITY b 'c'>]>"])
def test_a_damaged_word_file_is_refused_in_one_line(tmp_path, damage):
    path = docx(tmp_path / "bad.docx", damage)
    row = inspected(path)
    assert row["status"] == "unreadable"
    assert "damaged" in row["warnings"][0]


def test_styles_that_inherit_from_each_other_in_a_circle_end(read):
    loop = STYLES.replace('<w:name w:val="Normal"/>', '<w:name w:val="Normal"/><w:basedOn w:val="Heading1"/>')
    assert live(read(p("One."), parts={"styles.xml": loop})) == ["One."]


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


def test_a_picture_too_small_for_text_is_noted(read):
    with pymupdf.open() as document:
        logo = document.new_page(width=60, height=40).get_pixmap().tobytes("png")
    parsed = read(
        p("", runs=r("Acme Ltd") + DRAWN), DocumentParams(),
        parts={"media/image1.png": logo}, relations={"i": ("image", "media/image1.png")},
    )  # fmt: skip
    assert parsed.pages.select("status", "coverage").rows() == [("text", 1.0)]
    assert "too small for any" in parsed.pages["note"][0]


def test_damaged_notes_do_not_take_the_text_along(read):
    parsed = read(p("The offer is valid for 90 days."), parts={"footnotes.xml": "<w:footnotes>"})
    assert live(parsed) == ["The offer is valid for 90 days."]
    assert "word/footnotes.xml is damaged" in parsed.warnings[0]


def test_files_and_macros_inside_a_word_file_are_told(read):
    parsed = read(p("One."), parts={"embeddings/annex.pdf": b"%PDF-1.7", "vbaProject.bin": b"x"})
    assert "1 file inside it is not read (annex.pdf)" in parsed.warnings[0]
    assert sorted(parsed.integrity["kind"].to_list()) == ["active_content", "embedded_file"]


def test_a_list_of_contents_that_never_ends_swallows_no_text(read):
    field = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> TOC \\o "1-3" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    parsed = read(
        p("", runs=field + r("3.2 Bid security") + "<w:r><w:tab/></w:r>" + r("47"))
        + p("Our bid is valid for 90 days.")
    )
    assert parsed.blocks.select("kind", "text").rows() == [
        ("contents", "3.2 Bid security 47"), ("paragraph", "Our bid is valid for 90 days."),
    ]  # fmt: skip
