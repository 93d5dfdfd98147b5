"""Price schedules: line totals, lot totals and the figures that letters and forms repeat."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import yaml

from make.markup import Table

CONTENT = Path(__file__).parent / "content"
HEADER = ("Item", "Description", "Unit", "Quantity", "Unit price (EUR)", "Line total (EUR)", "Delivery days")
WIDTHS = (7.5, 31.0, 8.0, 10.5, 15.0, 16.0, 12.0)


@dataclass(frozen=True)
class Line:
    """One priced line; `days` counts calendar days from the order."""

    item: str
    text: str
    unit: str
    quantity: int
    price: Decimal
    days: int

    @property
    def total(self) -> Decimal:
        """Quantity times unit price."""
        return self.price * self.quantity


@dataclass(frozen=True)
class Lot:
    """A lot of the schedule with its lines."""

    title: str
    lines: tuple[Line, ...]

    @property
    def total(self) -> Decimal:
        """Sum of the line totals."""
        return sum((line.total for line in self.lines), Decimal(0))


def money(value: Decimal) -> str:
    """`1234.5` as `1,234.50`."""
    return f"{value:,.2f}"


def districts() -> list[tuple[str, int]]:
    """District names with the number of meters to install there."""
    table = yaml.safe_load((CONTENT / "districts.yaml").read_text(encoding="utf-8"))
    return [(str(name), int(count)) for name, count in table.items()]


def read_lots(bidder: str) -> list[Lot]:
    """The bidder's schedule; a line whose text holds `{district}` becomes one line per district."""
    table = yaml.safe_load((CONTENT / f"prices_{bidder}.yaml").read_text(encoding="utf-8"))
    lots = []
    for number, (title, rows) in enumerate(table.items(), start=1):
        lines: list[Line] = []
        for text, unit, quantity, price, days in rows:
            spread = districts() if "{district}" in text else [("", int(quantity))]
            for offset, (name, count) in enumerate(spread):
                item = f"{number}.{len(lines) + 1:02d}"
                due = int(days) + (offset * 11 if name else 0)
                lines.append(Line(item, text.format(district=name), unit, count, Decimal(str(price)), due))
        lots.append(Lot(str(title), tuple(lines)))
    return lots


def price_table(lots: list[Lot]) -> Table:
    """Form PV-2 as one long ruled table with lot totals and the grand total."""
    rows: list[tuple[str, ...]] = [HEADER]
    totals: set[int] = set()
    for number, lot in enumerate(lots, start=1):
        for line in lot.lines:
            figures = (f"{line.quantity:,}", money(line.price), money(line.total), str(line.days))
            rows.append((line.item, line.text, line.unit, *figures))
        totals.add(len(rows))
        rows.append((f"Lot {number}", f"Total {lot.title}", "", "", "", money(lot.total), ""))
    totals.add(len(rows))
    rows.append(("PV-2", "Total bid price, excluding VAT", "", "", "", money(grand_total(lots)), ""))
    return Table(tuple(rows), WIDTHS, frozenset(totals))


def grand_total(lots: list[Lot]) -> Decimal:
    """Sum of all lots."""
    return sum((lot.total for lot in lots), Decimal(0))


def figures(bidder: str) -> dict[str, str]:
    """Values for `{{...}}` in the bidder's documents: total, 2% security, lot totals."""
    lots = read_lots(bidder)
    total = grand_total(lots)
    values = {
        "total": money(total),
        "security": money(total * Decimal("0.02")),
        "lines": str(sum(len(lot.lines) for lot in lots)),
    }
    values.update({f"lot{number}": money(lot.total) for number, lot in enumerate(lots, start=1)})
    return values
