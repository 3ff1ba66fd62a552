"""Our ranking held against those of other benchmarks (Dysca, section 4.4, table 4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import generator
from lvlmbench.scene.subtasks import subtask_order
from lvlmbench.stages.validity.files import COLUMNS
from lvlmbench.stages.validity.rankings import AND, Ranking, same_name
from lvlmbench.stages.validity.ranks import DECIMALS, F64, FEWEST, associations, average_ranks
from lvlmbench.stages.validity.totals import Cells
from lvlmbench.tables import QUESTION_TYPES

#: Values of the column ``basis``: the whole benchmarks, or the tasks that both ask.
WHOLE, TASKS = "whole", "tasks"
#: Measures of theirs that single tasks of ours have, too.
OF_TASKS = ("accuracy", "total")
#: Measure -> ``all`` and, where it is known of them, ``realistic`` images -> our models -> value.
Totals: TypeAlias = Mapping[str, Mapping[str, Mapping[str, float]]]

_Names: TypeAlias = list[tuple[str, str]]


def compared_names(params: Params, models: Sequence[str]) -> dict[str, str]:
    """Our model -> the name to look for in rankings, of the models that others may have ranked.

    Those that guess and reference models are none of them, unless
    ``validity.names`` has them. A name of theirs that it gives to one of ours is no other's.
    """
    named = params.validity.names
    given = {same_name(theirs) for theirs in named.values()}
    kinds = {model.name: model.made_by() for model in params.answer.models}

    def ranked(model: str) -> bool:
        kind = kinds.get(model)
        ours = kind is not None and (kind.guesses or kind.weights is not None)
        return not ours and same_name(model) not in given

    return {m: named.get(m, m) for m in models if m in named or ranked(m)}


def check_names(params: Params, rankings: Sequence[Ranking]) -> None:
    """Each name that ``validity.names`` gives is that of a ranked model.

    Raises
    ------
    UserError
        The first that is not.
    """
    known = {name for ranking in rankings for name in ranking.models}
    for ours, theirs in params.validity.names.items():
        if same_name(theirs) not in known:
            raise UserError(
                f"validity.names: {ours}",
                f"no ranking in {params.validity.rankings} has a model '{theirs}'",
                "write the name as the ranking does",
            )


def check_apart(names: Mapping[str, str]) -> None:
    """No two of our models are the same one of theirs, which would count twice.

    Raises
    ------
    UserError
        The first two that are.
    """
    seen: dict[str, str] = {}
    for ours, theirs in names.items():
        other = seen.setdefault(same_name(theirs), ours)
        if other != ours:
            raise UserError(
                "validity.names",
                f"'{other}' and '{ours}' would both be '{theirs}' of the rankings",
                "name one of them otherwise",
            )


@dataclass(frozen=True)
class _Side:
    """What the models of both sides are compared on; ``names`` are (ours, theirs), in our order.

    ``left_out`` counts models of both that lack a score on one of the tasks.
    """

    basis: str
    names: list[tuple[str, str]]
    ours: F64
    theirs: F64
    left_out: int = 0
    pairs: Sequence[tuple[str, str]] = ()
    none: str | None = None

    @property
    def why_not(self) -> str | None:
        """Return why there is no coefficient, if there is none."""
        if self.none is not None:
            return self.none
        if len(self.names) < FEWEST:
            return f"{len(self.names)} models in common, fewer than {FEWEST}"
        if np.ptp(self.ours) == 0 or np.ptp(self.theirs) == 0:
            return "all scores of one side are equal"
        return None


def _both(names: Mapping[str, str], theirs: Iterable[str], ours: Container[str]) -> _Names:
    """(Our name, theirs) of the models that both have, in the order of our names."""
    known = {same_name(model): model for model in theirs}
    found = [(mine, known.get(same_name(name))) for mine, name in sorted(names.items())]
    return [(mine, name) for mine, name in found if name is not None and mine in ours]


def _not_of(ranking: Ranking, known: Iterable[str]) -> str:
    """Why nothing of ours is of the measure of a ranking."""
    if not ranking.measure:
        return "nobody says what it measures: its file has no column 'measure'"
    return f"no {ranking.measure} of ours, but {', '.join(known)}"


def _by_totals(
    names: Mapping[str, str], totals: Totals, ranking: Ranking
) -> list[tuple[str, _Side]]:
    """The styles, and the comparison with what we have of the same measure on them."""
    if ranking.measure not in totals:
        none = _not_of(ranking, totals)
        return [("all", _Side(WHOLE, [], np.empty(0), np.empty(0), none=none))]
    own = totals[ranking.measure]
    return [(styles, _by_total(names, own[styles], ranking)) for styles in own]


def _by_total(names: Mapping[str, str], totals: Mapping[str, float], ranking: Ranking) -> _Side:
    common = _both(names, ranking.scores, totals)
    mine = np.array([totals[model] for model, _ in common], dtype=np.float64)
    other = np.array([ranking.scores[name] for _, name in common], dtype=np.float64)
    return _Side(WHOLE, common, mine, other)


def _by_tasks(names: Mapping[str, str], cells: Mapping[str, Cells], ranking: Ranking) -> _Side:
    """The intersection of Dysca, section 4.4: tasks that both ask, and models with a score on each
    of them. Either side is the mean over the tasks; ours on one is the mean over what it asks."""
    if ranking.measure not in OF_TASKS:
        none = _not_of(ranking, OF_TASKS)
        return _Side(TASKS, [], np.empty(0), np.empty(0), none=none)
    asked = {pair for of_model in cells.values() for pair in of_model}
    tasks = {task: pairs for task in ranking.tasks if (pairs := task.pairs(asked))}
    if not tasks:
        told = ", ".join(sorted({name for task in ranking.tasks for name in task.subtasks}))
        kinds = ", ".join(sorted({k for task in ranking.tasks for k in task.question_types}))
        none = f"no task in common: they ask {told or 'all'} as {kinds or 'any type'}"
        return _Side(TASKS, [], np.empty(0), np.empty(0), none=none)
    known = {same_name(m): m for each in ranking.tasks.values() for m in each}
    theirs = [{same_name(m): v for m, v in ranking.tasks[task].items()} for task in tasks]
    common, mine, other = [], [], []
    met = _both(names, known.values(), cells)
    for model, name in met:
        scores = [[cells[model].get(pair) for pair in pairs] for pairs in tasks.values()]
        given = [each.get(same_name(name)) for each in theirs]
        flat = [value for each in scores for value in each]
        if None in flat or None in given:
            continue
        common.append((model, name))
        mine.append(_mean([_mean([v for v in each if v is not None]) for each in scores]))
        other.append(_mean([v for v in given if v is not None]))
    pairs = sorted({pair for each in tasks.values() for pair in each})
    left = len(met) - len(common)
    return _Side(TASKS, common, np.array(mine), np.array(other), left, pairs)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _rows(
    params: Params, key: dict[str, str], side: _Side
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The row of a comparison, and a row for each model that it rests on."""
    # What names the draws of a headline is as it was before there were tasks.
    draws = [key["benchmark"], key["styles"], *([side.basis] if side.basis != WHOLE else [])]
    random = generator(params.snapshot.seed, "validity/correlation", "\n".join(draws))
    found = associations(side.ours, side.theirs, random, params.validity.resamples)
    key = {**key, "basis": side.basis}
    row: dict[str, Any] = {
        **key, "models": len(side.names), "left_out": side.left_out,
        "subtasks": AND.join(sorted({s for s, _ in side.pairs}, key=subtask_order)),
        "types": AND.join(sorted({k for _, k in side.pairs}, key=QUESTION_TYPES.index)),
        "why_not": side.why_not or "",
    }  # fmt: skip
    for name, one in zip(("spearman", "kendall"), found or (), strict=False):
        numbers = asdict(one)
        row |= {name: numbers.pop("value")}
        row |= {f"{name}_{part}": number for part, number in numbers.items()}
    ranks = zip(average_ranks(-side.ours), average_ranks(-side.theirs), strict=True)
    models = [
        {
            **key, "model": model, "their_name": name,
            "ours": round(float(mine), DECIMALS), "theirs": round(float(other), DECIMALS),
            "our_rank": float(our_rank), "their_rank": float(their_rank),
        }
        for (model, name), mine, other, (our_rank, their_rank) in zip(
            side.names, side.ours, side.theirs, ranks, strict=True
        )
    ]  # fmt: skip
    return row, models


