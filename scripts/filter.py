"""Rule ``filter``: one filter's verdicts on one shard of images."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench import tables
from lvlmbench.cli_support import main_guard
from lvlmbench.config import load_params
from lvlmbench.config.identity import snapshot_id
from lvlmbench.filters.base import FILTERS, verdict_rows


@main_guard
def main() -> None:
    """Read images, write verdicts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--filter", required=True, help="name of a registered filter")
    parser.add_argument("--images", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()

    params = load_params(args.config)
    judge = FILTERS.get(args.filter, f"{args.config}: filter.filters")(params)
    rows = verdict_rows(judge, tables.read([args.images], tables.IMAGES))
    tables.write_rows(rows, args.out, tables.VERDICTS, snapshot_id(params))


if __name__ == "__main__":
    main()
