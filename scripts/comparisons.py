"""Rule ``comparisons``: whether models, and scenarios, differ by more than chance."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.config import load_params
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.metrics.comparisons import write_comparisons


@main_guard
def main() -> None:
    """Read the scores of all models and scenarios and which questions the consensus drops, write
    the comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--scores", type=Path, nargs="+", required=True)
    parser.add_argument("--consensus", type=Path, nargs="+", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--data", type=Path, help="the suite's tables, for what judges say")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()

    write_comparisons(
        load_params(args.config, args.suite),
        scores=args.scores,
        consensus=args.consensus,
        questions=args.questions,
        scenes=args.scenes,
        data=args.data,
        out=args.out,
    )


if __name__ == "__main__":
    main()
