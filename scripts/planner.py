"""Rule ``planner``: a model thinks of aspects and describes pictures of one suite."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.config import load_params
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.planner.run import Outs, plan_files


@main_guard
def main() -> None:
    """Ask the model; write what it has planned, and what it was asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--planner", required=True, help="name under examiner.planners")
    for name in Outs._fields:
        parser.add_argument(f"--{name}", type=Path, required=True)
    args = parser.parse_args()

    outs = Outs(*(getattr(args, name) for name in Outs._fields))
    plan_files(load_params(args.config, args.suite), args.planner, outs)


if __name__ == "__main__":
    main()
