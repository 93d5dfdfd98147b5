"""The command line. Reads options, calls the domain, prints; decides nothing about bids itself."""

from __future__ import annotations


def main() -> None:
    """Entry point of the `bidproof` command."""
    from bidproof.cli.app import run_app

    run_app()
