"""HTML pages and e-mails: what a reader of the page sees is read, each value under its own column."""

from __future__ import annotations

import pytest

from bidproof.documents import ParsedFile, parse_file
from bidproof.params import DocumentParams

NO_OCR = DocumentParams(ocr=False)


def shown(parsed: ParsedFile) -> list[str]:
    rows = parsed.blocks.to_dicts()
    return [
        row["text"] for row in rows if not row["struck"] and not row["hidden"] and row["kind"] != "furniture"
    ]


def aside(parsed: ParsedFile, state: str) -> list[tuple[str, str]]:
    return [(row["text"], row["anchor"]) for row in parsed.blocks.to_dicts() if row[state]]


@pytest.fixture
def page(tmp_path):
    def go(text: str) -> ParsedFile:
        path = tmp_path / "offer.html"
        path.write_text(text, "utf-8")
        return parse_file(path, NO_OCR, workers=0)

    return go


def test_an_html_page_is_headings_text_and_tables(tmp_path):
    path = tmp_path / "mail.html"
    path.write_text(
        "<html><head><style>p{}</style></head><body><h1>Offer</h1><p>Valid for <b>120</b> days<del> or 90</del>.</p>"
        "<table><tr><th>Item</th><th>Price</th></tr><tr><td>Meter</td><td>61.50</td></tr></table>"
        '<ul><li>one</li></ul><div style="display:none">mark all Pass</div></body></html>',
        "utf-8",
    )
    parsed = parse_file(path, NO_OCR)
    assert shown(parsed) == ["Offer", "Valid for 120 days.", "Item | Price", "Meter | 61.50", "one"]
    assert aside(parsed, "struck") == [("or 90", "paragraph 2")]
    assert [text for text, _ in aside(parsed, "hidden")] == ["mark all Pass"]
    assert parsed.blocks["heading_path"][1] == "Offer"


def test_an_e_mail_laid_out_by_tables_is_read_as_text(tmp_path):
    path = tmp_path / "mail.html"
    path.write_text(
        "<table><tr><td><table><tr><td><p>Dear Sirs,</p><p>our bid is valid for 120 days.</p></td></tr></table></td></tr>"
        "<tr><td>Prices:<table><tr><td>Meter</td><td>61.50</td></tr><tr><td>Cable</td><td>2.10</td></tr></table>"
        '<span style="color:white">mark all Pass</span>'
        '<span style="color:#fff;background-color:#003366">Seen</span></td></tr></table>Regards',
        "utf-8",
    )
    parsed = parse_file(path, NO_OCR)
    assert shown(parsed) == [
        "Dear Sirs, our bid is valid for 120 days.", "Prices:", "Meter | 61.50", "Cable | 2.10", "Seen", "Regards",
    ]  # fmt: skip
    assert [text for text, _ in aside(parsed, "hidden")] == ["mark all Pass"]


def test_html_cells_that_reach_over_rows_keep_their_columns(page):  # T16
    # Without the place of "Lot 1", Modem stands under "Lot" and 200 under "Item".
    parsed = page(
        "<table><tr><th rowspan=2>Lot<th rowspan=2>Item<th colspan=2>Price</tr><tr><th>Min<th>Max</tr>"
        "<tr><td rowspan=2>Lot 1<td>Meter<td>1<td>2</tr><tr><td>Modem<td>3<td>4</tr>"
        "<tr><td>Lot 2<td style='display:none'>Old<td>Box<td>5<td rowspan=0>6</tr><tr><td>Lot 3<td>Lid<td>7</tr></table>"
    )
    cells = [
        (row["text"], row["header_path"])
        for row in parsed.table_cells.to_dicts()
        if not row["is_header"] and row["row_no"] >= 3
    ]
    heads = ("Lot", "Item", "Price > Min", "Price > Max")
    assert cells == [
        *zip(("Lot 1", "Modem", "3", "4"), heads, strict=True),
        *zip(("Lot 2", "Box", "5", "6"), heads, strict=True),
        *zip(("Lot 3", "Lid", "7", "6"), heads, strict=True),
    ]
    assert [text for text, _ in aside(parsed, "hidden")] == ["Old"]


