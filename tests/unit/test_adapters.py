"""Adapters: which file is read as what and why, a CV by its posts, a report by its findings, a tender as ever."""

from __future__ import annotations

import polars as pl
import pytest
from office_builder import docx, p, r
from pdf_builder import Pdf

from bidproof.adapters import (
    ADAPTERS,
    CV,
    REPORT,
    TENDER,
    adapter_named,
    choose_adapter,
    name_evidence,
    title_key,
)
from bidproof.chunking import chunk_blocks, prove_coverage
from bidproof.documents import blocks_table, inspect_files, pages_table, parse_file, parse_key
from bidproof.intake.inbox import SourceFile, hash_file
from bidproof.params import ChunkingParams, DocumentParams

AUTO = DocumentParams(ocr=False)
OWNER = {"tender": "t", "bidder": "b", "pack": "t--b", "doc_id": "ab12cd34ef"}
CHUNKING = ChunkingParams()

CV_FIRST = [
    "Curriculum Vitae",
    "",
    "Date of birth: 12 May 1980",
    "",
    "Work experience",
    "",
    "Senior metering engineer, Northgrid Utilities, Leeds",
    "March 2019 - present",
    "· Led the roll-out of 40,000 smart meters in three regions.",
    "· Answered for acceptance tests and for a team of twelve.",
    "",
    "Project engineer, Halden Power, Oslo",
    "06/2012 - 02/2019",
    "· Designed substations of 66 kV for two industrial parks.",
]
CV_SECOND = [
    "Design engineer, Borg Electric, Bergen",
    "2008 - 2012",
    "· Drew switchgear for hospitals.",
    "",
    "Education:",
    "",
    "2003 - 2008 Master of Science in Electrical Engineering, Trondheim",
    "",
    "LANGUAGES",
    "",
    "Norwegian, English, French",
]


def pdf_of(*pages: list[str], size: float = 11) -> bytes:
    pdf = Pdf()
    for lines in pages:
        pdf.page()
        for number, line in enumerate(lines):
            if line:
                pdf.text(72, 90 + 15 * number, line, size=size)
    return pdf.bytes()


