"""Outcomes of the exam as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lvlmbench.stages.judge.exam.outcome import Outcome

#: Way -> measures that have a column, in their order.
_SHOWN = {
    "claims": ("sensitivity", "specificity"),
    "text": ("sensitivity", "false_alarms", "recall", "moved"),
    "pairs": ("position_bias", "ahead", "preferred", "consistency", "flips"),
}
_HEADINGS = {
    "claims": "given claims",
    "text": "given answers",
    "pairs": "given pairs, in both orders",
}
#: Measures that are points of a score; all others are shares.
_POINTS = ("position_bias", "ahead")
_AGREEMENT = ("alpha", "kappa")


def told(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield a table for each judge and way, then what two judges and more agree on."""
    cells: dict[tuple[str, str], dict[tuple[str, str], dict[str, Outcome]]] = {}
    for each in outcomes:
        if each.measure not in _AGREEMENT:
            rows = cells.setdefault((each.judge, each.way), {})
            rows.setdefault((each.treatment, each.kind), {})[each.measure] = each
    for (judge, way), rows in cells.items():
        yield f"{judge}, {_HEADINGS[way]}"
        yield from _table(way, rows)
        yield ""
    for each in outcomes:
        if each.measure in _AGREEMENT:
            yield f"{each.measure} of {each.judge}: {_number(each, points=True)} (n = {each.n:,})"


def _table(way: str, rows: dict[tuple[str, str], dict[str, Outcome]]) -> Iterator[str]:
    head = ["answers", "kind", "n", *(name.replace("_", " ") for name in _SHOWN[way]), "not judged"]
    lines = [head]
    for (treatment, kind), found in rows.items():
        first = next(iter(found.values()))
        numbers = [
            _number(found[name], name in _POINTS) if name in found else "" for name in _SHOWN[way]
        ]
        lost = _not_judged(first)
        if lost or any(numbers):
            lines.append([treatment, kind, f"{first.answers:,}", *numbers, lost])
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    for line in lines:
        padded = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        yield ("  " + "  ".join(padded)).rstrip()


def _number(outcome: Outcome, points: bool) -> str:
    """ "97.1 % (95.0 to 98.9)", "0.12 (0.05 to 0.19)"."""
    if outcome.value is None:
        return "not defined"
    scale, digits, unit = (1, 2, "") if points else (100, 1, " %")
    value = f"{scale * outcome.value:.{digits}f}{unit}"
    if outcome.low is None or outcome.high is None:
        return value
    return f"{value} ({scale * outcome.low:.{digits}f} to {scale * outcome.high:.{digits}f})"


def _not_judged(outcome: Outcome) -> str:
    counts = {
        "unjudged": outcome.unjudged,
        "refused": outcome.refused,
        "malformed": outcome.malformed,
        "failed": outcome.failed,
    }
    return ", ".join(f"{number:,} {name}" for name, number in counts.items() if number)
