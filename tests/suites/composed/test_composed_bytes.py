"""Composed scenes are the same bytes for any shards, in any order, killed and resumed."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.config.shards import (
    image_range,
    image_shards,
    parts_overlapping,
    scene_range,
    scene_shards,
)
from lvlmbench.stages.filter.retries import retry_filters
from lvlmbench.stages.render.kinds.pictograph import renderer as pictograph
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.stages.render.renderer import Depiction, Scene
from lvlmbench.stages.render.retries.progress import Progress
from lvlmbench.stages.render.retries.shard import Outputs, Shard, render_shard, write_shard
from lvlmbench.stages.render.shard import png_bytes
from lvlmbench.suites.suite import suite_of
from support.composed_scenes import composed
from support.render_scenes import vocabulary

SIZE = 256
NAMES = ("images", "verdicts", "attempts", "layouts")
Made = dict[str, pa.Table]
#: Does a call for each number; returns what came of it by the numbers.
Way = Callable[[Callable[[int], Any], int], list[Any]]

#: A process of its own without the time that the imports take.
FORK = multiprocessing.get_context("fork")


def params_of(shard_scenes: int = 4000, **render: Any) -> Params:
    """Each skill at each level, with its twin."""
    given = composed(size=SIZE, shard_scenes=shard_scenes).model_dump(mode="json")
    given["render"] |= render
    return validate(given)


def in_turn(work: Callable[[int], Any], count: int) -> list[Any]:
    return [work(n) for n in range(count)]


def two_at_once(work: Callable[[int], Any], count: int) -> list[Any]:
    """Two processes take what is left, the last one first."""
    _WORK.append(work)
    with FORK.Pool(2) as pool:
        found = pool.map(_call, range(count)[::-1], chunksize=1)
    _WORK.clear()
    return found[::-1]


_WORK: list[Callable[[int], Any]] = []


def _call(n: int) -> Any:
    return _WORK[-1](n)


def made(params: Params, way: Way = in_turn) -> Made:
    """All tables, each shard by itself from no more than its job is given."""
    suite, known = suite_of(params), vocabulary()
    scenes = pa.concat_tables(
        way(lambda n: suite.scenes(params, known, *scene_range(params, n)), scene_shards(params))
    )

    def drawn(n: int) -> tuple[pa.Table, ...]:
        start, stop = image_range(params, n)
        return render_shard(params, known, scenes.slice(start, stop - start))

    shards = way(drawn, image_shards(params))

    def asked(n: int) -> pa.Table:
        start, stop = scene_range(params, n)
        parts = parts_overlapping(start, stop, params.render.shard_images)
        layouts = pa.concat_tables([shards[part][NAMES.index("layouts")] for part in parts])
        return suite.questions(params, known, scenes.slice(start, stop - start), layouts)

    return {
        "scenes": scenes,
        "questions": pa.concat_tables(way(asked, scene_shards(params))),
        **{name: pa.concat_tables([each[n] for each in shards]) for n, name in enumerate(NAMES)},
    }


@cache
def whole() -> Made:
    """All of it in one shard."""
    return made(params_of())


def hashes(of: Made) -> dict[str, str]:
    return {name: tables.hash_batches([table])[0] for name, table in of.items()}


@pytest.mark.long
def test_all_skills_and_levels_are_there() -> None:
    asked = whole()["questions"].to_pylist()
    assert len({(row["subtask"], row["level"]) for row in asked}) >= 34
    assert whole()["images"].num_rows >= 70 and len(asked) > 100


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("scenes", "images", "way"), [(16, 16, two_at_once), (64, 64, in_turn), (24, 7, two_at_once)]
)
def test_shards_and_jobs_beside_each_other_change_no_byte(
    scenes: int, images: int, way: Way
) -> None:
    """A shard of images may part twins; one of scenes does not."""
    assert hashes(made(params_of(scenes, shard_images=images), way)) == hashes(whole())


def by(key: str, table: pa.Table) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = {}
    for row in table.to_pylist():
        found.setdefault(row[key], []).append(row)
    return found


def test_the_order_of_scenes_changes_no_row() -> None:
    params, known = params_of(), vocabulary()
    numbers = [*range(whole()["scenes"].num_rows)]
    random.Random(3).shuffle(numbers)
    scenes = whole()["scenes"].take(numbers)
    drawn = dict(zip(NAMES, render_shard(params, known, scenes), strict=True))
    for name in NAMES:
        assert by("scene_id", drawn[name]) == by("scene_id", whole()[name]), name
    asked = suite_of(params).questions(params, known, scenes, drawn["layouts"])
    assert by("question_id", asked) == by("question_id", whole()["questions"])


def hard() -> list[Scene]:
    """Scenes of the most difficult level that are drawn, of each skill one with its twin."""
    drawn = {*whole()["images"]["scene_id"].to_pylist()}
    rows = whole()["scenes"].to_pylist()
    return [row for row in rows if row["level"] == "hard" and row["scene_id"] in drawn]


def pictures(renderer: PictographRenderer, scenes: Iterable[Scene]) -> dict[str, Any]:
    drawn = ((scene["scene_id"], renderer.draw(scene)) for scene in scenes)
    return {scene_id: (png_bytes(one.image), one.layout) for scene_id, one in drawn}


@pytest.mark.long
def test_what_a_renderer_was_asked_before_changes_no_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It keeps what it planned when it was asked whether it refuses a scene."""

    def fresh() -> PictographRenderer:
        return PictographRenderer(params_of(), vocabulary())

    def told(renderer: PictographRenderer, scenes: Sequence[Scene]) -> list[str | None]:
        return [renderer.refuses(scene) for scene in scenes]

    scenes = hard()
    never, before, twice, few, each = (fresh() for _ in range(5))
    expected = pictures(never, scenes)
    assert len(expected) > 20
    told(before, scenes)
    assert len(before._planned) == len(scenes)
    assert pictures(before, scenes[::-1]) == expected
    assert told(twice, scenes[::-1]) == told(twice, scenes) == [None] * len(scenes)
    assert pictures(twice, scenes) == pictures(twice, scenes) == expected
    monkeypatch.setattr(pictograph, "_KEPT", 5)
    told(few, scenes)
    assert len(few._planned) <= 5
    assert pictures(few, scenes) == expected
    assert pictures(each, (s for s in scenes if told(each, [s]) == [None])) == expected


