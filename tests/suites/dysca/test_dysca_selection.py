"""Which questions are asked: shares, pairs, independence of range and count."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench.core.errors import UserError
from lvlmbench.scene.subtasks import SUBTASKS, subtasks_of
from lvlmbench.suites.dysca.selection import Stream, closed_rates, free_form_rate, split_rate
from lvlmbench.suites.suite import SUITES
from support.corpus_sample import params_for

ONE = 1 << 32
streams = st.builds(
    Stream,
    seed=st.integers(0, 2**63 - 1),
    subtask=st.sampled_from(sorted(subtasks_of("dysca"))),
    asked=st.sampled_from(sorted(subtasks_of("dysca"))),
    question_type=st.sampled_from(["multiple_choice", "true_false", "free_form"]),
    rate=st.integers(0, ONE),
    residue=st.integers(0, 3),
    step=st.just(4),
)


@given(streams, st.integers(0, 200), st.integers(0, 200), st.integers(0, 200))
def test_a_range_holds_what_the_whole_holds_there(
    stream: Stream, start: int, length: int, more: int
) -> None:
    stop = start + length
    total = stop + more
    whole, whole_ranks = stream.select(0, total, total)
    part, part_ranks = stream.select(start, stop, total)
    inside = (whole >= start) & (whole < stop)
    assert part.tolist() == whole[inside].tolist()
    assert part_ranks.tolist() == whole_ranks[inside].tolist()
    assert whole_ranks.tolist() == list(range(len(whole)))
    assert all(ordinal % stream.step == stream.residue for ordinal in whole.tolist())


@given(streams, st.integers(1, 400))
def test_the_share_is_the_rate_to_within_one_or_two(stream: Stream, total: int) -> None:
    items = len(range(stream.residue, total, stream.step))
    found = len(stream.select(0, total, total)[0])
    # One for rounding, one more for a last statement without partner.
    assert abs(found - items * stream.rate / ONE) < (
        2 if stream.question_type == "true_false" else 1
    )


@given(streams, st.integers(1, 400), st.integers(0, 100))
def test_more_scenes_only_add(stream: Stream, total: int, more: int) -> None:
    before, _ = stream.select(0, total, total)
    after, _ = stream.select(0, total + more, total + more)
    added = set(after.tolist()) - set(before.tolist())
    assert set(before.tolist()) <= set(after.tolist())
    assert sum(ordinal < total for ordinal in added) <= (stream.question_type == "true_false")


@given(streams, st.integers(1, 400))
def test_pairs_hold_one_true_and_one_false(stream: Stream, total: int) -> None:
    _, ranks = replace(stream, question_type="true_false").select(0, total, total)
    truths = stream.truths(ranks)
    assert len(truths) % 2 == 0
    assert (truths[0::2] != truths[1::2]).all()


def test_the_first_of_a_pair_is_as_often_true() -> None:
    stream = Stream(5, "animal", "animal", "true_false", ONE)
    assert 0.47 < stream.truths(np.arange(0, 8000, 2)).mean() < 0.53


@given(streams, st.integers(2, 4), st.integers(0, 400), st.integers(1, 60))
def test_each_place_is_right_about_equally_often_in_any_run(
    stream: Stream, options: int, first: int, length: int
) -> None:
    ranks = np.arange(first, first + length)
    turns = stream.turns(ranks)
    assert ((turns >= 0) & (turns < 1)).all()
    assert turns[-1] == stream.turns(ranks[-1:])[0]  # no other question has a say
    places = np.bincount((turns * options).astype(int), minlength=options)
    assert abs(places - length / options).max() < 2.5


def test_rates_add_up_to_what_is_asked_for() -> None:
    params = params_for()
    for subtask in subtasks_of("dysca"):
        rates = closed_rates(params, subtask, SUBTASKS[subtask])
        for kind, rate in rates.items():
            share = getattr(params.corpus.type_proportions, kind)
            sum_ = (rate.primary + rate.secondary * len(SUBTASKS[subtask].secondary)) / ONE
            assert sum_ == pytest.approx(params.corpus.questions_per_scene * share, abs=1e-8)
            assert rate.primary == ONE
    assert free_form_rate(params) / ONE == pytest.approx(3.34 * 0.188)


def test_below_one_only_the_primary_aspect_is_asked() -> None:
    assert split_rate(0.25, 3, "") == split_rate(0.25, 0, "")
    assert split_rate(0.25, 3, "").secondary == 0


@pytest.mark.parametrize(
    ("corpus", "parts"),
    [
        ({"questions_per_scene": 12}, ("multiple_choice", "subtask", "questions_per_scene")),
        (
            {
                "questions_per_scene": 2,
                "type_proportions": {"multiple_choice": 0.2, "true_false": 0.2, "free_form": 0.6},
            },
            ("free_form", "1.20", "lower"),
        ),
    ],
)
def test_more_questions_than_aspects_is_a_users_mistake(
    corpus: dict[str, object], parts: tuple[str, ...]
) -> None:
    params = params_for(**corpus)
    with pytest.raises(UserError) as caught:
        for subtask in subtasks_of("dysca"):
            closed_rates(params, subtask, SUBTASKS[subtask])
        free_form_rate(params)
    assert str(caught.value).startswith("params.yaml: suites.dysca.corpus: ")
    for part in parts:
        assert part in str(caught.value)
    with pytest.raises(UserError) as before:  # as a check of the parameters says, not a job
        check = SUITES.get("dysca", "").check
        assert check is not None
        check(params, "params.yaml")
    for part in parts:
        assert part in str(before.value)
