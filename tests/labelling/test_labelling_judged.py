"""Sheets of what judges said: claims, and pairs of answers, without a word of who said what."""

from __future__ import annotations

import pytest

from lvlmbench import tables
from lvlmbench.analysis.judged import claims_of, first_judge, free_answers, harmonic
from lvlmbench.labelling.kinds.answers import answers
from lvlmbench.labelling.kinds.claims import claims
from lvlmbench.labelling.sheet import counts
from lvlmbench.snapshot.reader import Snapshot
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
