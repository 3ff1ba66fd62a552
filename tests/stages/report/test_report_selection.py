"""Which scenes are shown where not all can be."""

from __future__ import annotations

from lvlmbench.analysis.selection import Candidate, choose
from lvlmbench.tables import QUESTION_TYPES


def test_choice_does_not_depend_on_order_and_prefers_the_unseen() -> None:
    pool = [
        Candidate(f"{i:04x}", ("animal", "food")[i % 2], f"style {i % 5}",
                  (("animal", QUESTION_TYPES[i % len(QUESTION_TYPES)]),))
        for i in range(60)
    ]  # fmt: skip
    chosen = choose(pool, 10)
    assert choose(pool[::-1], 10) == chosen
    assert {c.style for c in chosen} == {f"style {i}" for i in range(5)}
    assert {kind for c in chosen for _, kind in c.asked} == set(QUESTION_TYPES)
    assert choose(pool, 100) == choose(pool, 60) and len(choose(pool, 100)) == 60
    assert choose(pool, 7) == chosen[:7]
    assert choose([], 5) == []
