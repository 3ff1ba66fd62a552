"""p-values that are corrected for their number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench.stats.testing import holm


def test_holm_by_hand() -> None:
    # 4 * 0.01, 3 * 0.02, 2 * 0.03 and 0.04, which may not be below the one before.
    assert holm([0.03, 0.01, 0.04, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.5, None, 0.01]) == pytest.approx([0.5, None, 0.02])
    assert holm([0.9, 0.6]) == [1.0, 1.0]
    assert holm([]) == [] and holm([None]) == [None]


@given(st.lists(st.none() | st.floats(0, 1), max_size=12), st.randoms(use_true_random=False))
def test_corrected_values_keep_their_order(p: list[float | None], shuffler: object) -> None:
    found = holm(p)
    known = [(one, other) for one, other in zip(p, found, strict=True) if one is not None]
    assert [each is None for each in p] == [each is None for each in found]
    assert all(other is not None and one <= other <= 1 for one, other in known)
    ranked = [other for _, other in sorted(known, key=lambda pair: pair[0])]
    assert ranked == sorted(ranked)  # type: ignore[type-var]
    if known:
        assert ranked[0] == min(1.0, len(known) * min(one for one, _ in known))
    # The same whatever the order.
    at = list(range(len(p)))
    shuffler.shuffle(at)  # type: ignore[attr-defined]
    assert holm([p[i] for i in at]) == [found[i] for i in at]
