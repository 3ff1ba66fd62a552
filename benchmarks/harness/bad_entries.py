"""Bad entries planted in a vocabulary, and the pipeline from scenes to the audit run over them.

Faults that are planted:

``label``
    The pictograph of a thing is that of another thing of its list, in the copy of the vocabulary.
``background``
    The renderer draws a background as another one.
``style``
    The renderer's style leaves twelve coarse squares a side of everything: it destroys what the
    vocabulary does not say it hides.
``shows``
    A background's ``shows`` is missing: what can be seen in it may be offered as a wrong option.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import yaml
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params, load_params, validate
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.core import seeding
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.stages.answer.answering import answer_rows, make_items
from lvlmbench.stages.answer.engine import MODELS
from lvlmbench.stages.audit.audit import audit_rows
from lvlmbench.stages.consensus.consensus import consensus_rows
from lvlmbench.stages.filter.filter import FILTERS, verdict_rows
from lvlmbench.stages.render.renderer import Depiction, Renderer, Scene
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.stages.render.shard import make_renderer
from lvlmbench.stages.score import rows
from lvlmbench.suites.instructions import prompts_of
from lvlmbench.suites.suite import build_shard, suite_of

Row = dict[str, Any]
Entry = tuple[str, str]

#: Lists whose entries are drawn from one glyph.
THINGS = ("animal", "object", "plant", "food", "clothes")
#: All that is drawn but words, which need OCR.
SUBTASKS = (
    "style", "background", "color", "animal", "object", "plant", "food", "age", "gender",
    "expression", "race", "action", "clothes", "landmark", "profession",
)  # fmt: skip
#: Squares a side that a planted style leaves.
_SQUARES = 12


@dataclass(frozen=True)
class Planted:
    """Entry -> kind of its fault; and what the renderer draws in an entry's place."""

    faults: Mapping[Entry, str]
    drawn_as: Mapping[str, str]


class Faulty:
    """A renderer with planted faults: the pictures are wrong, what is said of them is not."""

    def __init__(self, inner: Renderer, planted: Planted) -> None:
        self._inner, self._planted = inner, planted
        self.name, self.version = inner.name, inner.version

    def _drawn(self, scene: Scene) -> Scene:
        setting = dict(scene["setting"])
        other = self._planted.drawn_as.get(setting["background"])
        if other is None:
            return scene
        return {**scene, "background": other, "setting": {**setting, "background": other}}

    def refuses(self, scene: Scene) -> str | None:
        """As the renderer that it stands for."""
        return self._inner.refuses(scene)

    def draw(self, scene: Scene) -> Depiction:
        """Draw with the faults."""
        found = self._inner.draw(self._drawn(scene))
        if self._planted.faults.get(("style", scene["setting"]["style"])) != "style":
            return found
        size = found.image.size
        small = found.image.resize((_SQUARES, _SQUARES), Image.Resampling.BOX)
        return replace(found, image=small.resize(size, Image.Resampling.NEAREST))


def parameters(seed: int, scenes: int, size: int, subtasks: Sequence[str] = SUBTASKS) -> Params:
    """Parameters of a run: so many scenes of each subtask, pictures of this side."""
    given = load_params(PROJECT_ROOT / "params.yaml", "dysca").model_dump(mode="json")
    given["corpus"] |= {"subtasks": list(subtasks), "scenes_per_subtask": scenes, "scenes": {}}
    closed = {"multiple_choice": 0.5, "true_false": 0.5, "free_form": 0.0}
    given["corpus"]["type_proportions"] = closed
    given["snapshot"]["seed"], given["render"]["size"] = seed, size
    given["filter"]["filters"] = [{"name": "integrity"}, {"name": "clip"}]
    return validate(given)


def _chosen(
    rng: np.random.Generator, shown: Counter[Entry], names: Sequence[str], least: int, count: int
) -> list[Entry]:
    """So many entries of these lists, of those that at least ``least`` scenes show."""
    fit = sorted(entry for entry, n in shown.items() if entry[0] in names and n >= least)
    return [fit[i] for i in sorted(rng.permutation(len(fit))[:count])]


