"""What differs between a tender's own papers, a CV and a report: data for the one core that reads and cuts them."""

from bidproof.adapters.choosing import AdapterChoice, choose_adapter, name_evidence
from bidproof.adapters.cv import CV
from bidproof.adapters.report import REPORT
from bidproof.adapters.rules import Adapter, title_key
from bidproof.adapters.tender import TENDER

ADAPTERS: dict[str, Adapter] = {each.name: each for each in (TENDER, CV, REPORT)}


def adapter_named(name: str) -> Adapter:
    """The adapter of that name; the tender's for an unknown or empty one, as in rows of older versions."""
    return ADAPTERS.get(name, TENDER)


__all__ = [
    "ADAPTERS",
    "CV",
    "REPORT",
    "TENDER",
    "Adapter",
    "AdapterChoice",
    "adapter_named",
    "choose_adapter",
    "name_evidence",
    "title_key",
]