def read(data: bytes, name: str, params: DocumentParams = AUTO) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Blocks and chunks of one file as the pipeline would make them; the chunks are proven."""
    parsed = parse_file(data, params, workers=0, file_name=name)
    document = {
        **OWNER,
        "file_name": name,
        "duplicate_of": "",
        "page_count": 1,
        "warnings": [],
        "status": "ok",
    }
    documents = pl.DataFrame([document])
    key = OWNER["doc_id"]
    blocks, pages = blocks_table(documents, {key: parsed}), pages_table(documents, {key: parsed})
    opening = "\n".join(blocks.filter(pl.col("page") <= 2)["text"].to_list())
    adapter = choose_adapter(name, opening, pages.height, params).name
    chunks = chunk_blocks(blocks, pages, CHUNKING, adapters={key: adapter})
    assert prove_coverage(blocks, chunks, CHUNKING).gaps == ()
    return blocks, chunks


@pytest.mark.parametrize(
    ("name", "adapter", "why"),
    [
        ("CV_JeanDupont.pdf", "cv", "file name: a CV's name (cv)"),
        ("team/CVs/Smith.pdf", "cv", "folder: a CV's name (cvs)"),
        ("3.2 Curriculum Vitae - Project Manager.pdf", "cv", "file name: a CV's name (curriculum, vitae)"),
        ("AnnualReport2024.pdf", "report", "file name: a report's name (annual report)"),
        ("Rapport d'activité 2023.pdf", "report", "file name: a report's name (rapport d activite)"),
        ("Technical Proposal with audit report.pdf", "tender", "file name: a tender's or bid's name (proposal, technical)"),
        ("scan0012.pdf", "tender", "nothing speaks for another kind"),
        ("Report template.pdf", "tender", "nothing speaks for another kind"),
    ],
)  # fmt: skip
def test_a_name_says_what_a_file_is(name, adapter, why):
    choice = choose_adapter(name, "", 3, AUTO)
    assert (choice.name, choice.why) == (adapter, why)


def test_first_pages_say_what_a_file_is_where_its_name_does_not():
    cv = choose_adapter("scan.pdf", "\n".join(CV_FIRST), 2, AUTO)
    assert cv.name == "cv"
    assert "headed curriculum vitae: Curriculum Vitae" in cv.why
    filing = "UNITED STATES\nFORM 10-K\nFor the fiscal year ended December 31, 2023\nRiver Meters Inc."
    report = choose_adapter("scan.pdf", filing, 90, AUTO)
    assert (report.name, report.why) == (
        "report",
        "headed as a report: FORM 10-K; a filing: For the fiscal year ended December 31, 2",
    )


def test_an_offer_that_lists_reports_and_cvs_stays_a_tender():
    opening = "\n".join([
        "Technical Proposal", "Instructions to Bidders", "Executive summary", "Annual report 2023 ....... 45", "Curriculum vitae ....... 51",
        "Education and training of staff 52",
    ])  # fmt: skip
    assert choose_adapter("offer.pdf", opening, 120, AUTO).name == "tender"


def test_a_long_file_is_no_cv_by_its_first_pages_alone():
    assert choose_adapter("scan.pdf", "\n".join(CV_FIRST), 400, AUTO).name == "tender"


def test_parameters_decide_before_any_evidence():
    by_pattern = DocumentParams(adapter_names={"team/*.pdf": "cv"})
    assert (
        choose_adapter("Team/annual report.PDF", "", 1, by_pattern).why
        == "documents.adapter_names: team/*.pdf"
    )
    assert choose_adapter("Team/annual report.PDF", "", 1, by_pattern).name == "cv"
    fixed = choose_adapter("CV.pdf", "", 1, DocumentParams(adapter="tender"))
    assert (fixed.name, fixed.why) == ("tender", "documents.adapter")


def test_the_row_of_a_file_says_how_it_is_read_and_why(tmp_path):
    path = tmp_path / "scan.pdf"
    path.write_bytes(pdf_of(CV_FIRST, CV_SECOND))
    file = SourceFile(file_name="scan.pdf", path=path, size=path.stat().st_size, sha256=hash_file(path))
    (row,) = inspect_files(
        [file], pack="t--b", tender="t", bidder="b", tender_name="", bidder_name="", role="bid", params=AUTO
    ).to_dicts()
    assert row["adapter"] == "cv"
    assert row["adapter_why"].startswith("headed curriculum vitae: Curriculum Vitae")


def test_a_name_of_other_evidence_is_read_anew_and_one_of_the_same_is_not():
    keys = {name: parse_key("00", AUTO, name) for name in ("scan.pdf", "page.pdf", "CV.pdf")}
    assert keys["scan.pdf"] == keys["page.pdf"] != keys["CV.pdf"]
    assert name_evidence("CV.pdf", DocumentParams(adapter="report")) == "report"


def test_a_cv_is_cut_by_its_posts_each_whole_under_its_section():
    blocks, chunks = read(pdf_of(CV_FIRST, CV_SECOND), "team/Lind.pdf")
    headings = blocks.filter(pl.col("kind") == "heading")["text"].to_list()
    assert [each for each in headings if title_key(each) in CV.section_types] == [
        "Work experience",
        "Education:",
        "LANGUAGES",
    ]
    posts = chunks.filter(pl.col("content_type") == "position")
    assert posts["text"].to_list() == [
        "Work experience\nSenior metering engineer, Northgrid Utilities, Leeds March 2019 - present\n"
        "· Led the roll-out of 40,000 smart meters in three regions.\n· Answered for acceptance tests and for a team of twelve.",
        "Project engineer, Halden Power, Oslo 06/2012 - 02/2019\n· Designed substations of 66 kV for two industrial parks.",
        "Design engineer, Borg Electric, Bergen 2008 - 2012\n· Drew switchgear for hospitals.",
    ]  # fmt: skip
    # The section runs over the page: page 1 of a CV is no cover.
    assert all(path.endswith("Work experience") for path in posts["heading_path"])
    assert posts["page"].to_list() == [1, 1, 2]
    assert posts["annotations"].to_list() == [["period", "current"], ["period"], ["period"]]
    others = chunks.filter(pl.col("content_type").is_in(["education", "languages"]))
    assert others.select("content_type", "annotations").rows() == [
        ("education", ["period", "degree"]),
        ("languages", []),
    ]
    # A line of three languages is short by nature, not by a fault.
    assert others["quality"].to_list() == [100, 100]


def test_the_same_lines_in_a_tender_are_no_headings():
    blocks, _ = read(pdf_of(CV_FIRST[4:]), "offer.pdf", DocumentParams(ocr=False, adapter="tender"))
    assert blocks.filter(pl.col("kind") == "heading").height == 0


def test_a_french_cv_is_cut_by_its_posts():
    lines = [
        "Formation", "", "1998 - 2003 Ingénieur d'État en génie civil", "", "Expérience professionnelle", "", "Depuis 2015 : Chef de projet, Eaux du Sud",
        "· Direction de douze chantiers.", "", "Janvier 2004 à décembre 2014 : Conducteur de travaux, Bâtir", "· Suivi des travaux.", "",
        "Compétences informatiques", "", "AutoCAD, Covadis",
    ]  # fmt: skip
    _, chunks = read(pdf_of(lines), "CV Martin.pdf")
    assert chunks.select("content_type", "text").rows() == [
        ("education", "Formation\n1998 - 2003 Ingénieur d'État en génie civil"),
        ("position", "Expérience professionnelle\nDepuis 2015 : Chef de projet, Eaux du Sud\n· Direction de douze chantiers."),
        ("position", "Janvier 2004 à décembre 2014 : Conducteur de travaux, Bâtir\n· Suivi des travaux."),
        ("skills", "Compétences informatiques\nAutoCAD, Covadis"),
    ]  # fmt: skip


def test_posts_set_in_bold_stand_below_their_section():
    pdf = Pdf().page()
    pdf.text(72, 80, "Jane Lind", size=20, bold=True)
    pdf.text(72, 130, "Professional experience")
    pdf.text(72, 160, "Senior engineer, Northgrid", bold=True)
    pdf.text(72, 176, "2019 - present, Leeds: led the roll-out of 40,000 smart meters in three regions.")
    pdf.text(72, 210, "Project engineer, Halden", bold=True)
    pdf.text(
        72, 226, "2012 - 2019, Oslo: designed substations of 66 kV for two industrial parks in the east."
    )
    _, chunks = read(pdf.bytes(), "CV Lind.pdf")
    assert chunks.select("heading_path", "content_type").rows() == [
        ("Jane Lind > Professional experience > Senior engineer, Northgrid", "position"),
        ("Jane Lind > Professional experience > Project engineer, Halden", "position"),
    ]


def test_a_development_banks_form_of_a_cv_keeps_each_row_of_its_table_under_its_title():
    pdf = Pdf().page()
    pdf.lines(
        [
            "Form TECH-6: Curriculum Vitae (CV) for key personnel",
            "",
            "Proposed position: Team leader",
            "",
            "5. Employment record (present post first):",
        ],
        y=80,
    )
    pdf.table(
        [["Period", "Employer and post", "Country"], ["2015 - present", "Northgrid, chief engineer", "Norway"], ["2008 - 2015", "Halden Power, engineer", "Kenya"]],
        y=170, bold_header=True,
    )  # fmt: skip
    _, chunks = read(pdf.bytes(), "scan.pdf")
    rows = chunks.filter(pl.col("kind") == "row")
    assert rows["content_type"].to_list() == ["position", "position"]
    assert [text[start:] for text, start in rows.select("text", "body_start").iter_rows()] == [
        "2015 - present | Northgrid, chief engineer | Norway", "2008 - 2015 | Halden Power, engineer | Kenya",
    ]  # fmt: skip
    assert rows["text"][0].startswith(
        "5. Employment record (present post first):\nPeriod | Employer and post | Country\n"
    )
    assert rows["annotations"].to_list() == [["period", "current"], ["period"]]


def report_pdf() -> bytes:
    pdf = Pdf().page()
    pdf.text(72, 90, "Annual Report 2024", size=20, bold=True)
    pdf.text(72, 130, "Executive summary", size=14, bold=True)
    pdf.lines(
        [
            "The programme met nine of its ten aims and spent less than was planned in the year",
            "ended 31 December 2024.",
        ],
        y=150,
    )
    pdf.text(72, 200, "Key findings", size=14, bold=True)
    pdf.lines(
        ["Losses in the northern network fell to 6.2 percent of the energy that was supplied there."], y=220
    )
    pdf.text(72, 260, "Figure 2: Losses by region and year", size=10)
    pdf.text(72, 300, "Recommendations", size=14, bold=True)
    pdf.lines(["The meters of the southern network should be replaced within the next two years."], y=320)
    return pdf.bytes()


def test_a_report_is_told_by_its_parts_and_keeps_the_captions_of_its_figures():
    _, chunks = read(report_pdf(), "scan.pdf")
    assert chunks.select("content_type", "section_title").rows() == [
        ("summary", "Executive summary"), ("finding", "Key findings"), ("recommendation", "Recommendations"),
    ]  # fmt: skip
    finding = chunks["text"][1]
    assert finding.endswith("that was supplied there.\nFigure 2: Losses by region and year")
    assert chunks["annotations"].to_list() == [["reporting period"], ["figure"], []]


def test_requirements_and_deadlines_of_a_tender_are_labelled():
    lines = [
        "The Bidder shall submit the bid security no later than 12 May 2027 at noon, signed by its director."
    ]
    _, chunks = read(pdf_of(lines, size=8), "rfp.pdf")
    assert chunks.select("content_type", "annotations").rows() == [("requirement", ["deadline", "signature"])]


def test_titles_are_compared_without_case_accents_numbers_and_colons():
    assert title_key("2. EXPÉRIENCE  PROFESSIONNELLE :") == title_key("Experience professionnelle")
    assert title_key("Education & Training") == "education and training"
    assert title_key("IV. Languages") == "languages"
    assert title_key("A level") == "a level"
    assert title_key("7. Education [list college or university, dates]:") == "education"


def test_adapters_are_data_with_names_of_their_own():
    assert list(ADAPTERS) == ["tender", "cv", "report"]
    assert (adapter_named("cv"), adapter_named("report"), adapter_named("")) == (CV, REPORT, TENDER)
    assert TENDER.titles == REPORT.titles == frozenset()
    assert CV.section_type("Jane Lind > Work experience > Senior engineer") == "position"
    with pytest.raises(ValueError, match="frozen"):
        CV.entry = ""


def test_a_cv_written_in_word_has_its_sections_as_well(tmp_path):
    bold = "<w:b/>"
    body = "".join([
        p("Jane Lind"), p("Work experience"), p("", runs=r("Senior engineer, Northgrid", bold)), p("2019 – present"),
        p("Led the roll-out of 40,000 smart meters."), p("Languages:"), p("Norwegian, English"),
    ])  # fmt: skip
    parsed = parse_file(docx(tmp_path / "CV Lind.docx", body), AUTO, workers=0)
    shown = parsed.blocks.filter(pl.col("kind") != "furniture").select("kind", "text", "heading_path").rows()
    assert [each[:2] for each in shown if each[0] == "heading"] == [
        ("heading", "Work experience"), ("heading", "Senior engineer, Northgrid"), ("heading", "Languages:"),
    ]  # fmt: skip
    assert {text: path for _, text, path in shown}["Led the roll-out of 40,000 smart meters."] == (
        "Work experience > Senior engineer, Northgrid"
    )
    assert shown[-1] == ("paragraph", "Norwegian, English", "Languages:")
