"""From free answers to what a judge says of them: rows of four tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeAlias

from lvlmbench.core.seeding import item_id
from lvlmbench.scene.claims import ANYTHING, Claim, Match, Scope, Truth, tally
from lvlmbench.stages.judge.judge import Answer, Holding, Judge, Pair, Rating, Reading
from lvlmbench.stages.judge.pairs import Rounds, both_orders
from lvlmbench.suites.dialogue import Task

Row: TypeAlias = dict[str, Any]

#: Columns of answers that are read.
ANSWERS = ("model", "scenario", "question_id", "image_id", "text", "status")

#: Answers that have a text to judge, cut off or not.
_TOLD = ("answered", "truncated")

#: Why the claims of an answer are not read.
_NO_DESCRIPTION = "claims are read of descriptions alone; of this answer they would say nothing"
_NOT_LISTED = "nobody has listed what the picture shows, so no claim can be held against it"


@dataclass(frozen=True)
class Question:
    """What judging needs of a question: its scene, its words, and the reference answer.

    Attributes
    ----------
    accepted
        Forms of the one value that decides whether an answer is right; none where none does.
    rivals
        Other values of its kind, which a right answer does not give.
    description
        What stands for the picture; None where what is known of it does.
    turns
        What was said before, as (question, answer).
    """

    scene_id: str
    subtask: str
    question: str
    answer: str
    accepted: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    description: str | None = None
    turns: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Judged:
    """Rows of the tables about some answers, in the answers' order."""

    claims: list[Row] = field(default_factory=list)
    matches: list[Row] = field(default_factory=list)
    judgements: list[Row] = field(default_factory=list)
    pairwise: list[Row] = field(default_factory=list)


class Judging:
    """Has one judge look at the answers to some questions.

    Parameters
    ----------
    name
        Of the judge, in tables.
    questions
        Those with free answers, by id.
    truths
        What is so in each scene, by its id.
    pairs
        Whether answers are compared with the references, too.
    scopes
        What answers are to speak of, by subtask; of others anything.
    tasks
        Those of dialogue by subtask: their answers are always compared. Those that are rated are
        descriptions; of answers to others, e.g. of a story, no claims are read (TouchStone,
        sections 3.2 and 4.3).
    """

    def __init__(
        self,
        judge: Judge,
        name: str,
        questions: Mapping[str, Question],
        truths: Mapping[str, Truth],
        pairs: bool = False,
        scopes: Mapping[str, Scope] = MappingProxyType({}),
        tasks: Mapping[str, Task] = MappingProxyType({}),
    ) -> None:
        self._judge, self._name, self._pairs = judge, name, pairs
        self._questions, self._truths = questions, truths
        self._scopes, self._tasks = scopes, tasks

    def rows(self, answers: Iterable[Row]) -> Judged:
        """Return what the judge says of answers; those to other questions are passed over.

        Equal answers about one scene are judged once. Where claims would tell nothing the judge is
        not asked for them.
        """
        mine = [row for row in answers if row["question_id"] in self._questions]
        asked = {key: row for row in mine if (key := self._key(row)) is not None}
        to_judge = {key: self._answer(key, row) for key, row in asked.items()}
        unread = {key: self._unread(asked[key], each.truth) for key, each in to_judge.items()}
        to_read = [answer for key, answer in to_judge.items() if unread[key] is None]
        readings, held = _judged(self._judge, to_read)
        holdings = {
            key: as_annotated(
                readings[key].claims, each, to_judge[key].truth, self._scope(asked[key])
            )
            for key, each in held.items()
        }
        rounds = self._rounds(to_judge, asked)
        ratings = self._ratings(to_judge, asked)
        found = Judged()
        for row in mine:
            key = self._key(row)
            names = {name: row.get(name, self._name) for name in ("judge", *ANSWERS[:4])}
            reading = readings.get(key or "")
            holding = holdings.get(key or "")
            judgement = self._judgement(names, row, reading, holding, unread.get(key or ""))
            rating = ratings.get(key or "")
            invented = None if rating is None else rating.invented
            found.judgements.append(judgement | {"invented": invented})
            if self._compares(row):
                found.pairwise.append(self._compared(names, rounds.get(key or "")))
            if reading is not None:
                found.claims.extend(names | _claim_row(claim) for claim in reading.claims)
            if holding is not None:
                found.matches.extend(names | asdict(match) for match in holding.matches)
        return found

    def _compares(self, row: Row) -> bool:
        """Whether an answer is compared with the reference."""
        return self._pairs or self._questions[row["question_id"]].subtask in self._tasks

    def _rounds(self, answers: Mapping[str, Answer], asked: Mapping[str, Row]) -> dict[str, Rounds]:
        """What the judge says of answers beside their references; nothing of one without words."""
        pairs = [
            self._pair(answer, asked[key])
            for key, answer in answers.items()
            if answer.text.strip() and self._compares(asked[key])
        ]
        return both_orders(self._judge, pairs) if pairs else {}

    def _ratings(
        self, answers: Mapping[str, Answer], asked: Mapping[str, Row]
    ) -> dict[str, Rating]:
        """How much of answers is made up, where their tasks ask for it."""
        subtasks = {key: self._questions[asked[key]["question_id"]].subtask for key in answers}
        rated = [
            answer
            for key, answer in answers.items()
            if answer.text.strip() and subtasks[key] in self._tasks
            and self._tasks[subtasks[key]].rated
        ]  # fmt: skip
        return {a.key: rating for a, rating in self._judge.rate(rated)} if rated else {}

    def _key(self, row: Row) -> str | None:
        """What answers share that are judged once; None where there is nothing to judge."""
        if row["status"] not in _TOLD or row["text"] is None:
            return None
        return item_id("judged", self._questions[row["question_id"]].scene_id, *_said(row))

    def _unread(self, row: Row, truth: Truth) -> str | None:
        """Why the claims of an answer are not read; None where they are."""
        task = self._tasks.get(self._questions[row["question_id"]].subtask)
        if task is not None and not task.rated:
            return _NO_DESCRIPTION
        return None if truth.closed or truth.features else _NOT_LISTED

    def _scope(self, row: Row) -> Scope:
        """What an answer is to speak of."""
        return self._scopes.get(self._questions[row["question_id"]].subtask, ANYTHING)

    def _answer(self, key: str, row: Row) -> Answer:
        question = self._questions[row["question_id"]]
        truth = self._truths[question.scene_id]
        return Answer(key, question.question, row["text"], truth, question.description)

    def _pair(self, answer: Answer, row: Row) -> Pair:
        question = self._questions[row["question_id"]]
        task = self._tasks.get(question.subtask)
        return Pair(
            answer.key,
            question.question,
            answer.text,
            question.answer,
            answer.truth,
            question.description,
            question.turns,
            question.accepted,
            question.rivals,
            self._scope(row),
            taste=task is not None and task.decided == "taste",
        )

    def _judgement(
        self,
        names: Row,
        row: Row,
        reading: Reading | None,
        holding: Holding | None,
        unread: str | None,
    ) -> Row:
        question = self._questions[row["question_id"]]
        found = names | {
            "scene_id": question.scene_id,
            "subtask": question.subtask,
            "answer_status": row["status"],
        }
        if unread is not None:
            return found | {"status": "unjudged", "why": unread}
        if reading is None:
            return found | {"status": "unanswered", "why": f"the answer's status: {row['status']}"}
        last = reading if holding is None else holding
        if holding is None or holding.status != "judged":
            return found | {"status": last.status, "why": last.why}
        truth = self._truths[question.scene_id]
        scope, unsure = self._scope(row), holding.unsure
        sums = tally(reading.claims, holding.matches, truth, scope, unsure)
        return found | {
            "status": "judged",
            "unsure_features": [*unsure],
            **dict(zip(_SUMS, sums.parts, strict=True)),
        }

    def _compared(self, names: Row, rounds: Rounds | None) -> Row:
        scene = {"scene_id": self._questions[names["question_id"]].scene_id}
        if rounds is None:
            return names | scene | {"status": "unanswered", "why": "there is no answer"}
        found = names | scene | {"status": rounds.status, "why": rounds.why}
        if rounds.given is not None and rounds.swapped is not None:
            found["as_first"], found["reference_second"] = rounds.given
            found["as_second"], found["reference_first"] = rounds.swapped
            found["reasons"], found["reasons_swapped"] = rounds.reasons
        return found


