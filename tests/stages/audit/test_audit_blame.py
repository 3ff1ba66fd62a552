"""Who is to blame: explaining away, pairs, exact tests, false proposals."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from lvlmbench.stages.audit import blame, counts
from lvlmbench.stages.audit.blame import Selection, excess, limit
from lvlmbench.stages.audit.chance import Count, chance
from lvlmbench.stages.audit.counts import Key
from lvlmbench.stages.audit.samples import Entry, Sample

OWL = ("animal", "owl")


def sample(wrong: bool, *entries: Entry) -> Sample:
    by = frozenset(["clip"] if wrong else [])
    return Sample(tuple(sorted(entries)), True, by, False)


def chosen(samples: list[Sample]) -> list[Key]:
    return Selection(samples, 0.05, 0.1).chosen


def drawn(
    bad: dict[Key, float], n: int = 3000, seed: int = 0, labels: int = 80, base: float = 0.005
) -> list[Sample]:
    """Scenes of a label, a style and a background each, of which some keys are bad so often."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n):
        entries = (
            ("animal", f"a{rng.integers(labels)}"), ("background", f"b{rng.integers(25)}"),
            ("style", f"s{rng.integers(30)}"),
        )  # fmt: skip
        good = 1 - base
        for key, rate in bad.items():
            if {*key} <= {*entries}:
                good *= 1 - rate
        found.append(sample(bool(rng.random() > good), *entries))
    return found


@given(st.integers(1, 30), st.integers(1, 60), st.data())
def test_the_p_value_is_fishers(n: int, m: int, data: st.DataObject) -> None:
    a, b = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))
    wanted = fisher_exact([[a, n - a], [b, m - b]], alternative="greater").pvalue
    assert chance(((Count(n, a), Count(m, b)),)) == pytest.approx(wanted, rel=1e-9)


def test_the_p_value_of_strata_is_that_of_their_sum() -> None:
    """By hand: of (1 of 2, 0 of 2) and (1 of 1, 1 of 3) two are wrong with 1/2 * 2/4."""
    pairs = ((Count(2, 1), Count(2, 0)), (Count(1, 1), Count(3, 1)))
    assert chance(pairs) == 0.25


def whole(pairs: tuple[tuple[Count, Count], ...]) -> float:
    """The same by all ways to draw the samples."""
    weights, every, seen = [1], 1, sum(own.wrong for own, _ in pairs)
    for own, others in pairs:
        wrong, total = own.wrong + others.wrong, own.n + others.n
        every *= math.comb(total, own.n)
        ways = [math.comb(wrong, k) * math.comb(total - wrong, own.n - k)
                for k in range(min(own.n, wrong) + 1)]  # fmt: skip
        summed = [0] * (len(weights) + len(ways) - 1)
        for at, weight in enumerate(weights):
            for k, way in enumerate(ways):
                summed[at + k] += weight * way
        weights = summed
    return sum(weights[seen:]) / every


@st.composite
def count(draw: st.DrawFn, most: int = 60) -> Count:
    n = draw(st.integers(1, most))
    return Count(n, draw(st.integers(0, n)))


@given(st.lists(st.tuples(count(), count(most=200)), max_size=5).map(tuple))
def test_the_p_value_is_correctly_rounded(pairs: tuple[tuple[Count, Count], ...]) -> None:
    """To the last bit that of whole numbers, which lets equal ones be equal."""
    assert chance(pairs) == whole(pairs)


@pytest.mark.parametrize("wrong", [1500, 1100, 760, 500])
def test_small_p_values_are_correctly_rounded(wrong: int) -> None:
    """Down to the smallest float and below: 1e-560, 1e-284, 1e-93 and 1e-13."""
    pairs = ((Count(1500, wrong), Count(1600, 300)),)
    assert chance(pairs) == whole(pairs)


