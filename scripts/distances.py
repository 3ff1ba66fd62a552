"""PLACEHOLDER of the contract; the owner of lvlmbench/validity writes it."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench import tables
from lvlmbench.cli_support import main_guard
from lvlmbench.config import load_params
from lvlmbench.validity.files import COLUMNS, encode


@main_guard
def main() -> None:
    """Write files without rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--metrics", type=Path)
    parser.add_argument("--weights", type=Path, nargs="*")
    for name in ("correlations", "rankings", "distances", "sets"):
        parser.add_argument(f"--{name}-out", type=Path)
    args = parser.parse_args()
    load_params(args.config)
    for out in (args.correlations_out, args.rankings_out, args.distances_out, args.sets_out):
        if out is not None:
            tables.atomic_bytes(out, encode(out.name, COLUMNS[out.name].empty_table()))


if __name__ == "__main__":
    main()
