"""What the scenarios beside clean do to scores: pairs against clean, and controls against chance.

Every figure here is read from the metrics table; docs/metrics.md defines them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from lvlmbench.analysis import controls
from lvlmbench.analysis.comparisons import Comparison, Comparisons
from lvlmbench.analysis.headlines import HEADLINE
from lvlmbench.analysis.labels import plain
from lvlmbench.analysis.leaderboard import ALL, Leaderboard
from lvlmbench.analysis.leaderboard_rows import RANKS, Kind, Value
from lvlmbench.config import Params
from lvlmbench.config.scenarios import CLEAN, ScenarioSpec
from lvlmbench.core.registry import kinds_of
from lvlmbench.snapshot.reader import Snapshot

SEVERITIES = ("0", "1", "2", "3", "4", "5")


def excludes_zero(value: Value | None) -> int:
    """-1 or 1 where the interval of a difference lies below or above zero, else 0."""
    if value is None or value.low is None or value.high is None:
        return 0
    return -1 if value.high < 0 else int(value.low > 0)


def tested(difference: Value | None, test: Comparison | None) -> Value | None:
    """Return a difference with the interval of its test, which is corrected for the number of
    models, where there is one: no number has two intervals."""
    if difference is None or test is None or test.low is None or test.high is None:
        return difference
    return replace(difference, value=test.difference, low=test.low, high=test.high)


@dataclass(frozen=True)
class Condition:
    """A scenario; ``kind`` is what it is registered as."""

    name: str
    kind: str

    @property
    def label(self) -> str:
        """As readers see it."""
        return plain(self.name)

    @property
    def inline(self) -> str:
        """The same within a sentence."""
        return self.label.lower() if self.name in (self.kind, CLEAN) else self.label

    @property
    def control(self) -> bool:
        """Whether it is held against chance rather than against clean."""
        kind = kinds_of("scenarios").find(self.kind)
        return kind is not None and kind.control


@dataclass(frozen=True)
class Change:
    """One model in one scenario. ``before`` is its clean score on the same questions, where the
    scenario does not ask all of them."""

    score: Value | None
    before: Value | None
    difference: Value | None

    @property
    def sure(self) -> int:
        """:func:`excludes_zero` of the difference."""
        return excludes_zero(self.difference)


@dataclass(frozen=True)
class Line:
    """One model over the scenarios."""

    model: str
    kind: Kind
    clean: Value | None
    changes: dict[str, Change]


@dataclass(frozen=True)
class Differences:
    """Differences to clean of one scenario over groups: model -> group -> difference."""

    condition: Condition
    groups: list[str]
    values: dict[str, dict[str, Value]]


@dataclass(frozen=True)
class Curves:
    """Headlines of one scenario by severity, 0 being clean: model -> kind -> severity -> value.

    The kind "all" stands for the mean over all kinds.
    """

    condition: Condition
    kinds: list[str]
    values: dict[str, dict[str, dict[str, Value]]]


@dataclass(frozen=True)
class Scale:
    """One scenario by severities on a scale of its own, 0 being clean: model -> severity ->
    headline and difference to clean. ``names`` says what each severity stands for."""

    condition: Condition
    names: dict[str, str]
    values: dict[str, dict[str, Change]]


@dataclass(frozen=True)
class Robustness:
    """All of the section.

    ``clean`` tells whether there is anything to hold scenarios against. ``highest`` gives for each
    model the highest severity of the curves and the difference to clean there, over all kinds.
    """

    clean: bool
    conditions: list[Condition]
    lines: list[Line]
    subtasks: list[Differences]
    kinds: Differences | None
    curves: Curves | None
    scales: list[Scale]
    highest: dict[str, tuple[str, Value]]
    controls: dict[str, list[controls.Control]]

    @property
    def on(self) -> bool:
        """Whether any scenario other than clean was run."""
        return bool(self.conditions) or self.curves is not None or bool(self.scales)


def _other_options(spec: ScenarioSpec) -> bool:
    """Whether a scenario changes options and not images: see :mod:`.options`."""
    kind = kinds_of("scenarios").find(spec.registered)
    return kind is not None and (kind.moves or (spec.drafts and not kind.control))


def conditions(params: Params, names: Sequence[str]) -> list[Condition]:
    """The scenarios other than clean among ``names``, controls last."""
    kinds = {spec.name: spec.registered for spec in params.scenarios.noisy}
    others = {spec.name for spec in params.scenarios.noisy if _other_options(spec)}
    shown = [name for name in names if name != CLEAN and name not in others]
    found = [Condition(name, kinds.get(name, name)) for name in shown]
    return sorted(found, key=lambda c: c.control)


def _change(
    leaderboard: Leaderboard, comparisons: Comparisons, model: str, scenario: str
) -> Change:
    before = leaderboard.value(model, scenario, HEADLINE, severity="0")
    clean = leaderboard.value(model, CLEAN, HEADLINE)
    if (
        before is None
        or clean is None
        or before.n + before.n_unscored == (clean.n + clean.n_unscored)
    ):
        before = None
    return Change(
        leaderboard.value(model, scenario, HEADLINE),
        before,
        tested(
            leaderboard.value(model, scenario, "difference"), comparisons.to_clean(model, scenario)
        ),
    )


def _lines(
    leaderboard: Leaderboard, comparisons: Comparisons, shown: list[Condition]
) -> list[Line]:
    """The models under test first, best clean headline first."""
    lines = [
        Line(
            model, leaderboard.kind(model), leaderboard.value(model, CLEAN, HEADLINE),
            {c.name: _change(leaderboard, comparisons, model, c.name) for c in shown},
        )
        for model in leaderboard.models
    ]  # fmt: skip

    def rank(line: Line) -> tuple[int, float]:
        best = line.clean.value if line.clean and line.clean.value is not None else -1.0
        return RANKS[line.kind], -best

    return sorted(lines, key=rank)


def _differences(
    leaderboard: Leaderboard,
    condition: Condition,
    groups: Sequence[str],
    look: Callable[[str, str], Value | None],
) -> Differences | None:
    """``look`` gives the difference of a model in a group; groups without any are left out."""
    values = {
        model: {g: v for g in groups if (v := look(model, g)) and v.value is not None}
        for model in leaderboard.models
    }
    seen = [g for g in groups if any(g in of for of in values.values())]
    return Differences(condition, seen, values) if seen else None


def _by_subtask(
    leaderboard: Leaderboard, condition: Condition, subtasks: Sequence[str]
) -> Differences | None:
    return _differences(
        leaderboard, condition, subtasks,
        lambda m, g: leaderboard.value(m, condition.name, "difference", subtask=g),
    )  # fmt: skip


def _kinds_of(leaderboard: Leaderboard, scenario: str) -> list[str]:
    """Kinds of damage that a scenario shows, in the order of their places."""
    found = {kind for kind, _ in leaderboard.damages(scenario)} - {ALL}
    known = [kind.name for kind in kinds_of("corruptions").ordered() if kind.name in found]
    return known + sorted(found - set(known))


def _by_kind(leaderboard: Leaderboard, condition: Condition) -> Differences | None:
    return _differences(
        leaderboard, condition, _kinds_of(leaderboard, condition.name),
        lambda m, g: leaderboard.value(m, condition.name, "difference", perturbation=g),
    )  # fmt: skip


def _at(
    leaderboard: Leaderboard, model: str, scenario: str, severity: str, kind: str = ALL
) -> Value | None:
    """The headline at a severity, 0 being the clean answers."""
    return leaderboard.value(model, scenario, HEADLINE, perturbation=kind, severity=severity)


def _curves(leaderboard: Leaderboard, condition: Condition) -> Curves | None:
    kinds = _kinds_of(leaderboard, condition.name)
    kinds = [ALL, *kinds] if len(kinds) > 1 else kinds
    values: dict[str, dict[str, dict[str, Value]]] = {}
    for model in leaderboard.models:
        for kind in kinds:
            found = {}
            for severity in SEVERITIES:
                value = _at(leaderboard, model, condition.name, severity, kind)
                if value is not None and value.value is not None:
                    found[severity] = value
            if set(found) - {"0"}:
                values.setdefault(model, {})[kind] = found
    shown = [k for k in kinds if any(k in of for of in values.values())]
    return Curves(condition, shown, values) if shown else None


def _highest(leaderboard: Leaderboard, curves: Curves) -> dict[str, tuple[str, Value]]:
    out = {}
    for model in leaderboard.models:
        for severity in SEVERITIES[1:]:
            value = leaderboard.value(model, curves.condition.name, "difference", severity=severity)
            if value is not None and value.value is not None:
                out[model] = (severity, value)
    return out


def _scale(params: Params, leaderboard: Leaderboard, condition: Condition) -> Scale | None:
    spec = params.scenarios.spec(condition.name)
    steps = kinds_of("scenarios").get(spec.registered, condition.name).scale(spec)
    names = {"0": CLEAN} | {str(at): step for at, step in enumerate(steps, start=1)}
    values: dict[str, dict[str, Change]] = {}
    for model in leaderboard.models:
        for severity in names:
            score = _at(leaderboard, model, condition.name, severity)
            difference = leaderboard.value(model, condition.name, "difference", severity=severity)
            if score is not None and score.value is not None:
                change = Change(score, None, difference)
                values.setdefault(model, {})[severity] = change
    shown = {s: name for s, name in names.items() if any(s in of for of in values.values())}
    return Scale(condition, shown, values) if set(shown) - {"0"} else None


def build(snapshot: Snapshot, leaderboard: Leaderboard) -> Robustness:
    """The section over the scenarios that were run.

    Kinds of corruption come from the scenario that damages each image once, severities from the
    one that shows each image in every form; where one of them is missing the other stands in.
    What has a scale of its own is in neither.
    """
    shown = conditions(snapshot.params, leaderboard.scenarios)
    noisy = [c for c in shown if not c.control]
    curves_of = [name for name in leaderboard.curves if name != snapshot.again_in]
    every = conditions(snapshot.params, curves_of)
    known = kinds_of("scenarios").ordered()
    forms = {k.name for k in known if k.every is not None and k.scale is None}
    scaled = {k.name for k in known if k.scale is not None}
    of_scale = [c for c in [*noisy, *every] if c.kind in scaled]
    every = [c for c in every if c.kind not in scaled]
    once = [c for c in noisy if c.kind in forms]
    kinds = [d for c in [*once, *every] if (d := _by_kind(leaderboard, c))]
    curves = [found for c in [*every, *once] if (found := _curves(leaderboard, c))]
    return Robustness(
        CLEAN in leaderboard.scenarios,
        shown,
        _lines(leaderboard, Comparisons(snapshot), shown),
        [d for c in noisy if (d := _by_subtask(leaderboard, c, snapshot.subtasks))],
        next(iter(kinds), None),
        next(iter(curves), None),
        [s for c in of_scale if (s := _scale(snapshot.params, leaderboard, c))],
        _highest(leaderboard, curves[0]) if curves else {},
        {
            c.name: rows
            for c in shown
            if c.control and (rows := controls.controls(leaderboard, c.name))
        },
    )