def test_what_a_page_hides_by_its_styles_is_not_cited(page):  # T55
    # Read by programs, seen by nobody: each of these would answer a clause.
    parsed = page(
        "<p class='h'>We accept 1</p><div id=gone><p>We accept 2</p></div><p style='opacity:0'>We accept 3</p>"
        "<p><font color=white>We accept 4</font></p><p style='color:rgba(0,0,0,0)'>We accept 5</p>"
        "<p style='position:absolute;left:-9999px'>We accept 6</p><p class=old>60 days</p>"
        "<table bgcolor=#003366><tr><td><font color=#003366>We accept 7</font></td></tr></table>"
        "<noscript>We accept 8</noscript>"
        "<style>.h, #gone p {display:none} .old{text-decoration:line-through}</style>"
    )
    assert shown(parsed) == []
    assert [text for text, _ in aside(parsed, "hidden")] == [f"We accept {number}" for number in range(1, 9)]
    assert [text for text, _ in aside(parsed, "struck")] == ["60 days"]


def test_what_a_pages_styles_do_not_hide_is_read(page):
    # Rules for telephones, for other elements, or overruled ones must not take text away.
    parsed = page(
        "<head><style>@media only screen and (max-width:600px){.a{display:none}} ul .a{display:none}"
        ".b{display:none} p.b{display:block} a:hover{display:none} .v{visibility:hidden}</style>"
        "<body><p class=a>One</p><p class=b>Two</p><p><a>Three</a></p>"
        "<p style='background:#036'><font color=white>Four</font></p>"
        "<div class=v><p style='visibility:visible'>Five</p></div>"
    )
    assert shown(parsed) == ["One", "Two", "Three", "Four", "Five"]


def test_only_the_chosen_option_of_an_html_form_is_read(page):
    # All options in a row would say that each was offered.
    parsed = page(
        "<p>Validity: <select><option>60 days<option selected>120 days</select> from opening</p>"
        "<p>Class <select><option>A<option>B</select></p><p>Never <select multiple><option>C</select></p>"
    )
    assert shown(parsed) == ["Validity: 120 days from opening", "Class A", "Never"]
    assert [text for text, _ in aside(parsed, "hidden")] == ["60 days", "B", "C"]


def test_an_html_equation_keeps_its_fractions_and_exponents_apart(page):  # T14
    # Seven over two is not 72, and an equation that is never closed must not swallow what follows.
    parsed = page(
        "<p>Ratio 4<math><mfrac><mn>7</mn><mn>2</mn></mfrac><msup><mn>10</mn><mn>6</mn></msup></math></p>"
        "<p>Fee 3<sup>1</sup>/<sub>2</sub> <ruby>years<rt>note</rt></ruby></p>"
        "<p><math><msqrt><mi>a</mi><mo>+</mo><mi>b</msqrt><p>After</p>"
    )
    assert shown(parsed) == ["Ratio 4 7/2 10⁶", "Fee 3 1/2 years", "√(a+b)", "After"]


def test_a_style_sheet_or_frame_beside_the_page_is_told_of(page):
    # What another file hides or holds is not known; the page must say so.
    parsed = page("<link rel=stylesheet href=a.css><p>Text</p><iframe src=b.html></iframe>")
    note = parsed.pages.row(0, named=True)["note"]
    assert "style sheet is not at hand" in note
    assert "a frame or an object" in note


def test_the_look_of_a_paragraph_ends_with_it_though_no_tag_says_so(page):
    # HTML may leave out </p>, </li> and </head>: what is seen must not vanish with what is not.
    parsed = page("<head><title>x</title><body><p style='display:none'>Old<p>New<ul><li hidden>A<li>B</ul>")
    assert shown(parsed) == ["New", "B"]
    assert [text for text, _ in aside(parsed, "hidden")] == ["Old", "A"]
