"""Small Office files, built by hand so that a test shows the very XML that it is about."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
NAMES = (
    f'{W} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
    ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:v="urn:schemas-microsoft-com:vml"'
)
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>{}</Types>'
)
STYLES = f"""<w:styles {W}>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/>
<w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="32"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Titre2"><w:name w:val="Titre 2"/><w:basedOn w:val="Normal"/>
<w:rPr><w:b/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="TM1"><w:name w:val="toc 1"/></w:style>
</w:styles>"""


def p(
    text: str, style: str = "", number: tuple[int, int] | None = None, extra: str = "", runs: str = ""
) -> str:
    """A paragraph: its text, or its runs as XML."""
    properties = f'<w:pStyle w:val="{style}"/>' if style else ""
    if number is not None:
        properties += f'<w:numPr><w:ilvl w:val="{number[1]}"/><w:numId w:val="{number[0]}"/></w:numPr>'
    return f"<w:p><w:pPr>{properties}{extra}</w:pPr>{runs or r(text)}</w:p>"


def r(text: str, look: str = "") -> str:
    """A run."""
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r>' if text else ""


def tc(content: str, properties: str = "") -> str:
    """A table cell; plain text becomes a paragraph."""
    inner = content if content.startswith("<") else p(content)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"


def tbl(*rows: tuple[str, ...], head: bool = False) -> str:
    """A table of cells (`tc` or plain text); the first row a header row where `head`."""
    made = []
    for number, row in enumerate(rows):
        properties = "<w:trPr><w:tblHeader/></w:trPr>" if head and not number else ""
        cells = "".join(cell if cell.startswith("<w:tc>") else tc(cell) for cell in row)
        made.append(f"<w:tr>{properties}{cells}</w:tr>")
    return f"<w:tbl><w:tblPr/>{''.join(made)}</w:tbl>"


def docx(
    path: Path,
    body: str,
    parts: dict[str, str | bytes] | None = None,
    relations: dict[str, tuple[str, str]] | None = None,
) -> Path:
    """A Word file of a body. `parts` are further parts of `word/`, `relations` kind and target by id."""
    related = {"s": ("styles", "styles.xml"), **(relations or {})}
    held: dict[str, str | bytes] = {"styles.xml": STYLES, **(parts or {})}
    for name in ("numbering", "footnotes", "comments"):
        if f"{name}.xml" in held:
            related[name] = (name, f"{name}.xml")
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            _TYPES.format(f'<Override PartName="/word/document.xml" ContentType="{main}"/>'),
        )
        archive.writestr("_rels/.rels", _relations({"d": ("officeDocument", "word/document.xml")}))
        archive.writestr("word/document.xml", f"<w:document {NAMES}><w:body>{body}</w:body></w:document>")
        archive.writestr("word/_rels/document.xml.rels", _relations(related))
        for name, content in held.items():
            archive.writestr(f"word/{name}", content)
    return path


def _relations(related: dict[str, tuple[str, str]]) -> str:
    rows = "".join(
        f'<Relationship Id="{key}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for key, (kind, target) in related.items()
    )
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{rows}</Relationships>'


def numbering(*levels: tuple[str, str], extra: str = "") -> str:
    """A numbering part: list 1 with levels of (format, text); `extra` are further `w:num`."""
    made = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for at, (form, text) in enumerate(levels)
    )
    return (
        f'<w:numbering {W}><w:abstractNum w:abstractNumId="0">{made}</w:abstractNum>'
        f'<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>{extra}</w:numbering>'
    )


def live(parsed) -> list[str]:
    """Texts of the blocks that are seen and not crossed out, without running headers and footers."""
    rows = parsed.blocks.to_dicts()
    return [
        row["text"] for row in rows if not row["struck"] and not row["hidden"] and row["kind"] != "furniture"
    ]


def aside(parsed, state: str) -> list[str]:
    """Texts of the blocks in a state: `struck` or `hidden`."""
    return [row["text"] for row in parsed.blocks.to_dicts() if row[state]]


def placed_aside(parsed, state: str) -> list[tuple[str, str]]:
    """As `aside`, each with its anchor."""
    return [(row["text"], row["anchor"]) for row in parsed.blocks.to_dicts() if row[state]]
