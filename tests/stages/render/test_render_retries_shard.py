"""Retries: what a filter rejects is drawn again, and what nothing mends goes to the fallback."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from PIL import Image

from lvlmbench import tables
from lvlmbench.core import seeding
from lvlmbench.core.errors import UserError
from lvlmbench.stages.filter.filter import FILTERS
from lvlmbench.stages.filter.retries import retry_filters
from lvlmbench.stages.render.renderer import RENDERERS, Attempt
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.stages.render.shard import make_renderer
from support.retries_sampler import Dark, Noise, flat, params, scenes, words

Rows = list[dict[str, Any]]


@pytest.fixture
def dark(monkeypatch: pytest.MonkeyPatch) -> Dark:
    """A filter ``dark`` among those that are registered."""
    FILTERS.names()
    judge = Dark()
    monkeypatch.setitem(
        FILTERS._items, "dark", FILTERS.of("dark", lambda params, spec, weights: judge)
    )
    return judge


def render(draws: Noise, table: pa.Table, **about: Any) -> tuple[Rows, Rows, Rows]:
    settings = params(**about)
    made = render_shard(settings, words(), table, draws, retry_filters(settings))
    images, verdicts, attempts, layouts = made
    assert (images.schema, verdicts.schema) == (tables.IMAGES.schema, tables.VERDICTS.schema)
    assert (attempts.schema, layouts.schema) == (tables.ATTEMPTS.schema, tables.LAYOUTS.schema)
    drawn = images.filter(pc.equal(images["renderer"], "pictograph"))["image_id"]
    assert {*layouts["image_id"].to_pylist()} == {*drawn.to_pylist()}  # noise measures nothing
    return images.to_pylist(), verdicts.to_pylist(), attempts.to_pylist()


def of(rows: Rows, scene: dict[str, Any]) -> Rows:
    return [row for row in rows if row["scene_id"] == scene["scene_id"]]


def seed(scene: dict[str, Any], number: int) -> int:
    item = f"{scene['scene_id']}/{number}"
    return scene["seed"] if number == 0 else seeding.seed_of(7, "rework", item)


def pixels(image: dict[str, Any]) -> bytes:
    with Image.open(io.BytesIO(image["image"]["bytes"])) as picture:
        return picture.tobytes()


def test_rejected_images_are_drawn_again_with_the_next_seed_until_one_passes() -> None:
    table = scenes(40)
    images, verdicts, attempts = render(Noise(), table, attempts=2, filters=["integrity"])
    assert all(row["keep"] and row["reason"] is None for row in verdicts)
    lengths = set()
    for scene, image in zip(table.to_pylist(), images, strict=True):
        tried = of(attempts, scene)
        expected = [n for n in range(3) if not any(not flat(seed(scene, k)) for k in range(n))]
        assert [row["attempt"] for row in tried] == expected
        assert [row["seed"] for row in tried] == [seed(scene, n) for n in expected]
        for row in tried:
            bad = flat(row["seed"])
            assert row["outcome"] == ("rejected" if bad else "kept")
            assert (row["filter"], row["reason"]) == (
                ("integrity", "constant") if bad else (None,) * 2
            )
        assert image["seed"] == tried[-1]["seed"]
        last = Attempt(scene, 0, image["seed"])
        assert pixels(image) == Noise.picture(last, [last]).tobytes()
        lengths.add((len(tried), tried[-1]["outcome"]))
    assert lengths == {(1, "kept"), (2, "kept"), (3, "kept"), (3, "rejected")}
    assert [row["scene_id"] for row in attempts] == sorted(
        (row["scene_id"] for row in attempts),
        key=table["scene_id"].to_pylist().index,
    )


def test_attempts_tell_who_drew_them_how_and_what_the_first_filter_said(dark: Dark) -> None:
    table = scenes(12)
    _, _, attempts = render(Noise(batch=5), table, attempts=1, filters=["integrity", "dark"])
    assert {row["filter"] for row in attempts} == {None, "integrity", "dark"}
    for row in attempts:
        assert row["image_id"] == seeding.item_id(row["scene_id"], "clean")
        assert (row["renderer"], row["renderer_version"]) == ("noise", "noise-1")
        assert row["method"] == "text-to-image"
        lengths = (row["prompt_tokens"], row["prompt_chunks"], row["prompt_tokens_cut"])
        assert lengths == (80, 2, row["attempt"])
        assert not row["exact"] and 1 <= row["batch"] <= 5
        assert row["provenance"] == json.dumps({"device": "cpu", "weights": "none"})
        if row["filter"] == "dark":
            assert (row["reason"], row["threshold"]) == ("too dark", 0.5)
            assert row["score"] % 2 == 1
        else:
            assert row["score"] is None and row["threshold"] is None
    # A filter is not asked about what one before it has rejected.
    assert dark.rows == sum(row["filter"] != "integrity" for row in attempts)


def test_without_further_attempts_filters_are_asked_and_nothing_is_drawn_again() -> None:
    renderer = Noise()
    _, _, attempts = render(renderer, scenes(9), filters=["integrity"])
    assert len(renderer.asked) == 1 and len(attempts) == 9
    assert {row["outcome"] for row in attempts} == {"kept", "rejected"}


def test_what_fails_is_tried_again_and_told_where_no_attempt_gives_an_image() -> None:
    table = scenes(12)
    rows = table.to_pylist()
    once, always = [s for s in rows if not flat(seed(s, 0)) and not flat(seed(s, 1))][:2]
    failing = {once["seed"], *(seed(always, number) for number in range(3))}
    about = {"attempts": 2, "filters": ["integrity"]}
    images, verdicts, attempts = render(Noise(failing=failing), table, **about)
    assert of(attempts, once)[0]["outcome"] == "failed"
    assert of(attempts, once)[1]["outcome"] == "kept"
    assert of(images, once)[0]["seed"] == of(attempts, once)[-1]["seed"]
    assert of(images, always) == []
    (verdict,) = of(verdicts, always)
    assert (verdict["keep"], verdict["reason"]) == (False, "timeout: no reply within 1 s")
    tried = of(attempts, always)
    assert [row["seed"] for row in tried] == [seed(always, number) for number in range(3)]
    told = {(row["outcome"], row["reason"], row["method"]) for row in tried}
    assert told == {("failed", "timeout: no reply within 1 s", None)}
    assert len(images) == 11


def test_an_image_that_was_rejected_stays_where_the_attempts_after_it_fail(dark: Dark) -> None:
    dark._rejects_all = True
    table = scenes(1)
    (scene,) = table.to_pylist()
    noise = Noise(failing={seed(scene, 1), seed(scene, 2)})
    images, verdicts, attempts = render(noise, table, attempts=2, filters=["dark"])
    assert [row["outcome"] for row in attempts] == ["rejected", "failed", "failed"]
    assert (images[0]["seed"], verdicts[0]["keep"]) == (scene["seed"], True)


def test_the_fallback_draws_what_failed() -> None:
    table = scenes(2)
    failing = {table["seed"][0].as_py()}
    images, _, attempts = render(
        Noise(failing=failing), table, renderer="diffusion", fallback="pictograph"
    )
    assert [row["renderer"] for row in images] == ["pictograph", "noise"]
    assert [row["outcome"] for row in attempts] == ["failed", "kept", "kept"]


def test_waves_are_batched_by_the_sampler(dark: Dark) -> None:
    renderer = Noise(batch=4)
    _, _, attempts = render(renderer, scenes(20), attempts=3, filters=["dark"])
    for wave, batches in enumerate(renderer.asked):
        numbers = [attempt.number for batch in batches for attempt in batch]
        assert numbers == [wave] * sum(row["attempt"] == wave for row in attempts)
        assert all(len(batch) == 4 for batch in batches[:-1])
    assert 2 <= len(renderer.asked) <= 4


@pytest.mark.parametrize("size", [1, 4, 16])
def test_exact_images_and_attempts_do_not_depend_on_shards_or_order(size: int, dark: Dark) -> None:
    about = {"attempts": 2, "filters": ["integrity", "dark"]}
    table = scenes(16)
    whole = render(Noise(), table, **about)
    backwards = table.take(list(range(16))[::-1])
    found: tuple[Rows, Rows, Rows] = ([], [], [])
    for start in range(0, 16, size):
        part = render(Noise(), backwards.slice(start, size), **about)
        for rows, more in zip(found, part, strict=True):
            rows += more
    for rows, others in zip(whole, found, strict=True):
        for scene in table.to_pylist():
            assert of(rows, scene) == of(others, scene)


def test_pictographs_are_judged_and_not_drawn_again(dark: Dark) -> None:
    table = scenes(6)
    settings = params(attempts=3, filters=["dark"])
    filters = retry_filters(settings)
    images, _, attempts, _ = render_shard(settings, words(), table, filters=filters)
    plain, _, others, _ = render_shard(params(), words(), table)
    assert images.equals(plain) and images.num_rows == 6
    assert set(attempts["outcome"].to_pylist()) == {"kept", "rejected"}
    assert others["outcome"].to_pylist() == ["kept"] * 6
    for table in (attempts, others):
        assert table["attempt"].to_pylist() == [0] * 6
        assert table["method"].to_pylist() == ["drawn"] * 6
        assert table["provenance"].null_count == 6 and all(table["exact"].to_pylist())


def test_the_fallback_draws_what_nothing_mends_and_what_is_refused(dark: Dark) -> None:
    table = scenes(30, ("animal", "object", "celebrity"))
    renderer = Noise(refused=("object", "celebrity"))
    images, verdicts, attempts = render(
        renderer,
        table,
        attempts=1,
        filters=["integrity", "dark"],
        fallback="pictograph",
        renderer="noise",
    )
    by = {row["scene_id"]: row for row in images}
    ends = set()
    for scene, verdict in zip(table.to_pylist(), verdicts, strict=True):
        tried = of(attempts, scene)
        outcomes = [(row["renderer"], row["outcome"]) for row in tried]
        ends.add((scene["subtask"], len(tried), outcomes[-1]))
        assert [row["attempt"] for row in tried] == list(range(len(tried)))
        if scene["subtask"] == "celebrity":
            assert outcomes == [("noise", "refused"), ("pictograph", "refused")]
            assert (verdict["keep"], verdict["reason"]) == (False, "noise shows none")
            assert scene["scene_id"] not in by
            assert tried[0]["reason"] == "noise shows none"
            assert "celebrity" in tried[1]["reason"]
            assert tried[0]["method"] is None and tried[0]["batch"] is None
            continue
        assert verdict["keep"]
        image = by[scene["scene_id"]]
        assert (image["renderer"], image["renderer_version"]) == (
            tried[-1]["renderer"],
            tried[-1]["renderer_version"],
        )
        if image["renderer"] == "pictograph":
            alone = scenes(30, ("animal", "object", "celebrity")).slice(scene["ordinal"], 1)
            drawn = render_shard(params(), words(), alone)[0].to_pylist()
            assert [image] == drawn
            assert image["seed"] == scene["seed"] == tried[-1]["seed"]
    assert {end[:2] for end in ends} >= {("animal", 1), ("animal", 2), ("animal", 3), ("object", 2)}
    assert (
        "object",
        2,
        ("pictograph", "rejected"),
    ) in ends  # and it stays, for want of a better one


def test_the_last_image_stays_where_the_fallback_refuses(
    dark: Dark, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dark, "_rejects_all", True)
    images, verdicts, attempts = render(
        Noise(),
        scenes(2, ("celebrity",)),
        attempts=1,
        filters=["dark"],
        fallback="pictograph",
        renderer="noise",
    )
    assert [row["outcome"] for row in attempts] == ["rejected", "rejected", "refused"] * 2
    assert [row["renderer"] for row in images] == ["noise"] * 2
    assert [row["seed"] for row in images] == [row["seed"] for row in attempts[1::3]]
    assert all(row["keep"] for row in verdicts)


def test_a_fallback_that_is_not_needed_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    make: Callable[..., Any] = lambda *about: made.append(about[2])  # noqa: E731
    monkeypatch.setattr("lvlmbench.stages.render.retries.shard.make_renderer", make)
    render(Noise(), scenes(3), fallback="diffusion")
    assert made == []


def test_another_renderer_may_draw_what_pictographs_do_not() -> None:
    table = scenes(4, ("animal", "celebrity"))
    noise = RENDERERS.of("noise", lambda params, vocabulary: Noise())
    with RENDERERS.temporarily({"noise": noise}):
        images, _, attempts, _ = render_shard(params(fallback="noise"), words(), table)
    assert images["renderer"].to_pylist() == ["pictograph", "noise"] * 2
    assert attempts["outcome"].to_pylist() == ["kept", "refused", "kept"] * 2
    assert attempts["attempt"].to_pylist() == [0, 0, 1] * 2


def test_a_renderer_is_not_its_own_fallback() -> None:
    """As where ``--renderer`` or ``auto`` has taken the fallback in place of what it is for."""
    settings = params(renderer="diffusion", fallback="pictograph")
    table = scenes(2, ("celebrity", "animal"))
    renderer = make_renderer(settings, words(), "pictograph")
    images, verdicts, attempts, _ = render_shard(settings, words(), table, renderer)
    assert images.num_rows == 1 and verdicts["keep"].to_pylist() == [False, True]
    assert attempts["outcome"].to_pylist() == ["refused", "kept"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gloss", "render.retries.filters: gloss: 'gloss' is not known"),
        ("clip", "render.retries.filters: clip: clip: engine: reference_a is ready only after"),
        (
            {"name": "alike", "kind": "clip", "clip": {"engine": "RN50"}},
            "render.retries.filters: alike: clip: threshold: no default is known for RN50",
        ),
    ],
)
def test_filters_that_cannot_be_asked_are_one_line(spec: Any, message: str) -> None:
    with pytest.raises(UserError, match="^" + message.replace(".", r"\.")):
        render(Noise(), scenes(1), filters=[spec])
