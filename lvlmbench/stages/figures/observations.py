"""What Dysca observes of its models (sections 4.1 to 4.3), computed again for a run and for what
the paper prints.

Each row is what the paper says, and numbers; where there are too few models, how many there are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, median

import numpy as np

from lvlmbench.analysis import controls, tasks
from lvlmbench.analysis.comparisons import Comparison, Verdict, probability
from lvlmbench.analysis.labels import inline, plain
from lvlmbench.analysis.leaderboard import ALL, Leaderboard
from lvlmbench.analysis.robustness import conditions
from lvlmbench.core.seeding import generator
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures.subjects import Above, Subject, family, lineage, own_subjects
from lvlmbench.stages.figures.tabular import signed
from lvlmbench.stages.validity.ranks import FEWEST, associations

#: What the paper calls tasks about people.
_PEOPLE = ("race", "age", "gender")
_ENDS = 2
#: Encoders of which a pair is told, and models that are below guessing.
_ENCODERS, _LOWEST = 3, 3
#: Names of what is left out.
_NAMED = 4
#: Points by which the paper says that corruption changes a score at most.
_POINT = 1.0


@dataclass(frozen=True)
class Observation:
    """A statement of the paper at a place, and what the numbers of a run give."""

    place: str
    says: str
    found: str
    n: int


def _few(n: int, least: int, what: str = "models") -> str | None:
    return f"not enough {what} (n = {n})" if n < least else None


@dataclass(frozen=True)
class _Pair:
    """A model over another one in clean by so many points; ``test`` is their paired test, where
    there is one."""

    over: Subject
    under: Subject
    points: float
    test: Comparison | None

    @property
    def turned(self) -> _Pair:
        """Return the pair seen from the other model."""
        test = None if self.test is None else self.test.reversed
        return _Pair(self.under, self.over, 0.0 - self.points, test)

    @property
    def told(self) -> str:
        """Return the pair as readers see it, with interval and p where it was tested."""
        text = f"{self.over.called} over {self.under.called} {signed(self.points, 2)}"
        if self.test is None or self.test.low is None or self.test.high is None:
            return text
        ends = f"{signed(self.test.low, 2)} to {signed(self.test.high, 2)}"
        return f"{text} ({ends}, {probability(self.test.p_holm)})"


def _alike(subjects: Sequence[Subject]) -> Iterator[_Pair]:
    """Pairs behind one visual encoder with known language models; without those that were tested
    and answered too little in common."""
    for one, two in combinations(subjects, 2):
        known = one.visual_encoder and one.language_model and two.language_model
        if not known or one.visual_encoder != two.visual_encoder:
            continue
        test = one.against.get(two.model)
        points = one.clean - two.clean if test is None else test.difference
        if points is not None:
            yield _Pair(one, two, round(points, 2), test)


def _verdicts(pairs: Sequence[_Pair]) -> list[Verdict]:
    return [pair.test.verdict for pair in pairs if pair.test is not None]


def _larger(subjects: Sequence[Subject]) -> Observation:
    """Section 4.2 (1): pairs of one model's encoder and one family of language models."""
    says = "with the same visual encoder, a larger language model does better"
    pairs = []
    for pair in _alike(subjects):
        sizes = family(pair.over.language_model), family(pair.under.language_model)
        if pair.over.built != pair.under.built or sizes[0] is None or sizes[1] is None:
            continue
        if sizes[0][0] == sizes[1][0] and sizes[0][1] != sizes[1][1]:
            pairs.append(pair if sizes[0][1] > sizes[1][1] else pair.turned)
    gains = [pair.points for pair in pairs]
    n = len(gains)
    better = sum(gain > 0 for gain in gains)
    found = _few(n, 1, "pairs") or (
        f"better in {better} of {n} pairs, by {signed(min(gains), 2)} to {signed(max(gains), 2)} "
        f"points, median {signed(median(gains), 2)}"
    )
    if shown := _verdicts(pairs):
        found += f"; shown to be better in {shown.count('better')}, worse in "
        found += f"{shown.count('worse')} of {len(shown)} (Holm, 5%)"
    return Observation("4.2 (1)", says, found, n)


