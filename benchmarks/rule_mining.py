"""How well rules are mined from real tenders, by rules labelled by hand.

    python benchmarks/rule_mining.py ROOT [--gold DIR] [--misses] [--json FILE]

ROOT holds the folder `packs` that the gold names; a file that is not there is left out and named. `--gold` takes another
gold than `gold/rules` (`gold/held_back`: held back until version 8 of mining). `--misses` lists by page what was missed and what was too much.
The invented tenders of the gold's `own` folder are built into blocks and scored too, under totals of their own.

Four figures, each with precision and recall:
- subject: bidder or not, over all labelled sentences, items and rows; `other subjects` is the share of the rest told right;
- rules: a mined rule and a labelled one pair when most of the words of one are in the other; each pairs once, so a
  sentence that was not split misses the rules that it holds;
- mandatory: of paired rules, whether both call it mandatory;
- predicate fields: of paired rules, each filled field (comparator, value, unit, code ...) of the predicates that pair.
Numbers are compared after scaling (500 Cr is 5,000,000,000), units by their singular; the order of words never counts.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gold.rules.own_tenders import own_blocks, read_clear
from gold.rules.seal_rules import digest, folded, seal_unit

GOLD = Path(__file__).parent / "gold" / "rules"
NEAR = 0.5
Pairs = list[tuple[Any, Any]]
PARTS = ("subject", "others", "rules", "mandatory", "fields")


@dataclass
class Score:
    """Right, given and wanted; precision is right of given, recall right of wanted."""

    right: int = 0
    given: int = 0
    wanted: int = 0

    def add(self, right: int, given: int, wanted: int) -> None:
        """Count some more."""
        self.right, self.given, self.wanted = self.right + right, self.given + given, self.wanted + wanted

    def __str__(self) -> str:
        precision, recall = self.right / max(1, self.given), self.right / max(1, self.wanted)
        return f"P {precision:.3f} ({self.right}/{self.given})  R {recall:.3f} ({self.right}/{self.wanted})"


@dataclass
class Result:
    """Scores of one gold file, and what went wrong, by page."""

    subject: Score = field(default_factory=Score)
    others: Score = field(default_factory=Score)
    rules: Score = field(default_factory=Score)
    mandatory: Score = field(default_factory=Score)
    fields: Score = field(default_factory=Score)
    misses: list[str] = field(default_factory=list)


def grams(*texts: str) -> set[str]:
    """Digests of one, two and three words in a row."""
    found: set[str] = set()
    for text in texts:
        words = folded(text)
        found |= {digest(words[n : n + size]) for size in (1, 2, 3) for n in range(len(words) - size + 1)}
    return found


def likeness(wanted: list[str], *texts: str) -> tuple[float, float]:
    """Share of the wanted digests that the texts hold, and of the texts' own digests that are wanted."""
    held = grams(*texts)
    words = [folded(text) for text in texts]
    own = {digest(part[n : n + 3]) for part in words for n in range(max(1, len(part) - 2))}
    inside = sum(gram in held for gram in wanted) / max(1, len(wanted))
    return inside, len(own & set(wanted)) / max(1, len(own))


def read_units(path: Path) -> list[Any]:
    """Mined units of one file: text, quote, page, subject, and the rules that came of each."""
    from bidproof.documents import blocks_table, inspect_files, parse_file
    from bidproof.intake.inbox import SourceFile, hash_file
    from bidproof.params import Params

    params = Params()
    file = SourceFile(file_name=path.name, path=path, size=path.stat().st_size, sha256=hash_file(path))
    names = {"pack": "t", "tender": "t", "bidder": "", "tender_name": "t", "bidder_name": "", "role": "rfp"}
    documents = inspect_files([file], params=params.documents, **names)
    blocks = blocks_table(documents, {documents["doc_id"][0]: parse_file(path, params.documents)})
    return mined(blocks, documents)


def mined(blocks: Any, documents: Any) -> list[Any]:
    """Units of the blocks of one tender, their rules with predicates."""
    from bidproof.catalog.mining.rules import units
    from bidproof.catalog.predicates.derivation import derive
    from bidproof.params import Params

    found = units(blocks, documents, Params().catalog)
    for unit in found:
        rules = [derive(rule, submission_date="") for rule in unit.rules]
        object.__setattr__(unit, "rules", tuple(rules))
    return found


