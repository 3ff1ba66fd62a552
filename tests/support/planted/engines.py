"""Whether the two OCR engines come to the same verdicts.

``python -m tests.support.planted.engines`` judges the text items of the default snapshot, and so
many of another seed. paddleocr runs on the weights of rapidocr's wheel (:mod:`.paddle_folders`), so
what differs is the code around them.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from lvlmbench.config import Params, load_params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.filter.filter import FILTERS, Verdict
from lvlmbench.suites.suite import build_shard

from . import paddle_folders
from .ocr import judged, place, planted_params

#: Root of the other items' choices.
SEED = 809


def verdicts(params: Params, settings: dict[str, str]) -> list[tuple[str, str, Verdict]]:
    """Word, place and verdict of each text item."""
    spec = FilterSpec.model_validate({"name": "ocr", "ocr": settings})
    judge = FILTERS.get("ocr", "here")(params, spec, {})
    items = params.corpus.scenes_per_subtask
    scenes, _ = build_shard(params, load_vocabulary(vocabulary_dir(params)), 0, items)
    found = judged(judge, params, scenes, scenes)
    return [(scene["text"], place(scene), verdict) for _, scene, verdict in found]


def main() -> None:
    """Print each disagreement, and a line of JSON for each set of items."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.planted.engines", description=__doc__
    )
    parser.add_argument("--items", type=int, default=200, help="items besides the snapshot's")
    args = parser.parse_args()
    default = load_params(PROJECT_ROOT / "params.yaml", "dysca")
    sets = {
        "default snapshot": planted_params(default.corpus.count("text"), default.snapshot.seed),
        f"seed {SEED}": planted_params(args.items, SEED),
    }
    with tempfile.TemporaryDirectory() as folder:
        settings = ({"engine": "rapidocr"}, paddle_folders.write(Path(folder)))
        for name, params in sets.items():
            one, other = (verdicts(params, each) for each in settings)
            same = 0
            for (word, where, a), (_, _, b) in zip(one, other, strict=True):
                same += a.keep == b.keep
                if a.keep != b.keep:
                    print(f"'{word}' ({where}): rapidocr {a}; paddleocr {b}")
            row = {
                "items": name,
                "n": len(one),
                "kept_by_rapidocr": sum(v.keep for _, _, v in one),
                "kept_by_paddleocr": sum(v.keep for _, _, v in other),
                "same_verdict": same,
            }
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
