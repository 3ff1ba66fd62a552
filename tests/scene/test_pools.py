"""Distractors: never the answer, a synonym, a part of it, or each other's; as many as there are."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from scipy.stats import chisquare

from lvlmbench.core.errors import UserError
from lvlmbench.scene import ids
from lvlmbench.scene.pools import Pool, confusable_words, list_pool, word_pool
from lvlmbench.scene.vocabulary.entries import Entry, VocabularyList
from lvlmbench.suites.dysca.label_index import LabelIndex
from support.corpus_sample import WORDS

GROUPS = st.sampled_from(["", "a", "a/b", "a/b/c", "a/d", "e", "e/f", "ab"])


def counters_of(n: int) -> ids.U32:
    return ids.counters(ids.digests(("test",), [b"%d" % i for i in range(n)], ()))


def listing(groups: list[str]) -> VocabularyList:
    entries = [
        Entry(f"label{i}", "a", f"label{i}s", "", group or f"own{i}", (), frozenset(), {}, i)
        for i, group in enumerate(groups)
    ]
    return VocabularyList("thing", {"default": "thing"}, tuple(entries))


def whole(groups: list[str]) -> Pool:
    return list_pool(listing(groups), range(len(groups)), "thing", "add entries")


def clash(one: str, other: str) -> bool:
    """The rule for groups, written again: the same path, or one inside the other."""
    a, b = one.split("/"), other.split("/")
    return bool(one and other) and (a[: len(b)] == b or b[: len(a)] == a)


@settings(deadline=None)
@given(st.lists(GROUPS, min_size=2, max_size=12), st.integers(0, 2**40))
def test_options_never_clash_and_are_as_many_as_can_be(groups: list[str], seed: int) -> None:
    pool = whole(groups)
    n = len(groups)
    most = []
    for answer in range(n):
        free = [i for i in range(n) if i != answer and not clash(groups[i], groups[answer])]
        sets = [
            size
            for size in range(4)
            for chosen in combinations(free, size)
            if not any(clash(groups[a], groups[b]) for a, b in combinations(chosen, 2))
        ]
        most.append(max(sets))
    assert pool.counts.tolist() == most
    label_index = LabelIndex([whole(["", "x", "x"]), pool])
    answers = np.arange(3, 3 + n).repeat(8)
    picks = label_index.distractors(
        seed, counters_of(len(answers)), answers, label_index.counts[answers]
    )
    for answer, row in zip(answers, picks, strict=True):
        taken = [int(index) for index in row if index >= 0]
        assert len(taken) == most[answer - 3] == int((row[: len(taken)] >= 0).sum())
        for a, b in combinations([int(answer), *taken], 2):
            assert a != b
            assert not clash(groups[a - 3], groups[b - 3])


def test_each_suitable_label_is_drawn_about_equally_often() -> None:
    pool = whole(["a", "a", *[""] * 8])
    label_index = LabelIndex([pool])
    answers = np.zeros(9000, dtype=np.int64)
    picks = label_index.distractors(11, counters_of(9000), answers, np.full(9000, 3))
    seen = np.bincount(picks.ravel(), minlength=10)
    assert seen[:2].tolist() == [0, 0]
    assert chisquare(seen[2:]).pvalue > 0.01


def test_a_draw_depends_on_its_question_alone() -> None:
    label_index = LabelIndex([whole([""] * 9), word_pool(WORDS)])
    answers = np.arange(len(label_index.labels))
    counters = counters_of(len(answers))
    wanted = label_index.counts[answers]
    picks = label_index.distractors(3, counters, answers, wanted)
    order = np.random.default_rng(0).permutation(len(answers))[:20]
    again = label_index.distractors(3, counters[order], answers[order], wanted[order])
    assert again.tolist() == picks[order].tolist()


words = st.lists(st.text("abc", min_size=1, max_size=6), min_size=2, max_size=40, unique=True)


@given(words)
def test_confusable_words_are_those_alike_or_contained(chosen: list[str]) -> None:
    found = confusable_words(chosen)
    for i, j in combinations(range(len(chosen)), 2):
        a, b = chosen[i], chosen[j]
        if a in b or b in a or Levenshtein.distance(a, b) < 2:
            assert (i, j) in found
        elif (i, j) in found:
            assert Levenshtein.distance(a, b) == 2


@settings(deadline=None)
@given(words, st.integers(0, 2**40))
def test_words_beside_each_other_are_distinct(chosen: list[str], seed: int) -> None:
    pool = word_pool(chosen)
    label_index = LabelIndex([pool])
    answers = np.arange(len(chosen))
    picks = label_index.distractors(seed, counters_of(len(chosen)), answers, label_index.counts)
    for answer, row in zip(answers, picks, strict=True):
        options = [label_index.labels[i] for i in (int(answer), *row.tolist()) if i >= 0]
        for a, b in combinations(options, 2):
            assert a not in b
            assert b not in a
            assert Levenshtein.distance(a, b) >= 2


def test_distractor_words_are_about_as_long_as_the_answer() -> None:
    alphabet = "abcdefghij"
    rng = np.random.default_rng(1)
    many = sorted(
        {"".join(rng.choice(list(alphabet), size)) for size in range(4, 10) for _ in range(200)}
    )
    label_index = LabelIndex([word_pool(many)])
    answers = np.arange(len(many))
    picks = label_index.distractors(2, counters_of(len(many)), answers, label_index.counts)
    assert (label_index.counts == 3).all()
    lengths = np.array([len(label) for label in label_index.labels])
    assert (np.abs(lengths[picks] - lengths[answers][:, None]) <= 1).all()


def test_a_word_of_rare_length_finds_others() -> None:
    pool = word_pool(["extraordinary", "cat", "bird", "mouse", "horse"])
    assert (pool.counts == 3).all()


def test_no_entry_is_a_users_mistake() -> None:
    with pytest.raises(UserError, match="holds no entry to draw; color some"):
        list_pool(listing(["", ""]), [], "object with 'recolor'", "color some")
    with pytest.raises(UserError, match="no words"):
        word_pool([])


def test_synonyms_alone_are_a_users_mistake() -> None:
    whole(["a", "b"]).check()
    with pytest.raises(UserError, match="'label0' has no possible wrong option"):
        whole(["a", "a/b", "a/c"]).check()