def _other_family(subjects: Sequence[Subject]) -> Observation:
    """Section 4.2 (1): pairs of one encoder and two families of language models.

    Which family is the more capable one nobody says: of each pair the better model is told, and of
    each encoder the pair that is furthest apart.
    """
    says = (
        "with the same visual encoder, a more capable language model of another family does better"
    )
    pairs = [
        pair if pair.points >= 0 else pair.turned
        for pair in _alike(subjects)
        if lineage(pair.over.language_model) != lineage(pair.under.language_model)
    ]
    pairs.sort(key=lambda pair: -pair.points)
    furthest: dict[str, _Pair] = {}
    for pair in pairs:
        furthest.setdefault(pair.over.visual_encoder, pair)
    n, gaps = len(pairs), [pair.points for pair in pairs]
    if found := _few(n, 1, "pairs"):
        return Observation("4.2 (1)", says, found, n)
    found = f"the two differ by {gaps[-1]:.2f} to {gaps[0]:.2f} points, median {median(gaps):.2f}"
    if shown := _verdicts(pairs):
        apart = sum(verdict in ("better", "worse") for verdict in shown)
        found += f"; told apart in {apart} of {len(shown)} (Holm, 5%)"
    told = "; ".join(pair.told for pair in list(furthest.values())[:_ENCODERS])
    return Observation("4.2 (1)", says, f"{found}; most behind each encoder: {told}", n)


def _span(values: Sequence[float]) -> str:
    return f"{signed(min(values), 2)} to {signed(max(values), 2)}"


def _relative(name: str, subjects: Sequence[Subject]) -> str:
    """The most and the least robust model, by the change in percent of the clean score on the same
    questions; the paper prints one over all questions alone."""
    of_clean = [(s, s.before.get(name, s.clean)) for s in subjects]
    shares = [(100 * s.changes[name] / clean, s.model) for s, clean in of_clean if clean > 0]
    if not shares:
        return "no clean score is above 0"
    best, worst = max(shares), min(shares)
    return (
        f"of the clean score {signed(best[0], 1)}% ({best[1]}) to {signed(worst[0], 1)}% "
        f"({worst[1]})"
    )


def _changes(subjects: Sequence[Subject]) -> Iterator[Observation]:
    """Section 4.2 (2): what each scenario costs."""
    says = "corruption changes each score by less than 1, attacks cost each model more"
    names = list(dict.fromkeys(name for subject in subjects for name in subject.changes))
    for name in names:
        given = [(s, round(s.changes[name], 2)) for s in subjects if name in s.changes]
        changes = [change for _, change in given]
        large = sum(abs(change) >= _POINT for change in changes)
        lost = sum(change < 0 for change in changes)
        found = (
            f"{plain(name)}: {_span(changes)} points; {large} of {len(changes)} change by 1 or "
            f"more, {lost} lose; {_relative(name, [s for s, _ in given])}"
        )
        yield Observation("4.2 (2)", says, found, len(changes))
        eyes = {s.visual_encoder for s, _ in given if name in s.attacked and s.visual_encoder}
        if not eyes and not any(name in s.attacked for s, _ in given):
            continue
        shared = [c for s, c in given if s.visual_encoder in eyes or name in s.attacked]
        others = [c for s, c in given if not (s.visual_encoder in eyes or name in s.attacked)]
        told = [f"with the attacked encoder {_span(shared)} points (n = {len(shared)})"]
        told += [f"others {_span(others)} (n = {len(others)})"] if others else ["no others"]
        says_shared = "models with the attacked encoder lose much, others 1 to 5 %"
        yield Observation("4.2 (2)", says_shared, f"{plain(name)}: {', '.join(told)}", len(given))


def _guessing(subjects: Sequence[Subject]) -> Iterator[Observation]:
    """Section 4.2 (2): who is worse than guessing in a noisy scenario.

    The paper prints totals alone: there the score without the image stands for guessing.
    """
    says = "under attack some models do worse than guessing"
    for name in dict.fromkeys(name for subject in subjects for name in subject.guessed):
        known = [(s, kind, a) for s in subjects for kind, a in s.guessed.get(name, {}).items()]
        if not known:
            continue
        below = sorted((each for each in known if each[2].points < 0), key=lambda e: e[2].points)
        found = f"{plain(name)}: {len(below)} of {len(known)} below "
        if all(kind == ALL for _, kind, _ in known):
            found += "their own score without the image"
        else:
            below = [each for each in below if each[2].high is not None and each[2].high < 0]
            found += f"guessing, by model and type; {len(below)} with the 95% interval below 0"
        told = ", ".join(_below(*each) for each in below[:_LOWEST])
        yield Observation(
            "4.2 (2)", says, found + (f"; lowest: {told}" if told else ""), len(known)
        )