def pair(wanted: list[Any], given: list[Any], like: Any) -> Pairs:
    """The best pairs, each side once; `like` gives 0 for what cannot pair."""
    scored = [(like(one, other), n, m) for n, one in enumerate(wanted) for m, other in enumerate(given)]
    taken: tuple[set[int], set[int]] = (set(), set())
    pairs = []
    for value, n, m in sorted(scored, key=lambda each: (-each[0], each[1], each[2])):
        if value > 0 and n not in taken[0] and m not in taken[1]:
            taken[0].add(n)
            taken[1].add(m)
            pairs.append((wanted[n], given[m]))
    return pairs


def rule_likeness(gold: dict[str, Any], rule: Any) -> float:
    """How much a labelled and a mined rule say the same; 0 under half."""
    inside, own = likeness(gold["words"], rule.text)
    quoted, _ = likeness(gold["words"], rule.source_quote)
    best = max(inside, min(own, quoted))
    return best + 0.5 * (inside + own) if best >= NEAR else 0.0


def unit_name(text: str) -> str:
    """Units that mean the same under one name."""
    name = " ".join(folded(text))
    same = {
        "calendar day": "day", "rs": "inr", "sec": "second", "s": "second", "min": "minute", "h": "hour", "hr": "hour",
        "millisecond": "ms", "pt": "point", "dh": "mad", "transaction per second": "tps", "%": "percent",
        "claim": "occurrence", "sinistre": "occurrence",
    }  # fmt: skip
    return same.get(name, name.removesuffix("s") if len(name) > 3 else name)


def code_name(text: str) -> str:
    """Names of one standard under one name."""
    return " ".join(folded(text)).replace("iso cei", "iso iec").replace("openid connect", "oidc")


def filled(predicate: dict[str, Any]) -> dict[str, Any]:
    """Fields of a predicate that say something."""
    names = ("comparator", "value", "value_max", "unit", "per", "code", "edition", "date")
    found = {name: predicate.get(name) for name in names if predicate.get(name) not in (None, "")}
    if predicate["kind"] in ("standard", "form", "presence"):
        found.pop("comparator", None)
    return found


def agree(name: str, one: Any, other: Any) -> bool:
    """Whether two values of a field say the same."""
    if name in ("value", "value_max"):
        return abs(float(one) - float(other)) <= 1e-6 * max(1.0, abs(float(one)))
    if name in ("unit", "per"):
        return unit_name(str(one)) == unit_name(str(other))
    return code_name(str(one)) == code_name(str(other))


def matching(one: dict[str, Any], other: dict[str, Any]) -> int:
    """Fields in which two predicates agree."""
    a, b = filled(one), filled(other)
    return sum(name in b and agree(name, value, b[name]) for name, value in a.items())


def score_fields(gold: list[dict[str, Any]], rule: Any, score: Score) -> list[str]:
    """Count the fields of one pair of rules; says what differs."""
    given = [p.model_dump() for p in rule.predicates if p.kind != "presence"]
    # A group beside the first repeats what all alternatives share.
    given = list({json.dumps(filled(p), sort_keys=True) + p["kind"]: p for p in given}.values())
    pairs = pair(gold, given, matching)
    right = sum(matching(one, other) for one, other in pairs)
    score.add(right, sum(len(filled(p)) for p in given), sum(len(filled(p)) for p in gold))
    wrong = [f"{filled(one)} as {filled(other)}" for one, other in pairs if filled(one) != filled(other)]
    lost = [f"lost {filled(p)}" for p in gold if not any(p is one for one, _ in pairs)]
    more = [f"too much {filled(p)}" for p in given if not any(p is other for _, other in pairs)]
    return [*wrong, *lost, *more]


def standing_for(gold: dict[str, Any], units: list[Any]) -> Any:
    """The mined unit most like a labelled one; None when none has half its words.

    Both shares count, else a bare lead-in would stand for the items that repeat it.
    """
    best, chosen = 0.0, None
    for unit in units:
        if 0 <= unit.page - gold["page"] <= 1:
            shares = likeness(gold["words"], unit.quote, unit.text)
            if max(shares) >= NEAR and sum(shares) > best:
                best, chosen = sum(shares), unit
    return chosen


