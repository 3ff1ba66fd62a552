"""Draw the figures of a snapshot as PDF and SVG."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.cli_support import main_guard
from lvlmbench.config import load_params
from lvlmbench.report import charts
from lvlmbench.report.inputs import Snapshot


@main_guard
def main() -> None:
    """Read the tables, write results/figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--data", type=Path, required=True, help="folder of the tables")
    parser.add_argument("--metrics", type=Path, required=True, help="metrics.parquet")
    parser.add_argument("--out", type=Path, required=True, help="folder for the figures")
    args = parser.parse_args()
    charts.draw_all(Snapshot(load_params(args.config), args.data, args.metrics), args.out)


if __name__ == "__main__":
    main()
