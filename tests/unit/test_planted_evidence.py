"""Facts planted into a copy of a pack, and the waterfall that says where each ends."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path

import polars as pl
import pymupdf
import pytest
from pdf_builder import Pdf
from typer.testing import CliRunner

from bidproof.cli import evaluate_planted
from bidproof.cli.app import app
from bidproof.errors import BadInputError
from bidproof.evaluation import Tools
from bidproof.evaluation.facts_read import FactsRead
from bidproof.evaluation.found import FoundCandidate, Searched
from bidproof.evaluation.labelled import GoldSpan, LabelledDocument, LabelledItem, StatedFact
from bidproof.evaluation.planting import (
    FORMS,
    Plant,
    PlantedResult,
    find_planted,
    make_plants,
    planted_copy,
    planting_ground,
)
from bidproof.evaluation.planting.number_words import in_words
from bidproof.evaluation.planting.plants import Place
from bidproof.evaluation.planting.rooms import rooms_of
from bidproof.evaluation.set_lines import asked
from bidproof.evaluation.waterfall import losses, lost_at, passed
from bidproof.params import Params, resolve
from bidproof.tables import FACTS

NO_DENSE = resolve([("test", {"dense": {"enabled": False}})])
OFFER = [
    "The workshop stands at the river and is open to visitors on request.",
    "Our engineers have planned four waterworks in the northern provinces.",
    "Goods leave the depot by rail, since the road is closed in winter.",
]
RULES = [
    asked("R1", "The bid must remain valid for at least 120 days.", True),
    asked("R2", "The supplier must hold ISO 9001:2015.", True),
    asked("R3", "The bidder describes the organisation of the site.", True),
]


class Kept(dict[str, bytes]):
    def put(self, key: str, content: bytes) -> None:
        self[key] = content


def make_pack(folder: Path, pages: int = 6) -> Path:
    pdf = Pdf()
    for number in range(pages):
        pdf.page().text(72, 90, f"{number + 1} Our offer", size=13, bold=True)
        pdf.lines([*OFFER[number % 3 :], *OFFER[: number % 3]], y=120)
    path = folder / "pack" / "offer.pdf"
    path.parent.mkdir(parents=True)
    pdf.document.save(path)
    return path


def digest(path: Path | None) -> str:
    assert path is not None
    return hashlib.sha256(path.read_bytes()).hexdigest()


def bare(text: str) -> str:
    return "".join(text.split())


def meets(plant: Plant) -> bool:
    """Whether the planted fact is what its rule asks for."""
    asked_for = next(one for one in plant.rule.predicates if one.kind != "presence")
    value = plant.fact.value
    if value is None:
        return (plant.fact.code, plant.fact.edition) == (asked_for.code, asked_for.edition) or (
            bool(plant.fact.date) and plant.fact.date <= asked_for.date
        )
    assert asked_for.value is not None
    assert plant.fact.unit == asked_for.unit
    return value >= asked_for.value if asked_for.comparator == ">=" else value <= asked_for.value


@pytest.mark.parametrize(
    ("number", "english", "french"),
    [
        (0, "zero", "zéro"),
        (21, "twenty-one", "vingt et un"),
        (71, "seventy-one", "soixante et onze"),
        (80, "eighty", "quatre-vingts"),
        (91, "ninety-one", "quatre-vingt-onze"),
        (101, "one hundred and one", "cent un"),
        (280, "two hundred and eighty", "deux cent quatre-vingts"),
        (80_000, "eighty thousand", "quatre-vingt mille"),
        (1_000_001, "one million and one", "un million un"),
        (2_450_300, "two million four hundred and fifty thousand three hundred", "deux millions quatre cent cinquante mille trois cents"),
    ],
)  # fmt: skip
def test_a_number_is_written_out_as_both_languages_have_it(number: int, english: str, french: str) -> None:
    assert in_words(number, "en") == english
    assert in_words(number, "fr") == french


def test_plants_are_of_all_forms_alike_and_each_meets_its_rule() -> None:
    plants = make_plants(400, 3)
    assert Counter(plant.form for plant in plants) == dict.fromkeys(FORMS, 50)
    assert [plant.rule.text for plant in plants if not meets(plant)] == []
    amounts = [plant.rule.text for plant in plants if plant.fact.value is not None]
    assert len(set(amounts)) == len(amounts)
    assert {plant.shape for plant in plants} == {
        "duration", "percent", "money", "quantity", "standard", "date", "form",
    }  # fmt: skip


def test_the_same_seed_plants_the_same_and_another_something_else() -> None:
    assert make_plants(30, 5) == make_plants(30, 5)
    assert make_plants(30, 5) != make_plants(30, 6)


def test_rules_of_the_catalog_that_ask_for_a_fact_come_first_and_each_once() -> None:
    plants = make_plants(24, 1, RULES)
    own = {plant.rule.rule_id: plant for plant in plants if plant.of_catalog}
    assert set(own) == {"R1", "R2"}
    assert own["R1"].fact.value is not None
    assert own["R1"].fact.value >= 120
    assert own["R2"].statement == "We hold a valid certificate to ISO 9001:2015."
    assert all(plant.language == "en" for plant in own.values())


def test_rules_of_a_french_catalog_get_french_plants() -> None:
    rules = [asked("R1", "Le délai de livraison ne doit pas dépasser 30 jours.", True)]
    own = [plant for plant in make_plants(24, 1, rules, french=True) if plant.of_catalog]
    assert [(plant.language, plant.rule.rule_id) for plant in own] == [("fr", "R1")]


def test_each_plant_stands_on_the_page_that_is_named_and_the_bidders_file_is_untouched(
    tmp_path: Path,
) -> None:
    source = make_pack(tmp_path)
    before, plants = digest(source), make_plants(32, 2)
    given = (LabelledDocument(name="offer.pdf", path=source),)
    copies, places = planted_copy(given, plants, tmp_path / "one", 2)
    again, _ = planted_copy(given, plants, tmp_path / "two", 2)
    assert digest(source) == before
    assert digest(copies[0].path) == digest(again[0].path)
    with pymupdf.open(copies[0].path) as copy:
        text = [bare(page.get_text()) for page in copy]
        whole = bare("".join(page.get_text() for page in copy))
    assert all(bare(line) in whole for line in OFFER)
    for plant, place in zip(plants, places, strict=True):
        if plant.form == "page break":
            assert place.last_page == place.page + 1
            assert bare(plant.statement.split(" ")[0]) in text[place.page - 1]
            assert text[place.last_page - 1].startswith(bare(plant.statement)[-12:]) or (
                bare(plant.statement)[-12:] in text[place.last_page - 1]
            )
        else:
            parts = plant.cells if plant.form == "table" else (plant.statement,)
            assert all(bare(part) in text[place.page - 1] for part in parts)
    assert {place.new_page for place in places} == {True, False}


def test_lines_go_where_a_page_is_free_and_never_onto_a_scan_or_a_full_page(tmp_path: Path) -> None:
    pdf = Pdf()
    pdf.page().lines(OFFER)
    pdf.page().lines(OFFER * 17, y=60)
    pdf.page().lines(OFFER)
    picture = pymupdf.Pixmap(pymupdf.csGRAY, (0, 0, 60, 80), False)
    picture.clear_with(255)
    pdf.document[2].insert_image((0, 0, 595, 842), pixmap=picture)
    rooms = rooms_of(pdf.document, 30)
    assert [room.page for room in rooms] == [0]
    assert rooms[0].y > 128
    assert rooms[0].bottom < 842 - 60


def test_planted_facts_are_found_by_the_pipelines_own_stages(tmp_path: Path) -> None:
    source = make_pack(tmp_path)
    ground = planting_ground(source)
    plants = make_plants(16, 4)
    documents, places = planted_copy(ground.documents, plants, tmp_path / "copy", 4)
    done = find_planted(
        ground, documents, plants, places, Tools(NO_DENSE, None, Kept(), None, tmp_path), 4, 30
    )
    assert done.least == Params().evaluation.min_recall
    assert done.losses["parse"] == 0
    assert done.losses["chunk"] == 0
    assert done.losses["tag"] == 0
    assert done.stages["candidates"].value == 1.0
    assert done.stages["candidates"].n == 16
    assert set(done.kinds["form"]) == set(FORMS)
    assert done.kinds["form"]["table"]["parse"].n == 2
    record = done.record()
    assert record["planted"] == 16
    assert record["plants"][0]["lost_at"] in ("kept", "fuse", "select")
    json.dumps(record)


def gold(fact: StatedFact | None = None) -> GoldSpan:
    return GoldSpan(document="offer.pdf", page=1, text="valid for 137 days", fact=fact)


def searched(
    lost: str = "", untagged: frozenset[int] = frozenset(), rank: int = 1, chosen: bool = True
) -> Searched:
    others = [FoundCandidate(f"c{number}", "offer.pdf", (9,), (), frozenset()) for number in range(rank - 1)]
    holder = [FoundCandidate("held", "offer.pdf", (1,), (), frozenset({0}))] if rank else []
    item = LabelledItem(item_id="1", pack="p", requirement=RULES[0], gold=(gold(),))
    passages = frozenset({"held"} if chosen else {"c0"})
    return Searched(item, (gold(),), (*others, *holder), passages, (lost,), "en", untagged=untagged)


@pytest.mark.parametrize(
    ("one", "stage"),
    [
        (searched(lost="parse", rank=0), "parse"),
        (searched(lost="chunk", rank=0), "chunk"),
        (searched(untagged=frozenset({0})), "tag"),
        (searched(rank=0), "candidates"),
        (searched(rank=4, chosen=False), "fuse"),
        (searched(chosen=False), "select"),
        (searched(), "kept"),
    ],
)
def test_the_waterfall_names_the_first_stage_that_lost_a_span(one: Searched, stage: str) -> None:
    assert lost_at(passed(one, False, 3)[0]) == stage
    counted = losses([one], False, 3)
    assert (counted[stage], counted["gold"]) == (1, 1)


def test_a_fact_that_was_not_read_can_still_be_among_the_candidates() -> None:
    stages = passed(searched(untagged=frozenset({0})), False, 3)[0]
    assert (stages["tag"], stages["candidates"], stages["select"]) == (False, True, True)


@pytest.mark.parametrize(
    ("fact", "read"),
    [
        (StatedFact(value=137, unit="day"), True),
        (StatedFact(value=137, unit="working_day"), False),
        (StatedFact(value=1370, unit="day"), False),
        (StatedFact(value=3288, unit="hour"), True),
        (StatedFact(code="ISO/IEC 27001", edition="2022"), True),
        (StatedFact(code="ISO 27001", edition="2013"), False),
        (StatedFact(code="BS-1"), True),
        (StatedFact(date="2027-03-12"), True),
        (StatedFact(date="2027-12-03"), False),
    ],
)
def test_a_fact_counts_as_read_with_its_value_unit_and_edition_only(fact: StatedFact, read: bool) -> None:
    rows = [
        {"chunk_id": "c", "kind": "days", "value": 137.0, "unit": "day"},
        {"chunk_id": "c", "kind": "standard", "code": "ISO 27001", "edition": "2022"},
        {"chunk_id": "c", "kind": "form", "code": "BS-1", "edition": ""},
        {"chunk_id": "c", "kind": "date", "date": "2027-03-12"},
    ]
    schema = {name: FACTS.frame([]).schema[name] for name in (
        "chunk_id", "kind", "value", "value_max", "unit", "code", "edition", "date",
    )}  # fmt: skip
    facts = FactsRead(pl.DataFrame(rows, schema=schema))
    assert facts.reads("c", fact) is read
    assert facts.reads("another", fact) is False


def test_a_pack_without_a_sound_pdf_is_refused(tmp_path: Path) -> None:
    (tmp_path / "offer.pdf").write_bytes(b"%PDF-1.7 cut off")
    ground = planting_ground(tmp_path / "offer.pdf")
    with pytest.raises(BadInputError, match="no sound PDF"):
        planted_copy(ground.documents, make_plants(4, 1), tmp_path / "copy", 1)


def test_of_an_inbox_with_two_bidders_one_must_be_named(tmp_path: Path) -> None:
    for bidder in ("alder", "birch"):
        folder = tmp_path / "inbox" / "pumps" / "bids" / bidder
        folder.mkdir(parents=True)
        (folder / "offer.pdf").write_bytes(make_pack(tmp_path / bidder, 1).read_bytes())
    with pytest.raises(BadInputError, match="here are 2: pumps alder, pumps birch"):
        planting_ground(tmp_path / "inbox")
    assert planting_ground(tmp_path / "inbox", bidder="birch").name == "pumps--birch"


def test_the_command_prints_the_waterfall_and_writes_it(tmp_path: Path) -> None:
    pack, out = make_pack(tmp_path), tmp_path / "out.json"
    options = ["evaluate", str(pack), "--planted", "8", "--no-dense", "--warehouse", str(tmp_path / "w")]
    done = CliRunner().invoke(app, [*options, "--json", str(out), "--keep", str(tmp_path / "kept")])
    assert done.exit_code == 0, done.output
    assert "of 8 plants, by where they end: parse 0, chunk 0" in done.output
    assert (tmp_path / "kept" / "offer.pdf").exists()
    record = json.loads(out.read_text(encoding="utf-8"))
    assert record["stages"]["candidates"]["n"] == 8
    assert sum(count for name, count in record["losses"].items() if name != "gold") == 8
    assert all(set(one["stages"]) == set(record["stages"]) for one in record["plants"])


def test_the_check_fails_where_the_plants_are_not_in_the_pack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def plant_nothing(
        documents: tuple[LabelledDocument, ...], plants: list[Plant], folder: Path, seed: int
    ) -> tuple[tuple[LabelledDocument, ...], list[Place]]:
        place = Place(file_name="offer.pdf", page=1, last_page=1, new_page=False)
        return documents, [place] * len(plants)

    monkeypatch.setattr(evaluate_planted, "planted_copy", plant_nothing)
    options = [
        "evaluate",
        str(make_pack(tmp_path)),
        "--planted",
        "4",
        "--no-dense",
        "--warehouse",
        str(tmp_path / "w"),
    ]
    assert CliRunner().invoke(app, options).exit_code == 0
    done = CliRunner().invoke(app, [*options, "--check"])
    assert done.exit_code == 1
    assert "0.000 of the plants are among the candidates, least is 0.95" in done.output


def test_options_of_planting_need_planted(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["evaluate", str(tmp_path), "--bidder", "alder"])
    assert done.exit_code != 0


def test_the_check_fails_and_names_each_loss_where_too_few_plants_are_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plants = tuple(make_plants(2, 1))
    places = (Place(file_name="offer.pdf", page=7, last_page=7, new_page=False),) * 2
    one_lost = (searched(rank=0), searched())
    done = PlantedResult("offer", 1, 30, 40, plants, places, one_lost, least=0.95)
    monkeypatch.setattr(evaluate_planted, "evaluate_planted", lambda *_: done)
    planting = evaluate_planted.Planting(2, 1)
    assert evaluate_planted.planted_command(Path("offer"), planting, "w", ({}, []), None, True, None) == 1
    assert evaluate_planted.planted_command(Path("offer"), planting, "w", ({}, []), None, False, None) == 0
    assert "0.500 of the plants are among the candidates, least is 0.95" in capsys.readouterr().err
    evaluate_planted.print_planted(done)
    said = capsys.readouterr().out
    assert "candidates 1, fuse 0, select 0, kept 1" in said
    assert f"candidates: {plants[0].form}, offer.pdf p. 7: {plants[0].words}" in said


def test_a_french_sentence_on_an_english_page_is_found_by_its_translated_words(tmp_path: Path) -> None:
    pdf = Pdf()
    for number in range(60):
        pdf.page().text(72, 90, f"{number + 1} Availability of our offices", size=13, bold=True)
        pdf.lines([f"The availability of room {number} must be asked for at the desk.", *OFFER], y=120)
    pdf.text(72, 260, "No photographs are allowed.").page().lines(
        ["Availability of mixers: 93 percent of the mixers are listed."], y=120
    )
    pdf.page().text(72, 90, "62 Our workshop", size=13, bold=True).lines(OFFER, y=120).text(
        72, 300, "Le taux de disponibilité des malaxeurs est de 95 %."
    )
    pdf.page().text(72, 60, "63 Notre entreprise", size=13, bold=True).lines(
        ["Notre entreprise se trouve au bord de la rivière et reçoit les visiteurs du client."] * 4
    )
    path = tmp_path / "offer.pdf"
    pdf.document.save(path)
    rule = asked("R1", "The availability of the mixers must be at least 93%.", True)
    plant = make_plants(1, 1)[0].model_copy(
        update={"rule": rule, "statement": "Le taux de disponibilité des malaxeurs est de 95 %."}
    )
    place = Place(file_name="offer.pdf", page=62, last_page=62, new_page=False)
    ground = planting_ground(path)

    def found_by_words(**knobs: int) -> bool:
        lexical = {"bm25_top": 1, "language_top": 0, **knobs}
        params = resolve([("test", {"dense": {"enabled": False}, "retrieval": lexical})])
        tools = Tools(params, None, Kept(), None, tmp_path)
        done = find_planted(ground, ground.documents, [plant], [place], tools, 1, 30)
        return any(0 in one.holds and "bm25" in one.ranks for one in done.searched[0].candidates)

    assert found_by_words()
    assert not found_by_words(translated_top=0)
