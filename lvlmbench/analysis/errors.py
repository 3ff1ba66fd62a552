"""Why answers are wrong: what a question needs is not seen, or it is and the answer is wrong still.

Each question has atomic checks, closed questions about the single facts that its answer rests on
(AutoDavis, appendix R). A wrong answer of a model that gets one of them wrong is an error of
comprehension, of one that gets all right an error of reasoning; where one could not be scored and
none is wrong, it is undecided. A right answer beside a wrong check is a lucky one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from lvlmbench import tables
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.scene.asking import Key
from lvlmbench.scene.levels import LEVELS
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.ratios import share

Verdict: TypeAlias = Literal["missed", "seen", "undecided"]


@dataclass(frozen=True)
class Check:
    """An atomic check: the kind of what it is about, and the accuracy of guessing it."""

    check_id: str
    element: str
    chance: float


@dataclass(frozen=True)
class Checked:
    """A question that was asked, with its checks."""

    question_id: str
    scene_id: str
    request: str
    level: str | None
    checks: list[Check] = field(default_factory=list)

    @property
    def chance(self) -> float:
        """How likely a guesser gets all checks right."""
        return math.prod(check.chance for check in self.checks)


@dataclass(frozen=True)
class Line:
    """A model's answers to some questions.

    Attributes
    ----------
    part
        What questions these are: all, of a level or of a request.
    comprehension, reasoning, undecided
        Shares of the wrong answers.
    lucky
        Share with a wrong check, of the right answers whose checks decide.
    """

    model: str
    part: str
    comprehension: Estimate | None
    reasoning: Estimate | None
    undecided: Estimate | None
    lucky: Estimate | None


@dataclass(frozen=True)
class Errors:
    """All that is told; ``lines`` are over all questions, ``by_level`` and ``by_request`` of parts.

    Attributes
    ----------
    missed
        Model -> kind of element -> share of its scored checks that is wrong.
    questions, checks, without
        Questions with checks, their checks, and questions without.
    guessed
        Share of questions of which a guesser gets all checks right.
    """

    lines: list[Line]
    by_level: list[Line]
    by_request: list[Line]
    elements: list[str]
    missed: dict[str, dict[str, Estimate | None]]
    questions: int
    checks: int
    without: int
    guessed: float


#: Question or check -> whether the answer is right; those that were not scored are missing.
Right: TypeAlias = Mapping[str, bool]


def build(snapshot: Snapshot, leaderboard: Leaderboard) -> Errors | None:
    """Return why answers are wrong; None where no atomic checks were asked."""
    names = snapshot.params.scenarios.checking
    questions, without = _questions(snapshot, leaderboard) if names else ([], 0)
    if not questions:
        return None
    answers = {
        model: (_right(snapshot, model, snapshot.first_scenario), _right(snapshot, model, names[0]))
        for model in leaderboard.models
    }
    known = [name for name in LEVELS if any(q.level == name for q in questions)]
    levels = known + sorted({q.level for q in questions if q.level} - {*known})
    requests = sorted({q.request for q in questions})
    elements = sorted({check.element for q in questions for check in q.checks})
    return Errors(
        [line(m, "all", questions, *answers[m]) for m in answers],
        [
            line(m, name, [q for q in questions if q.level == name], *answers[m])
            for m in answers
            for name in levels
        ],
        [
            line(m, name, [q for q in questions if q.request == name], *answers[m])
            for m in answers
            for name in requests
        ],
        elements,
        {m: {e: missed(questions, e, answers[m][1]) for e in elements} for m in answers},
        len(questions),
        sum(len(q.checks) for q in questions),
        without,
        sum(q.chance for q in questions) / len(questions),
    )


def _questions(snapshot: Snapshot, leaderboard: Leaderboard) -> tuple[list[Checked], int]:
    """Questions that count, with their checks, and how many have none."""
    asked = snapshot.asked[snapshot.first_scenario]
    columns = ["question_id", "scene_id", "subtask", "level"]
    rows = snapshot.counted(asked, leaderboard.questions).select(columns).to_pylist()
    found = {row["question_id"]: Checked(*(row[name] for name in columns)) for row in rows}
    columns = ["question_id", "scene_id", "key", "chance"]
    for row in snapshot.checks.select(columns).to_pylist():
        key, element = tables.checked_by(row["key"])
        question = found.get(Key.read(key).question_id(row["scene_id"]))
        if question is not None:
            question.checks.append(Check(row["question_id"], element, row["chance"]))
    having = [question for question in found.values() if question.checks]
    return having, len(found) - len(having)


def _right(snapshot: Snapshot, model: str, scenario: str) -> Right:
    found: dict[str, bool] = {}
    columns = ["question_id", "correct"]
    for shard in snapshot.shards(tables.SCORES, columns, model=model, scenario=scenario):
        pairs = zip(*(shard[name].to_pylist() for name in columns), strict=True)
        found |= {key: correct for key, correct in pairs if correct is not None}
    return found


def verdict(checks: Sequence[Check], right: Right) -> Verdict:
    """Return what a model's answers to the checks of a question say of it."""
    said = [right.get(check.check_id) for check in checks]
    return "missed" if False in said else "undecided" if None in said else "seen"


def line(
    model: str, part: str, questions: Iterable[Checked], answers: Right, checks: Right
) -> Line:
    """Return a model's shares; answers that were not scored are neither right nor wrong."""
    wrong: list[tuple[str, Verdict]] = []
    right: list[tuple[str, Verdict]] = []
    for question in questions:
        answer = answers.get(question.question_id)
        if answer is not None:
            found = question.scene_id, verdict(question.checks, checks)
            (right if answer else wrong).append(found)
    decided = [each for each in right if each[1] != "undecided"]

    def part_of(answers: Sequence[tuple[str, Verdict]], name: Verdict) -> Estimate | None:
        return _share((scene, found == name) for scene, found in answers)

    causes = (part_of(wrong, "missed"), part_of(wrong, "seen"), part_of(wrong, "undecided"))
    return Line(model, part, *causes, part_of(decided, "missed"))


def missed(questions: Iterable[Checked], element: str, checks: Right) -> Estimate | None:
    """Return the share that is wrong of the scored checks about one kind of element."""
    return _share(
        (question.scene_id, not checks[check.check_id])
        for question in questions
        for check in question.checks
        if check.element == element and check.check_id in checks
    )


def _share(each: Iterable[tuple[str, bool]]) -> Estimate | None:
    """A share of answers, by scene."""
    scenes: dict[str, list[bool]] = defaultdict(list)
    for scene, hit in each:
        scenes[scene].append(hit)
    return share(_counts(scenes.values()))


def _counts(scenes: Iterable[Sequence[bool]]) -> Iterator[tuple[int, int]]:
    return ((sum(hits), len(hits)) for hits in scenes)
