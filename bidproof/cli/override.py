"""`bidproof override`: its options. What it does stands in `overriding`."""

from __future__ import annotations

from typing import Annotated

import typer

from bidproof.cli.options import JsonOption, WarehouseOption
from bidproof.errors import BadInputError


def override(
    tender: Annotated[str, typer.Argument(help="Tender slug or folder name.")],
    bidder: Annotated[str, typer.Argument(help="Bidder slug or folder name.")],
    rule: Annotated[str, typer.Argument(help="Rule id, as in the matrix.")],
    status: Annotated[
        str | None, typer.Argument(help="Pass, Partial, Fail or Missing; the verdict as it is: you agree.")
    ] = None,
    by: Annotated[
        str | None, typer.Option("--by", envvar="BIDPROOF_REVIEWER", help="Who decides.", show_default=False)
    ] = None,
    reason: Annotated[str, typer.Option("--reason", help="Why; needed where the verdict changes.")] = "",
    comment: Annotated[str, typer.Option("--comment", help="Anything else.")] = "",
    quote: Annotated[
        str, typer.Option("--quote", help="Evidence in the bid's own words, if not that of the verdict.")
    ] = "",
    file: Annotated[str, typer.Option("--file", help="File of the pack that holds the quote.")] = "",
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="What was decided on this rule before no longer holds.")
    ] = False,
    json: JsonOption = None,
    warehouse: WarehouseOption = "warehouse",
) -> None:
    """Decide on one verdict: agree with it or set another, with a reason. The log is only ever added to.

    It holds through later runs as long as the rule reads the same and the verdict rests on the same words of the same file;
    where one of them drifts, the verdict of the run stands again and asks for a person.
    """
    from bidproof.cli.overriding import override_command
    from bidproof.records import Status
    from bidproof.review.deciding import Decision

    if withdraw == (status is not None):
        raise BadInputError(
            "status", "give a verdict or --withdraw, one of them", "e.g. bidproof override T B R1 Pass"
        )
    verdicts = {one.value.casefold(): one for one in Status}
    if status is not None and status.casefold() not in verdicts:
        raise BadInputError(status, "is no verdict", f"write {', '.join(one.value for one in Status)}")
    if by is None:
        raise BadInputError("--by", "is missing", "name who decides, or set BIDPROOF_REVIEWER")
    chosen = verdicts[status.casefold()] if status is not None else None
    asked = Decision(tender, bidder, rule, chosen, by, reason, comment, quote, file)
    override_command(warehouse, asked, json)
