"""Rule ``metrics``: the scores of all models and scenarios become the metrics table."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.config import load_params
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.metrics.agreement import write_agreement
from lvlmbench.stages.metrics.metrics import write_costs, write_metrics
from lvlmbench.stages.score import vectors


@main_guard
def main() -> None:
    """Read scores, the chance of each question, which questions the consensus drops, what judges
    say and what requests took; write metrics as Parquet and JSON, and how far examiners agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--scores", type=Path, nargs="+", required=True)
    parser.add_argument("--consensus", type=Path, nargs="+", required=True)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--hallucination", type=Path, help="table of what judges find made up")
    parser.add_argument("--dialogue", type=Path, help="table of answers beside references")
    parser.add_argument("--data", type=Path, help="the suite's tables, for what requests took")
    parser.add_argument("--out-parquet", type=Path, required=True)
    parser.add_argument("--out-json", type=Path, required=True)
    parser.add_argument("--out-agreement", type=Path, help="table of how far examiners agree")
    parser.add_argument("--out-costs", type=Path, help="table of what requests took")
    parser.add_argument("--out-plots", type=Path, help="folder of the tables for dvc plots")
    args = parser.parse_args()

    params = load_params(args.config, args.suite)
    costs = [] if args.out_costs is None else write_costs(params, args.data, args.out_costs)
    write_metrics(
        params,
        scores=args.scores,
        consensus=args.consensus,
        questions=args.questions,
        scenes=args.scenes,
        hallucination=args.hallucination,
        dialogue=args.dialogue,
        cache=vectors.default_path() if args.scenes else None,
        costs=costs,
        out_parquet=args.out_parquet,
        out_json=args.out_json,
        out_plots=args.out_plots,
    )
    if args.out_agreement is not None:
        write_agreement(
            params,
            scores=args.scores,
            consensus=args.consensus,
            questions=args.questions,
            out=args.out_agreement,
        )


if __name__ == "__main__":
    main()
