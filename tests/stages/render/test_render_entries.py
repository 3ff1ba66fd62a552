"""What a picture needs of the vocabulary: the entries that its scene names, and no other."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.config import Params, load_params, validate
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.scene.hiding import Hiding
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.scene.vocabulary.named import entries_named, vocabulary_of
from lvlmbench.stages.render.renderer import RENDERERS
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.stages.render.shard import make_renderer
from lvlmbench.stages.render.words import looks_words_up
from lvlmbench.suites.suite import suite_of
from support.render_scenes import vocabulary

#: Suites whose pictures need no other entry.
SUITES = ("dysca", "composed", "valor", "touchstone")
OX = """
  - label: ox
    article: an
    plural: oxen
    sense: strong bull that pulls carts and ploughs
    group: cattle
    pictograph: [1F402]
    size: 5
"""


@cache
def small(suite: str) -> tuple[Params, pa.Table]:
    """Parameters of a suite, and scenes of each of its subtasks with those in other styles."""
    given = load_params(PROJECT_ROOT / "params.yaml", suite)
    corpus = given.corpus.model_copy(update={"scenes_per_subtask": 12})
    render = given.render.model_copy(update={"size": 128, "renderer": "pictograph"})
    params = given.model_copy(update={"corpus": corpus, "render": render})
    whole = suite_of(params)
    scenes = whole.scenes(params, vocabulary(), 0, params.corpus.n_scenes)
    again = whole.restyled(params, vocabulary(), scenes)
    return params, tables.behind_bases(pa.concat_tables([scenes, again]))


def told(of: Vocabulary, scenes: pa.Table) -> pa.Table:
    return entries_named(of, scenes.to_pylist())


def edited(folder: Path, edit: Callable[[str], str], name: str = "animal") -> Vocabulary:
    """The project's vocabulary with one of its files otherwise."""
    shutil.copytree(PROJECT_ROOT / "data/vocabulary", folder)
    path = folder / f"{name}.yaml"
    text = edit(path.read_text(encoding="utf-8"))
    assert text != path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    return load_vocabulary(folder)


def test_an_entry_is_told_whole() -> None:
    whole = vocabulary()
    scene = small("dysca")[1].slice(0, 1).to_pylist()[0]
    named = [(name, entry.label) for name, each in whole.lists.items() for entry in each.entries]
    things = [
        scene["objects"][0] | {"id": f"o{n}", "list": name, "label": label}
        for n, (name, label) in enumerate(named)
    ]
    one = scene | {"objects": things}
    found = vocabulary_of(entries_named(whole, [one]), pa.table({"scene_id": [scene["scene_id"]]}))
    assert set(found.lists) >= set(whole.lists)
    for name, each in whole.lists.items():
        assert found.lists[name].renderers == each.renderers
        for label, entry in found.lists[name].by_label.items():
            known = each.by_label[label]
            assert replace(entry, line=known.line) == known
        assert len(found.lists[name]) == len(each)


