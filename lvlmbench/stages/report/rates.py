"""How much of what a model was asked did not come back as an answer, and when to warn of it."""

from __future__ import annotations

from lvlmbench.analysis.leaderboard import Row, Value

#: Share of refusals, answers that were cut off and failed requests, in percent of what was asked,
#: above which readers are warned.
WORTH_A_WARNING = 2.0


def share(count: int | None, value: Value) -> float | None:
    """Percent of what was asked; None where it was not counted or nothing was asked."""
    return None if count is None or not value.asked else 100 * count / value.asked


def warning(row: Row) -> str | None:
    """One sentence where more than :data:`WORTH_A_WARNING` of the answers are missing."""
    value = row.total
    if value is None or not value.asked:
        return None
    failed, refused, cut = value.n_failed or 0, value.n_refused or 0, value.n_truncated or 0
    if 100 * (failed + refused + cut) <= WORTH_A_WARNING * value.asked:
        return None
    parts = [f"{failed:,} of {value.asked:,} {_failed(row, failed)}"] if failed else []
    if refused:
        of = "" if failed else f" of {value.asked:,} answers"
        parts.append(f"{refused:,}{of} {'was a refusal' if refused == 1 else 'were refusals'}")
    if cut:
        of = "" if parts else f" of {value.asked:,} answers"
        parts.append(f"{cut:,}{of} {'was' if cut == 1 else 'were'} cut off")
    rest = "the number stands on the rest" if value.n else "nothing is left to score"
    rest = "the rest is too little for a total" if value.n and value.value is None else rest
    told = " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)
    return f"{told}: {rest}"


def _failed(row: Row, count: int) -> str:
    if row.kind == "brought":
        return "questions have no answer" if count != 1 else "questions has no answer"
    return "requests failed"
