"""Results in the form of Dysca's Table 3: scenarios with differences to clean, SQ and SC."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from lvlmbench.analysis.comparisons import Comparison, Comparisons
from lvlmbench.analysis.headlines import HEADLINE
from lvlmbench.analysis.labels import plain
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Kind, Value
from lvlmbench.analysis.robustness import conditions
from lvlmbench.config.headline import Headline
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.registry import LAST, kinds_of
from lvlmbench.snapshot.reader import Snapshot

#: Kinds of scenarios in the paper's order; noisy ones of other packages follow.
CLEAN_PLACE = 2
#: Decimals that are shown, and that decide which value is the best of its column.
DIGITS = 1


@dataclass(frozen=True)
class Measure:
    """A column: the headline in a scenario of this ``kind``, or SQ or SC of the main scenario.

    ``better`` says which end of the column is the better one; None where neither is.
    """

    name: str
    label: str
    kind: str
    scenario: str
    better: Literal["high", "low"] | None

    @property
    def sensitivity(self) -> bool:
        """Whether it is SQ or SC."""
        return self.better == "low"


@dataclass(frozen=True)
class Entry:
    """One number of a model.

    ``test`` is its paired difference to clean; ``noise`` the part of SQ or SC that sampling alone
    would give; ``white_box`` tells that the attack has seen this model's own gradients; ``best``
    that no ranked model has a better value.
    """

    value: Value | None
    test: Comparison | None = None
    noise: float | None = None
    white_box: bool = False
    best: bool = False

    @property
    def printed(self) -> float | None:
        """The number with the decimals that are shown."""
        if self.value is None or self.value.value is None:
            return None
        return round(self.value.value, DIGITS)


@dataclass(frozen=True)
class Line:
    """One model; entries in the order of the measures. What it is built of is empty where nobody
    has said it."""

    model: str
    kind: Kind
    entries: tuple[Entry, ...]
    language_model: str = ""
    visual_encoder: str = ""

    @property
    def built_of(self) -> str:
        """Language model and visual encoder, where they are known."""
        return ", ".join(p for p in (self.language_model, self.visual_encoder) if p)


@dataclass(frozen=True)
class Table3:
    """The table; models under test first, the best in the main scenario first."""

    measures: list[Measure]
    lines: list[Line]
    scenario: str
    headline: Headline = field(default_factory=Headline)


def _place(kind: str) -> int:
    """Return the place of a scenario's column in the paper's table."""
    found = kinds_of("scenarios").find(kind)
    return CLEAN_PLACE if kind == CLEAN else found.paper if found is not None else LAST


def _control(kind: str) -> bool:
    """Tell whether what is asked cannot be seen in a scenario of this kind."""
    found = kinds_of("scenarios").find(kind)
    return found is not None and bool(found.control)


def _measures(snapshot: Snapshot, leaderboard: Leaderboard) -> list[Measure]:
    """Scenarios in the paper's order, those of one kind in that of the configuration. The control
    with other images is no column of the paper; it is in the report."""
    found = [(c.name, c.kind) for c in conditions(snapshot.params, leaderboard.scenarios)]
    found = [(name, kind) for name, kind in found if not _control(kind) or _place(kind) < LAST]
    if CLEAN in leaderboard.scenarios:
        found.append((CLEAN, CLEAN))
    found.sort(key=lambda pair: _place(pair[1]))
    main = snapshot.first_scenario
    return [
        *(
            Measure(name, plain(name), kind, name, None if _control(kind) else "high")
            for name, kind in found
        ),
        *(
            Measure(name, name.upper(), name, main, "low")
            for name in ("sq", "sc")
            if leaderboard.headline.captions
        ),
    ]


def _entry(
    snapshot: Snapshot, leaderboard: Leaderboard, tests: Comparisons, model: str, measure: Measure
) -> Entry:
    scenario = measure.scenario
    if measure.sensitivity:
        noise = leaderboard.value(model, scenario, f"{measure.name}_noise")
        value = leaderboard.value(model, scenario, measure.name)
        return Entry(value, noise=noise.value if noise else None)
    noisy = measure.kind != CLEAN and not _control(measure.kind)
    known = {m.name: m for m in snapshot.params.answer.models}
    spec = next((s for s in snapshot.params.scenarios.noisy if s.name == scenario), None)
    kind = spec.made_by() if spec is not None else None
    attack = kind.attack if kind is not None else None
    seen = attack(spec, known.get(model)) if attack is not None else None
    return Entry(
        leaderboard.value(model, scenario, HEADLINE),
        tests.to_clean(model, scenario) if noisy else None,
        white_box=seen == "white-box",
    )


def _marked(measures: list[Measure], lines: list[Line]) -> list[Line]:
    """The same with the best of each column told; models that guess are not ranked, and one alone
    is not the best of anything."""
    best: list[float | None] = []
    for i, measure in enumerate(measures):
        values = [line.entries[i].printed for line in lines if line.kind != "guesser"]
        ranked = [v for v in values if v is not None]
        end = {"high": max, "low": min}.get(measure.better or "")
        best.append(end(ranked) if end and len(ranked) > 1 else None)
    return [
        replace(
            line,
            entries=tuple(
                replace(e, best=top is not None and line.kind != "guesser" and e.printed == top)
                for e, top in zip(line.entries, best, strict=True)
            ),
        )
        for line in lines
    ]


def build(snapshot: Snapshot, leaderboard: Leaderboard) -> Table3:
    """The table of all models that were asked in any of its scenarios."""
    measures, tests = _measures(snapshot, leaderboard), Comparisons(snapshot)
    main = snapshot.first_scenario
    ranking = [r.model for r in leaderboard.ranked().get(main, []) if r.kind != "floor"]
    known = {m.name: m for m in snapshot.params.answer.models}
    lines = []
    for model in [*ranking, *(m for m in leaderboard.models if m not in ranking)]:
        entries = [_entry(snapshot, leaderboard, tests, model, measure) for measure in measures]
        if any(entry.value is not None for entry in entries):
            of = known.get(model)
            parts = [getattr(of, p) or "" for p in ("language_model", "visual_encoder")]
            lines.append(Line(model, leaderboard.kind(model), tuple(entries), *parts))
    return Table3(measures, _marked(measures, lines), main, leaderboard.headline)
