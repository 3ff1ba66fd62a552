"""A few items through what each stage computes; prints what came of it as hashes, by stage.

``python tests/support/processor_stages.py FOLDER``: FOLDER holds a small reference model, made
beforehand.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402

import support.adversarial_shards as made  # noqa: E402
from lvlmbench.analysis import thumbnails  # noqa: E402
from lvlmbench.config import load_params  # noqa: E402
from lvlmbench.config.identity import vocabulary_dir  # noqa: E402
from lvlmbench.scene.vocabulary import load_vocabulary  # noqa: E402
from lvlmbench.stages.answer.engine import Item  # noqa: E402
from lvlmbench.stages.answer.kinds.reference import Reference  # noqa: E402
from lvlmbench.stages.distances.kmmd import kmmd  # noqa: E402
from lvlmbench.stages.figures import legend, plotting  # noqa: E402
from lvlmbench.stages.metrics.comparisons import comparison_rows  # noqa: E402
from lvlmbench.stages.metrics.metrics import metric_rows  # noqa: E402
from lvlmbench.stages.metrics.panel import panels  # noqa: E402
from lvlmbench.stages.reference.encoder import load_folder  # noqa: E402
from lvlmbench.stages.reference.labels import Labels  # noqa: E402
from lvlmbench.stages.reference.pinned import pinned_folder  # noqa: E402
from lvlmbench.stages.reference.zero_shot import ZeroShot  # noqa: E402
from lvlmbench.stages.render.shard import png_bytes  # noqa: E402
from lvlmbench.stages.report.browser import images as pictures  # noqa: E402
from lvlmbench.stages.scenario.kinds.corruption.kind import corrupt  # noqa: E402
from lvlmbench.stages.scenario.kinds.corruption.settings import SEVERITIES, first_kinds  # noqa: E402
from lvlmbench.stages.scenario.kinds.resolution import smaller  # noqa: E402
from lvlmbench.stages.scenario.pixels import encode  # noqa: E402
from lvlmbench.stages.score.captions import similarities  # noqa: E402
from lvlmbench.stages.score.encoder import PACKAGED, SentenceEncoder  # noqa: E402
from lvlmbench.stages.validity.ranks import associations  # noqa: E402
from support import composed_scenes, score_tables  # noqa: E402

SUBTASKS = ("animal", "color", "plant")


def corruption() -> Any:
    """Every kind at every severity, of an image with edges and noise."""
    for kind in first_kinds():
        for severity in SEVERITIES:
            draw = np.random.default_rng(severity)
            found, about = corrupt(made.pixels(5, 128), kind, severity, draw)
            yield encode(found), about


def resolution() -> Any:
    """An image with edges and noise at lower resolutions."""
    for side in (64, 100, 37):
        yield encode(smaller(made.pixels(5, 128), side))


def adversarial(folder: Path) -> Any:
    """Two attacked images, the first one of a single color, where most gradients are zero."""
    for norm in ("Linf", "L2"):
        params = made.parameters(norm=norm, steps=4, objective="option")
        for row in made.attacked(params, made.shard(made.images(0, 4)), reference_a=folder):
            yield row["image"]["bytes"], row["perturbation"]


def clip() -> Any:
    """Log-odds of labels and the likeliest ones, as filter and answers take them."""
    params = load_params(ROOT / "params.yaml", "dysca")
    folder = pinned_folder(params, "reference_a")
    labels = Labels.read(folder, load_vocabulary(vocabulary_dir(params)))
    model = ZeroShot(load_folder(folder), labels)
    for vector in model.encoder.images([Image.fromarray(made.pixels(n)) for n in range(6)]):
        for aspect in ("animal", "background", "style"):
            yield [model.odds(aspect, label, vector) for label in labels.of[aspect]]
        yield model.describe(vector)


def answers() -> Any:
    """What a reference model answers: by quick vectors, which no processor makes alike."""
    params = load_params(ROOT / "params.yaml", "dysca")
    folder = pinned_folder(params, "reference_b")
    labels = Labels.read(folder, load_vocabulary(vocabulary_dir(params))).of["animal"]
    free = ("What does the picture show?", "Which things are where?", "Which people are there?")
    asked: list[tuple[str, str, tuple[str, ...]]] = [("free_form", each, ()) for each in free]
    asked += [
        ("true_false", f"The picture shows a {label}.", ("True", "False")) for label in labels
    ]
    asked += [
        ("multiple_choice", "Which animal is it?", tuple(labels[n : n + 4]))
        for n in range(0, len(labels) - 3, 4)
    ]
    items = [
        Item(
            question_id=f"{n} {question} {options}", scene_id=str(n), subtask="animal",
            question_type=kind, question=question, options=options, prompt=question,
            image=png_bytes(Image.fromarray(made.pixels(n))), image_id=str(n), image_sha256=str(n),
        )
        for n in range(12) for kind, question, options in asked
    ]  # fmt: skip
    yield [reply.text for _, reply in Reference(params, folder).answer(items)]


def captions() -> Any:
    """Similarities of captions."""
    said = ["A red owl in a forest.", "two foxes", "An oil painting of a duck by the sea", "owl"]
    yield similarities([(a, b) for a in said for b in said], SentenceEncoder(PACKAGED), 8)


def _scores() -> list[score_tables.Row]:
    rows, draw = [], np.random.default_rng(3)
    for model in ("one", "two"):
        for scenario in ("clean", "blind"):
            for n in range(180):
                kind = (score_tables.MC, score_tables.TF, score_tables.FF)[n % 3]
                free = kind == score_tables.FF
                value = round(float(draw.uniform(0, 100)), 2) if free else bool(draw.random() < 0.6)
                subtask, style = SUBTASKS[n // 3 % 3], ("oil", "comic", "ink")[n // 9 % 3]
                rows.append(
                    score_tables.score(
                        n, kind, subtask, value, style, n // 3, model, scenario=scenario
                    )
                )
    return rows


def metrics() -> Any:
    """The metrics table."""
    yield metric_rows(score_tables.table(_scores()), resamples=500)


def comparisons() -> Any:
    """The table of comparisons."""
    yield comparison_rows(panels([score_tables.table(_scores())]))


def validity() -> Any:
    """Rank correlations with their intervals."""
    draw = np.random.default_rng(1)
    found = associations(draw.normal(size=9), draw.normal(size=9), draw, 400)
    yield [dataclasses.asdict(each) for each in found or ()]


def distances() -> Any:
    """Discrepancies of sets of vectors, paired or not."""
    draw = np.random.default_rng(2)
    a, b = draw.normal(size=(60, 48)), draw.normal(size=(60, 48)) + 0.1
    for paired in (False, True):
        yield dataclasses.asdict(kmmd(a, b, np.random.default_rng(7), 199, paired=paired))


def figures() -> Any:
    """A figure in both forms."""
    with plotting.settings():
        drawn = legend.empty("nothing to show")
        yield from plotting.forms(drawn).values()


def report() -> Any:
    """Pictures of the report."""
    png = made.images(5, side=400)[0]["image"]["bytes"]
    yield thumbnails.shrink(png, 128, "here")
    yield pictures.webp(Image.fromarray(made.pixels(6, 400)), 256, 60)


def composed() -> dict[str, Any]:
    """Scenes of all skills at all levels, their pictures, layouts and questions."""
    found = composed_scenes.made(size=256)
    return {
        "composed scenes": found.scenes.to_pylist(),
        "composed pictures": map(png_bytes, found.images.values()),
        "composed layouts": found.layouts.to_pylist(),
        "composed questions": found.questions.to_pylist(),
    }


def main() -> None:
    """Print the hash of what each stage makes."""
    folder = Path(sys.argv[1])
    stages = {
        "corruption": corruption(),
        "resolution": resolution(),
        "adversarial": adversarial(folder),
        "clip": clip(),
        "answers": answers(),
        "captions": captions(),
        "metrics": metrics(),
        "comparisons": comparisons(),
        "validity": validity(),
        "distances": distances(),
        "figures": figures(),
        "report": report(),
        **composed(),
    }
    found = {}
    for name, things in stages.items():
        h = hashlib.sha256()
        for thing in things:
            h.update(repr(thing).encode())
        found[name] = h.hexdigest()[:16]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
