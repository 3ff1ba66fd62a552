"""What Dysca observes of its models (sections 4.1 to 4.3), computed again for a run and for what
the paper prints.

Each row is what the paper says, and numbers; where there are too few models, how many there are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, median

import numpy as np

from lvlmbench.analysis import controls, table3, tasks
from lvlmbench.analysis.labels import inline, plain
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.robustness import conditions
from lvlmbench.config import SUBTASKS
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.registry import kinds_of
from lvlmbench.core.seeding import generator
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures.published import Published
from lvlmbench.stages.figures.tabular import signed
from lvlmbench.stages.validity.ranks import FEWEST, associations

#: Size in the name of a language model: 7B, 13B, 1.5B.
_SIZE = re.compile(r"[-_ ]?(\d+(?:\.\d+)?)[bB]\b")
#: Sizes that have a word, in their order.
_WORDS = ("small", "base", "large", "xl", "xxl")
#: What the paper calls tasks about people.
_PEOPLE = ("race", "age", "gender")
_ENDS = 2
#: Points by which the paper says that corruption changes a score at most.
_POINT = 1.0


@dataclass(frozen=True)
class Subject:
    """A model with its numbers: ``changes`` of the score by noisy scenario, in points, ``attacked``
    the scenarios made with its encoder, ``built`` what models share that differ in their language
    model alone, where it is known."""

    model: str
    language_model: str
    visual_encoder: str
    clean: float
    changes: Mapping[str, float]
    sq: float | None
    sc: float | None
    attacked: Collection[str] = ()
    built: str = ""


@dataclass(frozen=True)
class Observation:
    """A statement of the paper at a place, and what the numbers of a run give."""

    place: str
    says: str
    found: str
    n: int


def own_subjects(snapshot: Snapshot, leaderboard: Leaderboard) -> list[Subject]:
    """Return the models of a run that look at pictures and have a clean total."""
    table = table3.build(snapshot, leaderboard)
    out = []
    for line in table.lines:
        shown = {
            measure.name: entry for measure, entry in zip(table.measures, line.entries, strict=True)
        }
        values = {
            n: e.value.value for n, e in shown.items() if e.value and e.value.value is not None
        }
        changes = {  # paired: a scenario may ask fewer questions than clean does
            n: e.test.difference
            for n, e in shown.items()
            if e.test and e.test.difference is not None
        }
        if line.kind != "guesser" and CLEAN in values:
            attacked = [name for name, entry in shown.items() if entry.white_box]
            out.append(
                Subject(
                    line.model, line.language_model, line.visual_encoder, values[CLEAN], changes,
                    values.get("sq"), values.get("sc"), attacked,
                )
            )  # fmt: skip
    return out


def printed_subjects(rows: Sequence[Published]) -> list[Subject]:
    """Return the models of the paper's Table 3."""
    out = []
    for row in rows:
        found = {k: row.difference(k) for k in row.scores}
        changes = {k: change for k, change in found.items() if change is not None}
        attacked = [k for k in changes if row.white_box and _attack(k)]
        name = f"{row.model} ({row.language_model})" if row.language_model else row.model
        out.append(
            Subject(
                name, row.language_model, row.visual_encoder, row.scores[CLEAN], changes, row.sq,
                row.sc, attacked, row.model,
            )
        )  # fmt: skip
    return out


def _attack(kind: str) -> bool:
    found = kinds_of("scenarios").find(kind)
    return found is not None and found.attack is not None


def family(language_model: str) -> tuple[str, float] | None:
    """Return (family, size) of a language model by its name; None where it tells no size.

    Vicuna-7B is ("vicuna", 7.0); Flan-T5-XL is smaller than Flan-T5-XXL.
    """
    found = _SIZE.search(language_model)
    if found is not None:
        rest = language_model[: found.start()] + language_model[found.end() :]
        return rest.strip("- ").casefold(), float(found.group(1))
    head, _, last = language_model.rpartition("-")
    if head and last.casefold() in _WORDS:
        return head.casefold(), float(_WORDS.index(last.casefold()))
    return None


def _few(n: int, least: int, what: str = "models") -> str | None:
    return f"not enough {what} (n = {n})" if n < least else None