def _below(subject: Subject, kind: str, above: Above) -> str:
    text = subject.model if kind == ALL else f"{subject.model} in {inline(kind)}"
    text += f" {signed(above.points, 1)}"
    if above.low is None or above.high is None:
        return text
    return f"{text} ({signed(above.low, 1)} to {signed(above.high, 1)})"


def _sensitivity(subjects: Sequence[Subject], seed: int, samples: int) -> Iterator[Observation]:
    """Section 4.2 (3): SQ and SC against the clean score, and SQ within a family."""
    get: dict[str, Callable[[Subject], float | None]] = {"SQ": lambda s: s.sq, "SC": lambda s: s.sc}
    for name, of in get.items():
        pairs = [(s.clean, value) for s in subjects if (value := of(s)) is not None]
        says = f"a better model is not less sensitive: {name} does not follow the clean score"
        random = generator(seed, "figures/observations", name)
        columns = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
        made = associations(columns[0], columns[1], random, samples)
        found = _few(len(pairs), FEWEST)
        if made is not None:
            rho = made[0]
            found = (
                f"Spearman's rho of {name} and clean {signed(rho.value, 2)}, 95% interval "
                f"{signed(rho.low, 2)} to {signed(rho.high, 2)}, {probability(rho.p)}"
            )
        yield Observation("4.2 (3)", says, found or "all values are equal", len(pairs))
    known = [(f[0], s.sq) for s in subjects if (f := family(s.language_model)) and s.sq is not None]
    gaps: dict[bool, list[float]] = {True: [], False: []}
    for (a, x), (b, y) in combinations(known, 2):
        gaps[a == b].append(abs(math.sqrt(x) - math.sqrt(y)))
    found = _few(len(gaps[True]), 1, "pairs of one family")
    if found is None:
        found = f"median difference of the root of SQ {median(gaps[True]):.1f} in a family"
        found += f", {median(gaps[False]):.1f} across" if gaps[False] else ""
    says = "models of one language model have similar SQ"
    yield Observation("4.2 (3)", says, found, len(known))


def common(subjects: Sequence[Subject], seed: int, samples: int) -> list[Observation]:
    """Return what can be said of a run and of the paper's Table 3 alike."""
    if not subjects:
        return []
    top = max(subjects, key=lambda s: s.clean)
    best = f"{top.model} {top.clean:.2f}, n = {len(subjects)}"
    first = Observation("4.1", "all scores are below 85", f"best: {best}", len(subjects))
    return [
        first, _larger(subjects), _other_family(subjects), *_changes(subjects),
        *_guessing(subjects), *_sensitivity(subjects, seed, samples),
    ]  # fmt: skip


def _blind(snapshot: Snapshot, leaderboard: Leaderboard) -> Iterator[Observation]:
    """Section 4.1: without an image, models do as guessing does."""
    for condition in conditions(snapshot.params, leaderboard.scenarios):
        if not condition.control:
            continue
        told, apart = [], 0
        for control in controls.controls(leaderboard, condition.name):
            for guess in control.guesses.values():
                if control.kind != "guesser" and guess.above is not None:
                    apart += guess.like_guessing is False
                    value, low, high = guess.above.value, guess.above.low, guess.above.high
                    if value is not None and low is not None and high is not None:
                        told.append(f"{control.model} {signed(value, 1)} "
                                    f"({signed(low, 1)} to {signed(high, 1)})")  # fmt: skip
        found = _few(len(told), 1) or (
            f"{condition.label}: points above guessing by model and type, 95% interval: "
            f"{', '.join(told[:6])}; {apart} of {len(told)} apart from 0"
        )
        yield Observation("4.1", "without the image, models do as guessing does", found, len(told))


