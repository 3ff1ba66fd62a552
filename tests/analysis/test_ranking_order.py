"""Models are not ranked by scored answers where far more of some were scored than of others."""

from __future__ import annotations

from lvlmbench.analysis.headlines import HeadlineRow, ordered
from lvlmbench.analysis.leaderboard_rows import Row, Value, by_strict, order
from lvlmbench.analysis.ranking import strict_because


def row(model: str, total: float | None, strict: float, n: int, asked: int = 100) -> Row:
    value, full = Value(total, None, None, n, asked - n), Value(strict, None, None, asked, 0)
    return Row(model, "clean", "model", value, {}, {}, full, None, None, None)


def test_two_points_apart_are_near_enough() -> None:
    assert strict_because({"a": (98, 100), "b": (1000, 1000), "c": (0, 0)}) == ""
    why = strict_because({"a": (979, 1000), "b": (1000, 1000)})
    assert "of b 100.0% of the answers were scored, of a 97.9%" in why
    assert strict_because({}) == ""


def test_who_answers_only_what_is_easy_does_not_stand_first() -> None:
    picky, whole, mute = (
        row("picky", 90, 45, 50),
        row("whole", 80, 80, 100),
        row("mute", None, 0, 0),
    )
    assert [r.model for r in order([mute, picky, whole])] == ["whole", "picky", "mute"]
    assert "strict" in by_strict([picky, whole])[0]
    near = row("near", 90, 88, 98)
    assert [r.model for r in order([whole, near])] == ["near", "whole"]
    assert by_strict([whole, near]) == {}


def test_a_model_that_guesses_answers_all_and_makes_no_one_stand_by_strict_scores() -> None:
    rows = [
        HeadlineRow(model, "clean", "accuracy", value, None, None, n, 100, "", strict)
        for model, value, n, strict in (("a", 50.0, 96, 48.0), ("b", 49.0, 97, 48.5),
                                        ("chance", 30.0, 100, 30.0))
    ]  # fmt: skip
    found, why = ordered(rows, {"chance"})
    assert ([row.model for row in found], why) == (["a", "b", "chance"], "")
    found, why = ordered(rows)
    assert [row.model for row in found] == ["b", "a", "chance"] and "strict" in why
