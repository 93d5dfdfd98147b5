"""Typed errors. Each message names the file, what is wrong and the mend, on one line."""

from __future__ import annotations


class BidproofError(Exception):
    """Base of all errors that Bidproof raises on purpose."""


class BadInputError(BidproofError):
    """Input on which nothing can be done; the command line exits with 2.

    Args:
        where: the file, folder or option that is wrong.
        what: what is wrong with it.
        mend: what the user can do about it.
    """

    def __init__(self, where: str, what: str, mend: str) -> None:
        self.where, self.what, self.mend = where, what, mend
        super().__init__(f"{where}: {what}; {mend}")


class UnreadableFileError(BadInputError):
    """One file of a pack cannot be opened; the rest of the pack goes on without it."""


class CatalogError(BadInputError):
    """A rule catalog that breaks its contract (duplicate id, unknown field, no rules)."""


class StageError(BidproofError):
    """A stage of the pipeline failed; the command line exits with 1."""


class WarehouseError(BidproofError):
    """The warehouse holds something that this version cannot read."""
