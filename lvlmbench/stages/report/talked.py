"""Answers beside references, as the report shows them (TouchStone): scores by ability and task,
ranking, places, judges side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

from lvlmbench.analysis.dialogue.numbers import COMMON
from lvlmbench.analysis.dialogue.ranking import REFERENCE
from lvlmbench.analysis.dialogue.results import PEOPLE, Results
from lvlmbench.analysis.hallucinated import ALL, Number
from lvlmbench.analysis.labels import plain
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import RANKS
from lvlmbench.config.headline import headline_of
from lvlmbench.core.amounts import amount
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.grids import Column, Grid, Row, grid
from lvlmbench.suites.dialogue import ABILITIES, TASKS, Task

_MAIN = (
    Column("Score ↑", "score"),
    Column("On common questions ↑", COMMON),
    Column("Of the references", "reference"),
    Column("Relative ↑", "relative"),
    Column("Better", "win"),
    Column("Tied", "tie"),
    Column("Worse", "loss"),
    Column("Hallucination ↓", "hallucination"),
    Column("Counted exactly ↓", "exact_hallucination"),
)
_RANKING = (
    Column("Rank", "rank"),
    Column("Strength", "strength", digits=2),
    Column("Wins, ties as half", "win_rate"),
)
_POSITION = (
    Column("Worth of the first place", "bias", digits=2, signed=True),
    Column("Pairs whose winner changes with the order", "flips"),
)
_AGREEMENT = (
    Column("Same verdict", "agreement"),
    Column("Cohen's kappa", "kappa", digits=2),
    Column("Krippendorff's alpha", "alpha", digits=2),
)
_CONDITIONS = (*_MAIN[:4], *_MAIN[7:])
#: How the references are called among the models.
REFERENCES = "the references"


@dataclass(frozen=True)
class TaskLine:
    """A task of the paper: how many questions of it were asked, and what each model scores.

    Attributes
    ----------
    numbers
        In the order of the models; none where ``why_not`` says why there is no score.
    """

    task: Task
    asked: int
    numbers: list[Number | None]
    why_not: str

    @property
    def unjudged(self) -> tuple[int, int]:
        """Return how many answers have no score, of how many, over the models."""
        known = [number for number in self.numbers if number is not None]
        return sum(number.unjudged for number in known), sum(number.answers for number in known)


@dataclass(frozen=True)
class Talked:
    """What one judge says.

    Attributes
    ----------
    finding
        Sentences.
    models
        Columns of ``tasks``, whose lines stand by ability.
    swapped
        Whether the order of two answers has changed what one of them gets.
    """

    judge: str
    finding: list[str]
    overall: Grid
    abilities: Grid
    models: list[str]
    tasks: dict[str, list[TaskLine]]
    swapped: bool
    ranking: Grid
    position: Grid
    conditions: Grid


@dataclass(frozen=True)
class Sides:
    """Judges side by side: what each scores, and how far they agree, with one another and with
    people."""

    scores: Grid
    agreement: Grid

    def __bool__(self) -> bool:
        """Return whether there is something to compare."""
        return bool(self.scores or self.agreement)


def build(snapshot: Snapshot, board: Leaderboard) -> tuple[list[Talked], Sides | None]:
    """Return what each judge says of answers beside references, and how the judges differ.

    Nothing where nobody has compared.
    """
    found = Results(snapshot)
    if not found:
        return [], None
    subtasks = Counter(snapshot.asked[snapshot.first_scenario]["subtask"].to_pylist())
    seen = [_Judge(found, name, snapshot, board).seen(subtasks) for name in found.judges]
    return seen, _sides(found, snapshot.first_scenario, board)


class _Judge:
    """The numbers of one judge."""

    def __init__(self, found: Results, judge: str, snapshot: Snapshot, board: Leaderboard) -> None:
        self._found, self._judge, self._board = found, judge, board
        self._first, self._curves = snapshot.first_scenario, snapshot.curves
        self._models = in_order(found, judge, self._first, board)
        self._given = snapshot.given
        self._floored = [f"{each}." for each in floored(snapshot, found, judge)]

    def seen(self, subtasks: Counter[str]) -> Talked:
        """Return all of it; ``subtasks`` are those of the questions that were asked."""
        tasks = {ability: self._of_ability(ability, subtasks) for ability in ABILITIES}
        columns = [Column(words, "score", ability) for ability, words in ABILITIES.items()]
        ranked = sorted([*self._models, REFERENCE], key=self._place)
        return Talked(
            judge=self._judge,
            finding=[*self._finding(), *_unscored(tasks), *self._floored],
            overall=self._grid(_MAIN),
            abilities=self._grid(columns),
            models=self._models,
            tasks=tasks,
            swapped=any(
                _value(self._number(model, column.measure))
                for model in self._models
                for column in _POSITION
            ),
            ranking=grid(_RANKING, (self._row(model, _RANKING) for model in ranked)),
            position=self._grid(_POSITION),
            conditions=self._in_conditions(),
        )

    def _number(self, model: str, measure: str, stratum: str = ALL) -> Number | None:
        return self._found.number(self._judge, model, self._first, measure, stratum)

    def _row(self, model: str, columns: Sequence[Column]) -> Row:
        numbers = [self._number(model, c.measure, c.stratum) for c in columns]
        if model == REFERENCE:
            return Row(REFERENCES, "floor", "", numbers)
        return Row(model, self._board.kind(model), "", numbers)

    def _grid(self, columns: Sequence[Column]) -> Grid:
        return _grid(columns, (self._row(model, columns) for model in self._models))

    def _place(self, model: str) -> tuple[float, float]:
        """Where a model stands in the ranking; those that are in none are last."""
        rank, strength = (self._number(model, name) for name in ("rank", "strength"))
        return (
            rank.value if rank is not None and rank.value is not None else len(self._models) + 2,
            -(strength.value or 0.0) if strength is not None else 0.0,
        )

    def _of_ability(self, ability: str, subtasks: Counter[str]) -> list[TaskLine]:
        return [
            self._line(name, task, subtasks[name])
            for name, task in TASKS.items()
            if task.ability == ability
        ]

    def _line(self, name: str, task: Task, asked: int) -> TaskLine:
        numbers = [self._number(model, "score", name) for model in self._models]
        if any(number is not None and number.value is not None for number in numbers):
            return TaskLine(task, asked, numbers, "")
        return TaskLine(task, asked, numbers, _why_not(task, asked, self._given))

    def _in_conditions(self) -> Grid:
        hidden = (self._first, *self._curves)
        others = [name for name in self._found.scenarios if name not in hidden]

        def row(model: str, scenario: str) -> Row:
            numbers = [
                self._found.number(self._judge, model, scenario, c.measure) for c in _CONDITIONS
            ]
            return Row(model, self._board.kind(model), plain(scenario), numbers)

        return _grid(_CONDITIONS, (row(m, s) for s in others for m in self._models))

    def _finding(self) -> Iterable[str]:
        """What is said of the best model, of missing answers, and of the places."""
        scored = [m for m in self._models if _value(self._number(m, "score")) is not None]
        if not scored:
            yield f"{self._judge} has scored no answer."
            return
        best = scored[0]
        kind = self._board.kind(best)
        who = {"guesser": ", which guesses,", "reference": ", a reference model,"}.get(kind, "")
        yield from self._best(best, who, any(self._apart(model) for model in scored))
        yield from self._missing(best)
        bias = self._number(best, "bias")
        if bias is not None and bias.low is not None and bias.low > 0:
            yield (
                f"{self._judge} gives whoever stands first {_told(bias, 2)} points of 10 more; "
                "both orders together take this out."
            )

    def _apart(self, model: str) -> bool:
        """Whether a model has scores for questions that others have none for."""
        score, common = self._number(model, "score"), self._number(model, COMMON)
        return common is not None and _value(score) != common.value

    def _best(self, best: str, who: str, apart: bool) -> Iterable[str]:
        """What the best model scores, on common questions where models have others, too."""
        score, common = self._number(best, "score"), self._number(best, COMMON)
        strength, relative = self._number(best, "strength"), self._number(best, "relative")
        if apart and common is not None and common.value is not None:
            of_them = f"Of the {common.n:,} questions that every model has a score for"
            yield f"{of_them}, {best}{who} scores {_told(common, 0)} of 1,000."
        elif apart and strength is not None and strength.value is not None:
            told = _told(strength, 2)
            yield f"{best}{who} is the strongest: {told}; no question is common to all."
        elif score is not None:
            of = ""
            if relative is not None and relative.value is not None:
                of = f", {relative.value:.1f} % of what the references score"
            yield f"{best}{who} scores {_told(score, 0)} of 1,000{of}."

    def _missing(self, best: str) -> Iterable[str]:
        """How many answers have no score, of the best model and of all."""
        numbers = [self._number(model, "score") for model in (best, *self._models)]
        own, *every = [(n.unjudged, n.answers) if n is not None else (0, 0) for n in numbers]
        if any(missing for missing, _ in every):
            missing, of = (sum(column) for column in zip(*every, strict=True))
            yield (
                f"{own[0]:,} of its {own[1]:,} answers have no score, {missing:,} of {of:,} of all "
                "models."
            )


def in_order(found: Results, judge: str, scenario: str, board: Leaderboard) -> list[str]:
    """Return the models from the best on, by score on common questions, by strength where there are
    none; those under test first, those that guess last."""

    def place(model: str) -> tuple[int, bool, float]:
        numbers = [found.number(judge, model, scenario, m) for m in (COMMON, "strength")]
        value = next((value for each in numbers if (value := _value(each)) is not None), None)
        return RANKS[board.kind(model)], value is None, -(value or 0.0)

    return sorted(found.models, key=place)


def _value(number: Number | None) -> float | None:
    return None if number is None else number.value


def _grid(columns: Sequence[Column], rows: Iterable[Row]) -> Grid:
    """A table; scores on common questions are in it where some differ from the others."""
    rows, names = [*rows], [column.measure for column in columns]
    if {"score", COMMON} <= {*names}:
        at, other = names.index(COMMON), names.index("score")
        if all(_value(row.numbers[at]) == _value(row.numbers[other]) for row in rows):
            columns = [column for column in columns if column.measure != COMMON]
            rows = [replace(r, numbers=r.numbers[:at] + r.numbers[at + 1 :]) for r in rows]
    return grid(columns, rows)


def _told(number: Number, digits: int) -> str:
    ends = ""
    if number.low is not None and number.high is not None:
        ends = f"95 % interval {number.low:,.{digits}f} to {number.high:,.{digits}f}, "
    return f"{number.value:,.{digits}f} ({ends}n {number.n:,})"


#: Why a task has no score, and how that is told of several.
_NOT_DRAWN, _NOT_ASKED = "not drawn: no scene shows it", "not asked"
_TASTE, _FAILED = "needs an LLM judge", "not judged"
_OF_SEVERAL = {
    _NOT_DRAWN: "{} not drawn", _NOT_ASKED: "{} not asked", _TASTE: "{} for an LLM judge alone",
    _FAILED: "{} not judged",
}  # fmt: skip


def _why_not(task: Task, asked: int, given: bool) -> str:
    if not asked:
        return _NOT_DRAWN if task.decided == "not drawn" and not given else _NOT_ASKED
    return _TASTE if task.decided == "taste" else _FAILED


def _unscored(tasks: dict[str, list[TaskLine]]) -> Iterable[str]:
    """How many tasks have no score, and why."""
    every = [line for lines in tasks.values() for line in lines]
    why = Counter(line.why_not for line in every if line.why_not)
    if why:
        told = ", ".join(_OF_SEVERAL[words].format(n) for words, n in why.most_common())
        yield f"{why.total()} of the {len(every)} tasks have no score: {told}."


def floored(snapshot: Snapshot, found: Results, judge: str) -> Iterable[str]:
    """Yield in how many tasks no model has more than the least score there is, if there are any."""
    least, best = headline_of(snapshot.params).least, dict[str, float]()
    for name, model in product(TASKS, found.models):
        value = _value(found.number(judge, model, snapshot.first_scenario, "score", name))
        if value is not None:
            best[name] = max(value, best.get(name, least))
    floor = [TASKS[name].label for name, value in best.items() if value <= least]
    if floor:
        which = f"{len(floor)} of the {amount(len(best), 'scored task')} ({', '.join(floor)})"
        yield f"In {which} no model here answers anything: each has {least:.0f}, the least there is"


def _sides(found: Results, scenario: str, board: Leaderboard) -> Sides:
    columns = [Column(judge, "score") for judge in found.judges]
    rows = [
        Row(model, board.kind(model), "",
            [found.number(judge, model, scenario, "score") for judge in found.judges])
        for model in in_order(found, found.judges[0], scenario, board)
    ]  # fmt: skip
    scores = grid(columns, rows if len(columns) > 1 else ())
    return Sides(scores, grid(_AGREEMENT, _agreement(found, scenario, board)))


def _agreement(found: Results, scenario: str, board: Leaderboard) -> Iterable[Row]:
    """One line two judges, or a judge and people, and whose answers they are."""
    told: set[tuple[frozenset[str], str]] = set()
    for judge in found.judges:
        for beside in found.besides(judge, scenario, _AGREEMENT[0].measure):
            for model in (ALL, *found.models):
                key = (frozenset((judge, beside)), model)
                if key in told:
                    continue
                told.add(key)
                numbers = [
                    found.number(judge, model, scenario, c.measure, ALL, beside) for c in _AGREEMENT
                ]
                who = "people" if beside == PEOPLE else beside
                kind = "floor" if model == ALL else board.kind(model)
                name = "all models" if model == ALL else model
                yield Row(name, kind, f"{judge} and {who}", numbers)
