"""The gallery: which scenes, what was asked and answered, and how answers were read."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from report_answers import DECLINED
from report_snapshot import build, params
from test_report import make, read, shared

from lvlmbench import tables
from lvlmbench.analysis.inputs import Snapshot
from lvlmbench.analysis.selection import Candidate, choose
from lvlmbench.analysis.standings import Standings
from lvlmbench.config import QUESTION_TYPES
from lvlmbench.report import gallery, page


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared(tmp_path_factory)


@pytest.fixture(scope="module")
def snapshot(made: Path) -> Snapshot:
    return read(made)


def test_gallery_is_spread_and_bounded(snapshot: Snapshot) -> None:
    shown = gallery.build(snapshot, Standings(snapshot))
    assert len(shown.items) == 24
    subtasks = [item.subtask for item in shown.items]
    assert len(set(subtasks)) == 16
    assert max(subtasks.count(s) for s in subtasks) == 2
    assert len({item.style for item in shown.items}) == 6
    for item in shown.items:
        assert item.thumbnail.startswith("data:image/jpeg;base64,")
        for question in item.questions:
            models = ["model-a", "hostile", "reference_a", "chance"]
            assert [a.model for a in question.answers] == models
            assert sum(o.right for o in question.options) == (1 if question.options else 0)


def test_gallery_verdicts_agree_with_the_scores(snapshot: Snapshot) -> None:
    scores, seen = {}, Counter[str]()
    for model in ("chance", "model-a", "hostile", "reference_a"):
        table = tables.read(snapshot.data / "scores" / model / "clean", tables.SCORES)
        scores |= {(model, r["question_id"]): r for r in table.to_pylist()}
    for item in gallery.build(snapshot, Standings(snapshot)).items:
        for question in item.questions:
            for answer in question.answers:
                score = scores[answer.model, question.question_id]
                want = {True: "right", False: "wrong", None: "caption"}[score["correct"]]
                want = want if score["scored"] else "unscored"
                want = want if score["parse_method"] != "refusal" else "refused"
                want = {"refused": "refused", "error": "failed"}.get(score["status"], want)
                assert answer.outcome == want
                if answer.outcome == "refused" and score["status"] == "answered":
                    assert (answer.text.head, answer.reading) == (DECLINED, "declines to answer")
                seen[answer.outcome] += 1
    assert {"right", "wrong", "caption", "unscored", "refused", "failed"} == set(seen)


def test_gallery_shows_the_prompt_as_it_was_sent(snapshot: Snapshot) -> None:
    (first, *_) = gallery.build(snapshot, Standings(snapshot)).items
    for question in first.questions:
        (sent,) = question.prompts
        assert sent.models == ["model-a", "hostile", "reference_a", "chance"]
        assert sent.text.head.startswith(question.text.head)
        assert sent.text.head.endswith("Answer <at once>.")


def test_prompts_that_differ_are_told_apart(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made / "data", tmp_path / "data")
    for path in (tmp_path / "data" / "answers" / "chance" / "clean").iterdir():
        rows = tables.read([path], tables.ANSWERS).to_pylist()
        rows = [r | {"prompt": None if i % 2 else "guess"} for i, r in enumerate(rows)]
        tables.write_rows(rows, path, tables.ANSWERS, "s")
    metrics = made / "results" / "metrics.parquet"
    other = Snapshot(params(), tmp_path / "data", metrics)
    items = gallery.build(other, Standings(other)).items
    sent = [q.prompts[1:] for item in items for q in item.questions]
    assert {tuple(p.models) for prompts in sent for p in prompts} == {("chance",)}
    assert any(not prompts for prompts in sent)  # where none is recorded


def test_likeliest_letters_are_told_with_their_probabilities(
    snapshot: Snapshot, made: Path, tmp_path: Path
) -> None:
    shutil.copytree(made / "data", tmp_path / "data")
    for table, schema, columns in (
        ("answers", tables.ANSWERS, {"logprobs": [-0.25, None, 1e-9, -3.0]}),
        ("scores", tables.SCORES, {"parse_method": "logprobs", "parsed_index": 1}),
    ):
        for path in (tmp_path / "data" / table / "model-a" / "clean").iterdir():
            rows = tables.read([path], schema).to_pylist()
            tables.write_rows([r | columns for r in rows], path, schema, "s")
    p = params(score={"strategy": "logprobs"})
    other = replace(snapshot, params=p, data=tmp_path / "data")
    answers = {
        q.question_type: a.reading
        for item in gallery.build(other, Standings(other)).items
        for q in item.questions for a in q.answers if a.model == "model-a"
    }  # fmt: skip
    assert answers["multiple_choice"] == (
        "read as (B), as the likeliest first letter (A 78%, C 100%, D 5%)"
    )
    assert answers["true_false"] == "read as (B), as the likeliest first letter (A 78%)"
    html = page.render(other, made / "results" / "figures")
    assert "By probability" in html and "the likeliest letter of the first token" in html


def test_gallery_says_when_images_would_be_too_large(
    snapshot: Snapshot, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gallery, "IMAGE_BUDGET", 20_000)
    shown = gallery.build(snapshot, Standings(snapshot))
    assert 0 < len(shown.items) < 24
    assert "would make this file too large" in page.render(snapshot, made / "results" / "figures")


def test_choice_does_not_depend_on_order_and_prefers_the_unseen() -> None:
    pool = [
        Candidate(f"{i:04x}", ("animal", "food")[i % 2], f"style {i % 5}",
                  (("animal", QUESTION_TYPES[i % 3]),))
        for i in range(60)
    ]  # fmt: skip
    chosen = choose(pool, 10)
    assert choose(pool[::-1], 10) == chosen
    assert {c.style for c in chosen} == {f"style {i}" for i in range(5)}
    assert {kind for c in chosen for _, kind in c.asked} == set(QUESTION_TYPES)
    assert choose(pool, 100) == choose(pool, 60) and len(choose(pool, 100)) == 60
    assert choose([], 5) == []


def test_no_gallery_and_no_answers_make_a_report_too(tmp_path: Path) -> None:
    p = build(tmp_path, params(report={"items": 0, "thumbnail_size": 64}))
    make(tmp_path)
    text = (tmp_path / "results" / "report.html").read_text()
    assert 'class="item"' not in text
    assert p.snapshot.name in text
