"""By which score models are put in order: not by one that leaves more of some than of others."""

from __future__ import annotations

from collections.abc import Mapping

#: Points by which the shares of scored answers may differ in a ranking by scored answers.
APART = 2.0


def strict_because(answers: Mapping[str, tuple[int, int]]) -> str:
    """Return why models are put in order by the strict score; empty where they need not be.

    A model that answers only what it is sure of is right more often among its scored answers. So
    where the shares that were scored differ, an answer without a score counts as wrong.

    Parameters
    ----------
    answers
        Model -> its answers that were scored, and all that were asked for.
    """
    apart = _apart(answers, "scored")
    if not apart:
        return ""
    return "in the order of strict scores, which count an answer without a score as wrong: " + apart


def by_name_because(answers: Mapping[str, tuple[int, int]]) -> str:
    """Return why models are not put in order, where no strict score can; empty where they may be.

    Parameters
    ----------
    answers
        Model -> its answers that were judged, and all that were asked for.
    """
    apart = _apart(answers, "judged")
    return f"in the order of their names, not of their scores: {apart}" if apart else ""


def _apart(answers: Mapping[str, tuple[int, int]], how: str) -> str:
    """How far the shares of answers that count are apart; empty where that is little."""
    shares = {name: 100 * n / asked for name, (n, asked) in answers.items() if asked}
    if not shares or max(shares.values()) - min(shares.values()) <= APART:
        return ""
    most, least = (pick(shares, key=lambda name: shares[name]) for pick in (max, min))
    return (
        f"of {most} {shares[most]:.1f}% of the answers were {how}, of {least} "
        f"{shares[least]:.1f}%, which is more than {APART:.0f} points apart"
    )
