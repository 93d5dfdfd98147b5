"""Make the example tender, or a benchmark inbox of a given size.

`make_example.py` rewrites inbox/ and gold/ beside this file; `make_example.py --pages 500 --out DIR`
writes an inbox with one bidder and a single PDF of 500 pages.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from make.bench import write_benchmark
from make.gold import GoldError
from make.guard import GuardError
from make.tender import write_tender

HERE = Path(__file__).resolve().parent


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0 when done, 2 on bad input, 1 when a label does not hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, help="pages of the single PDF of a benchmark pack (150 or more)")
    parser.add_argument("--out", type=Path, default=HERE, help="folder that receives inbox/ and gold/")
    options = parser.parse_args(arguments)
    if options.pages is not None and (options.pages < 150 or options.out == HERE):
        parser.error("--pages needs 150 pages or more and an --out folder of its own")
    try:
        lines = (
            write_tender(options.out)
            if options.pages is None
            else write_benchmark(options.out, options.pages)
        )
    except (GoldError, GuardError) as error:
        print(f"the example does not hold: {error}", file=sys.stderr)
        return 1
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
