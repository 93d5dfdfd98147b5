"""The command line. Reads options, calls the domain, prints; decides nothing about bids itself."""

from __future__ import annotations


def main() -> None:
    """Entry point of the `bidproof` command."""
    import gc

    from bidproof.cli.app import run_app

    # Stages make rows by the hundred thousand and hardly a cycle: the default walks over them every 700
    # objects cost a tenth of a run.
    gc.set_threshold(500_000, 50, 100)
    run_app()