def _larger(subjects: Sequence[Subject]) -> Observation:
    """Section 4.2 (1): pairs of one model's encoder and one family of language models."""
    says = "with the same visual encoder, a larger language model does better"
    gains = []
    for one, two in combinations(subjects, 2):
        sizes = family(one.language_model), family(two.language_model)
        alike = (one.built, one.visual_encoder) == (two.built, two.visual_encoder)
        if not one.visual_encoder or not alike or sizes[0] is None or sizes[1] is None:
            continue
        if sizes[0][0] == sizes[1][0] and sizes[0][1] != sizes[1][1]:
            more = round(two.clean - one.clean, 2)
            gains.append(more if sizes[1][1] > sizes[0][1] else -more)
    n = len(gains)
    better = sum(gain > 0 for gain in gains)
    found = _few(n, 1, "pairs") or (
        f"better in {better} of {n} pairs, by {signed(min(gains), 2)} to {signed(max(gains), 2)} "
        f"points, median {signed(median(gains), 2)}"
    )
    return Observation("4.2 (1)", says, found, n)


def _span(values: Sequence[float]) -> str:
    return f"{signed(min(values), 2)} to {signed(max(values), 2)}"


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
            f"more, {lost} lose"
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
                f"{signed(rho.low, 2)} to {signed(rho.high, 2)}, p {rho.p:.3f}"
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
    return [first, _larger(subjects), *_changes(subjects), *_sensitivity(subjects, seed, samples)]


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


def _ends(grid: tasks.Grid, models: Sequence[str]) -> list[tuple[str, float]]:
    """Groups by their mean accuracy above guessing over the models, the worst first."""
    found = []
    for group in grid.groups:
        values = [v for m in models if (v := grid.value(m, group)) is not None]
        if len(values) == len(models) and group in grid.chance:
            above = tasks.above_chance(fmean(values), grid.chance[group])
            found.append((group, 100 * above))
    return sorted(found, key=lambda pair: (pair[1], pair[0]))


def _listed(pairs: Sequence[tuple[str, float]]) -> str:
    return ", ".join(f"{inline(name)} {value:.1f}" for name, value in pairs)


def _by_task(snapshot: Snapshot, leaderboard: Leaderboard) -> Iterator[Observation]:
    """Section 4.3: the easiest and the hardest, people, and entries of one list."""
    models = [m for m in leaderboard.models if m not in leaderboard.guessers]
    n, scenario = len(models), snapshot.first_scenario
    if not models:
        return
    grid = tasks.by_column(snapshot, models, scenario, "subtask", list(SUBTASKS))
    order = _ends(grid, models)
    scale = "% of the way from guessing to all right"
    easy = order[: -_ENDS - 1 : -1]
    found = _few(len(order), 2, "subtasks") or (
        f"easiest {_listed(easy)}; hardest {_listed(order[:_ENDS])} ({scale})"
    )
    yield Observation("4.3", "landmarks and objects are easy, styles and movies hard", found, n)
    people = [value for name, value in order if name in _PEOPLE]
    rest = [value for name, value in order if name not in _PEOPLE]
    found = _few(min(len(people), len(rest)), 1, "subtasks about people") or (
        f"race, age and gender {fmean(people):.1f}, all others {fmean(rest):.1f} ({scale})"
    )
    yield Observation("4.3", "commercial models do poorly on race, age and gender", found, n)
    name = snapshot.params.figures.intra_task
    entries = _ends(tasks.by_entry(snapshot, models, scenario, name), models)
    worst = f"worst {_listed(entries[:4])}"
    if entries and entries[0][1] == entries[-1][1]:
        worst = f"all {entries[0][1]:.1f}"
    found = _few(len(entries), 2, "entries") or f"{plain(name)}: {worst} ({scale})"
    yield Observation("4.3", "of animals, those of the sea are recognised worst", found, n)


def of_run(snapshot: Snapshot, leaderboard: Leaderboard) -> list[Observation]:
    """Return every observation for a run, in the order of the paper."""
    seed, samples = snapshot.params.snapshot.seed, snapshot.params.validity.resamples
    subjects = own_subjects(snapshot, leaderboard)
    found = [
        *_blind(snapshot, leaderboard), *common(subjects, seed, samples),
        *_by_task(snapshot, leaderboard),
    ]  # fmt: skip
    return found