def score_file(gold: list[dict[str, Any]], units: list[Any]) -> Result:
    """Scores of one file over the pages that are labelled."""
    result, pages = Result(), {unit["page"] for unit in gold}
    for unit in gold:
        chosen = standing_for(unit, units)
        said = chosen.subject if chosen is not None else "none"
        wants, says = unit["subject"] == "bidder", said == "bidder"
        result.subject.add(wants and says, says, wants)
        if not wants:
            result.others.add(said == unit["subject"], 1, 1)
        if said != unit["subject"]:
            shown = chosen.text[:110] if chosen is not None else "no unit"
            result.misses.append(f"p{unit['page']} subject {said} for {unit['subject']}: {shown}")
    wanted = [rule | {"page": unit["page"]} for unit in gold for rule in unit["rules"]]
    given = [(unit.page, rule) for unit in units if unit.page in pages for rule in unit.rules]
    pairs = pair(
        wanted,
        given,
        lambda one, other: rule_likeness(one, other[1]) if 0 <= other[0] - one["page"] <= 1 else 0,
    )
    result.rules.add(len(pairs), len(given), len(wanted))
    for one, (page, rule) in pairs:
        wants, says = one["mandatory"] == "mandatory", rule.mandatory
        result.mandatory.add(wants and says, says, wants)
        if wants != says:
            result.misses.append(f"p{page} mandatory {says} for {one['mandatory']}: {rule.text[:110]}")
        result.misses += [
            f"p{page} predicate {what}: {rule.text[:90]}"
            for what in score_fields(one["predicates"], rule, result.fields)
        ]
    met = {id(other) for _, other in pairs}
    result.misses += [
        f"p{page} no such rule: {rule.text[:130]}" for page, rule in (e for e in given if id(e) not in met)
    ]
    found = Counter(id(one) for one, _ in pairs)
    for one in (each for each in wanted if not found[id(each)]):
        near = max(
            units, key=lambda o: (o.page == one["page"]) * max(likeness(one["words"], o.quote, o.text))
        )
        shown = (
            near.text[:110]
            if near.page == one["page"] and max(likeness(one["words"], near.quote, near.text)) >= NEAR
            else "?"
        )
        result.misses.append(f"p{one['page']} rule missed of: {shown} [{len(near.rules)} rules]")
    result.misses.sort(key=lambda line: int(line[1:].split()[0]))
    return result


def score_packs(folder: Path, root: Path) -> dict[str, Result]:
    """Scores of each sealed gold file of `folder` whose pack is there."""
    results: dict[str, Result] = {}
    for path in sorted(folder.glob("rules_*.jsonl" if folder != GOLD else "*.jsonl")):
        gold = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        names = {unit["file"] for unit in gold}
        for name in sorted(names):
            pdf = root / "packs" / Path(name).name
            if not pdf.exists():
                print(f"not there: {name}", file=sys.stderr)
                continue
            labelled = [unit for unit in gold if unit["file"] == name]
            label = path.stem if len(names) == 1 else f"{path.stem}, {pdf.stem[:24]}"
            results[label] = score_file(labelled, read_units(pdf))
    return results


def score_own(folder: Path) -> dict[str, Result]:
    """Scores of each invented tender of `folder`."""
    results: dict[str, Result] = {}
    for path in sorted((folder / "own").glob("*.jsonl")):
        clear = read_clear(path)
        results[f"own/{path.stem}"] = score_file(list(map(seal_unit, clear)), mined(*own_blocks(clear)))
    return results


def summed(results: Iterable[Result]) -> Result:
    """All together, without what went wrong."""
    total = Result()
    for result in results:
        for part in PARTS:
            score = getattr(result, part)
            getattr(total, part).add(score.right, score.given, score.wanted)
    return total


def main() -> None:
    """Score each gold file that is there, and all together."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=Path)
    parser.add_argument("--gold", type=Path, default=GOLD)
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    packs, own = score_packs(options.gold, options.root), score_own(options.gold)
    results = dict(packs)
    if packs:
        results["all"] = summed(packs.values())
    results |= own
    for language in ("fr", "en"):
        if several := [result for name, result in own.items() if name.startswith(f"own/{language}")]:
            results[f"own {language.upper()}"] = summed(several)
    for name, result in results.items():
        print(f"\n{name}")
        for part in PARTS:
            print(f"  {part:<10} {getattr(result, part)}")
        if options.misses:
            print("\n".join(f"    {line}" for line in result.misses))
    if options.json:
        scores = {name: {p: vars(getattr(result, p)) for p in PARTS} for name, result in results.items()}
        options.json.write_text(json.dumps(scores, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
