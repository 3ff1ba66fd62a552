"""What the report says of how the images came about: renderers, attempts, prompts, weights."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.analysis import funnel
from lvlmbench.config import SUBTASKS, Params
from lvlmbench.core.untrusted import visible
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import plotting
from lvlmbench.stages.figures.figure import Sources
from lvlmbench.stages.figures.kinds.funnel import funnel_chart
from lvlmbench.stages.report import attempts, drawn_with, filters
from support.report_pages import ROOT, head, read, render, section
from support.report_pages import words as words_of
from support.report_snapshot import attempt, params

Row = dict[str, Any]

#: A reason and a provenance that nobody vouches for.
READ = "reads <script>window.pwned=1</script>"
PROVENANCE: Row = {
    "model": "<script>window.pwned=1</script>",
    "weights_sha256": {"combined": "0123456789ab" + "c" * 52, "unet": "f" * 64},
    "device": "cpu\u202e",
    "versions": {"diffusers": "0.42.1", "torch": "2.13.0"},
    "exact": False,
    "compile": None,
    "files": {f"part-{i}.safetensors": "e" * 64 for i in range(20)},
    "some_new_key": [1, 2.5],
    "refiner": {"model": "second", "files_sha256": {"unet": "d" * 64}, "commit": "b" * 40},
}
VERSION = "diffusers0.42.1 torch2.13.0 cpu float32 tiny weights=0123456789ab steps=2"


def mixed_params() -> Params:
    """Diffusion with retries, and pictographs for what it does not draw or never gets right."""
    retries = {
        "attempts": 2,
        "filters": [{"name": "ocr"}, {"name": "clip", "clip": {"engine": "reference_a"}}],
    }
    return params(
        render={"renderer": "diffusion", "fallback": "pictograph", "size": 128, "retries": retries}
    )


def _tries(n: int, scene: Row) -> Iterator[Row]:
    """Attempts at scene number ``n``, of all kinds in turn."""
    long = n % 4 == 0
    drew = {
        "renderer": "diffusion",
        "renderer_version": VERSION,
        "method": "composited" if scene["subtask"] == "text" else "text-to-image",
        "prompt_tokens": 140 if long else 20 + n % 7,
        "prompt_chunks": 2 if long else 1,
        "prompt_tokens_cut": 5 if n == 8 else 0,
        "exact": False,
        "batch": 4 if n % 5 else 3,
        "provenance": json.dumps(PROVENANCE | {"device": "cuda"} if n == 1 else PROVENANCE),
    }
    bad = {"outcome": "rejected", "filter": "ocr", "reason": READ, "score": 0.5, "threshold": 0.2}
    unlike = bad | {"filter": "clip", "reason": "unlike its caption"}
    fails = {1: 1, 2: 2, 3: 3, 4: 3}.get(n % 10, 0)
    if n % 10 == 5 and scene["subtask"] != "text":
        reason = {"outcome": "refused", "reason": "no <prompt>", "method": None, "batch": None}
        yield attempt(scene, **drew | reason | {"exact": None} | dict.fromkeys(
            ("prompt_tokens", "prompt_chunks", "prompt_tokens_cut", "provenance")))  # fmt: skip
        yield attempt(scene)
        return
    for i in range(min(fails + 1, 3)):
        outcome = {} if i == fails else (bad if i else unlike)
        yield attempt(scene, **drew | outcome | {"attempt": i, "seed": 10 * n + i})
    if n % 10 == 4:
        yield attempt(scene, attempt=3)


@pytest.fixture(scope="module")
def mixed(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """The made-up snapshot as diffusion and pictographs would have drawn it together."""
    root = tmp_path_factory.mktemp("mixed")
    shutil.copytree(made / "data", root / "data")
    shutil.copytree(made / "results", root / "results")
    plain = read(made)
    drawn = {row["scene_id"] for row in plain.attempts.to_pylist()}
    scenes = [row for row in plain.scenes.to_pylist() if row["scene_id"] in drawn]
    rows = [row for n, scene in enumerate(scenes) for row in _tries(n, scene)]
    shutil.rmtree(root / "data/dysca/attempts")
    for i, start in enumerate(range(0, len(rows), 40)):
        path = root / "data/dysca/attempts" / tables.part_name(i)
        tables.write_rows(rows[start : start + 40], path, tables.ATTEMPTS, "x")
    last = {row["scene_id"]: row for row in rows}
    names = ("renderer", "renderer_version", "seed")
    for path in (root / "data/dysca/images" / "clean").iterdir():
        images = tables.read([path], tables.IMAGES).to_pylist()
        images = [row | {k: last[row["scene_id"]][k] for k in names} for row in images]
        tables.write_rows(images, path, tables.IMAGES, "x")
    return read(root, mixed_params())


@pytest.fixture(scope="module")
def html(mixed: Snapshot) -> str:
    return render(mixed, mixed.results)


@pytest.fixture(scope="module")
def words(html: str) -> str:
    return words_of(html)


def test_images_drawn_again_though_no_retries_are_set_are_not_said_to_be_by_them(
    mixed: Snapshot, words: str
) -> None:
    assert "a filter of render.retries rejects is drawn again" in words
    retries = mixed.params.render.retries.model_copy(update={"attempts": 0})
    cut = mixed.params.render.model_copy(update={"retries": retries})
    own = replace(mixed, params=mixed.params.model_copy(update={"render": cut}))
    text = words_of(section(render(own, mixed.results), "funnel"))
    assert "0 times" not in text and "does not show what is planned is drawn again" in text


def test_renderers_and_methods_are_counted_apart(mixed: Snapshot) -> None:
    found = attempts.build(mixed)
    rows = mixed.attempts.to_pylist()
    drawn = [r for r in rows if r["method"]]
    assert (found.n_drawn, found.n_images) == (len(drawn), 47)
    assert found.main == "diffusion" and not found.plain
    last = {r["scene_id"]: (r["renderer"], r["method"]) for r in drawn}
    for made in found.made:
        key = (made.renderer, made.method)
        own = [r for r in drawn if (r["renderer"], r["method"]) == key]
        assert made.drawn == len(own) == made.exact + sum(n for _, n in made.batches)
        assert made.in_snapshot == list(last.values()).count(key)
        sizes = sorted({r["batch"] for r in own if not r["exact"]})
        assert [size for size, _ in made.batches] == sizes
    assert {m.method for m in found.made} == {"text-to-image", "composited", "drawn"}


def test_yield_counts_each_scene_once(mixed: Snapshot) -> None:
    found = attempts.build(mixed)
    by_scene: dict[str, list[Row]] = {}
    for row in mixed.attempts.to_pylist():
        by_scene.setdefault(row["scene_id"], []).append(row)
    ours = [
        [r["outcome"] for r in rows if r["renderer"] == "diffusion"] for rows in by_scene.values()
    ]
    ours = [outcomes for outcomes in ours if outcomes != ["refused"]]
    gave_up = [o for o in ours if "kept" not in o]
    fallen = sum(len(rows) == 4 for rows in by_scene.values())
    total = found.total
    assert total is not None
    assert total.scenes == len(ours) == 43
    assert total.first == sum(o == ["kept"] for o in ours)
    assert total.later == sum(o[-1] == "kept" and len(o) > 1 for o in ours)
    assert (total.left, total.fallback) == (len(gave_up) - fallen, fallen)
    assert min(total.first, total.later, total.left, total.fallback) > 0
    assert total.images == sum(map(len, ours))
    assert total.per_kept == pytest.approx(78 / 33)
    for name in ("scenes", "first", "later", "left", "fallback", "images"):
        assert sum(getattr(y, name) for y in found.yields) == getattr(total, name)
    for line in found.yields:
        assert line.scenes == line.first + line.later + line.left + line.fallback
    order = [y.subtask for y in found.yields]
    assert order == sorted(order, key=list(SUBTASKS).index)
    assert any(y.per_kept is None for y in found.yields)


def test_reasons_name_filters_in_their_order_and_what_was_passed_on(mixed: Snapshot) -> None:
    found = attempts.build(mixed)
    assert [(r.by, r.reason) for r in found.reasons] == [
        ("Filter: OCR", READ),
        ("Filter: CLIP", "unlike its caption"),
        ("Not drawn by diffusion", "no <prompt>"),
    ]
    rows = mixed.attempts.to_pylist()
    for reason in found.reasons:
        assert reason.count == sum(r["reason"] == reason.reason for r in rows)
        assert reason.count == sum(count for _, count in reason.subtasks)
    assert found.passed_on == 4


def test_prompts_are_counted_once_a_scene(mixed: Snapshot) -> None:
    read_by_encoder = [r for r in mixed.attempts.to_pylist() if r["prompt_tokens"] is not None]
    longer = {r["scene_id"] for r in read_by_encoder if r["prompt_chunks"] > 1}
    assert attempts.build(mixed).prompts == attempts.Prompts(43, len(longer), 2, 140, 5, 1)


def test_funnel_tells_how_many_images_were_drawn(mixed: Snapshot, made: Path) -> None:
    counts = {s.label: s.count for s in funnel.build(mixed).steps}
    assert (counts["Images drawn"], counts["Rendered"]) == (87, 47)
    assert "Images drawn" not in {s.label for s in funnel.build(read(made)).steps}
    with plotting.settings():
        sources = Sources(mixed, None, ROOT / "data" / "published")
        (ax,) = funnel_chart(sources).figure.axes
    rows = [label.get_text() for label in ax.get_yticklabels()]
    assert rows.index("Images drawn") == rows.index("Rendered") - 1
    assert "87" in {text.get_text() for text in ax.texts}


def test_page_tells_it_all_and_lets_nothing_through(html: str, words: str) -> None:
    part = html[html.index('id="rendering"') : html.index('id="cleaning"')]
    assert "<script" not in part and "<prompt" not in part
    for text in (READ, PROVENANCE["model"], "no <prompt>", "U+202E"):
        assert text in words
    for text in (
        "For the 47 images of this snapshot 87 were drawn",
        "composited: a typeset word on a generated carrier",
        "5 tokens of 1 prompt were cut",
        "in batches of 3 (5), 4 (70)",
        "Given up, drawn by pictograph",
        "0123456789ab\N{HORIZONTAL ELLIPSIS}",
        "Not all images of diffusion were drawn with the same model",
        "OpenMoji",
    ):
        assert text in words, text
    assert "the same pictographs" not in words
    assert VERSION not in html[: html.index('id="leaderboard"')]


def test_record_lists_every_entry_and_whole_hashes_on_demand(mixed: Snapshot) -> None:
    found = drawn_with.build(mixed)
    assert [r.images for r in found.listed] == [76, 2]
    assert found.differing == ["diffusion"]
    first, second = found.listed
    entries = dict(first.entries)
    assert sorted(entries) == sorted(PROVENANCE)
    assert list(entries)[:4] == ["model", "weights_sha256", "refiner", "device"]
    assert entries["weights_sha256"] == "combined 0123456789ab…, unet ffffffffffff…"
    assert entries["files"] == "20 entries, in the whole record"
    assert (entries["exact"], entries["compile"]) == ("no", "none")
    assert entries["some_new_key"] == "1, 2.5"
    assert entries["refiner"] == "model second, files_sha256 (1 inside), commit bbbbbbbbbbbb…"
    assert first.whole.body is not None and "0123456789ab" + "c" * 52 in first.whole.body
    assert second.entries == [("device", "cuda")] and second.like_first


def test_half_a_character_does_no_harm() -> None:
    record = drawn_with._record("r", "1", r'{"\ud800": "\udfff"}', 3)
    assert str(visible(record.entries[0][0])) == '<bdi><span class="cp">U+D800</span></bdi>'
    assert record.whole.body is not None and visible(record.whole.body).encode()


@pytest.mark.parametrize("text", ["", "no JSON </pre><b>", "[1]", "[" * 100_000], ids=len)
def test_a_record_that_is_no_object_is_shown_as_it_is(text: str) -> None:
    record = drawn_with._record("r", "1", text, 3)
    assert record.entries == []
    assert (record.whole.body or "") == text[: drawn_with.WHOLE]


def test_images_that_stand_apart_are_tagged(mixed: Snapshot, html: str) -> None:
    last = {r["scene_id"]: r for r in mixed.attempts.to_pylist()}
    want = {
        key: "by pictograph" if row["renderer"] == "pictograph" else "composited"
        for key, row in last.items()
        if row["renderer"] == "pictograph" or row["method"] == "composited"
    }
    tags = {item["id"]: item["tag"] for item in head(html)["items"]}
    assert tags == {key: want.get(key) for key in tags}
    assert {"composited", "by pictograph", None} == set(tags.values())
    shown = [e for f in filters.build(mixed) for pair in f.examples for e in pair if e]
    assert all(e.tag == want.get(e.ruling.scene_id) for e in shown)
    assert any(e.tag for e in shown)


def test_pictographs_alone_are_one_sentence(made: Path) -> None:
    html = (made / "results" / "report.html").read_text()
    part = html[html.index('id="rendering"') : html.index('id="cleaning"')]
    assert "The 47 images were drawn by pictograph from vector art, each scene once." in part
    assert "<table" not in part and "<dl" not in part
    assert {item["tag"] for item in head(html)["items"]} == {None}


def test_snapshots_without_the_table_make_a_report_too(made: Path, tmp_path: Path) -> None:
    other = Snapshot(params(), tmp_path, made / "results/dysca")
    assert attempts.build(other) == attempts.Rendering(
        "pictograph", 0, [], 0, 0, [], None, [], 0, None, drawn_with.Records([], 0, [])
    )
    assert attempts.tags(other, ["a"]) == {}


def test_auto_is_what_the_attempts_say(mixed: Snapshot, tmp_path: Path) -> None:
    render = mixed_params().model_dump(mode="json")["render"] | {"renderer": "auto"}
    auto = params(render=render)
    assert Snapshot(auto, mixed.data, mixed.results).main_renderer == "diffusion"
    scenes = mixed.scenes.to_pylist()[:3]
    shutil.copytree(mixed.data / "scenes", tmp_path / "scenes")
    path = tmp_path / "attempts" / tables.part_name(0)
    tables.write_rows([attempt(s) for s in scenes], path, tables.ATTEMPTS, "x")
    assert Snapshot(auto, tmp_path, mixed.results).main_renderer == "pictograph"