@pytest.mark.parametrize("suite", SUITES)
def test_pictures_have_the_same_bytes_from_the_entries_alone(suite: str) -> None:
    params, scenes = small(suite)
    few = scenes.take(list(range(0, scenes.num_rows, max(1, scenes.num_rows // 12))))
    part = vocabulary_of(told(vocabulary(), few), few)
    assert sum(map(len, part.lists.values())) < sum(map(len, vocabulary().lists.values())) / 4
    for whole, own in zip(
        render_shard(params, vocabulary(), few), render_shard(params, part, few), strict=True
    ):
        assert whole.equals(own)


@pytest.mark.parametrize("renderer", ["pictograph", "diffusion"])
@pytest.mark.parametrize("drawable", [None, "pictograph"])
def test_the_same_scenes_are_refused_for_the_same_reasons(
    renderer: str, drawable: str | None
) -> None:
    params, _ = small("dysca")
    corpus = params.corpus.model_copy(update={"drawable_by": drawable})
    params = params.model_copy(update={"corpus": corpus})
    scenes = suite_of(params).scenes(params, vocabulary(), 0, corpus.n_scenes)
    draws = [make_renderer(params, vocabulary())]
    hides = [Hiding(vocabulary(), renderer)]
    for start in range(0, scenes.num_rows, 16):
        few = scenes.slice(start, 16)
        part = vocabulary_of(told(vocabulary(), few), few)
        draws[1:], hides[1:] = [make_renderer(params, part)], [Hiding(part, renderer)]
        for scene in few.to_pylist():
            assert len({each.refuses(scene) for each in draws}) == 1
            assert len({each.reason(scene) for each in hides}) == 1


def test_another_entry_and_its_lines_change_nothing(tmp_path: Path) -> None:
    more = edited(tmp_path / "more", lambda text: text.replace("entries:", f"entries:{OX}"))
    assert "ox" in more.lists["animal"].by_label
    for suite in SUITES:
        _, scenes = small(suite)
        assert told(more, scenes).equals(told(vocabulary(), scenes))


@pytest.mark.parametrize(
    ("name", "label", "edit"),
    [
        ("animal", "dog", ("1F415", "1F408")),
        ("color", "red", ("rgb: [", "rgb: [1, 2, 3] # [")),
        ("background", None, ("\n    ground: 82", "\n    ground: 81")),
    ],
)
def test_a_changed_entry_is_told_of_each_scene_that_names_it(
    tmp_path: Path, name: str, label: str | None, edit: tuple[str, str]
) -> None:
    def changed(text: str) -> str:
        if label is None:
            return text.replace(*edit, 1)
        head, own = text.split(f"label: {label}\n", 1)
        return f"{head}label: {label}\n{own.replace(*edit, 1)}"

    other = edited(tmp_path / "other", changed, name)
    lists = [each.lists[name].by_label for each in (vocabulary(), other)]
    (which,) = [
        known
        for known, entry in lists[0].items()
        if replace(entry, line=lists[1][known].line) != lists[1][known]
    ]
    assert label in (None, which)
    for suite in SUITES:
        _, scenes = small(suite)
        before, after = (told(each, scenes).to_pylist() for each in (vocabulary(), other))
        assert [row for row in after if row not in before] == [
            row for row in after if (row["list"], row["label"]) == (name, which)
        ]
    if label == "dog":
        assert _other_pictures(other, "dog") == {"dog"}


def _other_pictures(other: Vocabulary, label: str) -> set[str]:
    """Labels of the animals that are drawn otherwise with another vocabulary."""
    params, _ = small("dysca")
    corpus = params.corpus.model_copy(update={"scenes_per_subtask": 200, "subtasks": ("animal",)})
    params = params.model_copy(update={"corpus": corpus})
    scenes = suite_of(params).scenes(params, vocabulary(), 0, 200)
    shown = scenes["foreground"].to_pylist()
    few = scenes.take([*range(4), shown.index(label)])
    found = [
        render_shard(params, vocabulary_of(told(each, few), few), few)[0].to_pylist()
        for each in (vocabulary(), other)
    ]
    drawn = {scene["scene_id"]: scene["foreground"] for scene in few.to_pylist()}
    return {drawn[a["scene_id"]] for a, b in zip(*found, strict=True) if a["sha256"] != b["sha256"]}


def test_who_may_need_other_words_is_given_them() -> None:
    for suite, needs in {**dict.fromkeys(SUITES, False), "autodavis": True}.items():
        assert looks_words_up(load_params(PROJECT_ROOT / "params.yaml", suite)) is needs

    def of(**render: Any) -> bool:
        return looks_words_up(validate({"render": render}))

    assert not of(renderer="auto")
    assert not of(renderer="diffusion", fallback="pictograph")
    assert not of(retries={"filters": [{"name": "integrity"}], "attempts": 1})
    assert of(retries={"filters": [{"name": "clip"}], "attempts": 1})
    assert of(renderer="nobody")
    kind = RENDERERS.find("pictograph")
    assert kind is not None
    with RENDERERS.temporarily({"pictograph": replace(kind, vocabulary=True)}):
        assert of(renderer="pictograph")
        assert of(renderer="auto")
