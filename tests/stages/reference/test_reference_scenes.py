"""What the reference models learn from: apart from every snapshot, whatever the shards."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from lvlmbench.config import SUBTASKS, Params, load_params, validate
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.config.sections import Snapshot
from lvlmbench.scene.subtasks import Subtask
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.stages.reference.captions import aspects, caption, described
from lvlmbench.stages.reference.drawable import drawable_subtasks
from lvlmbench.stages.reference.labels import Labels
from lvlmbench.stages.reference.scenes import build_scenes, plan, validation_questions
from lvlmbench.stages.reference.shards import FIRST_SEED, reference_shards
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.suites.suite import build_shard

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def default() -> Params:
    return load_params(ROOT / "params.yaml", "dysca")


@pytest.fixture(scope="module")
def vocabulary(default: Params) -> Vocabulary:
    return load_vocabulary(vocabulary_dir(default))


def few(default: Params, shard_scenes: int = 60) -> Params:
    data = default.model_dump(mode="json")
    data["reference"] |= {"weights": "trained", "false_rejections": 0.02}
    data["reference"]["scenes"] |= {
        "training": 64, "validation": 64, "shard_scenes": shard_scenes, "pixels": 32,
    }  # fmt: skip
    data["reference"]["training"]["batch_size"] = 16
    return validate(data)


def shown(scene: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(sorted(aspects(scene).items()))


def test_no_snapshot_can_have_their_seed(default: Params, vocabulary: Vocabulary) -> None:
    own, _ = plan(default, vocabulary)
    assert own.snapshot.seed >= FIRST_SEED
    with pytest.raises(ValueError, match="less than"):
        Snapshot(seed=FIRST_SEED)


def test_a_subtask_of_another_suite_is_none_that_they_learn(vocabulary: Vocabulary) -> None:
    before = drawable_subtasks(vocabulary)
    for lists in (("animal",), ("no such list",)):
        other = Subtask("sight", 90, "fine", lists, suites=("sights",))
        with SUBTASKS.temporarily({"sight": lambda other=other: other}):
            assert drawable_subtasks(vocabulary) == before


@pytest.mark.long
def test_no_scene_of_the_default_snapshot_is_trained_on(
    default: Params, vocabulary: Vocabulary
) -> None:
    """Where a scene of the snapshot and one of training have the same description, which few
    labels make likely (three skin tones, two genders), they are drawn otherwise."""
    own, _ = plan(default, vocabulary)
    theirs, _ = build_shard(own, vocabulary, 0, own.corpus.n_scenes)
    scenes, _ = build_shard(default, vocabulary, 0, default.corpus.n_scenes)
    for key in ("scene_id", "seed"):
        assert not set(theirs[key].to_pylist()) & set(scenes[key].to_pylist())

    small = default.model_copy(
        update={"render": default.render.model_copy(update={"size": own.render.size})}
    )
    ours, other = PictographRenderer(small, vocabulary), PictographRenderer(own, vocabulary)
    alike = defaultdict(list)
    for scene in theirs.to_pylist():
        alike[shown(scene)].append(scene)
    compared = 0
    for scene in scenes.to_pylist():
        if ours.refuses(scene) is not None or not shown(scene):
            continue
        for twin in alike[shown(scene)][:10]:
            pixels = [
                np.asarray(r.compose(s).image, np.int16) for r, s in ((ours, scene), (other, twin))
            ]
            differ = (np.abs(pixels[0] - pixels[1]).max(axis=2) > 24).mean()
            assert differ > 0.02, f"{scene['caption']}: drawn alike in training"
            compared += 1
    assert compared > 50
    again = PictographRenderer(own, vocabulary)  # a scene that is shared would be found
    assert np.array_equal(other.compose(twin).image, again.compose(twin).image)


@pytest.mark.long
def test_shards_change_no_row(default: Params, vocabulary: Vocabulary) -> None:
    whole, halves = few(default, 128), few(default, 50)
    assert reference_shards(whole) == 1 and reference_shards(halves) == 3
    one = build_scenes(whole, vocabulary, 0)
    several = pa.concat_tables([build_scenes(halves, vocabulary, i) for i in range(3)])
    assert one.equals(several)
    assert one["split"].to_pylist().count("training") == 64
    plain = [value is not None for value in one["plain"].to_pylist()]
    assert plain == [split == "training" for split in one["split"].to_pylist()]


def test_questions_are_about_validation_scenes(default: Params, vocabulary: Vocabulary) -> None:
    params = few(default, 128)
    scenes = build_scenes(params, vocabulary, 0)
    held_out = scenes.filter(pc.equal(scenes["split"], "validation"))
    questions = validation_questions(params, vocabulary)
    assert len(questions) > 100
    assert set(questions["scene_id"].to_pylist()) <= set(held_out["scene_id"].to_pylist())


def test_captions_drop_and_reorder_aspects(default: Params, vocabulary: Vocabulary) -> None:
    own, _ = plan(default, vocabulary)
    scenes, _ = build_shard(own, vocabulary, 0, 40)
    rng = np.random.default_rng(0)
    scene = scenes.to_pylist()[0]
    seen = [caption(scene, rng) for _ in range(300)]
    known = described(scene)
    sizes = [len(named) for _, named in seen]
    assert min(sizes) == 1 and max(sizes) == len(known)
    assert sizes.count(1) > 30, "a question about one aspect alone must be in distribution"
    assert all(named.items() <= known.items() for _, named in seen)
    assert any(text == scene["caption"] for text, _ in seen)
    listed = {text for text, named in seen if len(named) == 2}
    assert any(", ".join(reversed(text.split(", "))) in listed for text in listed)


def test_every_label_has_a_number(default: Params, vocabulary: Vocabulary) -> None:
    labels = Labels(vocabulary)
    assert len(set(labels.phrases)) == len(labels)
    own, _ = plan(default, vocabulary)
    scenes, _ = build_shard(own, vocabulary, 0, 2000)
    rows = scenes.to_pylist()
    for row, numbers in zip(rows, labels.numbers(rows), strict=True):
        named = {a: labels.of[a][i] for a, i in zip(labels.aspects, numbers, strict=True) if i >= 0}
        assert named == described(row)