def plant(
    params: Params, folder: Path, counts: Mapping[str, int], least: int
) -> tuple[Params, Planted]:
    """Copy the vocabulary into a folder, with faults; returns the parameters that read it.

    Parameters
    ----------
    counts
        Kind of fault -> how many entries get it.
    least
        Scenes that must show an entry; of rarer ones nobody can say anything.
    """
    vocabulary = load_vocabulary(vocabulary_dir(params))
    rng = seeding.generator(params.snapshot.seed, "audit/plant", "all")
    planned = build_shard(params, vocabulary, 0, params.corpus.n_scenes)[0].to_pylist()
    renderer = make_renderer(params, vocabulary)
    shown = Counter(
        entry
        for scene in planned
        if renderer.refuses(scene) is None
        for entry in {*Graph.of(scene).entries()}
    )
    shutil.copytree(vocabulary_dir(params), folder, dirs_exist_ok=True)
    lists = {name: yaml.safe_load((folder / f"{name}.yaml").read_text()) for name in THINGS}
    things = [
        (name, label)
        for name, label in _chosen(rng, shown, THINGS, least, sum(shown.values()))
        if not vocabulary.lists[name].by_label[label].extra.get("recolor")
    ]
    labels = [things[i] for i in sorted(rng.permutation(len(things))[: counts["label"]])]
    for name, label in labels:
        _swap(rng, vocabulary, lists, name, label)
    for name, held in lists.items():
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(held, allow_unicode=True))
    faults: dict[Entry, str] = dict.fromkeys(labels, "label")
    faults |= dict.fromkeys(_chosen(rng, shown, ["style"], least, counts["style"]), "style")
    backgrounds = _chosen(rng, shown, ["background"], least, len(shown))
    backgrounds = [backgrounds[i] for i in rng.permutation(len(backgrounds))]
    wrong = backgrounds[: counts["background"]]
    faults |= dict.fromkeys(wrong, "background")
    rest = [b for b in backgrounds if b not in wrong]
    drawn_as = {
        label: next(
            other for _, other in rest
            if other not in vocabulary.lists["background"].alike(label)
        )
        for _, label in wrong
    }  # fmt: skip
    faults |= dict.fromkeys(_unsaid(folder, rest, counts["shows"]), "shows")
    given = params.model_dump(mode="json")
    given["vocabulary"]["folder"] = str(folder)
    return validate(given), Planted(faults, drawn_as)


def _swap(
    rng: np.random.Generator, vocabulary: Vocabulary, lists: Row, name: str, label: str
) -> None:
    """Give an entry the pictograph of another one that it cannot pass for."""
    alike = vocabulary.lists[name].alike(label)
    held = lists[name]["entries"]
    others = [e for e in held if e["label"] not in alike and len(e.get("pictograph", ())) == 1]
    entry = next(each for each in held if each["label"] == label)
    original = vocabulary.lists[name].by_label[others[int(rng.integers(len(others)))]["label"]]
    entry["pictograph"] = list(original.pictograph)


def _unsaid(folder: Path, backgrounds: Sequence[Entry], count: int) -> list[Entry]:
    """Remove ``shows`` of so many backgrounds that have it."""
    path = folder / "background.yaml"
    held = yaml.safe_load(path.read_text())
    by_label = {each["label"]: each for each in held["entries"]}
    found = [entry for entry in backgrounds if "shows" in by_label[entry[1]]][:count]
    for _, label in found:
        del by_label[label]["shows"]
    path.write_text(yaml.safe_dump(held, allow_unicode=True))
    return found


def _answered(
    params: Params, images: pa.Table, verdicts: pa.Table, questions: pa.Table, scenes: pa.Table
) -> pa.Table:
    """Scores of the models that look, in the clean scenario."""
    items = make_items(images, verdicts, questions, params.filter.names, prompts_of(params))
    weights = {n: PROJECT_ROOT / params.reference.pinned / n for n in params.reference.models}
    asked = rows.Asked(
        questions.select(rows.QUESTIONS), scenes.select(rows.SCENES), images.select(rows.IMAGES)
    )
    found = []
    for each in params.answer.models:
        model = MODELS.get(each.engine, "answer.models")(params, each, weights)
        answers = tables.ANSWERS.of(answer_rows(model, items, None, each.name, "clean"))
        found.append(rows.score_rows(answers, asked, lambda pairs: [], params.score.strategy))
    return pa.concat_tables(found)


def audited(params: Params, planted: Planted) -> tuple[list[Row], Row]:
    """Run the pipeline: scenes, images, filters, questions, answers, scores, consensus, audit.

    Returns the rows of the audit, and counts of images, rejections, questions and drops.
    """
    vocabulary = load_vocabulary(vocabulary_dir(params))
    scenes = build_shard(params, vocabulary, 0, params.corpus.n_scenes)[0]
    renderer = Faulty(make_renderer(params, vocabulary), planted)
    images, rendered, _, layouts = render_shard(params, vocabulary, scenes, renderer)
    weights = {n: PROJECT_ROOT / params.reference.pinned / n for n in params.reference.models}
    found = [rendered]
    for given in params.filter.filters:
        spec = FilterSpec.model_validate(given.model_dump(mode="json"))
        judge = FILTERS.get(spec.registered, "filter.filters")(params, spec, weights)
        found.append(tables.VERDICTS.of(verdict_rows(judge, images, scenes)))
    verdicts = pa.concat_tables(found)
    questions = suite_of(params).questions(params, vocabulary, scenes, layouts)
    scores = _answered(params, images, verdicts, questions, scenes)
    consensus = tables.CONSENSUS.of(
        consensus_rows(scores, questions, params.answer.models, params.consensus)
    )
    told = {
        "images": len(images),
        "rejected": sum(not v for v in verdicts["keep"].to_pylist()) - (len(scenes) - len(images)),
        "questions": len(consensus),
        "dropped": sum(not keep for keep in consensus["keep"].to_pylist()),
    }
    audit = audit_rows(
        scenes, questions, verdicts, consensus,
        filters=params.filter.names, exclude={}, audit=params.audit,
    )  # fmt: skip
    return audit, told