def test_a_p_value_at_full_scale_needs_no_long_numbers() -> None:
    """All ways to draw 3,000 of 43,000 have 16,000 bits, and there are as many numbers as draws."""
    pairs = ((Count(3000, 600), Count(40_000, 4000)),)
    tracemalloc.start()
    try:
        assert chance.__wrapped__(pairs) == 4.365870127615549e-55
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_p_values_are_computed_only_where_they_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of an entry whose excess is not above the margin is only written down."""
    asked = []
    monkeypatch.setattr(blame, "chance", lambda pairs: asked.append(pairs) or chance(pairs))
    found = Selection(drawn({}, n=1500, base=0.2), 0.05, 0.3)
    assert found.chosen == [] and asked == []
    assert any(each.p < 0.1 for each in found.blames().values()) and asked


def test_samples_are_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, keys_of = [], counts.keys_of
    monkeypatch.setattr(counts, "keys_of", lambda entries: seen.append(1) or keys_of(entries))
    bad: dict[Key, float] = {(("animal", f"a{i}"),): 0.95 for i in range(4)}
    found = Selection(drawn(bad, n=400, labels=10), 0.05, 0.1)
    assert {*found.chosen} == {*bad} and found.blames()
    assert len(seen) == 400


def test_a_style_is_not_blamed_for_the_list_that_stands_in_it() -> None:
    """Landmarks go wrong, whichever it is; a style shows hardly anything else."""
    rng = np.random.default_rng(5)
    samples = []
    for i in range(2000):
        style = ("style", f"s{i % 20}")
        landmark = i % 10 == 0 or (style[1] == "s3" and rng.random() < 0.8)
        thing = ("landmark" if landmark else "animal", f"x{rng.integers(20)}")
        samples.append(sample(landmark and bool(rng.random() < 0.6), thing, style))
    assert chosen(samples) == []


def test_the_interval_is_newcombes() -> None:
    """Method 10, table II (a) of the paper: 56 of 70 against 48 of 80, 0.0524 to 0.3339."""
    assert excess(Count(70, 56), Count(80, 48), 0.6) == (0.2, 0.052431, 0.333873)


def test_limits_are_those_of_benjamini_and_gavrilov() -> None:
    assert limit(1, 100, 0.05) == pytest.approx(0.05 / 100.05)
    assert limit(2, 100, 0.05) == pytest.approx(0.1 / 99.1)


def test_a_label_does_not_blame_its_style() -> None:
    bad = {((OWL[0], "a3"),): 0.95, ((OWL[0], "a4"),): 0.95}
    samples = drawn(bad)
    assert {*chosen(samples)} == {*bad}
    # A style in which mostly bad labels stand is not to blame either.
    more = [sample(True, ("animal", "a3"), ("style", "rare"), ("background", "b1"))] * 3
    more += [sample(False, ("animal", "a9"), ("style", "rare"), ("background", "b2"))] * 2
    assert {*chosen([*samples, *more])} == {*bad}


def test_a_style_does_not_blame_its_labels() -> None:
    bad: dict[Key, float] = {(("style", "s7"),): 0.9, (("background", "b2"),): 0.5}
    assert {*chosen(drawn(bad))} == {*bad}


def test_half_a_list_that_is_bad_is_found() -> None:
    bad: dict[Key, float] = {(("animal", f"a{i}"),): 0.95 for i in range(4)}
    assert {*chosen(drawn(bad, n=400, labels=10))} == {*bad}


def test_a_label_that_fails_in_one_style_is_a_pair() -> None:
    pair: Key = (("animal", "a3"), ("style", "s5"))
    samples = drawn({}, n=4000, base=0.0)
    samples += [sample(True, *pair, ("background", f"b{i}")) for i in range(6)]
    found = chosen([s for s in samples if not ({*pair} <= {*s.entries} and not s.wrong)])
    assert found == [pair]


def test_where_everything_goes_wrong_nothing_stands_out() -> None:
    assert chosen(drawn({}, n=1500, base=0.5)) == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("base", [0.0, 0.02, 0.2])
def test_of_good_entries_hardly_any_is_proposed(base: float) -> None:
    assert sum(len(chosen(drawn({}, n=1500, seed=s, base=base))) for s in range(20)) <= 2


def test_order_changes_nothing() -> None:
    samples = drawn({(("animal", "a3"),): 0.9, (("style", "s1"),): 0.4}, n=800)
    found = Selection(samples, 0.05, 0.1).blames()
    mixed = [samples[i] for i in np.random.default_rng(1).permutation(len(samples))]
    assert Selection(mixed, 0.05, 0.1).blames() == found
