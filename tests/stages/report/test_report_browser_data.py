"""What the sample browser shows: which scenes, pictures, questions, answers, and how they fit."""

from __future__ import annotations

import base64
import io
import json
import shutil
from collections import Counter
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from lvlmbench import tables
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.config import validate
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import browser
from lvlmbench.stages.report.browser import budget as budget_module
from lvlmbench.stages.report.browser.encode import encode
from lvlmbench.tables import QUESTION_TYPES
from support.report_answers import DECLINED

PLENTY = 50_000_000
MODELS = ("model-a", "hostile", "reference_a", "chance")


WITH_NOISE = True


def of(snapshot: Snapshot, budget: int = PLENTY, **report: Any) -> browser.Browser:
    data = snapshot.params.model_dump(mode="json")
    p = validate(data | {"report": data["report"] | report})
    return browser.build(replace(snapshot, params=p), Leaderboard(snapshot), budget)


@pytest.fixture(scope="module")
def whole(snapshot: Snapshot) -> browser.Browser:
    return of(snapshot, items="all")


@pytest.fixture(scope="module")
def data(whole: browser.Browser) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(whole.head)
    return found


def pictures(found: browser.Browser) -> list[bytes]:
    return [base64.b64decode(p) for chunk in found.chunks for p in json.loads(chunk)]


def test_every_scene_that_was_asked_about_is_an_item(
    snapshot: Snapshot, data: dict[str, Any], whole: browser.Browser
) -> None:
    names = [s["name"] for s in data["scenarios"]]
    assert names == [n for n in snapshot.params.scenarios.names if n != "corruption_curve"]
    asked = {s for n in names for s in snapshot.asked[n]["scene_id"].to_pylist()}
    assert {i["id"] for i in data["items"]} == asked
    assert (whole.about.shown, whole.about.available) == (len(asked), len(asked))
    assert whole.about.left_out == ""
    first = data["items"][:16]
    assert len({i["subtask"] for i in first}) == len({i["subtask"] for i in data["items"]})


def test_answers_agree_with_the_tables(snapshot: Snapshot, data: dict[str, Any]) -> None:
    seen = Counter[str]()
    outcomes = [o["name"] for o in data["outcomes"]]
    questions = {q["id"]: q for i in data["items"] for q in i["questions"]}
    for s, scenario in enumerate(n["name"] for n in data["scenarios"]):
        for m, model in enumerate(n["name"] for n in data["models"]):
            table = tables.read(snapshot.data / "scores" / model / scenario, tables.SCORES)
            text = tables.read(snapshot.data / "answers" / model / scenario, tables.ANSWERS)
            said = {r["question_id"]: r["text"] or "" for r in text.to_pylist()}
            rows = [r for r in table.to_pylist() if r["question_id"] in questions]
            assert rows
            for score in rows:
                (answer,) = (
                    a
                    for a in questions[score["question_id"]]["answers"]
                    if (a["m"], a["s"]) == (m, s)
                )
                want = {True: "right", False: "wrong", None: "caption"}[score["correct"]]
                want = want if score["scored"] else "unscored"
                want = want if score["parse_method"] != "refusal" else "refused"
                want = {"refused": "refused", "error": "failed"}.get(score["status"], want)
                assert outcomes[answer["o"]] == want
                seen[want] += 1
                kept = answer["text"]
                assert said[score["question_id"]].startswith(kept)
                assert len(kept) + answer.get("cut", 0) == len(said[score["question_id"]])
                assert len(kept) <= 4000
                if questions[score["question_id"]]["options"]:
                    assert answer.get("parsed") == score["parsed_index"]
                if want == "refused" and score["status"] == "answered":
                    assert (kept, answer["reading"]) == (DECLINED, "declines to answer")
    assert set(seen) == {"right", "wrong", "caption", "unscored", "refused", "failed"}


def test_questions_are_those_of_the_table(snapshot: Snapshot, data: dict[str, Any]) -> None:
    rows = {r["question_id"]: r for r in snapshot.questions.to_pylist()}
    for item in data["items"]:
        order = [q["type"] for q in item["questions"]]
        assert order == sorted(order) and order
        for question in item["questions"]:
            row = rows[question["id"]]
            assert row["scene_id"] == item["id"]
            assert (question["right"], question["options"]) == (row["answer_index"], row["options"])
            (sent,) = question["prompts"]
            assert sent["text"].endswith("Answer <at once>.") and len(sent["models"]) == 4


