"""The controls ``blind`` and ``other_image``, and what holds for every scenario."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import check_names
from lvlmbench.engine.setup import Dag
from lvlmbench.stages.scenario.kinds import other_image
from lvlmbench.stages.scenario.pixels import decode
from lvlmbench.stages.scenario.scenario import SCENARIOS, perturbation
from lvlmbench.stages.scenario.stage import around as around_of
from lvlmbench.stages.scenario.stage import scene_parts
from support.documents.kinds import registered
from support.documents.reading import block
from support.scenario_shards import applied, clean_shard, parameters, part

CONTROLS = parameters({"name": "blind"}, {"name": "other", "kind": "other_image"})


def test_blind_shows_no_image() -> None:
    shard = clean_shard(CONTROLS)
    rows = applied(CONTROLS, "blind", shard)
    assert [row["scene_id"] for row in rows] == shard.images["scene_id"].to_pylist()
    for row in rows:
        assert row["image"] is row["width"] is row["height"] is row["sha256"] is None
        assert row["perturbation"]["kind"] == "no_image" and row["scenario"] == "blind"
        assert row["question_id"] is None
    assert len({row["image_id"] for row in rows}) == len(rows)
    assert not {row["image_id"] for row in rows} & set(shard.images["image_id"].to_pylist())


def test_another_image_is_of_another_scene_of_the_subtask() -> None:
    shard = clean_shard(CONTROLS)
    subtask = dict(
        zip(shard.scenes["scene_id"].to_pylist(), shard.scenes["subtask"].to_pylist(), strict=True)
    )
    image = {row["scene_id"]: row for row in shard.images.to_pylist()}
    rows = applied(CONTROLS, "other", shard)
    assert len(rows) == len(image)
    for row in rows:
        other = json.loads(row["perturbation"]["parameters"])["scene_id"]
        assert other != row["scene_id"] and subtask[other] == subtask[row["scene_id"]]
        assert row["image"]["bytes"] == image[other]["image"]["bytes"]
        assert row["sha256"] == image[other]["sha256"] != image[row["scene_id"]]["sha256"]


def test_another_image_is_looked_for_among_those_that_are_there() -> None:
    shard = clean_shard(CONTROLS, missing=[0, 1, 7])  # one animal is left
    rows = applied(CONTROLS, "other", shard)
    assert len(rows) == 6
    shown = {json.loads(row["perturbation"]["parameters"])["scene_id"] for row in rows}
    assert shown <= set(shard.images["scene_id"].to_pylist())
    alone = clean_shard(CONTROLS, missing=[0, 1, 3, 4, 5, 6, 7, 8])
    assert applied(CONTROLS, "other", alone) == []


@pytest.mark.parametrize("name", ["blind", "other"])
def test_order_and_shards_change_no_row(name: str) -> None:
    shard = clean_shard(CONTROLS)
    whole = applied(CONTROLS, name, shard)
    backwards = applied(CONTROLS, name, part(shard, *reversed(range(9))))
    assert backwards == whole[::-1]
    assert applied(CONTROLS, name, part(shard, 4)) == [whole[4]]


def test_a_shard_is_given_the_blocks_of_its_scenes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the shard size, the other image is chosen from the same ones."""
    shard = clean_shard(CONTROLS)
    monkeypatch.setattr(other_image, "BLOCK", 4)
    monkeypatch.setitem(
        SCENARIOS._items, "other_image", replace(SCENARIOS.get("other_image", ""), block=4)
    )
    whole = applied(CONTROLS, "other", shard)
    for size in (1, 2, 3, 5, 9):
        params = CONTROLS.model_copy(
            update={
                "render": CONTROLS.render.model_copy(update={"shard_images": size}),
                "corpus": CONTROLS.corpus.model_copy(update={"shard_scenes": 2}),
            }
        )
        rows = []
        for number in range(-(-9 // size)):
            around = [
                place
                for path in around_of(params, "other", number)
                for place in _places(path, size)
            ]
            scenes = [
                place for path in scene_parts(params, "other", number) for place in _places(path, 2)
            ]
            mine = [p for p in range(9) if p // size == number]
            given = part(shard, *mine)
            given = type(given)(
                given.images,
                shard.scenes.take(scenes),
                shard.questions,
                shard.around.take(around),
            )
            rows += applied(params, "other", given)
        assert rows == whole


def _places(path: str, size: int) -> list[int]:
    number = int(Path(path).stem.removeprefix("part-"))
    return [p for p in range(9) if p // size == number]


def test_scenarios_that_see_one_image_are_given_no_others() -> None:
    assert around_of(CONTROLS, "blind", 0) == []
    assert scene_parts(CONTROLS, "blind", 0) == ["part-00000.parquet"]


def test_what_was_done_is_recorded_in_a_fixed_form() -> None:
    done = perturbation("spatter", 3, {"b": 1.5, "a": "\N{SNOWFLAKE}"})
    assert done["parameters"] == '{"a": "\N{SNOWFLAKE}", "b": 1.5}' and done["severity"] == 3
    table = tables.IMAGES.of([{"perturbation": done}])
    assert table["perturbation"].to_pylist() == [done]


def test_the_example_of_a_scenario_runs() -> None:
    """The one in docs/extending.md, as it stands there."""
    with registered([block("docs/extending.md: A scenario: python 1")]):
        params = parameters({"name": "mirror"})
        shard = clean_shard(params)
        made = applied(params, "mirror", shard)
    for row, clean in zip(made, shard.images.to_pylist(), strict=True):
        want, found = decode(clean), decode(row)
        assert want is not None and found is not None
        assert (found == want[:, ::-1]).all() and (found != want).any()


def test_every_kind_of_the_default_is_registered() -> None:
    check_names(validate({}), "params.yaml")
    assert {spec.registered for spec in validate({}).scenarios.noisy} <= set(SCENARIOS.names())


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ({"names": ["clean", "foggy"]}, "there is no scenario 'foggy'"),
        (
            {"names": ["clean", "blimd"], "noisy": [{"name": "blind"}]},
            "did you mean 'blind'?",
        ),
        ({"noisy": [{"name": "clean"}]}, "'clean' names the images as they were rendered"),
        ({"noisy": [{"name": "blind"}, {"name": "blind"}]}, "'blind' is listed twice"),
        ({"noisy": ["blind"]}, "write '- name: blind'"),
        (
            {"noisy": [{"name": "blind", "corruption": {}}]},
            "'corruption' is of no use to the kind 'blind'",
        ),
        (
            {"names": ["dark"], "noisy": [{"name": "dark", "kind": "blind", "settings": {"a": 1}}]},
            "'settings' is of no use to the kind 'blind'",
        ),
        (
            {"noisy": [{"name": "corruption", "corruption": {"severities": [True]}}]},
            "severities.0: true and false mean nothing here",
        ),
    ],
)
def test_mistakes_are_one_line(section: dict[str, object], said: str) -> None:
    with pytest.raises(UserError) as caught:
        validate({"scenarios": section})
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_an_unknown_kind_is_told_with_the_known_ones() -> None:
    params = validate({"scenarios": {"names": ["x"], "noisy": [{"name": "x", "kind": "fog"}]}})
    with pytest.raises(
        UserError, match=r"suites\.dysca\.scenarios\.noisy: x: 'fog' is not known; use .*blind"
    ):
        check_names(params, "params.yaml")


def test_a_kind_that_is_nearly_right_is_guessed() -> None:
    params = validate({"scenarios": {"names": ["x"], "noisy": [{"name": "x", "kind": "blimd"}]}})
    with pytest.raises(UserError, match=r"'blimd' is not known; did you mean 'blind'\? use one of"):
        check_names(params, "params.yaml")


def test_a_mistake_is_told_with_the_file_that_it_is_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base, good, bad = (tmp_path / name for name in ("params.yaml", "good.yaml", "bad.yaml"))
    base.write_text("{}")
    good.write_text("snapshot: {seed: 1}")
    bad.write_text("suites: {dysca: {corpus: {scenes_per_subtaks: 3}}}")
    own = {"corpus": {"scenes_per_subtaks": 3}}
    over = {"snapshot": {"seed": 1}, "suites": {"dysca": own}}
    with pytest.raises(SystemExit):
        Dag.open(tmp_path, over, None, files=[good, bad])
    assert capsys.readouterr().err.startswith(
        f"{bad}: suites.dysca.corpus.scenes_per_subtaks: is not"
    )


def test_scenarios_that_nobody_is_asked_in_are_left_out() -> None:
    params = validate({"scenarios": {"names": ["clean", "blind"]}})
    assert [spec.name for spec in params.scenarios.noisy] == ["blind"]
