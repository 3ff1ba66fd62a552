"""Rule ``judge``: a judge looks at the free answers of one model in one scenario."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.config import load_params
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.judge.run import Files, Outs, judge_files


@main_guard
def main() -> None:
    """Read answers, questions and what is true of the scenes; write what the judge says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--judge", required=True, help="name of a judge under judge.judges")
    parser.add_argument("--model", required=True)
    parser.add_argument("--scenario", required=True)
    for name in Files._fields:
        parser.add_argument(f"--{name}", type=Path, nargs="+", required=True)
    for name in Outs._fields:
        parser.add_argument(f"--{name}", type=Path, required=True)
    args = parser.parse_args()

    judge_files(
        load_params(args.config, args.suite),
        args.judge,
        (args.model, args.scenario),
        Files(*(getattr(args, name) for name in Files._fields)),
        Outs(*(getattr(args, name) for name in Outs._fields)),
    )


if __name__ == "__main__":
    main()
