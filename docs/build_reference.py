"""Writes docs/tables.md and docs/parameters.md from the code. A test holds the committed files to it."""

from __future__ import annotations

import sys
from pathlib import Path

from bidproof.params import Params
from bidproof.stages import STAGES
from bidproof.tables import TABLES

HERE = Path(__file__).resolve().parent


def tables_page() -> str:
    """Every table with its grain, key, writers and columns."""
    lines = ["# Tables", "", "Written from `bidproof/tables.py` by `python docs/build_reference.py`.", ""]
    for table in TABLES.values():
        writers = ", ".join(f"`{s.name}`" for s in STAGES if s.table == table.name) or f"`{table.name}`"
        lines += [
            f"## {table.name}",
            "",
            f"{table.comment}. Key: {', '.join(table.key)}. Written by {writers}.",
            "",
        ]
        lines += ["| column | type | meaning |", "|---|---|---|"]
        lines += [f"| `{name}` | {kind} | {comment} |" for name, (kind, comment) in table.columns.items()]
        lines.append("")
    return "\n".join(lines)


def parameters_page() -> str:
    """Every knob with its default, reason and the stages that it re-runs first."""
    lines = ["# Parameters", "", "Written from `bidproof/knobs` by `python docs/build_reference.py`.", ""]
    lines += [
        "Layers, later wins: the defaults below, `params.yaml` in the project root, `<tender>/params.yaml`, `--params FILE`",
        "and the other options of a command. An unknown name or a value out of range is refused with the layer named.",
        "",
    ]
    for group, field in Params.model_fields.items():
        model = field.annotation
        assert model is not None
        readers = ", ".join(f"`{s.name}`" for s in STAGES if group in s.params)
        effect = (
            f"A change re-runs {readers} and what lies below."
            if readers
            else "No stage of a tender heeds it."
        )
        lines += [f"## {group}", "", f"{' '.join((model.__doc__ or '').split())} {effect}", ""]
        lines += ["| knob | default | meaning |", "|---|---|---|"]
        for name, knob in model.model_fields.items():
            lines.append(f"| `{group}.{name}` | `{knob.default!r}` | {knob.description} |")
        lines.append("")
    return "\n".join(lines)


PAGES = {"tables.md": tables_page, "parameters.md": parameters_page}


def main() -> int:
    """Write the pages, or with `--check` say which are out of date (exit code 1)."""
    stale = [
        name
        for name, page in PAGES.items()
        if not (HERE / name).exists() or (HERE / name).read_text() != page()
    ]
    if "--check" in sys.argv:
        print("\n".join(f"docs/{name} is out of date: run python docs/build_reference.py" for name in stale))
        return 1 if stale else 0
    for name in stale:
        (HERE / name).write_text(PAGES[name]())
    return 0


if __name__ == "__main__":
    sys.exit(main())
