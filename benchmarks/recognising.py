"""How well what is drawn can be recognised: foregrounds in styles, named by a reference model.

Draws every combination of a foreground, a style of its scenes and one or three copies (or each
``--every``-th), has the model name it among all labels of its list, and prints the share that it
names right by number of copies and by style, and the combinations with the lowest log-odds, which
somebody should look at. The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import defaultdict
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from lvlmbench.config import Params, load_params
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.reference.pinned import pinned_folder
from lvlmbench.stages.reference.recognising import SEED, combinations, scene
from lvlmbench.stages.reference.zero_shot import ZeroShot
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer

_BATCH = 64


def drawing(params: Params, size: int) -> Params:
    """Parameters of the scenes that are looked at; their seed is none that a snapshot may have."""
    snapshot = params.snapshot.model_copy(update={"seed": SEED})
    render = params.render.model_copy(update={"size": size})
    return params.model_copy(update={"snapshot": snapshot, "render": render})


@main_guard
def main() -> None:
    """Draw, name, count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, default=PROJECT_ROOT / "params.yaml")
    parser.add_argument("--model", default="reference_a", help="a pinned reference model")
    parser.add_argument("--size", type=int, default=512, help="side of the images in pixels")
    parser.add_argument("--every", type=int, default=41, help="draw each so-many-th combination")
    parser.add_argument("--lowest", type=int, default=20, help="combinations to list")
    args = parser.parse_args()

    params = load_params(args.config, "dysca")
    vocabulary = load_vocabulary(vocabulary_dir(params))
    folder = pinned_folder(params, args.model)
    model = ZeroShot.load(folder, vocabulary)
    renderer = PictographRenderer(drawing(params, args.size), vocabulary)
    chosen = list(combinations(vocabulary, (1, 3)))[:: args.every]
    start = time.process_time()
    right: dict[str, list[bool]] = defaultdict(list)
    odds: list[float] = []
    for first in range(0, len(chosen), _BATCH):
        some = chosen[first : first + _BATCH]
        pictures = [renderer.draw(scene(vocabulary, one, 0)).image for one in some]
        for one, vector in zip(some, model.encoder.images(pictures), strict=True):
            named = model.best(one.list, vector) == one.label
            right[f"{one.copies} of it"].append(named)
            right[one.style].append(named)
            odds.append(model.odds(one.list, one.label, vector))
    shares = {name: round(100 * float(np.mean(found)), 1) for name, found in right.items()}
    for name, share in sorted(shares.items(), key=lambda pair: pair[1]):
        print(f"{name:30s} {share:5.1f} % of {len(right[name])}")
    for i in np.argsort(odds, kind="stable")[: args.lowest]:
        one = chosen[i]
        print(f"log-odds {odds[i]:6.2f}: {one.list} '{one.label}', {one.style}, {one.copies}")
    seconds = round(time.process_time() - start, 1)
    told = {"benchmark": "recognising", "combinations": len(chosen), "cpu_s": seconds}
    print(json.dumps({**told, "right_percent": shares}))


if __name__ == "__main__":
    main()
