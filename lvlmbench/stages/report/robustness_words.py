"""The section on robustness in plain sentences, each with the figures that it rests on."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.analysis.comparisons import Comparison
from lvlmbench.analysis.controls import Control
from lvlmbench.analysis.labels import TYPE_LABELS, inline, plain
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.analysis.robustness import Change, Line, Robustness, excludes_zero
from lvlmbench.core.amounts import amount
from lvlmbench.stages.report.attacks import GUESSES, WHITE_BOX, Attack

#: Models whose kinds of corruption are told; the tables have all.
MODELS = 4


def signed(value: float | None, digits: int = 1) -> str:
    """A difference with its sign, and a real minus; a dash where there is none."""
    if value is None:
        return "\N{EN DASH}"
    text = f"{value:+.{digits}f}"
    return text[1:] if float(text) == 0 else text.replace("-", "\N{MINUS SIGN}")


def span(value: Value) -> str:
    """A difference with its interval, in words."""
    if value.low is None or value.high is None:
        return f"{signed(value.value)} points"
    return (
        f"{signed(value.value)} points (95% interval {signed(value.low)} to {signed(value.high)})"
    )


def not_ruled_out(low: float, high: float) -> str:
    """What an interval of a difference that is not shown leaves possible."""
    return f"up to {max(abs(low), abs(high)):.1f} points are not ruled out"


def unseen(label: str, value: Value) -> str:
    """A condition that no difference is shown in, and what is not ruled out."""
    if value.low is None or value.high is None:
        return label
    return f"{label} ({not_ruled_out(value.low, value.high)})"


def open_words(model: str, other: str, found: Comparison) -> str:
    """What was seen of two models where no difference is shown, and what is not ruled out."""
    value = found.difference or 0.0
    side = "below" if value < 0 else "above"
    seen = f"No difference shown: {model} is {abs(value):.1f} points {side} {other}"
    if found.low is None or found.high is None:
        return seen
    ends = f"{signed(found.low)} to {signed(found.high)}"
    return f"{seen} ({ends}); {not_ruled_out(found.low, found.high)}"


def joined(parts: list[str]) -> str:
    """Parts as a sentence lists them: ``a, b and c``."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _costs(found: Robustness, line: Line) -> Iterator[str]:
    """In which scenario a model loses most."""
    noisy = [c for c in found.conditions if not c.control and c.name in line.changes]
    changes: list[tuple[str, Change, Value]] = []
    for condition in noisy:
        change = line.changes[condition.name]
        if change.difference is not None and change.difference.value is not None:
            changes.append((condition.inline, change, change.difference))
    if not changes:
        return
    lost = [(label, value) for label, change, value in changes if change.sure < 0]
    lost.sort(key=lambda pair: pair[1].value or 0.0)
    same = [unseen(label, value) for label, change, value in changes if change.sure == 0]
    gained = [label for label, change, _ in changes if change.sure > 0]
    parts = []
    if lost:
        label, value = lost[0]
        of, most = ("Of the noisy scenarios, ", "most ") if changes[1:] else ("", "")
        parts.append(f"{of}{line.model} loses {most}under {label}: {span(value)}")
        if lost[1:]:
            more = [f"{name} ({signed(other.value)})" for name, other in lost[1:]]
            parts.append(f"it also loses under {joined(more)}")
        if same:
            parts.append(f"no difference is shown under {joined(same)}")
    elif same:
        parts.append(f"For {line.model} no difference is shown under {joined(same)}")
    if gained:
        parts.append(f"{'it' if parts else line.model} gains under {joined(gained)}")
    yield "; ".join(parts) + "."


def _kinds(found: Robustness, line: Line) -> Iterator[str]:
    """Which kind of corruption costs a model most."""
    if found.kinds is None:
        return
    values = found.kinds.values.get(line.model, {})
    lost = sorted(
        (v.value, kind)
        for kind, v in values.items()
        if excludes_zero(v) < 0 and v.value is not None
    )
    if lost:
        _, kind = lost[0]
        yield (
            f"Of {len(values)} kinds of corruption, {inline(kind)} costs {line.model} most: "
            f"{span(values[kind])}. For {len(lost)} of the kinds the interval lies below zero."
        )
    elif values:
        yield (
            f"No single kind of corruption costs {line.model} points for certain: each interval "
            f"includes zero."
        )


def _highest(found: Robustness, line: Line) -> Iterator[str]:
    """What the highest severity costs a model."""
    highest = found.highest.get(line.model)
    if highest is not None:
        severity, value = highest
        text = f"At severity {severity}, over all kinds, corruption changes {line.model} by "
        yield f"{text}{span(value)}."


def _lowest(found: Robustness, line: Line) -> Iterator[str]:
    """What the last step of a scale costs a model."""
    for scale in found.scales:
        steps = scale.values.get(line.model, {})
        last = [s for s in scale.names if s in steps and steps[s].difference is not None]
        value = steps[last[-1]].difference if last else None
        if value is not None and value.value is not None:
            name = scale.names[last[-1]]
            yield f"{scale.condition.label}: at {name}, {line.model} changes by {span(value)}."


def _attack(attack: Attack) -> Iterator[str]:
    """White-box beside transfer."""
    label = plain(attack.scenario)
    for row in attack.rows:
        if row.difference is None or row.difference.value is None or row.access == GUESSES:
            continue
        by = span(row.difference)
        if row.access == WHITE_BOX:
            yield f"{label}: {row.model}, attacked through its own encoder, changes by {by}."
        else:
            open_ = excludes_zero(row.difference) == 0
            yield (
                f"{label}: the same images, made against {attack.proxy}, change {row.model} by "
                f"{by}{'; no difference is shown' if open_ else ''}."
            )


def _control(label: str, rows: list[Control]) -> Iterator[str]:
    """Whether a control can be told from guessing."""
    looking = [row for row in rows if row.kind != "guesser"]
    judged = [(row, kind, g) for row in looking for kind, g in row.guesses.items()]
    apart = [(r, k, g) for r, k, g in judged if g.like_guessing is False]
    silent = [r.model for r in looking if all(g.like_guessing is None for g in r.guesses.values())]
    told = len([1 for _, _, g in judged if g.like_guessing is not None])
    if told and not apart:
        every = "the one interval" if told == 1 else f"all {told} intervals"
        yield (
            f"{label}: chance lies inside {every} of the models that look, so none of them can be "
            f"told from guessing."
        )
    elif apart:
        parts = []
        for row, kind, guess in apart:
            above = guess.above.value if guess.above else None
            side = "above" if (above or 0) > 0 else "below"
            name = TYPE_LABELS[kind].lower()
            parts.append(f"{row.model} in {name} ({signed(above)} points, {side} chance)")
        yield (
            f"{label}: chance lies outside {len(apart)} of {amount(told, 'interval')}: "
            f"{joined(parts)}. Of "
            f"twenty intervals of models that guess, one on average does so."
        )
    if silent:
        yield f"{label}: {joined(silent)} gave no answer that could be scored."


def sentences(found: Robustness, attacks: list[Attack]) -> list[str]:
    """What the section says, the costs first."""
    out: list[str] = []
    looking = [line for line in found.lines if line.kind != "guesser"]
    for line in looking:
        out += _costs(found, line)
    for line in looking[:MODELS]:
        out += _kinds(found, line)
        out += _highest(found, line)
        out += _lowest(found, line)
    for attack in attacks:
        out += _attack(attack)
    labels = {c.name: c.label for c in found.conditions}
    for name, rows in found.controls.items():
        out += _control(labels[name], rows)
    return out
