"""Sheets of what judges said: claims, and pairs of answers, without a word of who said what."""

from __future__ import annotations

import dataclasses
from itertools import groupby
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.analysis.judged import claims_of, first_judge, free_answers, harmonic
from lvlmbench.labelling.kinds.answers import answers
from lvlmbench.labelling.kinds.claims import claims
from lvlmbench.labelling.kinds.features import features
from lvlmbench.labelling.sheet import SHEETS, counts, drawn
from lvlmbench.snapshot.reader import Snapshot
from support.hallucination_tables import snapshot as made
from support.report_pages import read, shared


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return read(shared(tmp_path_factory))


def test_each_claim_of_the_first_judge_is_an_item(snapshot: Snapshot) -> None:
    judge = first_judge(snapshot)
    assert judge is not None
    said = list(claims_of(snapshot, judge))
    models = snapshot.params.answer.models
    rows = sum(
        len(snapshot.read(tables.MATCHES, judge=judge, model=model.name, scenario="clean"))
        for model in models
    )
    assert len(said) == rows > 0
    found = claims(snapshot)
    assert {item.item_id for item in found} and len({i.item_id for i in found}) == len(found)
    assert len(found) <= len(said)
    said_of = {"finds true", "finds hallucinated", "finds contradicted", "cannot check"}
    assert set(counts(found)) == {f"claims that {judge} {words}" for words in said_of}


def test_the_words_that_say_a_claim_are_marked(snapshot: Snapshot) -> None:
    judge = first_judge(snapshot) or ""
    said = set()
    for row in claims_of(snapshot, judge):
        text, start, end = row["text"], row["start"], row["end"]
        said.add(f"Answer: {text[:start]}[{text[start:end]}]{text[end:]}")
    assert {item.lines[1] for item in claims(snapshot)} == said


def test_each_feature_that_an_answer_owes_is_an_item(tmp_path: Path) -> None:
    said = {("m", "s1"): "dog cat", ("n", "s1"): "dog cat", ("m", "s2"): "", ("n", "s3"): "ball"}
    found = features(made(tmp_path, said))
    shown = {(item.lines[1], item.lines[2], item.group) for item in found}
    assert shown == {
        (f"Answer: {answer}", f"The picture shows: {words}", f"features: {subtask}")
        for answer, subtask in (("dog cat", "animal"), ("", "animal"), ("ball", "color"))
        for words in ("there is a dog", "there is a ball", "the ball is red")
    }
    assert len(found) == len(shown)  # the same answer of two models is labelled once
    assert {item.asks for item in found} == {"Does the answer say what stands below it?"}
    # What belongs to one answer stands side by side.
    together: dict[str, set[str]] = {}
    for item in found:
        together.setdefault(item.lines[1] + item.image_id, set()).add(item.together)
    assert {len(names) for names in together.values()} == {1}
    sheet = drawn(found, 25, 1)
    asked_of = [item.together for item in sheet]
    assert [len([*same]) for _, same in groupby(asked_of)] == [3, 3, 3]
    kind = SHEETS.get("features", "test")
    assert kind.when(made(tmp_path / "some", said))
    assert not kind.when(made(tmp_path / "none", {("m", "s1"): None}))


def test_people_label_free_text(tmp_path: Path) -> None:
    found = made(tmp_path, {("m", "s1"): "dog"})
    judging = found.params.judge.beside(["form"])
    params = found.params.model_copy(update={"judge": judging})
    assert [judge.name for judge in judging.judges] == ["form", "j"]
    assert first_judge(dataclasses.replace(found, params=params)) == "j"


def test_pairs_are_of_one_question_and_differ(snapshot: Snapshot) -> None:
    judge = first_judge(snapshot) or ""
    told = {row["question"] for row in free_answers(snapshot, judge)}
    found = answers(snapshot)
    assert found
    for item in found:
        first, second, question = item.lines
        assert question in told
        assert first.removeprefix("First: ") != second.removeprefix("Second: ")
    assert len({item.item_id for item in found}) == len(found)


@pytest.mark.parametrize(
    ("row", "mean"),
    [
        ({"status": "malformed", "owed": 3}, None),
        ({"status": "judged", "owed": 0}, None),
        ({"status": "judged", "owed": 2, "covered": 0, "true_claims": 0, "wrong_claims": 1}, 0.0),
        ({"status": "judged", "owed": 2, "covered": 1, "true_claims": 1, "wrong_claims": 0}, 2 / 3),
    ],
)
def test_an_answer_that_was_not_judged_has_no_mean(row: dict, mean: float | None) -> None:
    assert harmonic(row) == mean
