"""Randomness: known answers, uniformity, and independence of order and company."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lvlmbench.core import seeding

IDS = [seeding.item_id("test", i) for i in range(4000)]


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ("00000000 00000000 00000000 00000000", "00000000 00000000",
         "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff",
         "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0",
         "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)  # fmt: skip
def test_philox_gives_the_published_known_answers(counter: str, key: str, expected: str) -> None:
    words = np.array([[int(w, 16) for w in counter.split()]], dtype=np.uint32)
    k0, k1 = (int(w, 16) for w in key.split())
    got = seeding.philox4x32(words, (k0, k1))
    assert [f"{w:08x}" for w in got[0]] == expected.split()


def test_philox_agrees_with_numpy_on_many_counters() -> None:
    """NumPy has Philox4x64 only, so ours is compared with a plain integer implementation."""

    def plain(c: list[int], k: list[int]) -> list[int]:
        for _ in range(10):
            p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [(p1 >> 32) ^ c[1] ^ k[0], p1 % 2**32, (p0 >> 32) ^ c[3] ^ k[1], p0 % 2**32]
            k = [(k[0] + 0x9E3779B9) % 2**32, (k[1] + 0xBB67AE85) % 2**32]
        return c

    counters = seeding.id_counters(IDS[:200])
    got = seeding.philox4x32(counters, (123456789, 4000000000))
    for row, counter in zip(got.tolist(), counters.tolist(), strict=True):
        assert row == plain(counter, [123456789, 4000000000])


def test_digest_is_blake2b_and_keeps_parts_apart() -> None:
    plain = hashlib.blake2b((2).to_bytes(8, "little") + b"ab", digest_size=16)
    assert seeding.digest("ab") == plain.digest()
    assert seeding.digest("ab", "c") != seeding.digest("a", "bc")
    assert seeding.digest("ab") != seeding.digest("ab", "")
    assert len(seeding.item_id("x")) == 32


@given(st.permutations(range(60)), st.integers(1, 59))
def test_columns_do_not_depend_on_order_or_company(order: list[int], cut: int) -> None:
    counters = seeding.id_counters(IDS[:60])
    whole = seeding.uniform_columns(7, "stage", counters, 5)
    shuffled = seeding.uniform_columns(7, "stage", counters[order], 5)
    assert (shuffled == whole[order]).all()
    parts = [seeding.uniform_columns(7, "stage", c, 5) for c in (counters[:cut], counters[cut:])]
    assert (np.concatenate(parts) == whole).all()


def test_more_columns_leave_the_first_as_they_were() -> None:
    counters = seeding.id_counters(IDS[:10])
    few = seeding.uniform_columns(7, "stage", counters, 3)
    assert (seeding.uniform_columns(7, "stage", counters, 11)[:, :3] == few).all()


def test_seed_stage_and_column_each_give_other_draws() -> None:
    counters = seeding.id_counters(IDS)
    base = seeding.uniform_columns(7, "stage", counters, 8)
    for other in (
        seeding.uniform_columns(8, "stage", counters, 8),
        seeding.uniform_columns(7, "other", counters, 8),
    ):
        assert abs(np.corrcoef(base[:, 0], other[:, 0])[0, 1]) < 0.06
    correlations = np.corrcoef(base.T) - np.eye(8)
    assert np.abs(correlations).max() < 0.08


def test_draws_are_uniform() -> None:
    counters = seeding.id_counters(IDS)
    uniform = seeding.uniform_columns(7, "stage", counters, 4)
    assert uniform.min() >= 0 and uniform.max() < 1
    for column in uniform.T:
        assert stats.kstest(column, "uniform").pvalue > 1e-3


def test_item_generators_repeat_and_differ() -> None:
    first = seeding.generator(7, "render", IDS[0]).integers(2**32, size=4).tolist()
    assert first == seeding.generator(7, "render", IDS[0]).integers(2**32, size=4).tolist()
    others = [
        seeding.generator(8, "render", IDS[0]),
        seeding.generator(7, "style", IDS[0]),
        seeding.generator(7, "render", IDS[1]),
    ]
    for other in others:
        assert other.integers(2**32, size=4).tolist() != first


def test_item_generator_is_the_same_on_every_machine() -> None:
    """The stream of a generator is part of the snapshot: a change of it is a new version."""
    draws = seeding.generator(20261120, "render", IDS[0]).integers(2**32, size=3).tolist()
    assert draws == [1184692342, 2232260045, 4205879961]


@given(st.integers(0, 2**63 - 1), st.text(max_size=20), st.text(max_size=20))
def test_torch_seeds_fit_63_bits(seed: int, stage: str, item: str) -> None:
    assert 0 <= seeding.seed_of(seed, stage, item) < 2**63


def test_counters_of_hexadecimal_and_raw_ids_agree() -> None:
    raw = [bytes.fromhex(i) for i in IDS[:5]]
    assert (seeding.id_counters(IDS[:5]) == seeding.id_counters(raw)).all()
    assert seeding.id_counters(IDS[:5]).shape == (5, 4)
