"""Answers whose claims tell nothing: nobody is asked for them, and they have no exact number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.scene.claims import Truth
from lvlmbench.stages.answer.engine import Item, Reply, request_hash
from lvlmbench.stages.judge.judge import Judge
from lvlmbench.stages.judge.judging import Judged, Judging, Question
from lvlmbench.stages.judge.served.forms import (
    SaidClaim,
    SaidClaims,
    SaidInvented,
    SaidMatch,
    SaidMatches,
    SaidScores,
)
from lvlmbench.stages.judge.served.judge import Served
from lvlmbench.stages.roles.asking import Asker
from lvlmbench.stages.roles.templates import DEFAULT
from lvlmbench.suites.dialogue import TASKS
from support.scripted_judge import TRUTH, Scripted

#: One task of each sort: rated, decided by a value, of taste; and a free answer of other suites.
_SUBTASKS = {
    "rated": "touchstone_simple", "value": "touchstone_species", "taste": "touchstone_story",
    "plain": "animal",
}  # fmt: skip
_OPEN = Truth((), closed=False)

_CLAIM = SaidClaim(
    kind="object", subject="dog", relation="", object="", value="", quote="dog",
    negated=False, hedged=False,
)  # fmt: skip
#: What a model replies, by what is told it of the reply's form.
_REPLIES = {
    '"claims"': SaidClaims(claims=[_CLAIM]),
    '"matches"': SaidMatches(matches=[SaidMatch(claim=0, feature=0, verdict="hallucinated")]),
    '"first"': SaidScores(why="", first=5, second=5),
    '"invented"': SaidInvented(why="", invented=2),
}


class Replies:
    """A model that fills in any form."""

    cached = True
    parameters: Mapping[str, object] = {"model": "replies"}

    def request_sha256(self, item: Item) -> str:
        return request_hash(item.prompt)

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        for item in items:
            schema = item.prompt.rpartition("schema and nothing else:")[2]
            [said] = [reply for key, reply in _REPLIES.items() if f"{key}:" in schema]
            yield item, Reply(said.model_dump_json(), "answered")


def _served(folder: Path) -> Served:
    return Served(Asker(Replies(), "judge replies", 0, folder / "answers.sqlite"), DEFAULT)


def _judged(judge: Judge, truth: Truth = TRUTH) -> Judged:
    questions = {
        name: Question("s1", subtask, "Say something.", "A dog.", description="A dog!")
        for name, subtask in _SUBTASKS.items()
    }
    rows: list[dict[str, Any]] = [
        {
            "model": "m", "scenario": "clean", "question_id": name, "image_id": "i1",
            "text": "dog", "status": "answered",
        }
        for name in _SUBTASKS
    ]  # fmt: skip
    return Judging(judge, "j", questions, {"s1": truth}, tasks=TASKS).rows(rows)


def _requests(judge: Served) -> Counter[str]:
    return Counter(row["purpose"] for row in judge.requests)


def test_claims_are_asked_for_of_descriptions_and_outside_dialogue(tmp_path: Path) -> None:
    judge = _served(tmp_path)
    found = _judged(judge)
    assert _requests(judge) == {"claims": 2, "matches": 2, "pair": 6, "invented": 1}
    statuses = {row["question_id"]: row["status"] for row in found.judgements}
    read = ("rated", "plain")
    assert statuses == {n: "judged" if n in read else "unjudged" for n in _SUBTASKS}
    assert {row["question_id"] for row in (*found.claims, *found.matches)} == {*read}
    assert {row["status"] for row in found.pairwise} == {"judged"} and len(found.pairwise) == 3
    for row in found.judgements:
        assert (row.get("true_claims") is None) == (row["status"] == "unjudged")
        assert (row["status"] == "unjudged") == ("descriptions alone" in (row.get("why") or ""))
    assert tables.JUDGEMENTS.of(found.judgements).num_rows == len(_SUBTASKS)


def test_of_pictures_that_nobody_has_listed_no_claims_are_asked_for(tmp_path: Path) -> None:
    """Pairs and the rating go by the description; all claims would count as made up."""
    judge = _served(tmp_path)
    found = _judged(judge, _OPEN)
    assert _requests(judge) == {"pair": 6, "invented": 1}
    assert not found.claims and not found.matches
    by_name = {row["question_id"]: row for row in found.judgements}
    assert {row["status"] for row in found.judgements} == {"unjudged"}
    for name in ("rated", "plain"):
        assert "nobody has listed what the picture shows" in by_name[name]["why"]
    assert by_name["rated"]["invented"] == 2 and "wrong_claims" not in by_name["rated"]
    assert {row["status"] for row in found.pairwise} == {"judged"}


@pytest.mark.parametrize("truth", [Truth(()), Truth(TRUTH.features, closed=False)])
def test_what_is_listed_is_held_against_whether_or_not_it_is_all(truth: Truth) -> None:
    found = _judged(Scripted(), truth)
    statuses = {row["question_id"]: row["status"] for row in found.judgements}
    assert statuses["rated"] == statuses["plain"] == "judged"


def test_an_answer_without_words_stays_unanswered() -> None:
    judging = Judging(
        Scripted(), "j", {"q": Question("s1", "touchstone_story", "?", "A.")}, {"s1": TRUTH},
        tasks=TASKS,
    )  # fmt: skip
    row = {
        "model": "m", "scenario": "clean", "question_id": "q", "image_id": "i1", "text": None,
        "status": "error",
    }  # fmt: skip
    [found] = judging.rows([row]).judgements
    assert found["status"] == "unanswered" and "error" in found["why"]
