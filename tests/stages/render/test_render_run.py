"""The render stage: same bytes whatever the split, a verdict on each scene, clear errors."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import validate
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core import seeding
from lvlmbench.core.errors import UserError
from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.stages.render.renderer import RENDERERS
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.stages.render.shard import make_renderer, shard_of
from lvlmbench.suites.suite import build_shard
from support.one_line import assert_one_line
from support.render_scenes import params, vocabulary

NOT_DRAWN = {"celebrity", "movie", "anime", "tv_show"}


@pytest.fixture(scope="module")
def corpus() -> pa.Table:
    settings = validate(
        {"snapshot": {"seed": 7}, "corpus": {"scenes_per_subtask": 3}, "render": {"size": 128}}
    )
    return build_shard(settings, vocabulary(), 0, settings.corpus.n_scenes)[0]


def test_every_subtask_is_drawn_or_refused_with_a_reason(corpus: pa.Table) -> None:
    images, verdicts, *_ = render_shard(params(), vocabulary(), corpus)
    assert images.schema == tables.IMAGES.schema
    assert verdicts.schema == tables.VERDICTS.schema
    assert verdicts["scene_id"].to_pylist() == corpus["scene_id"].to_pylist()
    drawn = set(images["scene_id"].to_pylist())
    for scene, verdict in zip(corpus.to_pylist(), verdicts.to_pylist(), strict=True):
        assert verdict["filter"] == "render"
        assert verdict["image_id"] == seeding.item_id(scene["scene_id"], "clean")
        assert verdict["keep"] == (scene["scene_id"] in drawn) == (verdict["reason"] is None)
        if scene["subtask"] in NOT_DRAWN:
            assert verdict["reason"] == f"pictograph does not draw the subtask {scene['subtask']}"
        else:
            assert verdict["keep"], verdict["reason"]
    assert set(corpus["subtask"].to_pylist()) == set(subtasks_of("dysca"))


def test_rows_describe_their_images(corpus: pa.Table) -> None:
    images, *_ = render_shard(params(), vocabulary(), corpus.slice(0, 4))
    for row in images.to_pylist():
        data = row["image"]["bytes"]
        image = Image.open(io.BytesIO(data))
        assert (image.format, image.mode, image.size) == ("PNG", "RGB", (128, 128))
        assert (row["width"], row["height"]) == (128, 128)
        assert row["sha256"] == hashlib.sha256(data).hexdigest()
        assert row["image"]["path"] == f"{row['image_id']}.png"
        assert (row["renderer"], row["scenario"]) == ("pictograph", "clean")
        assert row["question_id"] is None and row["renderer_version"]


def test_the_same_scene_gives_the_same_bytes_alone_in_a_shard_and_in_any_order(
    corpus: pa.Table,
) -> None:
    scenes = corpus.slice(0, 24)
    whole, *_ = render_shard(params(), vocabulary(), scenes)
    by_id = dict(zip(whole["scene_id"].to_pylist(), whole["sha256"].to_pylist(), strict=True))
    backwards = scenes.take(list(range(scenes.num_rows))[::-1])
    other, *_ = render_shard(params(), vocabulary(), backwards)
    assert by_id == dict(
        zip(other["scene_id"].to_pylist(), other["sha256"].to_pylist(), strict=True)
    )
    for i in (0, 7, 23):
        alone, *_ = render_shard(params(), vocabulary(), scenes.slice(i, 1))
        for row in alone.to_pylist():
            assert row["sha256"] == by_id[row["scene_id"]]


def test_another_seed_gives_other_images(corpus: pa.Table) -> None:
    scenes = corpus.slice(0, 3)
    one, *_ = render_shard(params(), vocabulary(), scenes)
    reseeded = validate({"snapshot": {"seed": 8}, "render": {"size": 128}})
    two, *_ = render_shard(reseeded, vocabulary(), scenes)
    assert set(one["sha256"].to_pylist()).isdisjoint(two["sha256"].to_pylist())


def test_shards_take_their_rows_from_the_parts_that_overlap(
    corpus: pa.Table, tmp_path: Path
) -> None:
    split = {
        "snapshot": {"seed": 7},
        "corpus": {"scenes_per_subtask": 3, "shard_scenes": 16},
        "render": {"size": 128, "shard_images": 10},
    }
    settings = validate(split)
    parts = []
    for i in range(4):
        parts.append(tmp_path / tables.part_name(i))
        tables.write(corpus.slice(16 * i, 16), parts[-1], tables.SCENES, "test")
    seen: list[str] = []
    for shard in range(6):
        seen += shard_of(settings, shard, parts)["scene_id"].to_pylist()
    assert seen == corpus["scene_id"].to_pylist()
    with pytest.raises(UserError, match=r"part-00001.parquet is missing"):
        shard_of(settings, 1, parts[:1])
    with pytest.raises(UserError, match="there is no shard 6"):
        shard_of(settings, 6, parts)
    tables.write(corpus.slice(0, 5), parts[0], tables.SCENES, "test")
    with pytest.raises(UserError, match="fewer than the parameters plan"):
        shard_of(settings, 0, parts)


def test_an_unknown_renderer_is_one_clear_line() -> None:
    assert {"pictograph", "diffusion"} <= set(RENDERERS.names())
    with pytest.raises(UserError, match=r"'crayons' is not known; use one of: .*pictograph"):
        make_renderer(params(renderer="crayons"), vocabulary())


def test_the_script_writes_both_tables(
    corpus: pa.Table, tmp_path: Path, run_python: Callable[..., Any]
) -> None:
    config = tmp_path / "config.json"
    config.write_text(
        json.dumps(
            {
                "snapshot": {"seed": 7},
                "suites": {"dysca": {"corpus": {"scenes_per_subtask": 3}}},
                "render": {"size": 64, "shard_images": 4},
            }
        )
    )
    part = tmp_path / tables.part_name(0)
    tables.write(corpus, part, tables.SCENES, "test")
    images, verdicts = tmp_path / "images.parquet", tmp_path / "verdicts.parquet"
    command = [
        PROJECT_ROOT / "scripts" / "render.py", "--config", config, "--scenes", part,
        "--images-out", images, "--verdicts-out", verdicts,
        "--attempts-out", tmp_path / "attempts.parquet",
        "--layouts-out", tmp_path / "layouts.parquet",
        "--requests-out", tmp_path / "requests.parquet",
        "--checks-out", tmp_path / "checks.parquet",
        "--check-requests-out", tmp_path / "check-requests.parquet", "--shard",
    ]  # fmt: skip
    done = run_python(*command, 1)
    assert done.returncode == 0, done.stderr
    assert tables.read([images], tables.IMAGES).num_rows == 4
    assert tables.read([verdicts], tables.VERDICTS)["keep"].to_pylist() == [True] * 4
    assert_one_line(run_python(*command, 99), "--shard: there is no shard 99")
