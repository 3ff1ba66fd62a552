"""Pin trained reference models: measure them on fresh scenes, write their files and their cards.

``make reference`` trains the models, then calls this.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

from lvlmbench import __version__, tables
from lvlmbench.config import Params, suite_of
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.config.layers import load_layers
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard
from lvlmbench.engine.hashing import source_digests
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.stages.reference import data
from lvlmbench.stages.reference.calibration import measure
from lvlmbench.stages.reference.encoder import load_folder
from lvlmbench.stages.reference.folder import FILES, calibrated
from lvlmbench.stages.reference.labels import Labels
from lvlmbench.stages.reference.pinned import CARD, LOSS, METRICS, card, headline, pinned_folder
from lvlmbench.stages.reference.scenes import build_scenes, validation_questions
from lvlmbench.stages.reference.shards import reference_shards
from lvlmbench.stages.reference.zero_shot import ZeroShot

#: Added to the seed of the scenes that were trained on.
FRESH = 2**32

#: Code that decides what a trained model is.
CODE = (
    "lvlmbench/scene",
    "lvlmbench/suites/dysca",
    "lvlmbench/stages/reference",
    "lvlmbench/stages/render",
    "scripts/reference.py",
)


def fresh(params: Params, count: int) -> Params:
    """The same parameters with other scenes to measure on: as few as can be for training."""
    reference = params.reference
    scenes = reference.scenes.model_copy(
        update={
            "seed": reference.scenes.seed + FRESH,
            "training": reference.training.batch_size,
            "validation": count,
        }
    )
    changed = reference.model_copy(update={"scenes": scenes, "weights": "trained"})
    return params.model_copy(update={"reference": changed})


def measured_on(params: Params, vocabulary: Vocabulary, folder: Path) -> dict[str, object]:
    """How well the model in a folder does on the validation scenes of these parameters."""
    with tempfile.TemporaryDirectory() as place:
        parts = []
        for shard in range(reference_shards(params)):
            parts.append(Path(place, f"{shard}.parquet"))
            table = build_scenes(params, vocabulary, shard)
            tables.write(table, parts[-1], tables.REFERENCE_SCENES, "reference")
        scenes = data.read(parts, "validation", ("image",))
    model = ZeroShot(load_folder(folder), Labels.read(folder, vocabulary))
    threshold = calibrated(folder, "true_false_threshold")
    found = measure(model, scenes, validation_questions(params, vocabulary), threshold)
    return {"seed": params.reference.scenes.seed, **found}


def code_version() -> str:
    """Version of the package, commit, and hash of the code that trains."""
    asked = subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"], cwd=PROJECT_ROOT, capture_output=True, text=True
    )
    commit = asked.stdout.strip() or "no commit"
    hashes = source_digests(PROJECT_ROOT, list(CODE))
    return f"{__version__}, {commit}, " + ", ".join(f"{k} {v[:12]}" for k, v in hashes.items())


def pin(
    params: Params, vocabulary: Vocabulary, name: str, trained: Path, out: Path, scenes: int
) -> None:
    """Copy a model's files, measure it on fresh scenes and write its card."""
    found = {file: trained / "data" / "reference" / name / file for file in FILES}
    found |= {file: trained / "results" / "reference" / name / file for file in (METRICS, LOSS)}
    for path in found.values():
        if not path.is_file():
            raise UserError("--trained", f"there is no {path}", "run 'make reference' instead")
    contents = {file: path.read_bytes() for file, path in found.items()}
    for file, content in contents.items():
        atomic_bytes(out / file, content)
    measured = measured_on(fresh(params, scenes), vocabulary, out)
    about = card(params, vocabulary, name, out, code_version(), measured)
    text = json.dumps(about, indent=1, ensure_ascii=False) + "\n"
    atomic_bytes(out / CARD, text.encode())
    print(f"{name}: {out}: {headline(about)}")


@main_guard
def main() -> None:
    """Pin every model of the parameters."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="what goes over params.yaml")
    parser.add_argument("--trained", type=Path, required=True, help="folder they were trained in")
    parser.add_argument("--models", nargs="*", help="names of some of them (all)")
    parser.add_argument("--scenes", type=int, default=3000, help="fresh scenes to measure on")
    args = parser.parse_args()

    base = PROJECT_ROOT / "params.yaml"
    params = suite_of(load_layers([base, args.config]), None, str(args.config))
    given = load_layers([base])
    vocabulary = load_vocabulary(vocabulary_dir(params))
    for name in args.models or params.reference.models:
        pin(params, vocabulary, name, args.trained, pinned_folder(given, name), args.scenes)


if __name__ == "__main__":
    main()
