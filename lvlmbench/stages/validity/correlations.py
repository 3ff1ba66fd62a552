"""Our ranking held against those of other benchmarks (Dysca, section 4.4, table 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import generator
from lvlmbench.stages.validity.files import COLUMNS
from lvlmbench.stages.validity.rankings import Ranking, same_name
from lvlmbench.stages.validity.ranks import DECIMALS, associations, average_ranks


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
    known = {same_name(model) for ranking in rankings for model in ranking.scores}
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


def _in_common(
    names: Mapping[str, str], totals: Mapping[str, float], ranking: Ranking
) -> list[tuple[str, str]]:
    """(our name, theirs) of the models that both have, in the order of our names."""
    theirs = {same_name(model): model for model in ranking.scores}
    found = [(ours, theirs.get(same_name(name))) for ours, name in sorted(names.items())]
    return [(ours, name) for ours, name in found if name is not None and ours in totals]


def correlation_tables(
    params: Params, totals: Mapping[str, Mapping[str, float]], rankings: Sequence[Ranking]
) -> tuple[pa.Table, pa.Table]:
    """``correlations.csv`` and ``rankings.csv``: a row a benchmark and selection of styles, and one
    for each model that it rests on.

    Parameters
    ----------
    totals
        ``all`` and ``realistic`` -> our models -> their clean totals.

    Raises
    ------
    UserError
        ``validity.names`` names a model that nobody has ranked, or two of our models are one of
        theirs.
    """
    check_names(params, rankings)
    names = compared_names(params, sorted({m for each in totals.values() for m in each}))
    check_apart(names)
    correlations: list[dict[str, Any]] = []
    models: list[dict[str, Any]] = []
    for ranking in rankings:
        for styles, ours in totals.items():
            common = _in_common(names, ours, ranking)
            mine = np.array([ours[model] for model, _ in common], dtype=np.float64)
            other = np.array([ranking.scores[name] for _, name in common], dtype=np.float64)
            key = {"benchmark": ranking.benchmark, "styles": styles}
            random = generator(
                params.snapshot.seed, "validity/correlation", f"{ranking.benchmark}\n{styles}"
            )
            found = associations(mine, other, random, params.validity.resamples)
            row: dict[str, Any] = {**key, "models": len(common)}
            for name, one in zip(("spearman", "kendall"), found or (), strict=False):
                numbers = asdict(one)
                row |= {name: numbers.pop("value")}
                row |= {f"{name}_{part}": number for part, number in numbers.items()}
            correlations.append(row)
            ranks = zip(average_ranks(-mine), average_ranks(-other), strict=True)
            for (model, name), (our_rank, their_rank) in zip(common, ranks, strict=True):
                models.append(
                    {
                        **key, "model": model, "their_name": name,
                        "ours": round(ours[model], DECIMALS), "theirs": ranking.scores[name],
                        "our_rank": float(our_rank), "their_rank": float(their_rank),
                    }
                )  # fmt: skip
    return (
        pa.Table.from_pylist(correlations, COLUMNS["correlations.csv"]),
        pa.Table.from_pylist(models, COLUMNS["rankings.csv"]),
    )
