"""What two snapshots share, at the scale of Dysca's Table 2: scenes, questions, images.

Two corpora of other seeds are compared by their keys, and as many perceptual hashes with each
other, every one with every one. ``pairs_mib`` is what that adds to the memory of the process. The
hashes are made up: how fast images are hashed is measured on some that the renderer has drawn,
PNG decoding included, on one thread. The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from lvlmbench.config import Params, load_params, validate
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.config.shards import scene_range, scene_shards
from lvlmbench.core.guard import main_guard
from lvlmbench.core.seeding import generator
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.render.shard import make_renderer, png_bytes
from lvlmbench.suites.suite import build_shard
from lvlmbench.versions.chance import shared_by_chance
from lvlmbench.versions.content import Rows, Scenes, questions_of
from lvlmbench.versions.overlap import shared_questions, shared_scenes
from lvlmbench.versions.perceptual import nearest, perceptual_hash


def peak_mib() -> float:
    """Largest resident size of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def parameters(config: Path, seed: int, scenes_per_subtask: int, size: int) -> Params:
    """Those of the file with another seed and size."""
    given = load_params(config, "dysca").model_dump(mode="json")
    given["snapshot"]["seed"], given["render"]["size"] = seed, size
    given["corpus"]["scenes_per_subtask"], given["corpus"]["scenes"] = scenes_per_subtask, {}
    return validate(given)


def text_side(params: Params) -> tuple[Scenes, Rows]:
    """Scenes and questions of a corpus, with their keys."""
    vocabulary = load_vocabulary(vocabulary_dir(params))
    shards = [
        build_shard(params, vocabulary, *scene_range(params, shard))
        for shard in range(scene_shards(params))
    ]
    scenes = Scenes.of(shard[0] for shard in shards)
    return scenes, questions_of((shard[1] for shard in shards), scenes)


def hashing(params: Params, images: int) -> float:
    """Images hashed a second."""
    vocabulary = load_vocabulary(vocabulary_dir(params))
    renderer = make_renderer(params, vocabulary)
    scenes = build_shard(params, vocabulary, 0, params.corpus.n_scenes)[0].to_pylist()
    drawable = [scene for scene in scenes if renderer.refuses(scene) is None]
    step = max(1, len(drawable) // images)
    encoded = [png_bytes(renderer.draw(scene).image) for scene in drawable[::step]]
    begin = time.process_time()
    for data in encoded:
        perceptual_hash(data)
    return len(encoded) / (time.process_time() - begin)


@main_guard
def main() -> None:
    """Compare, hash, print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, default=PROJECT_ROOT / "params.yaml")
    parser.add_argument("--scenes-per-subtask", type=int, default=2335)
    parser.add_argument("--size", type=int, default=512, help="side of the images in pixels")
    parser.add_argument("--images", type=int, default=100, help="images to hash")
    args = parser.parse_args()

    per_s = hashing(parameters(args.config, 1, 20, args.size), args.images)
    print(f"hashing: {per_s:.1f} images of {args.size} px a second")
    params = [parameters(args.config, seed, args.scenes_per_subtask, 512) for seed in (1, 2)]
    begin = time.process_time()
    (scenes_a, questions_a), (scenes_b, questions_b) = (text_side(p) for p in params)
    vocabulary = load_vocabulary(vocabulary_dir(params[0]))
    chance = shared_by_chance(params[0], vocabulary, scenes_b)
    for level in (
        *shared_scenes(scenes_a, scenes_b, chance),
        *shared_questions(questions_a, questions_b),
    ):
        awaited = "" if level.by_chance is None else f", by chance {level.by_chance:.0f}"
        print(f"{level.level}: {level.shared} of {level.n_b}{awaited}")
    text_s, text_mib = time.process_time() - begin, peak_mib()
    print(f"text: {text_s:.1f} s of processor time, both corpora made in it")

    n = len(scenes_b.scenes)
    random = generator(0, "benchmark", "overlap")
    a, b = (random.integers(0, 2**64 - 1, n, dtype="uint64", endpoint=True) for _ in range(2))
    start, begin = time.perf_counter(), time.process_time()
    nearest(a, b)
    seconds, cpu = time.perf_counter() - start, time.process_time() - begin
    print(f"pairs: {n:,} x {n:,} in {seconds:.1f} s, {cpu:.1f} s of processor time")
    figures = {
        "benchmark": "overlap",
        "pairs_s": round(seconds, 2),
        "pairs_cpu_s": round(cpu, 2),
        "pairs_mib": round(peak_mib() - text_mib, 1),
        "images_per_s": round(per_s, 1),
        "text_cpu_s": round(text_s, 1),
        "scenes": n,
        "questions": len(questions_b.ids),
        "size": args.size,
        "peak_mib": round(peak_mib(), 1),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
