"""Rule ``score``: the answers of one model in one scenario become scores."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench import tables
from lvlmbench.config import load_params
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.score import vectors
from lvlmbench.stages.score.run import score_files


def check(answers: list[Path], model: str, scenario: str) -> None:
    """Raise UserError if some answers are of another model or scenario."""
    for path in answers:
        of = tables.read([path], tables.ANSWERS, ["model", "scenario"])
        pairs = zip(of["model"].to_pylist(), of["scenario"].to_pylist(), strict=True)
        for other, elsewhere in sorted({*pairs} - {(model, scenario)}):
            raise UserError(
                "--answers",
                f"some are of '{other}' in scenario '{elsewhere}'",
                f"give those of '{model}' in scenario '{scenario}' alone",
            )


@main_guard
def main() -> None:
    """Read answers, questions, scenes and what was done to the images; write scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--model", required=True)
    parser.add_argument("--scenario", required=True)
    parser.add_argument("--answers", type=Path, nargs="+", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--images", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--cache", type=Path, default=vectors.default_path(), help="what was computed before"
    )
    args = parser.parse_args()

    check(args.answers, args.model, args.scenario)
    score_files(
        load_params(args.config, args.suite),
        answers=args.answers,
        questions=args.questions,
        scenes=args.scenes,
        images=args.images,
        out=args.out,
        cache=args.cache,
    )


if __name__ == "__main__":
    main()