def test_pictures_are_the_images_of_the_shards(
    snapshot: Snapshot, data: dict[str, Any], whole: browser.Browser
) -> None:
    shown = pictures(whole)
    assert len(shown) == sum(data["chunks"])
    used = set()
    rows = {
        (name, r["image_id"]): r
        for name in snapshot.params.scenarios.names
        for r in tables.read(snapshot.data / "images" / name, tables.IMAGES).to_pylist()
    }
    names = [s["name"] for s in data["scenarios"]]
    for item in data["items"]:
        for picture in item["pictures"]:
            if picture["image_id"] == "":
                assert picture["p"] is None and names[picture["s"]] == "blind"
                continue
            row = rows[names[picture["s"]], picture["image_id"]]
            assert row["scene_id"] == item["id"]
            if row["question_id"] is not None:
                assert item["questions"][picture["q"]]["id"] == row["question_id"]
            if picture["p"] is None:
                continue
            used.add(picture["p"])
            with Image.open(io.BytesIO(shown[picture["p"]])) as small:
                assert small.format == "WEBP" and data["mime"] == "image/webp"
                pixels = np.asarray(small.convert("RGB"), dtype=float)
            if picture.get("kind") == "difference":
                assert names[picture["s"]] == "adversarial" and max(pixels.shape) == 48
                assert abs(pixels.mean() - 128) < 20
                continue
            with Image.open(io.BytesIO(row["image"]["bytes"])) as large:
                there = large.convert("RGB").resize(pixels.shape[1::-1], Image.Resampling.BICUBIC)
            assert np.abs(np.asarray(there, dtype=float) - pixels).mean() < 12
    assert used == set(range(len(shown)))
    assert sum(p.get("kind") == "difference" for i in data["items"] for p in i["pictures"]) > 10


def test_equal_images_are_held_once(data: dict[str, Any]) -> None:
    """Another image is some scene's clean one."""
    by_hash: dict[str, set[int]] = {}
    shared_ones = 0
    for item in data["items"]:
        for picture in item["pictures"]:
            if picture["sha256"] and picture["p"] is not None:
                by_hash.setdefault(picture["sha256"], set()).add(picture["p"])
                shared_ones += 1
    assert all(len(places) == 1 for places in by_hash.values())
    assert shared_ones > len(by_hash)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("budget", [0, 3_000, 60_000, 200_000, 500_000, 900_000])
def test_what_is_left_out_is_said_and_the_rest_fits(
    snapshot: Snapshot, whole: browser.Browser, budget: int
) -> None:
    found = of(snapshot, budget, items="all")
    size = len(found.head.encode()) + sum(map(len, found.chunks))
    assert size <= budget or found.about.shown == 0
    data = json.loads(found.head)
    assert len(data["items"]) == found.about.shown <= whole.about.shown
    everything = [i["id"] for i in json.loads(whole.head)["items"]]
    assert [i["id"] for i in data["items"]] == everything[: found.about.shown]
    left = whole.about.shown - found.about.shown
    smaller = found.about.thumbnail_px < whole.about.thumbnail_px
    assert (f"{left} of them are left out" in found.about.left_out) == bool(left)
    assert bool(found.about.left_out) == bool(left or smaller)


