"""Write a snapshot in a form that another tool reads."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.config import load_params
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.exports.export import Source
from lvlmbench.stages.exports.run import write


@main_guard
def main() -> None:
    """Read the tables, write the form."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--export", required=True, help="name of the form")
    parser.add_argument("--data", type=Path, required=True, help="folder of the tables")
    parser.add_argument("--out", type=Path, required=True, help="folder of the form")
    args = parser.parse_args()
    write(args.export, Source(load_params(args.config, args.suite), args.data), args.out)


if __name__ == "__main__":
    main()
