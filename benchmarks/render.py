"""Speed of the renderer on one core: a realistic mix of scenes, PNG encoding included.

The scenes are the corpus of the default parameters (every subtask, style and background that the
renderer draws). The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from collections import defaultdict
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from lvlmbench.config import load_params, validate
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.render.shard import make_renderer, png_bytes
from lvlmbench.suites.suite import build_shard


@main_guard
def main() -> None:
    """Draw the scenes one after the other and print where the time goes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, default=PROJECT_ROOT / "params.yaml")
    parser.add_argument("--size", type=int, default=512, help="side of the images in pixels")
    parser.add_argument("--scenes", type=int, default=400, help="scenes to draw at most")
    parser.add_argument("--by", choices=("subtask", "style", "background"), help="print a table")
    args = parser.parse_args()

    given = load_params(args.config, "dysca").model_dump(mode="json")
    given["render"]["size"] = args.size
    params = validate(given)
    vocabulary = load_vocabulary(vocabulary_dir(params))
    scenes = build_shard(params, vocabulary, 0, params.corpus.n_scenes)[0].to_pylist()
    step = max(1, len(scenes) // args.scenes)
    renderer = make_renderer(params, vocabulary)
    seconds: dict[str, list[float]] = defaultdict(list)
    images, refused, n_bytes = 0, 0, 0
    encoding = spent = 0.0
    for scene in scenes[::step]:
        if renderer.refuses(scene) is not None:
            refused += 1
            continue
        begin = time.process_time()
        image = renderer.draw(scene).image
        drawn = time.process_time()
        data = png_bytes(image)
        end = time.process_time()
        images, n_bytes = images + 1, n_bytes + len(data)
        encoding += end - drawn
        spent += end - begin
        if args.by:
            seconds[str(scene[args.by])].append(end - begin)
    for key, values in sorted(seconds.items(), key=lambda item: -sum(item[1]) / len(item[1])):
        print(f"{1e3 * sum(values) / len(values):8.1f} ms  n={len(values):4d}  {key}")
    print(f"{images} images of {args.size} px, {refused} scenes refused; processor seconds")
    print(f"{1e3 * spent / images:.1f} ms an image, of which PNG {1e3 * encoding / images:.1f} ms")
    print(
        json.dumps(
            {
                "benchmark": "render",
                "images_per_s": round(images / spent, 1),
                "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
                "size": args.size,
                "images": images,
                "mean_png_kib": round(n_bytes / images / 1024, 1),
            }
        )
    )


if __name__ == "__main__":
    main()
