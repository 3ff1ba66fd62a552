"""Planted faults for the filter ``ocr``: the image shows the word with one letter changed."""

from __future__ import annotations

import string
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import Params, load_params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.core import seeding
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.filter.filter import FILTERS, Filter, Verdict
from lvlmbench.stages.filter.kinds.ocr import Ocr
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.stages.render.shard import make_renderer
from lvlmbench.suites.suite import build_shard

from . import Outcome, with_another

FAULTS = ("substituted", "deleted", "inserted", "swapped")

#: Root of the scenes' choices; no snapshot's, so that these images are nobody's benchmark.
SEED = 808

#: Images in memory at once.
_BATCH = 25


def planted_params(items: int, seed: int = SEED) -> Params:
    """The suite dysca of params.yaml with so many text items and no others."""
    params = load_params(PROJECT_ROOT / "params.yaml", "dysca")
    words = {"subtasks": ("text",), "scenes_per_subtask": items, "scenes": {}}
    return params.model_copy(
        update={
            "snapshot": params.snapshot.model_copy(update={"seed": seed}),
            "corpus": params.corpus.model_copy(update=words),
        }
    )


def altered(word: str, fault: str, rng: np.random.Generator) -> str:
    """The word with one letter changed; never the word itself."""
    while True:
        i = int(rng.integers(len(word)))
        letter = string.ascii_lowercase[int(rng.integers(26))]
        other = {
            "substituted": word[:i] + letter + word[i + 1 :],
            "deleted": word[:i] + word[i + 1 :],
            "inserted": word[:i] + letter + word[i:],
            "swapped": word[:i] + word[i + 1 : i + 2] + word[i : i + 1] + word[i + 2 :],
        }[fault]
        if other != word:
            return other


def with_faults(scenes: pa.Table) -> tuple[pa.Table, list[str]]:
    """The scenes as they are to be drawn: each word altered; and the fault of each."""
    rows, faults = scenes.to_pylist(), []
    for number, row in enumerate(rows):
        fault = FAULTS[number % len(FAULTS)]
        rng = seeding.generator(SEED, "planted ocr", row["scene_id"])
        rows[number] = with_another(row, "text", altered(row["text"], fault, rng))
        faults.append(fault)
    return tables.SCENES.of(rows), faults


def judged(
    judge: Filter, params: Params, drawn: pa.Table, declared: pa.Table
) -> Iterator[tuple[dict[str, Any], dict[str, Any], Verdict]]:
    """For each scene: as drawn, as the metadata has it, and the verdict on its image."""
    vocabulary = load_vocabulary(vocabulary_dir(params))
    renderer = make_renderer(params, vocabulary)
    for start in range(0, drawn.num_rows, _BATCH):
        print(f"ocr: {start} of {drawn.num_rows}", end="\r", file=sys.stderr, flush=True)
        shown, said = drawn.slice(start, _BATCH), declared.slice(start, _BATCH)
        images, *_ = render_shard(params, vocabulary, shown, renderer)
        if images.num_rows != shown.num_rows:
            raise AssertionError("the renderer refused a text item that it must draw")
        verdicts = judge.judge(images, said)
        yield from zip(shown.to_pylist(), said.to_pylist(), verdicts, strict=True)


def ocr_filter(params: Params) -> tuple[FilterSpec, Filter]:
    """The filter as the parameters set it up."""
    spec = next(f for f in params.filter.filters if f.registered == "ocr")
    return spec, FILTERS.get("ocr", "params.yaml: filter.filters")(params, spec, {})


def run(items: int, weights: Path) -> list[Outcome]:
    """Judge ``items`` items with a letter changed and as many good ones, of other scenes.

    ``weights`` is not used: the engine brings its own.
    """
    params = planted_params(2 * items)
    scenes, _ = build_shard(params, load_vocabulary(vocabulary_dir(params)), 0, 2 * items)
    spec, judge = ocr_filter(params)
    planted, good = scenes.slice(0, items), scenes.slice(items)
    drawn, faults = with_faults(planted)
    total, caught, rejected = Counter(faults), Counter[str](), 0
    for fault, (shown, said, verdict) in zip(
        faults, judged(judge, params, drawn, planted), strict=True
    ):
        caught[fault] += not verdict.keep
        if verdict.keep:
            print(f"missed: '{shown['text']}' passes for '{said['text']}' ({place(said)})")
    for _, said, verdict in judged(judge, params, good, good):
        rejected += not verdict.keep
        if not verdict.keep:
            why = verdict.note or verdict.reason
            print(f"removed though good: '{said['text']}', {why} ({place(said)})")
    engine = spec.own(Ocr).engine
    return [
        Outcome("ocr", engine, fault, counts[0], counts[1], items, rejected)
        for fault, counts in (
            [("one letter changed", (items, sum(caught.values())))]
            + [(f"... {name}", (total[name], caught[name])) for name in FAULTS]
        )
    ]


def place(scene: dict[str, Any]) -> str:
    """Where a text item's word stands: carrier, style and id."""
    return f"{scene['foreground']}, {scene['style']}, scene {scene['scene_id']}"
