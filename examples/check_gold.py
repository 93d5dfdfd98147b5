"""Holds a warehouse against the example's gold labels: verdicts, false Passes, gates, quotes, evidence found.

Usage: check_gold.py [WAREHOUSE]. Exits with 1 where anything differs.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
VERIFIED = ("exact", "typographic", "dehyphenated")


def plain(text: str) -> str:
    """Letters, digits and percent signs only, lower case."""
    return re.sub(r"[^a-z0-9%]+", "", text.lower())


def rows(connection: Any, sql: str, *values: str) -> list[dict[str, Any]]:
    """Rows of a query as dictionaries."""
    cursor = connection.execute(sql, list(values))
    return [dict(zip([d[0] for d in cursor.description], row, strict=True)) for row in cursor.fetchall()]


def texts(connection: Any, table: str, pack: str) -> dict[str, str]:
    """Text of all chunks that `table` lists for each rule of a pack."""
    sql = f"select t.rule_id, string_agg(k.text, chr(10)) as text from {table} t join chunks k using (chunk_id) where t.pack = ? group by 1"
    return {row["rule_id"]: plain(row["text"]) for row in rows(connection, sql, pack)}


def check_pack(connection: Any, pack: str, gold: list[dict[str, Any]]) -> list[str]:
    """Print the figures of one pack; returns what is wrong."""
    findings = {
        row["rule_id"]: row for row in rows(connection, "select * from findings where pack = ?", pack)
    }
    found = {name: texts(connection, name, pack) for name in ("candidates", "passages")}
    wrong, evidence, seen = [], 0, {"candidates": 0, "passages": 0}
    for label in gold:
        rule, finding = label["id"], findings.get(label["id"], {})
        if finding.get("status") not in {label["verdict"], label.get("alt_verdict")}:
            wrong.append(f"{rule}: {finding.get('status')} instead of {label['verdict']}")
        if finding.get("status") != "Missing" and finding.get("match_kind") not in VERIFIED:
            wrong.append(f"{rule}: quote not verified")
        for item in label["evidence"] or []:
            evidence += 1
            for name, text in found.items():
                seen[name] += plain(item["snippet"]) in text.get(rule, "")
    failing = any(g["mandatory"] and g["verdict"] in ("Fail", "Missing") for g in gold)
    gate = rows(connection, "select gate from scores where pack = ?", pack)[0]["gate"]
    if gate != ("fail" if failing else "pass"):
        wrong.append(f"gate {gate}")
    false_pass = sum(findings.get(g["id"], {}).get("status") == "Pass" != g["verdict"] for g in gold)
    proven = sum(f["match_kind"] in VERIFIED for f in findings.values() if f["status"] != "Missing")
    print(
        f"{pack}: gate {gate}, {len(gold) - len(wrong)} of {len(gold)} verdicts as labelled, {false_pass} false Pass, "
        f"{proven} quotes verified, evidence in candidates {seen['candidates']}/{evidence}, in passages {seen['passages']}/{evidence}"
    )
    return [f"{pack} {line}" for line in wrong]


def main() -> int:
    """Check every labelled pack."""
    import duckdb

    warehouse = sys.argv[1] if len(sys.argv) > 1 else "warehouse"
    wrong: list[str] = []
    with duckdb.connect(f"{warehouse}/bidproof.duckdb", read_only=True) as connection:
        for path in sorted((HERE / "gold").glob("*/*.jsonl")):
            gold = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
            wrong += check_pack(connection, f"{path.parent.name}--{path.stem}", gold)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
