"""Rule ``comparisons``: whether models, and scenarios, differ by more than chance."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench import tables
from lvlmbench.cli_support import main_guard
from lvlmbench.config import load_params
from lvlmbench.config.identity import snapshot_id
from lvlmbench.scoring.comparisons import comparison_rows


@main_guard
def main() -> None:
    """Read the scores of all models and scenarios, write the comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--scores", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()

    params = load_params(args.config)
    rows = comparison_rows(
        tables.read(args.scores, tables.SCORES),
        seed=params.snapshot.seed,
        permutations=params.statistics.permutations,
    )
    tables.write_rows(rows, args.out, tables.COMPARISONS, snapshot_id(params))


if __name__ == "__main__":
    main()
