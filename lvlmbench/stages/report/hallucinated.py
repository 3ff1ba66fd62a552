"""What free answers make up and leave out, as the report shows it: grids of numbers by judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from lvlmbench.analysis.hallucinated import ALL, Hallucination, Number
from lvlmbench.analysis.hallucination.association import SEEN, UNSEEN
from lvlmbench.analysis.hallucination.probes import NEGATIVES
from lvlmbench.analysis.labels import inline, plain
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import RANKS, Kind
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.scene.claims import KINDS
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import examined
from lvlmbench.stages.report.grids import Column, Grid, Row, grid
from lvlmbench.stages.report.robustness_words import signed


@dataclass(frozen=True)
class Error:
    """What the exam of judges says of one on claims of a kind, read from text, in percent: of the
    false ones those that it finds, of the true ones those that it calls false."""

    found: examined.Number | None
    alarms: examined.Number | None


@dataclass(frozen=True)
class Seen:
    """What one judge says.

    Attributes
    ----------
    finding
        Sentences.
    kinds, errors
        Wrong claims by kind, and the judge's own errors by the same columns.
    """

    judge: str
    finding: list[str]
    overall: Grid
    subsets: Grid
    kinds: Grid
    errors: list[Error | None]
    verbosity: Grid
    order: Grid
    effects: Grid
    statistics: Grid
    arms: Grid
    scenarios: Grid
    comparators: Grid
    probes: Grid
    released: Grid


#: What is said of a model that is not under test.
_WHO: dict[Kind, str] = {"reference": ", a reference model,", "guesser": ", which guesses,"}
_MAIN = (
    Column("Faithfulness ↑", "faithfulness"),
    Column("Coverage ↑", "coverage"),
    Column("F1 ↑", "f1"),
    Column("Claims an answer", "claims"),
)
_BESIDE = (
    Column("Answers without a wrong claim", "all_true"),
    Column("Answers that leave nothing out", "all_covered"),
    Column("Left undecided", "undecided"),
)
_ORDER = (
    Column("Numbers given that are right", "count_accuracy", "said"),
    Column("Numbers owed that are given", "count_accuracy", "owed"),
    Column("Longest part in order", "order_lis"),
    Column("Kendall's tau-b of the order", "order_tau", digits=2),
)
_COMPARATORS = (
    Column("CHAIR, objects ↓", "chair_i"),
    Column("CHAIR, answers ↓", "chair_s"),
    Column("AMBER CHAIR ↓", "amber_chair"),
    Column("AMBER Cover ↑", "amber_cover"),
    Column("AMBER Hal ↓", "amber_hal"),
    Column("AMBER Cog ↓", "amber_cog"),
    Column("Acc(F) ↑", "acc_f", "judge"),
    Column("Acc(F) of CHAIR", "acc_f", "chair"),
    Column("Acc(C) ↑", "acc_c", "judge"),
    Column("Acc(C) of CHAIR", "acc_c", "chair"),
)
_PROBES = (
    Column("Accuracy ↑", "pope_accuracy"),
    Column("Precision ↑", "pope_precision"),
    Column("Recall ↑", "pope_recall"),
    Column("F1 ↑", "pope_f1"),
    Column("Says yes", "pope_yes"),
)
_RELEASED = (
    Column("Faithfulness as released", "released_faithfulness"),
    Column("Coverage as released", "released_coverage"),
    Column("Faithfulness", "faithfulness"),
    Column("Coverage", "coverage"),
)
_EFFECT = Column("Effect, points", "associative_effect", signed=True)
#: What pictures of an arm show, of the thing that is claimed and what it goes with.
_ARMS = {
    UNSEEN: "Shown: something else",
    SEEN: "Shown: what it goes with",
    "typical": "Shown: both",
}
#: What probes ask for that is not there.
_NEGATIVES = dict(
    zip(NEGATIVES, ("Drawn at random", "What is frequent", "What goes with it"), strict=True)
)
_CHANGES = (
    Column("Faithfulness", "faithfulness"),
    Column("against clean, points", "faithfulness", signed=True),
    Column("Coverage", "coverage"),
    Column("against clean, points", "coverage", signed=True),
    Column("Claims an answer", "claims"),
)


def build(snapshot: Snapshot, board: Leaderboard) -> list[Seen]:
    """Return what each judge says of free answers; nothing where nobody has counted."""
    found = Hallucination(snapshot)
    exam = examined.build(snapshot) if found else None
    judges = {each.judge: each for each in exam.judges} if exam is not None else {}
    return [_Judge(found, name, snapshot, board).seen(judges.get(name)) for name in found.judges]


class _Judge:
    """The numbers of one judge."""

    def __init__(
        self, found: Hallucination, judge: str, snapshot: Snapshot, board: Leaderboard
    ) -> None:
        self._found, self._judge, self._board = found, judge, board
        self._first, self._curves = snapshot.first_scenario, snapshot.curves

        def place(model: str) -> tuple[int, float]:
            f1 = self._number(model, "f1")
            return self._rank(model), -(f1.value or 0.0) if f1 else 0.0

        self._models = sorted(found.models, key=place)

    def seen(self, exam: examined.Examined | None) -> Seen:
        """Return all of it."""
        subtasks = self._found.subtasks
        kinds = self._by_stratum("wrong", KINDS, plain)
        return Seen(
            judge=self._judge,
            finding=self._finding(),
            overall=self._by_model((*_MAIN, *_BESIDE)),
            subsets=self._of_subtasks((*_MAIN, *_BESIDE), subtasks),
            kinds=kinds,
            errors=[_error(exam, column.stratum) for column in kinds.columns],
            verbosity=self._by_stratum("faithfulness_at", (), _claims),
            order=self._by_model(_ORDER),
            effects=self._by_stratum("associated_claims", (*_ARMS,), _arm, _EFFECT),
            statistics=self._of_statistics(),
            arms=self._of_arms(),
            scenarios=self._in_scenarios(),
            comparators=self._by_model(_COMPARATORS),
            probes=self._of_probes(),
            released=self._of_subtasks(_RELEASED, subtasks, must="released_faithfulness"),
        )

    def _number(
        self,
        model: str,
        measure: str,
        subtask: str = ALL,
        stratum: str = ALL,
        scenario: str | None = None,
    ) -> Number | None:
        return self._found.number(
            self._judge, model, scenario or self._first, measure, subtask, stratum
        )

    def _row(self, model: str, about: str, numbers: Sequence[Number | None]) -> Row:
        return Row(model, self._board.kind(model), about, list(numbers))

    def _by_model(self, columns: Sequence[Column]) -> Grid:
        def row(model: str) -> Row:
            numbers = [self._number(model, c.measure, stratum=c.stratum) for c in columns]
            return self._row(model, "", numbers)

        return grid(columns, map(row, self._models))

    def _of_subtasks(
        self, columns: Sequence[Column], subtasks: Sequence[str], must: str = ""
    ) -> Grid:
        """One line a subtask and model; only those that have the measure ``must``."""

        def row(model: str, subtask: str) -> Row:
            numbers = [self._number(model, c.measure, subtask, c.stratum) for c in columns]
            return self._row(model, plain(subtask), numbers)

        pairs = ((subtask, model) for subtask in subtasks for model in self._models)
        return grid(
            columns,
            (row(m, s) for s, m in pairs if not must or self._number(m, must, s) is not None),
        )

    def _by_stratum(
        self,
        measure: str,
        order: Sequence[str],
        words: Callable[[str], str],
        *more: Column,
    ) -> Grid:
        """One column a stratum, those of ``order`` first and in that order, numbers by size; then
        ``more``."""
        strata = self._found.strata(self._judge, self._first, measure)
        known = {name: place for place, name in enumerate(order)}
        ranked = sorted(strata, key=lambda s: (known.get(s, len(known)), _size(s)))
        columns = [Column(words(each), measure, each) for each in ranked]
        return self._by_model([*columns, *more])

    def _of_statistics(self) -> Grid:
        """The associative effect by the statistic that chose what goes with what."""
        strata = self._found.strata(self._judge, self._first, _EFFECT.measure)
        columns = [
            Column(f"{plain(each).capitalize()}, points", _EFFECT.measure, each, signed=True)
            for each in strata
            if each != ALL
        ]
        return self._by_model(columns) if columns else grid(columns, ())

    def _of_arms(self) -> Grid:
        """One line an arm of designed scenes and a model."""
        arms = sorted({*self._found.arms.values()}, key=lambda a: ([*_ARMS, a].index(a), a))

        def row(model: str, arm: str) -> Row:
            found = [self._found.of_arm(self._judge, model, arm, c.measure) for c in _MAIN[:2]]
            return self._row(model, _arm(arm), found)

        return grid(_MAIN[:2], (row(m, arm) for arm in arms for m in self._models))

    def _of_probes(self) -> Grid:
        """Yes-or-no probes, which no judge judges."""
        strata = self._found.strata(ALL, self._first, "pope_accuracy")

        def row(model: str, stratum: str) -> Row:
            names = (model, self._first)
            numbers = [self._found.number(ALL, *names, c.measure, stratum=stratum) for c in _PROBES]
            return self._row(model, _NEGATIVES.get(stratum, stratum), numbers)

        return grid(_PROBES, (row(m, s) for s in strata for m in self._models))

    def _in_scenarios(self) -> Grid:
        if self._first != CLEAN:
            return grid(_CHANGES, ())
        hidden = (self._first, *self._curves)
        others = [name for name in self._found.scenarios if name not in hidden]
        return grid(_CHANGES, (self._changed(m, s) for s in others for m in self._models))

    def _changed(self, model: str, scenario: str) -> Row:
        numbers = [
            self._found.change(self._judge, model, scenario, c.measure)
            if c.signed
            else self._number(model, c.measure, scenario=scenario)
            for c in _CHANGES
        ]
        return self._row(model, plain(scenario), numbers)

    def _finding(self) -> list[str]:
        """What the best model makes up and leaves out, then where it does more of it."""
        known = [m for m in self._models if self._number(m, "f1") is not None]
        looking = [m for m in known if self._board.kind(m) != "guesser"]
        best = next(iter(looking or known), None)
        if best is None:
            return ["No answer that could be judged says anything of a picture."]
        true, covered = self._number(best, "faithfulness"), self._number(best, "coverage")
        told = [] if true is None else [f"makes up {self._rest(true, 'what it says')}"]
        left = "what it should say"
        told += [] if covered is None else [f"leaves out {self._rest(covered, left)}"]
        what = _WHO.get(self._board.kind(best), "")
        found = [f"{best}{what} {' and '.join(told)}."]
        f1, rivals = (
            self._number(best, "f1"),
            [m for m in looking if self._rank(m) == self._rank(best)],
        )
        if f1 is not None and f1.value is not None and len(rivals) > 1:
            who = "models under test" if best in looking and not what else "models like it"
            found.append(f"It has the highest F1 of the {len(rivals)} {who}: {f1.value:.1f}.")
        return [*found, *self._worst(best)]

    def _rest(self, number: Number, of: str) -> str:
        """What is not true of what is said, or not covered of what is owed."""
        if number.value is None:
            return f"an unknown part of {of}"
        subsets, ends = len(self._found.subtasks), ""
        if number.low is not None and number.high is not None:
            ends = f"95 % interval {100 - number.high:.1f} to {100 - number.low:.1f}, "
        mean = f"mean of {subsets} subsets, " if subsets > 1 else ""
        return f"{100 - number.value:.1f} % of {of} ({mean}{ends}n {number.n:,})"

    def _rank(self, model: str) -> int:
        return RANKS[self._board.kind(model)]

    def _worst(self, model: str) -> Iterable[str]:
        """Under which other condition it is surely less faithful."""
        if self._first != CLEAN:
            return
        changes = [
            (change.value, scenario, change)
            for scenario in self._found.scenarios
            if scenario not in (self._first, *self._curves)
            and (change := self._found.change(self._judge, model, scenario, "faithfulness"))
            and change.value is not None
            and change.high is not None
            and change.high < 0
        ]
        if changes:
            value, scenario, change = min(changes, key=lambda each: each[:2])
            ends = f"{signed(change.low or 0.0)} to {signed(change.high or 0.0)}"
            yield (
                f"Its faithfulness falls most under {inline(scenario)}: by "
                f"{-value:.1f} points (95 % interval {ends}, {change.n:,} scenes)."
            )


def _claims(stratum: str) -> str:
    return f"{stratum} claim{'' if stratum == '1' else 's'}"


def _arm(stratum: str) -> str:
    return _ARMS.get(stratum, f"{plain(stratum)} pictures")


def _size(stratum: str) -> tuple[int, float]:
    """The number that a stratum begins with; words keep their order, behind ``all``."""
    head = stratum.partition("-")[0].rstrip("+")
    if head.isdecimal():
        return 1, float(head)
    return int(stratum != ALL), 0.0


def _error(exam: examined.Examined | None, kind: str) -> Error | None:
    lines = [] if exam is None else exam.kinds.get(examined.FROM_TEXT, [])
    found = next((line for line in lines if line.words == kind), None)
    if found is None:
        return None
    sensitivity, specificity, _ = found.numbers
    return Error(sensitivity, None if specificity is None else specificity.rest())
