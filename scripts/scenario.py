"""Rule ``scenario``: show one shard of clean images under another condition."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench import tables
from lvlmbench.cli_support import main_guard
from lvlmbench.config import load_params
from lvlmbench.config.identity import snapshot_id
from lvlmbench.scenarios.base import SCENARIOS


@main_guard
def main() -> None:
    """Read clean images and questions, write the scenario's images."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--scenario", required=True)
    parser.add_argument("--images", type=Path, required=True)
    parser.add_argument("--questions", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()

    params = load_params(args.config)
    scenario = SCENARIOS.get(args.scenario, f"{args.config}: scenarios.names")(params)
    images = scenario.apply(
        tables.read([args.images], tables.IMAGES), tables.read(args.questions, tables.QUESTIONS)
    )
    tables.write(images, args.out, tables.IMAGES, snapshot_id(params))


if __name__ == "__main__":
    main()
