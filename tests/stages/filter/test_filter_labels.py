"""The CLIP filter with a reference model: each label of a scene by itself."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params, load_params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.stages.filter.filter import FILTERS, Filter, verdict_rows
from lvlmbench.stages.filter.labels import OTHER_SIZE, SEVERAL, LabelsFilter
from lvlmbench.stages.reference.encoder import load_folder
from lvlmbench.stages.reference.labels import GROUPS, Labels
from lvlmbench.stages.reference.zero_shot import ZeroShot
from lvlmbench.stages.render.shard import make_renderer
from lvlmbench.suites.suite import build_shard
from support.render_scenes import graph

ROOT = Path(__file__).parents[3]
PINNED = ROOT / "data" / "pinned" / "reference_a"
Row = dict[str, Any]


@pytest.fixture(scope="module")
def params() -> Params:
    found = load_params(ROOT / "params.yaml", "dysca")
    return found.model_copy(
        update={"corpus": found.corpus.model_copy(update={"scenes_per_subtask": 20})}
    )


@pytest.fixture(scope="module")
def vocabulary(params: Params) -> Vocabulary:
    return load_vocabulary(vocabulary_dir(params))


@pytest.fixture(scope="module")
def judge(params: Params) -> Filter:
    spec = FilterSpec.model_validate({"name": "clip", "clip": {"engine": "reference_a"}})
    return FILTERS.get("clip", "here")(params, spec, {"reference_a": PINNED})


@pytest.fixture(scope="module")
def scenes(params: Params, vocabulary: Vocabulary) -> list[Row]:
    """One scene of every third, with a background, so that each of three labels can be swapped."""
    rows = build_shard(params, vocabulary, 0, params.corpus.n_scenes)[0].to_pylist()
    drawn = make_renderer(params, vocabulary)
    usable = [r for r in rows if r["background"] and drawn.refuses(r) is None]
    return [r for r in usable if r["foreground_list"] in ("animal", "object", "food")][::12]


def drawn(params: Params, vocabulary: Vocabulary, scenes: list[Row]) -> pa.Table:
    renderer = make_renderer(params, vocabulary)
    rows = []
    for scene in scenes:
        sink = io.BytesIO()
        renderer.draw(scene).image.save(sink, "PNG")
        data = sink.getvalue()
        rows.append(
            {
                "image_id": scene["scene_id"],
                "scene_id": scene["scene_id"],
                "image": {"bytes": data, "path": "i.png"},
                "sha256": hashlib.sha256(data).hexdigest(),
            }
        )
    return tables.IMAGES.of(rows)


def verdicts(judge: Filter, images: pa.Table, scenes: list[Row]) -> list[Row]:
    return verdict_rows(judge, images, tables.SCENES.of(scenes))


def test_right_images_stay_and_a_wrong_label_is_named(
    params: Params, vocabulary: Vocabulary, judge: Filter, scenes: list[Row]
) -> None:
    images = drawn(params, vocabulary, scenes)
    right = verdicts(judge, images, scenes)
    assert all(v["keep"] and v["score"] >= 0 and v["threshold"] == 0 for v in right)
    for aspect in ("foreground", "background", "style"):
        name = {"foreground": None}.get(aspect, aspect)
        wrong = []
        for scene in scenes:
            entries = vocabulary.lists[name or scene["foreground_list"]]
            alike = entries.alike(scene[aspect])
            known = entries.for_renderer("pictograph").entries
            other = next(e.label for e in known if e.label not in alike)
            wrong.append({**scene, aspect: other})
        found = verdicts(judge, images, wrong)
        caught = [v for v in found if not v["keep"]]
        assert len(caught) >= 0.9 * len(found), aspect
        reasons = [v["reason"] for v in caught]
        assert reasons.count(f"another {aspect}") >= 0.9 * len(caught), reasons
        assert all("looks like" in v["note"] for v in caught)


def test_batches_change_nothing(
    params: Params, vocabulary: Vocabulary, judge: Filter, scenes: list[Row]
) -> None:
    images = drawn(params, vocabulary, scenes[:5])
    whole = verdicts(judge, images, scenes[:5])
    alone = [verdicts(judge, images.slice(i, 1), scenes[:5])[0] for i in range(5)]
    assert whole == alone


def test_an_unknown_label_is_said_once_and_removes_nothing(
    params: Params,
    vocabulary: Vocabulary,
    scenes: list[Row],
    capsys: pytest.CaptureFixture[str],
) -> None:
    animals = [s for s in scenes if s["foreground_list"] == "animal"][:2]
    labels = Labels(vocabulary)
    learned = {
        a: tuple(x for x in of if x != animals[0]["foreground"]) for a, of in labels.of.items()
    }
    model = ZeroShot(load_folder(PINNED), Labels(vocabulary, learned))
    strict = LabelsFilter("clip", model, {**dict.fromkeys(GROUPS, -50.0)}, 8)
    images = drawn(params, vocabulary, animals)
    found = verdicts(strict, images, animals)
    assert all(v["keep"] for v in found)
    assert f"not known to reference_a: animal '{animals[0]['foreground']}'" in found[0]["note"]
    assert found[1]["note"] is None
    verdicts(strict, images, animals)
    said = capsys.readouterr().err
    assert said.count(f"was not trained on animal '{animals[0]['foreground']}'; no image") == 1


def test_an_image_that_does_not_decode_is_a_verdict(judge: Filter, scenes: list[Row]) -> None:
    about = scenes[0]
    row = {
        "image_id": "i",
        "scene_id": about["scene_id"],
        "image": {"bytes": b"no image", "path": "i.png"},
        "sha256": "0" * 64,
    }
    (found,) = verdicts(judge, tables.IMAGES.of([row]), [about])
    assert not found["keep"] and found["reason"] == "undecodable"


#: Scenes whose images an earlier filter removed, though anybody can tell what they show.
WRONGLY_REMOVED = ROOT / "tests" / "wrongly_removed.jsonl"


@pytest.mark.long
@pytest.mark.parametrize("engine", ["reference_a", "reference_b"])
def test_what_an_earlier_filter_removed_wrongly_stays(
    params: Params, vocabulary: Vocabulary, engine: str
) -> None:
    rows = [json.loads(line) for line in WRONGLY_REMOVED.read_text("utf-8").splitlines()]
    rows = [row | graph(row) for row in rows]
    assert len(rows) == 27
    spec = FilterSpec.model_validate({"name": "clip", "clip": {"engine": engine}})
    judge = FILTERS.get("clip", "here")(params, spec, {engine: PINNED.parent / engine})
    removed = [
        v["note"] for v in verdicts(judge, drawn(params, vocabulary, rows), rows) if not v["keep"]
    ]
    assert not removed


#: What an independent reader could not tell, of images that an earlier filter kept.
KEPT = [
    ("animal", "narwhal", "crayon drawing", 1),
    ("animal", "scorpion", "toy bricks", 3),
    ("profession", "welder", "pixel art", 1),
    ("plant", "hibiscus", "black-and-white photograph", 1),
    ("food", "onion", "mosaic", 1),
]


@pytest.mark.parametrize(("name", "label", "style", "copies"), KEPT)
def test_what_readers_could_not_tell_is_not_planned(
    params: Params, vocabulary: Vocabulary, name: str, label: str, style: str, copies: int
) -> None:
    assert vocabulary.unclear["pictograph"][name][label][style] <= copies
    corpus = params.corpus.model_copy(update={"scenes_per_subtask": 3000, "subtasks": (name,)})
    many = params.model_copy(update={"corpus": corpus})
    scenes = build_shard(many, vocabulary, 0, 3000)[0]
    rows = zip(scenes["foreground"], scenes["style"], scenes["attributes"], strict=True)
    shown = [(f.as_py(), s.as_py(), a["number"].as_py() or 1) for f, s, a in rows]
    assert sum(f == label for f, _, _ in shown) > 10
    assert not [one for one in shown if one[:2] == (label, style) and one[2] >= copies]


def test_pictures_of_another_size_are_judged_alike(
    params: Params, vocabulary: Vocabulary, judge: Filter, scenes: list[Row]
) -> None:
    images = drawn(params, vocabulary, scenes[:6])
    rows = images.to_pylist()
    for row in rows:
        with Image.open(io.BytesIO(row["image"]["bytes"])) as picture:
            sink = io.BytesIO()
            picture.resize((256, 256), Image.Resampling.LANCZOS).save(sink, "PNG")
        row["image"]["bytes"] = sink.getvalue()
    smaller = tables.IMAGES.of(rows)
    assert all(v["keep"] for v in verdicts(judge, smaller, scenes[:6]))


def test_scenes_with_several_things_or_small_ones_stay_and_are_noted(
    judge: Filter, scenes: list[Row]
) -> None:
    """A model of one label a picture says nothing about them, whatever the picture shows."""
    objects = [{**thing, "span": 200} for thing in scenes[0]["objects"]]
    small = {**scenes[0], "scene_id": "small", "objects": objects}
    several = {**small, "scene_id": "several", "objects": objects * 2}
    rows = [
        {
            "image_id": s["scene_id"],
            "scene_id": s["scene_id"],
            "image": {"bytes": b"x", "path": "x"},
        }
        for s in (several, small, scenes[1])
    ]
    noted, one, broken = verdicts(judge, tables.IMAGES.of(rows), [several, small, scenes[1]])
    assert (noted["keep"], noted["note"], noted["score"]) == (True, SEVERAL, None)
    assert (one["keep"], one["note"], one["score"]) == (True, OTHER_SIZE, None)
    assert (broken["keep"], broken["reason"]) == (False, "undecodable")