#: Columns of the sums, in the order of :attr:`lvlmbench.scene.claims.Tally.parts`.
_SUMS = (
    "true_claims", "wrong_claims", "covered", "owed", "false_denials", "unverifiable", "unsure",
)  # fmt: skip


def _said(row: Row) -> tuple[str, str]:
    return row["question_id"], row["text"]


def _claim_row(claim: Claim) -> Row:
    row = asdict(claim)
    row["claim"] = row.pop("number")
    return row


def _judged(
    judge: Judge, answers: Sequence[Answer]
) -> tuple[dict[str, Reading], dict[str, Holding]]:
    """What a judge reads in answers and what it makes of it, by the answers' keys.

    Raises
    ------
    ValueError
        The judge has left out or added a match, or names what is not there: a defect of it.
    """
    readings = {answer.key: reading for answer, reading in judge.read(answers)}
    read = [
        (replace(answer, unread=readings[answer.key].unread), readings[answer.key].claims)
        for answer in answers
        if readings[answer.key].status == "judged"
    ]
    holdings = {}
    for answer, holding in judge.hold(read):
        if holding.status == "judged":
            check(readings[answer.key].claims, holding.matches, answer.truth)
        holdings[answer.key] = holding
    return readings, holdings


def check(claims: Sequence[Claim], matches: Sequence[Match], truth: Truth) -> None:
    """Raise ValueError unless each claim has one match, and each match names what is there."""
    numbers = [claim.number for claim in claims]
    if sorted(match.claim for match in matches) != numbers or numbers != list(range(len(numbers))):
        raise ValueError("a judge gives each claim one match")
    known = {feature.feature for feature in truth.features}
    for match in matches:
        if match.feature is not None and match.feature not in known:
            raise ValueError(f"a judge names the feature '{match.feature}', which is not there")


def as_annotated(claims: Sequence[Claim], holding: Holding, truth: Truth, scope: Scope) -> Holding:
    """Return what became of claims where people have listed what counts (VALOR-Eval, section 4).

    What the annotation of a photograph is silent on, within what the answer is to speak of, is
    hallucinated; of other pictures nothing changes.
    """
    if not truth.annotated:
        return holding
    made_up = {claim.number for claim in claims if scope.holds(claim) and not claim.negated}
    matches = tuple(
        replace(match, verdict="hallucinated", how="closed_world")
        if match.verdict == "unverifiable" and match.claim in made_up
        else match
        for match in holding.matches
    )
    return replace(holding, matches=matches)


def windows(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    """Yield rows in lists of ``size``, the last one of fewer."""
    held: list[Row] = []
    for row in rows:
        held.append(row)
        if len(held) == size:
            yield held
            held = []
    if held:
        yield held
