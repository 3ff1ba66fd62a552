"""Rule ``examine``: the judges read and judge answers whose truth was planted."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.config import load_params
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.examine.examine import examine_files


@main_guard
def main() -> None:
    """Read what is true of the scenes, examine, write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--layouts", type=Path, nargs="+", required=True)
    parser.add_argument("--truth", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()

    files = {"scenes": args.scenes, "layouts": args.layouts, "truth": args.truth}
    examine_files(load_params(args.config, args.suite), files, args.out)


if __name__ == "__main__":
    main()