@pytest.mark.long
def test_pictures_are_made_again_smaller_where_they_were_estimated_too_small(
    snapshot: Snapshot, whole: browser.Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = len(whole.head.encode()) + sum(map(len, whole.chunks)) * 2 // 3
    once = of(snapshot, budget, items="all")
    assert once.about.shown == whole.about.shown and once.about.quality < whole.about.quality
    right = budget_module.Tried.of.__func__

    def short(cls: type[budget_module.Tried], sizes: Any) -> budget_module.Tried:
        means = right(cls, sizes).means
        return cls({look: {k: v / 3 for k, v in of.items()} for look, of in means.items()})

    monkeypatch.setattr(budget_module.Tried, "of", classmethod(short))
    again = of(snapshot, budget, items="all")
    assert (again.about.shown, again.about.left_out) == (whole.about.shown, once.about.left_out)
    assert len(again.head.encode()) + sum(map(len, again.chunks)) <= budget


def test_scenes_that_cannot_fit_are_not_put_together(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many models and scenes there are, memory is that of the page."""
    module, counts = import_module("lvlmbench.stages.report.browser.build"), []

    class Counted(module.Items):  # type: ignore[name-defined, misc]
        def __init__(self, *args: Any) -> None:
            counts.append(len(args[2]))
            super().__init__(*args)

    monkeypatch.setattr(module, "_SAMPLE", 4)
    monkeypatch.setattr(module, "Items", Counted)
    found = of(snapshot, 120_000, items="all")
    sampled, looked_at = counts
    assert sampled == 4
    assert 0 < found.about.shown <= looked_at <= 2 * found.about.shown + 4 < found.about.available


def test_looks_get_worse_in_turn_and_never_larger_than_asked_for() -> None:
    for side in (64, 128, 200, 256, 1024):
        found = budget_module.looks(side)
        assert len(set(found)) == len(found) and found[0].side == side
        assert [look.side for look in found] == sorted((k.side for k in found), reverse=True)
        assert min(look.side for look in found) == min(side, 128)


def test_few_clean_images_are_held_for_what_was_changed(snapshot: Snapshot) -> None:
    module = import_module("lvlmbench.stages.report.browser.images")
    rows = tables.read(snapshot.data / "images" / "clean", tables.IMAGES).to_pylist()[::3]
    clean = {r["image_id"]: r["sha256"] for r in rows}
    images = module._Before(snapshot, clean, Counter([*clean.values(), rows[0]["sha256"]]))
    for i, sha256 in enumerate(clean.values()):
        image = images.take(sha256)
        assert image is not None or rows[i]["image"]["bytes"]
        assert len(images._held) == 1  # the one that is needed again
    assert images.take("unknown") is None
    assert images.take(rows[0]["sha256"]) is not None and not images._held


def test_who_was_not_asked_has_no_answer(snapshot: Snapshot, tmp_path: Path) -> None:
    shutil.copytree(snapshot.data, tmp_path / "data")
    for table in ("answers", "scores"):
        shutil.rmtree(tmp_path / "data" / table / "model-a" / "corruption")
    found = json.loads(of(replace(snapshot, data=tmp_path / "data")).head)
    model = [m["name"] for m in found["models"]].index("model-a")
    corruption = [s["name"] for s in found["scenarios"]].index("corruption")
    answers = [a for i in found["items"] for q in i["questions"] for a in q["answers"]]
    assert {a["s"] for a in answers if a["m"] == model} == set(range(len(found["scenarios"]))) - {
        corruption
    }
    assert {a["m"] for a in answers if a["s"] == corruption} == {0, 1, 2, 3} - {model}
    assert all(a.get("status") != "not asked" for a in answers)


def test_as_many_items_as_asked_for(snapshot: Snapshot) -> None:
    assert of(snapshot, items=5).about.shown == 5
    none = of(snapshot, items=0)
    assert none.about.shown == 0 and json.loads(none.head)["items"] == [] and none.chunks == ()


def test_a_long_answer_does_not_fill_the_page(snapshot: Snapshot, tmp_path: Path) -> None:
    shutil.copytree(snapshot.data, tmp_path / "data")
    for path in (tmp_path / "data" / "answers" / "hostile" / "clean").iterdir():
        rows = tables.read([path], tables.ANSWERS).to_pylist()
        rows = [r | {"text": "\U0001f600</script>" * 90_000, "status": "answered"} for r in rows]
        tables.write_rows(rows, path, tables.ANSWERS, "s")
    found = of(replace(snapshot, data=tmp_path / "data"))
    assert len(found.head) < 4_000_000 and "</" not in found.head
    model = [m["name"] for m in json.loads(found.head)["models"]].index("hostile")
    cut = [
        (len(a["text"]), a["cut"])
        for i in json.loads(found.head)["items"] for q in i["questions"] for a in q["answers"]
        if (a["m"], a["s"]) == (model, 0)
    ]  # fmt: skip
    assert cut and all(kept + rest == 900_000 and kept <= 4000 for kept, rest in cut)


def test_a_damaged_image_leaves_a_gap(snapshot: Snapshot, tmp_path: Path) -> None:
    shutil.copytree(snapshot.data, tmp_path / "data")
    for path in (tmp_path / "data" / "images" / "corruption").iterdir():
        rows = tables.read([path], tables.IMAGES).to_pylist()
        for row in rows[::2]:
            row["image"]["bytes"] = row["image"]["bytes"][:40]
        tables.write_rows(rows, path, tables.IMAGES, "s")
    found = json.loads(of(replace(snapshot, data=tmp_path / "data")).head)
    of_corruption = [p for i in found["items"] for p in i["pictures"] if p["s"] == 1]
    assert {p["p"] is None for p in of_corruption} == {True, False}
    assert all(p["image_id"] for p in of_corruption)


@pytest.mark.long
def test_shards_change_no_byte(snapshot: Snapshot, tmp_path: Path) -> None:
    shutil.copytree(snapshot.data, tmp_path / "data")
    for folder in [*(tmp_path / "data" / "images").iterdir()]:
        rows = tables.read(folder, tables.IMAGES).to_pylist()
        shutil.rmtree(folder)
        for n, start in enumerate(range(0, len(rows), 29)):
            path = folder / tables.part_name(n)
            tables.write_rows(rows[start : start + 29], path, tables.IMAGES, "s")
    assert of(replace(snapshot, data=tmp_path / "data")) == of(snapshot)


@pytest.mark.long
def test_full_pages_hold_every_scene_and_the_images_as_they_are(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("lvlmbench.stages.report.browser.pages"), "PAGE", 400_000)
    made = list(browser.pages(snapshot, Leaderboard(snapshot)))
    assert len(made) > 2
    assert all(sum(map(len, page.chunks)) <= 400_000 for _, page in made)
    assert [name for name, _ in made][:2] == ["part-00000.html", "part-00001.html"]
    found = of(snapshot, items="all", full=True)
    part = {i["id"]: i["part"] for i in json.loads(found.head)["items"]}
    clean = {
        r["scene_id"]: r["image"]["bytes"]
        for r in tables.read(snapshot.data / "images" / "clean", tables.IMAGES).to_pylist()
    }
    seen = []
    for number, (_, page) in enumerate(made):
        data, shown = json.loads(page.head), pictures(page)
        assert len(data["items"]) == page.about.shown
        for item in data["items"]:
            assert part[item["id"]] == number and "part" not in item
            for picture in item["pictures"]:
                if picture.get("kind") == "difference":
                    with Image.open(io.BytesIO(shown[picture["p"]])) as changed:
                        assert changed.size == (128, 128)
            (own,) = (p["p"] for p in item["pictures"] if p["s"] == 0)
            assert shown[own] == clean[item["id"]]
            seen.append(item["id"])
    assert len(seen) == len(set(seen)) == found.about.available


def test_prompts_that_differ_are_told_apart(snapshot: Snapshot, tmp_path: Path) -> None:
    shutil.copytree(snapshot.data, tmp_path / "data")
    for path in (tmp_path / "data" / "answers" / "chance" / "clean").iterdir():
        rows = tables.read([path], tables.ANSWERS).to_pylist()
        rows = [r | {"prompt": None if i % 2 else "guess"} for i, r in enumerate(rows)]
        tables.write_rows(rows, path, tables.ANSWERS, "s")
    found = json.loads(of(replace(snapshot, data=tmp_path / "data")).head)
    chance = [m["name"] for m in found["models"]].index("chance")
    sent = [q["prompts"][1:] for i in found["items"] for q in i["questions"]]
    assert {tuple(p["models"]) for prompts in sent for p in prompts} == {(chance,)}
    assert any(not prompts for prompts in sent)  # where none is recorded


@pytest.mark.long
@pytest.mark.parametrize(
    ("method", "four", "two"),
    [
        (
            "logprobs",
            "read as (B), as the likeliest first letter (A 78%, C 100%, D 5%)",
            "read as (B), as the likeliest first letter (A 78%)",
        ),
        ("none_of_options", *["says that no option fits; read as (B)"] * 2),
    ],
)
def test_how_an_answer_was_read_is_told(
    snapshot: Snapshot, tmp_path: Path, method: str, four: str, two: str
) -> None:
    shutil.copytree(snapshot.data, tmp_path / "data")
    for table, schema, columns in (
        ("answers", tables.ANSWERS, {"logprobs": [-0.25, None, 1e-9, -3.0]}),
        ("scores", tables.SCORES, {"parse_method": method, "parsed_index": 1}),
    ):
        for path in (tmp_path / "data" / table / "model-a" / "clean").iterdir():
            rows = tables.read([path], schema).to_pylist()
            tables.write_rows([r | columns for r in rows], path, schema, "s")
    found = json.loads(of(replace(snapshot, data=tmp_path / "data")).head)
    model = [m["name"] for m in found["models"]].index("model-a")
    read_as = {
        QUESTION_TYPES[q["type"]]: a.get("reading")
        for i in found["items"] for q in i["questions"] for a in q["answers"]
        if (a["m"], a["s"]) == (model, 0) and a.get("status", "answered") == "answered"
    }  # fmt: skip
    assert (read_as["multiple_choice"], read_as["true_false"]) == (four, two)


@pytest.mark.parametrize(
    "text",
    [
        "</script><script>", "<!--<script", "a\u2028b\u2029", "\ud800 half", "&amp;", "\x00\x1b",
        "\x7f\x85\r", "\u202egnp.exe\u2069", "\ufeff\ufffe\uffff\ufdd0",
    ],
)  # fmt: skip
def test_no_string_ends_the_element_it_stands_in(text: str) -> None:
    encoded = encode({"x": text})
    assert not set("<>&\u2028\u2029\u202e\u2069\ud800\ufeff\ufffe\x7f\x85\r\x00") & set(encoded)
    assert json.loads(encoded.encode()) == {"x": text}
