"""Adjusted options: what takes the place of what, and what somebody who sees nothing can tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from lvlmbench.stats.estimate import wilson
from lvlmbench.suites.autodavis.adjusting import Adjusted, Prior, adjusted, liking
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.draws import Draws
from support.exam.sampled import Sample

VALUES = [f"value {n:02d}" for n in range(40)]
#: Six of forty values are right nine times in ten.
COMMON = VALUES[:6]


def ask(answer: str, wrong: Sequence[str], near: int = 0) -> Ask:
    return Ask(
        family="planted", program=["exists", "?"], questions=("Which?",), show=str,
        answer=answer, wrong=[*wrong], near=near,
    )  # fmt: skip


def planted(n: int, seed: int) -> list[Ask]:
    """Questions whose right answers can be guessed: the wrong ones are any of the others."""
    found = []
    for at in range(n):
        draws = Draws(seed, "planted", str(at))
        right = draws.pick(COMMON if draws.chance(0.9) else VALUES)
        found.append(ask(right, draws.shuffled([v for v in VALUES if v != right])))
    return found


def of(
    one: Ask, prior: Prior, item: str, replies: int = 3, refused: Sequence[str] = (),
    habit: bool = False,
) -> Adjusted:  # fmt: skip
    draws = Draws(1, "adjust", item)
    found = adjusted(one, draws, prior, replies, lambda value: value in refused, habit)
    assert found is not None
    return found


def draft(found: Adjusted) -> list[str]:
    """The wrong options as they were at first."""
    return [str(found.replaced.get(value, value)) for value in found.ask.wrong]


def test_a_prior_that_gives_answers_away_gives_nothing_away_once_options_are_adjusted() -> None:
    """Specification, 10.6: at least 40 % before and at most 30 % after, for either extreme."""
    prior = Counter(str(one.answer) for one in planted(1500, seed=5))
    right: Counter[str] = Counter()
    asks = planted(3000, seed=6)
    for at, one in enumerate(asks):
        found = of(one, prior, str(at))
        for name, wrong in (("before", draft(found)), ("after", [*map(str, found.ask.wrong)])):
            options = sorted([str(one.answer), *wrong])
            guesses: dict[str, Callable[[str], int]] = {
                "likeliest": lambda value: -prior[value],
                "unlikeliest": lambda value: prior[value],
            }
            for way, key in guesses.items():
                right[f"{name} {way}"] += min(options, key=key) == one.answer
    share = {name: count / len(asks) for name, count in right.items()}
    assert share["before likeliest"] >= 0.4
    assert share["after likeliest"] <= 0.30 and share["after unlikeliest"] <= 0.30


def test_what_the_picture_shows_comes_first_and_stays_counted() -> None:
    near = VALUES[10:12]
    one = ask(VALUES[0], [*near, *VALUES[20:30]], near=2)
    for at in range(50):
        found = of(one, {}, str(at))
        assert [*found.ask.wrong[:2]] == near and found.ask.near == 2
        assert set(found.replaced) == {*found.ask.wrong} - {*draft(found)}
        assert len({*draft(found), *found.replaced}) == 3 + len(found.replaced)
    first = [of(one, {}, str(at), replies=0) for at in range(200)]
    assert all(not each.replaced for each in first)
    assert {each.ask.near for each in first} == {0, 1, 2}  # counted, not taken over


@pytest.mark.parametrize("replies", range(4))
def test_who_sees_what_is_there_does_not_know_the_answer(replies: int) -> None:
    """However few options are adjusted, one is offered that is there as well."""
    one = replace(ask(VALUES[0], VALUES[1:], near=2), least=1)
    for at in range(200):
        found = of(one, {}, str(at), replies)
        assert found.ask.near >= 1 and len({*found.ask.wrong}) == 3
        assert len(found.replaced) <= replies
    # Those that are there may not be offered: then nothing is asked.
    assert adjusted(one, Draws(1, "adjust", "x"), {}, replies, VALUES[1:3].__contains__) is None


def test_what_stands_so_is_asked_beside_something_else_that_is_there() -> None:
    """At no setting can the question which thing stands so be answered by what is there alone."""
    for replaced in (0, 3):
        planned = Sample(40, replaced=replaced)
        pictures = planned.of(["between", "outermost", "cells", "logic"])
        asked = pictures.asked()
        labels = {
            scene: {thing.label for thing in seen.things}
            for scene, seen in pictures.pictures.items()
        }
        checked = 0
        for row in asked:
            things = [option.removeprefix("the ") for option in row["options"]]
            if row["factors"]["hops"] and row["answer"].startswith("the "):
                there = [thing for thing in things if thing in labels[row["scene_id"]]]
                assert len(there) >= 2, row
                checked += 1
        assert checked > 10


@pytest.mark.parametrize("replies", [1, 2])
def test_no_more_is_adjusted_than_asked_for(replies: int) -> None:
    one = ask(VALUES[0], VALUES[1:], near=3)
    found = [of(one, {}, str(at), replies) for at in range(100)]
    assert max(len(each.replaced) for each in found) == replies
    for each in found:
        assert len({*each.ask.wrong}) == 3
        assert each.ask.near == sum(v in VALUES[1:4] for v in each.ask.wrong)


def test_what_is_refused_is_offered_neither_before_nor_after() -> None:
    refused = VALUES[1:30:2]
    one = ask(VALUES[0], VALUES[1:], near=3)
    for at in range(100):
        found = of(one, {VALUES[1]: 50}, str(at), refused=refused)
        assert not {*map(str, found.ask.wrong), *draft(found)} & {*refused}
    none = adjusted(one, Draws(1, "adjust", "x"), {}, 3, lambda value: value not in VALUES[1:3])
    assert none is None


def test_the_first_draft_is_as_likely_to_offer_any_wrong_option() -> None:
    one = ask(VALUES[0], VALUES[1:9], near=3)
    drawn = Counter(v for at in range(2000) for v in draft(of(one, {}, str(at))))
    for value in VALUES[1:9]:
        low, high = wilson(drawn[value] / 2000, 2000, z=3.7)
        assert low <= 3 / 8 <= high


def test_a_habit_has_the_same_favorites_always_and_changes_nothing_that_is_asked() -> None:
    """Of ten wrong options the draft offers the same three; in their place stand the same as
    without the habit."""
    one = ask(VALUES[0], VALUES[1:11], near=2)
    dearest = sorted(VALUES[1:11], key=liking)[:3]
    for at in range(50):
        again = replace(one, wrong=Draws(2, "order", str(at)).shuffled(one.wrong), near=0)
        with_habit, without = (of(again, {}, str(at), habit=habit) for habit in (True, False))
        assert {*draft(with_habit)} == {*dearest}
        assert with_habit.ask == without.ask


def test_a_habit_is_told_by_the_last_word() -> None:
    assert liking("the cup") == liking("directly above the cup") != liking("the owl")
