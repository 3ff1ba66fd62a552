"""Rule ``score``: the answers of one model in one scenario become scores."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench import tables
from lvlmbench.cli_support import main_guard
from lvlmbench.config import load_params
from lvlmbench.config.identity import snapshot_id
from lvlmbench.errors import UserError
from lvlmbench.scoring import vectors
from lvlmbench.scoring.captions import Encode, load_encoder
from lvlmbench.scoring.rows import score_rows


def _encoder(name: str, cache: Path) -> Encode:
    identity = vectors.identity(name)
    if identity is None:
        return load_encoder(name)
    return vectors.kept(lambda: load_encoder(name), identity, cache)


@main_guard
def main() -> None:
    """Read answers, questions, scenes and what was done to the images; write scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--model", required=True)
    parser.add_argument("--scenario", required=True)
    parser.add_argument("--answers", type=Path, nargs="+", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--images", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--cache", type=Path, default=vectors.default_path(), help="vectors computed before"
    )
    args = parser.parse_args()

    params = load_params(args.config)
    answers = tables.read(args.answers, tables.ANSWERS)
    pairs = zip(answers["model"].to_pylist(), answers["scenario"].to_pylist(), strict=True)
    for model, scenario in sorted({*pairs} - {(args.model, args.scenario)}):
        raise UserError(
            "--answers",
            f"some are of '{model}' in scenario '{scenario}'",
            f"give those of '{args.model}' in scenario '{args.scenario}' alone",
        )
    rows = score_rows(
        answers,
        tables.read(args.questions, tables.QUESTIONS),
        tables.read(args.scenes, tables.SCENES),
        tables.read(args.images, tables.IMAGES, ["image_id", "perturbation"]),
        lambda: _encoder(params.score.caption_encoder, args.cache),
        params.score.batch_size,
    )
    tables.write_rows(rows, args.out, tables.SCORES, snapshot_id(params))


if __name__ == "__main__":
    main()