@dataclass(frozen=True)
class _Ends:
    """Groups by their mean accuracy above guessing, the worst first.

    The mean is over ``n`` models. A model counts if it has a value in more than half of the groups
    and more than half of its answers were scored; ``others`` are the models that do not count.
    ``rest`` are the groups in which one of the ``n`` models has no value.
    """

    order: list[tuple[str, float]]
    n: int
    others: list[str]
    rest: list[str]

    @property
    def left_out(self) -> str:
        """Return what the means leave out, for readers; empty where it is nothing."""
        out = ""
        if self.others:
            out += f"; left out, with too few scored answers: {_some(self.others)}"
        if self.rest:
            rest = _some(list(map(inline, self.rest)))
            out += f"; left out, as not each of these models has a value: {rest}"
        return out


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _ends(grid: tasks.Grid, models: Sequence[str]) -> _Ends:
    values = {m: {g: v for g in grid.groups if (v := grid.value(m, g)) is not None} for m in models}
    given = [m for m in models if 2 * len(values[m]) > len(grid.groups) and _mostly_scored(grid, m)]
    found, rest = [], []
    for group in grid.groups if given else ():
        if all(group in values[m] for m in given) and group in grid.chance:
            mean = fmean(values[m][group] for m in given)
            found.append((group, 100 * tasks.above_chance(mean, grid.chance[group])))
        else:
            rest.append(group)
    found.sort(key=lambda pair: (pair[1], pair[0]))
    return _Ends(found, len(given), [m for m in models if m not in given], rest)


def _mostly_scored(grid: tasks.Grid, model: str) -> bool:
    """Whether more of a model's answers were scored than not."""
    values = grid.values[model].values()
    return sum(value.n - value.n_unscored for value in values) > 0


def _listed(pairs: Sequence[tuple[str, float]]) -> str:
    return ", ".join(f"{inline(name)} {value:.1f}" for name, value in pairs)


def _by_task(snapshot: Snapshot, leaderboard: Leaderboard) -> Iterator[Observation]:
    """Section 4.3: the easiest and the hardest, people, and entries of one list."""
    models = [m for m in leaderboard.models if m not in leaderboard.guessers]
    scenario = snapshot.first_scenario
    if not models:
        return
    grid = tasks.by_column(snapshot, models, scenario, "subtask", snapshot.subtasks)
    ends = _ends(grid, models)
    order, scale = ends.order, "% of the way from guessing to all right"
    found = _few(len(order), 2, "subtasks") or (
        f"easiest {_listed(order[: -_ENDS - 1 : -1])}; hardest {_listed(order[:_ENDS])} ({scale})"
    )
    says = "landmarks and objects are easy, styles and movies hard"
    yield Observation("4.3", says, found + ends.left_out, ends.n)
    people = [value for name, value in order if name in _PEOPLE]
    rest = [value for name, value in order if name not in _PEOPLE]
    found = _few(min(len(people), len(rest)), 1, "subtasks about people") or (
        f"race, age and gender {fmean(people):.1f}, all others {fmean(rest):.1f} ({scale})"
    )
    says = "commercial models do poorly on race, age and gender"
    yield Observation("4.3", says, found + ends.left_out, ends.n)
    name = snapshot.params.figures.intra_task
    ends = _ends(tasks.by_entry(snapshot, models, scenario, name), models)
    entries = ends.order
    worst = f"worst {_listed(entries[:4])}"
    if entries and entries[0][1] == entries[-1][1]:
        worst = f"all {entries[0][1]:.1f}"
    found = _few(len(entries), 2, "entries") or f"{plain(name)}: {worst} ({scale})"
    says = "of animals, those of the sea are recognised worst"
    yield Observation("4.3", says, found + ends.left_out, ends.n)


def of_run(snapshot: Snapshot, leaderboard: Leaderboard) -> list[Observation]:
    """Return every observation for a run, in the order of the paper."""
    seed, samples = snapshot.params.snapshot.seed, snapshot.params.validity.resamples
    subjects = own_subjects(snapshot, leaderboard)
    found = [
        *_blind(snapshot, leaderboard), *common(subjects, seed, samples),
        *_by_task(snapshot, leaderboard),
    ]  # fmt: skip
    return found
