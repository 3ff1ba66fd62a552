"""Rule ``reference``: give out one reference model, pinned or trained and measured here."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from lvlmbench.config import Params, load_params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.reference import data
from lvlmbench.stages.reference.calibration import calibrate
from lvlmbench.stages.reference.encoder import load_folder
from lvlmbench.stages.reference.folder import FILES
from lvlmbench.stages.reference.labels import Labels
from lvlmbench.stages.reference.pinned import LOSS, METRICS, contents
from lvlmbench.stages.reference.scenes import validation_questions
from lvlmbench.stages.reference.shards import FIRST_SEED
from lvlmbench.stages.reference.training import Checkpoint, intent, train
from lvlmbench.stages.reference.zero_shot import ZeroShot


def _json(content: dict[str, Any]) -> bytes:
    return (json.dumps(content, indent=2, allow_nan=False) + "\n").encode()


@main_guard
def main() -> None:
    """Write the model's folder, its metrics and the curve of its loss."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--model", required=True, help="name under reference.models")
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True, help="the model's folder")
    parser.add_argument("--metrics-out", type=Path, required=True)
    parser.add_argument("--loss-out", type=Path, required=True)
    args = parser.parse_args()

    params: Params = load_params(args.config, args.suite)
    if params.reference.weights == "pinned":
        files = contents(params, args.model)
        atomic_bytes(args.metrics_out, files.pop(METRICS))
        atomic_bytes(args.loss_out, files.pop(LOSS))
        for name, content in files.items():
            atomic_bytes(args.out / name, content)
        return
    vocabulary = load_vocabulary(vocabulary_dir(params))
    # Beside what is published: a run that was killed finds it there again.
    saved = args.out.resolve().parents[2] / "training" / f"{args.model}.safetensors"
    checkpoint = Checkpoint(saved, intent(params, args.model, args.scenes))
    curve = train(params, vocabulary, args.model, args.scenes, args.out, checkpoint)
    model = ZeroShot(load_folder(args.out), Labels.read(args.out, vocabulary))
    calibration, metrics = calibrate(
        model,
        data.read(args.scenes, "validation", ("image",)),
        validation_questions(params, vocabulary),
        params.reference.false_rejections,
        FIRST_SEED + params.reference.scenes.seed,
    )
    atomic_bytes(args.out / "calibration.json", _json(calibration))
    atomic_bytes(args.metrics_out, _json(metrics))
    atomic_bytes(args.loss_out, curve.encode())
    for stray in args.out.iterdir():  # what the tokenizer's library writes beyond need
        if stray.name not in FILES:
            stray.unlink()
    checkpoint.remove()


if __name__ == "__main__":
    main()