def correlation_tables(
    params: Params,
    totals: Totals,
    rankings: Sequence[Ranking],
    cells: Callable[[str], Mapping[str, Cells]] = lambda styles: {},
    none: Mapping[str, str] | None = None,
) -> tuple[pa.Table, pa.Table]:
    """``correlations.csv`` and ``rankings.csv``: a row a benchmark, selection of styles and basis,
    and one for each model that it rests on.

    Parameters
    ----------
    totals
        What our models have in the clean scenario; a ranking is compared with what we have of its
        own measure, and with nothing else.
    cells
        The same -> our models -> what they have on each subtask and question type; asked for only
        where a ranking has scores on single tasks.
    none
        The same -> why there is nothing to compare, where that is so.

    Raises
    ------
    UserError
        ``validity.names`` names a model that nobody has ranked, or two of our models are one of
        theirs.
    """
    check_names(params, rankings)
    styles = [*dict.fromkeys(name for each in totals.values() for name in each)]
    models_of = (found for each in totals.values() for found in each.values())
    names = compared_names(params, sorted({model for found in models_of for model in found}))
    check_apart(names)
    tasks = any(ranking.tasks for ranking in rankings)
    by_task = {name: cells(name) for name in styles} if tasks else {}
    correlations: list[dict[str, Any]] = []
    models: list[dict[str, Any]] = []
    for ranking in rankings:
        sides = _by_totals(names, totals, ranking) if ranking.scores else []
        if ranking.tasks:
            sides += [(name, _by_tasks(names, by_task[name], ranking)) for name in styles]
        for name, side in sides:
            key = {"benchmark": ranking.benchmark, "styles": name}
            if none is not None and name in none and side.none is None:
                side = replace(side, none=none[name])
            row, behind = _rows(params, key, side)
            row |= {"measure": ranking.measure, "made": ranking.made}
            correlations.append(row)
            models += behind
    return (
        pa.Table.from_pylist(correlations, COLUMNS["correlations.csv"]),
        pa.Table.from_pylist(models, COLUMNS["rankings.csv"]),
    )