def outputs(folder: Path) -> Outputs:
    return Outputs(*(folder / f"{name}.parquet" for name in (*NAMES, "requests")))


class Logged(PictographRenderer):
    """Writes a line for each scene that it draws."""

    log: Path

    def draw(self, scene: Scene) -> Depiction:
        found = super().draw(scene)
        with self.log.open("a") as log:
            log.write(f"{scene['scene_id']}\n")
        return found


def write(folder: Path, params: Params, scenes: pa.Table) -> None:
    """Render to a folder with a checkpoint in it; may run in a process of its own."""
    folder.mkdir(exist_ok=True)
    renderer = Logged(params, vocabulary())
    renderer.log = folder / "drawn.log"
    filters = retry_filters(params)
    kept = folder / "kept"
    shard = Shard(params, vocabulary(), scenes, renderer, kept, Progress(), filters)
    write_shard(shard, outputs(folder), "test")


def drawn(folder: Path) -> list[str]:
    log = folder / "drawn.log"
    return log.read_text().splitlines() if log.exists() else []


@pytest.mark.long
@pytest.mark.parametrize("filters", [[], [{"name": "integrity"}]])
def test_a_render_that_is_killed_and_resumed_changes_no_byte(
    tmp_path: Path, filters: list[dict[str, str]]
) -> None:
    """With filters that may want another attempt, what was drawn is kept and taken up again."""
    params = params_of(retries={"attempts": 0, "filters": filters})
    scenes = tables.SCENES.of(hard())
    one, killed = tmp_path / "one", tmp_path / "killed"
    write(one, params, scenes)
    total = len(drawn(one))
    for goal in (5, 14):
        process = FORK.Process(target=write, args=(killed, params, scenes))
        process.start()
        while process.is_alive() and len(drawn(killed)) < goal:
            time.sleep(0.001)
        assert process.is_alive()
        process.kill()
        process.join()
        assert not [*killed.glob("*.parquet")]
    write(killed, params, scenes)
    for a, b in zip(vars(outputs(one)).values(), vars(outputs(killed)).values(), strict=True):
        assert a.read_bytes() == b.read_bytes()
    assert (len(drawn(killed)) < total + 5) == bool(filters)
    rows = tables.read([outputs(one).layouts], tables.LAYOUTS)
    mine = {row["scene_id"] for row in scenes.to_pylist()}
    expected = by("scene_id", whole()["layouts"])
    assert by("scene_id", rows) == {key: row for key, row in expected.items() if key in mine}
