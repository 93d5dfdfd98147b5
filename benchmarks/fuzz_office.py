"""Damages Word, Excel, text, image, archive and e-mail files and reads what is left: counts crashes and hangs.

    python benchmarks/fuzz_office.py [--count 500] [--seconds 900] [--seed 1] [--keep DIR]

The seeds are made here, small and with a little of everything: numbered headings, tables with merged cells, notes,
tracked changes and a picture in Word; formulas, dates, merged and hidden cells and comments in Excel; archives in
archives; an e-mail with attachments. Each round damages bytes, or a part inside the package which is then packed
anew, and reads the result as a file of a pack, its members too. Rules and exit code: `fuzz_pdfs.py`.
"""

from __future__ import annotations

import datetime
import io
import random
import sys
import zipfile
from email.message import EmailMessage

import pymupdf
from fuzz_pdfs import Damage, Seed, arguments, cut, flip, insert, number, repeat, rounds

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MARKUP = (
    b"<w:p>", b"</w:p>", b"<w:tc>", b"</w:tc>", b"<w:r>", b"</w:tbl>", b"<c r='A1'>", b"</row>", b"<row>", b"&#x0;",
    b"&lt;", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b'w:val="-1"', b'w:val="99999999999"', b'r="ZZZ999999999"', b"<v>",
)  # fmt: skip


def packed(parts: dict[str, bytes | str]) -> bytes:
    """A zip of the parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def paragraph(text: str, style: str = "", extra: str = "") -> str:
    """A paragraph of Word."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/>{extra}</w:pPr>' if style or extra else ""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"


