"""What it cost to ask the models, who answered, and with which settings."""

from __future__ import annotations

import json
from dataclasses import dataclass

from lvlmbench import tables
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.spending import COLUMNS, Spending, Tally
from lvlmbench.config.models import Model
from lvlmbench.snapshot.reader import Snapshot

#: Names of servers, and sets of parameters, that are listed for one model.
LISTED = 5


@dataclass(frozen=True)
class Settings:
    """Parameters that ``n`` answers were made with, as (name, value)."""

    values: list[tuple[str, str]]
    n: int


@dataclass(frozen=True)
class Asked:
    """One model that was asked: in all, and by scenario.

    ``served`` are models that the server says have answered, with how many answers each,
    ``configured`` is the one that was asked for. ``more_served`` and ``more_settings`` count what
    is not listed.
    """

    model: str
    configured: str | None
    priced: bool
    total: Spending
    scenarios: dict[str, Spending]
    served: list[tuple[str, int]]
    more_served: int
    settings: list[Settings]
    more_settings: int

    @property
    def several(self) -> bool:
        """Whether more than one model has answered."""
        return len(self.served) > 1

    @property
    def another(self) -> bool:
        """Whether a model has answered that goes by another name than the one asked for."""
        return self.configured is not None and any(n != self.configured for n, _ in self.served)


@dataclass(frozen=True)
class Cost:
    """Models that were asked, totals over them by scenario and in all; models whose answers their
    owner brought, and models of the pipeline itself, cost nothing that is known here."""

    models: list[Asked]
    scenarios: dict[str, Spending]
    total: Spending
    brought: list[str]
    own: list[str]


def _settings(text: str, n: int) -> Settings:
    """The column ``parameters`` of an answer; what is no JSON object is shown as it is."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        return Settings([("parameters", text)], n)
    values = [(k, v if isinstance(v, str) else json.dumps(v)) for k, v in sorted(found.items())]
    return Settings(values, n)


def _most(counts: dict[str, int]) -> list[tuple[str, int]]:
    """The most frequent first; names decide between equals."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _asked(name: str, spec: Model | None, tallies: dict[str, Tally]) -> Asked:
    every = Tally()
    for tally in tallies.values():
        every.merge(tally)
    kind = spec.made_by() if spec else None
    called = kind.called(spec) if kind is not None and kind.called is not None else None
    priced = kind is not None and kind.priced is not None and kind.priced(spec)
    served, settings = _most(every.served), _most(every.parameters)
    return Asked(
        name, called, priced,
        every.spending, {s: t.spending for s, t in tallies.items()},
        served[:LISTED], len(served[LISTED:]),
        [_settings(*pair) for pair in settings[:LISTED]], len(settings[LISTED:]),
    )  # fmt: skip


def build(snapshot: Snapshot, leaderboard: Leaderboard) -> Cost:
    """Read the answers of every model that is neither ours nor brought, shard by shard."""
    specs = {m.name: m for m in snapshot.params.answer.models}
    checking = snapshot.params.scenarios.checking
    scenarios = [*leaderboard.scenarios, *leaderboard.curves, *checking]
    totals = {s: Tally() for s in scenarios}
    models, paid = [], set[str]()
    for name in leaderboard.models:
        if leaderboard.kind(name) != "model":
            continue
        tallies: dict[str, Tally] = {}
        for scenario in scenarios:
            for shard in snapshot.shards(tables.ANSWERS, COLUMNS, model=name, scenario=scenario):
                tallies.setdefault(scenario, Tally(paid)).add(shard)
        if tallies:
            models.append(_asked(name, specs.get(name), tallies))
        for scenario, tally in tallies.items():
            tally.latencies.clear()  # of no use over several models, and long
            totals[scenario].merge(tally)
    every = Tally()
    for tally in totals.values():
        every.merge(tally)
    return Cost(
        models,
        {s: t.spending for s, t in totals.items() if t.status},
        every.spending,
        [m for m in leaderboard.models if leaderboard.kind(m) == "brought"],
        [m for m in leaderboard.models if leaderboard.kind(m) in ("reference", "guesser")],
    )
