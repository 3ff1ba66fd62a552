"""Draw one table or figure of a snapshot as PDF, SVG and CSV."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.config import load_params
from lvlmbench.core.guard import main_guard
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures.figure import Sources
from lvlmbench.stages.figures.run import draw


@main_guard
def main() -> None:
    """Read the tables, write the files of the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--figure", required=True, help="name of the figure")
    parser.add_argument("--data", type=Path, required=True, help="folder of the tables")
    parser.add_argument("--results", type=Path, required=True, help="folder of the results")
    parser.add_argument("--published", type=Path, required=True, help="data/published")
    parser.add_argument("--out", type=Path, nargs="+", required=True, help="files of the figure")
    args = parser.parse_args()
    params = load_params(args.config, args.suite)
    snapshot = Snapshot(params, args.data, args.results)
    draw(
        args.figure,
        Sources(snapshot, args.results / "validity", args.published),
        args.out[0].parent,
    )


if __name__ == "__main__":
    main()