def word() -> bytes:
    """A Word file with headings, numbering, a table with merged cells, a note, changes and a picture."""
    numbered = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    cell = "<w:tc><w:tcPr>{}</w:tcPr>{}</w:tc>"
    rows = (
        cell.format('<w:gridSpan w:val="2"/>', paragraph("Rates")) + cell.format("", paragraph("Unit")),
        cell.format('<w:vMerge w:val="restart"/>', paragraph("Day"))
        + 2 * cell.format("", paragraph("412.50")),
        cell.format("<w:vMerge/>", paragraph("")) + 2 * cell.format("", paragraph("98 %")),
    )
    table = "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"
    changed = (
        '<w:p><w:ins w:id="1"><w:r><w:t>within 30 days</w:t></w:r></w:ins><w:del w:id="2"><w:r>'
        '<w:delText>within 60 days</w:delText></w:r></w:del><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    )
    body = (
        paragraph("Scope of the offer", "Heading1", numbered)
        + paragraph("The bidder holds a valid certificate.")
        + paragraph("Delivery", "Heading2", numbered)
        + table
        + changed
        + '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
        + paragraph("Signed for the bidder")
    )
    heading = '<w:style w:type="paragraph" w:styleId="Heading{0}"><w:name w:val="heading {0}"/></w:style>'
    level = (
        '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    )
    numbering = f'<w:abstractNum w:abstractNumId="0">{level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    related = [("document.xml", "officeDocument"), ("styles.xml", "styles"), ("numbering.xml", "numbering")]
    related.append(("footnotes.xml", "footnotes"))
    links = "".join(
        f'<Relationship Id="r{n}" Type="{OFFICE}/{kind}" Target="{part}"/>'
        for n, (part, kind) in enumerate(related)
    )
    types = "wordprocessingml.document.main+xml"
    return packed(
        {
            "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType='
            f'"application/xml"/><Override PartName="/word/document.xml" ContentType='
            f'"application/vnd.openxmlformats-officedocument.{types}"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r" Type='
            f'"{OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{links}</Relationships>',
            "word/document.xml": f"<w:document {W}><w:body>{body}<w:sectPr/></w:body></w:document>",
            "word/styles.xml": f"<w:styles {W}>{heading.format(1)}{heading.format(2)}</w:styles>",
            "word/numbering.xml": f"<w:numbering {W}>{numbering}</w:numbering>",
            "word/footnotes.xml": f'<w:footnotes {W}><w:footnote w:id="2">{paragraph("Net of tax.")}</w:footnote>'
            "</w:footnotes>",
        }
    )


def workbook() -> bytes:
    """An Excel file with two sheets: formulas, dates, percentages, merged and hidden cells, a comment."""
    import openpyxl
    from openpyxl.comments import Comment

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Price schedule"
    sheet.append(["Item", "Quantity", "Unit price", "Total", "From"])
    for row in range(2, 30):
        sheet.append(
            [f"Meter type {row}", row * 10, 61.5, f"=B{row}*C{row}", datetime.date(2027, 1, row % 28 + 1)]
        )
    sheet.merge_cells("A32:C32")
    sheet["A32"] = "Total without tax"
    sheet["D32"] = "=SUM(D2:D29)"
    sheet["D32"].comment = Comment("Discount of 2 % included", "bidder")
    sheet["C2"].number_format = "0.0%"
    sheet.row_dimensions[5].hidden = True
    other = book.create_sheet("Compliance")
    other.append(["Rule", "Answer"])
    other.append(["R1", "Yes"])
    other.sheet_state = "hidden"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def pdf() -> bytes:
    """A PDF of one page."""
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "The bid remains valid for 120 days.")
        return document.tobytes()


def picture() -> bytes:
    """A PNG of that page."""
    with pymupdf.open(stream=pdf(), filetype="pdf") as document:
        return document[0].get_pixmap(dpi=50).tobytes("png")


def mail() -> bytes:
    """An e-mail with two bodies and attachments."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "bid@example.com", "tenders@example.com", "Our offer"
    message.set_content("Please find our offer attached.\nIt is valid for 120 days.")
    message.add_alternative("<p>Please find our <b>offer</b> attached.</p>", subtype="html")
    message.add_attachment(pdf(), maintype="application", subtype="pdf", filename="offer.pdf")
    message.add_attachment(workbook(), maintype="application", subtype="octet-stream", filename="prices.xlsx")
    return message.as_bytes()


def seeds() -> list[Seed]:
    """One file of each kind, archives within archives."""
    inner = packed({"tech/reply.docx": word(), "tech/offer.pdf": pdf()})
    page = "<html><body><h1>Offer</h1><table><tr><th>Item</th><td>61.50</td></tr></table></body></html>"
    return [
        (".docx", word()), (".docx", word()), (".xlsx", workbook()), (".xlsx", workbook()),
        (".zip", packed({"part 1.zip": inner, "prices.xlsx": workbook(), "notes.txt": "Valid for 120 days."})),
        (".eml", mail()), (".png", picture()), (".html", page.encode()),
        (".csv", b"Item;Quantity;Price\r\nMeter;400;61,50\r\nCabinet;12;1 240,00\r\n" * 20),
        (".txt", "1. Validity\nThe bid remains valid for 120 days.\n\n2. Délai\nDeux mois.\n".encode() * 20),
    ]  # fmt: skip


def mark(data: bytearray, rnd: random.Random) -> None:
    """Pieces of markup put between others."""
    places = [at for at, byte in enumerate(data) if byte == ord(">")] or [0]
    for _ in range(rnd.choice((1, 3, 10))):
        at = rnd.choice(places)
        data[at + 1 : at + 1] = rnd.choice(MARKUP)


def inside(data: bytearray, rnd: random.Random) -> None:
    """A part of the package damaged, left out, doubled, renamed or swollen, and all packed anew."""
    try:
        with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive:
            parts = {name: bytearray(archive.read(name)) for name in archive.namelist()}
        name = rnd.choice(sorted(parts))
    except Exception:
        flip(data, rnd)
        return
    kind = rnd.randrange(9)
    if kind == 0:
        del parts[name]
    elif kind == 1:
        parts[rnd.choice(("../up.txt", "/etc/x", "a/" * 60 + "x", "\udcff.txt", " ", "con.docx"))] = (
            parts.pop(name)
        )
    elif kind == 2:
        parts[name] = bytearray(rnd.choice(list(parts.values())))
    elif kind == 3:
        parts[name] *= rnd.choice((2, 50, 500))
    else:
        rnd.choice((flip, cut, insert, number, repeat, mark, mark, mark))(parts[name], rnd)
    try:
        data[:] = packed({name: bytes(content) for name, content in parts.items()})
    except (UnicodeError, ValueError):
        flip(data, rnd)


DAMAGES: tuple[Damage, ...] = (flip, cut, insert, number, repeat, mark, inside, inside, inside, inside)


def main() -> int:
    """Run the rounds."""
    return rounds(seeds(), DAMAGES, arguments(str(__doc__)))


if __name__ == "__main__":
    sys.exit(main())
