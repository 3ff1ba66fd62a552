"""Options that look alike: neighbors of things, words with a letter or two of difference."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lvlmbench.config import validate
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.suites.dysca.fours import near_fours
from lvlmbench.suites.dysca.plan import Plan
from lvlmbench.suites.dysca.settings import DEFAULT
from lvlmbench.suites.dysca.spelling import alike_fours, with_lines
from lvlmbench.suites.suite import build_shard

THINGS = ("animal", "object", "plant", "food", "clothes")


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return load_vocabulary(PROJECT_ROOT / "data" / "vocabulary")


def asked(
    vocabulary: Vocabulary, seed: int, subtasks: list[str], scenes: int, **harder: str
) -> list[dict[str, Any]]:
    """Closed questions, each with background and style of its scene."""
    corpus = {
        "drawable_by": "pictograph",
        "scenes_per_subtask": scenes,
        "subtasks": subtasks,
        "dysca": harder,
    }
    params = validate({"snapshot": {"seed": seed}, "corpus": corpus})
    made, questions = build_shard(params, vocabulary, 0, scenes * len(subtasks))
    scene_ids = made["scene_id"].to_pylist()
    behind, style = (
        dict(zip(scene_ids, made[name].to_pylist(), strict=True))
        for name in ("background", "style")
    )
    rows: list[dict[str, Any]] = questions.filter(
        pa.compute.not_equal(questions["question_type"], "free_form")
    ).to_pylist()
    return [
        row | {"behind": behind[row["scene_id"]], "style": style[row["scene_id"]]} for row in rows
    ]


def near(vocabulary: Vocabulary, name: str, one: str, other: str) -> bool:
    return (name, other) in vocabulary.near.get((name, one), ())


def test_wrong_options_look_like_the_answer_and_are_never_another_name(
    vocabulary: Vocabulary,
) -> None:
    shows = {e.label: {*e.extra.get("shows", ())} for e in vocabulary.lists["background"].entries}
    styles = vocabulary.lists["style"].for_renderer("pictograph").by_label
    colorless: list[bool] = []
    share: dict[str, list[int]] = defaultdict(list)
    plain: dict[str, list[int]] = defaultdict(list)
    for kind, found in (("near", share), ("any", plain)):
        for row in asked(vocabulary, 5, [*THINGS], 400, distractors=kind):
            name, answer = row["subtask"], row["answer"]
            if name not in THINGS or row["question_type"] != "multiple_choice":
                continue
            assert len(row["options"]) == 4
            listing = vocabulary.lists[name]
            for option in row["options"]:
                if option == answer:
                    continue
                alike = near(vocabulary, name, answer, option)
                gray = kind == "near" and "color" in styles[row["style"]].hidden
                (colorless if gray else found[name]).append(alike)
                assert option not in listing.alike(answer)
                assert option not in shows.get(row["behind"], ())
                if kind == "near" and not gray:
                    words = (listing.by_label[each].words for each in (answer, option))
                    parts = (
                        {*part.split()}
                        for each in (answer, option)
                        for part in listing.by_label[each].extra.get("parts", ())
                    )
                    held = [*parts]
                    assert not any(w <= part for w in words for part in held)
    assert len(colorless) > 500
    assert np.mean(colorless) < 0.1, "without colors look-alikes are hard to tell apart"
    for name in THINGS:
        assert np.mean(share[name]) > 0.45 > 3 * np.mean(plain[name]) or name == "plant"
    assert np.mean(share["plant"]) > 0.45 > np.mean(plain["plant"])


@pytest.mark.long
@pytest.mark.parametrize(
    ("subtasks", "harder", "lists"),
    [
        (["animal", "food", "clothes"], {"distractors": "near"}, ("animal", "food", "clothes")),
        (["text"], {"words": "alike"}, ("text",)),
    ],
)
def test_who_knows_all_options_and_claims_gains_nothing(
    vocabulary: Vocabulary, subtasks: list[str], harder: dict[str, str], lists: tuple[str, ...]
) -> None:
    """A guesser counts, over other seeds, how often each label of a set is the answer."""
    answers: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    claims: dict[str, Counter[str]] = defaultdict(Counter)
    for seed in (1, 2):
        for row in asked(vocabulary, seed, subtasks, 6000, **harder):
            if row["subtask"] not in lists:
                continue
            if row["question_type"] == "multiple_choice":
                answers[tuple(sorted(row["options"]))][row["answer"]] += 1
            else:
                claims[row["claim"]][row["answer"]] += 1
    right: dict[str, list[bool]] = defaultdict(list)
    for row in asked(vocabulary, 3, subtasks, 6000, **harder):
        if row["subtask"] not in lists:
            continue
        kind = row["question_type"]
        known = (
            answers.get(tuple(sorted(row["options"])))
            if kind == "multiple_choice"
            else claims.get(row["claim"])
        )
        if known:
            right[kind].append(known.most_common(1)[0][0] == row["answer"])
            right[f"{kind} first"].append(row["options"][0] == row["answer"])
    for kind, chance in (("multiple_choice", 0.25), ("true_false", 0.5)):
        for who in (kind, f"{kind} first"):
            n = len(right[who])
            assert n > 4000
            assert abs(np.mean(right[who]) - chance) < 4 * (chance * (1 - chance) / n) ** 0.5


def test_each_label_is_in_as_many_fours_and_partners_are_mutual(vocabulary: Vocabulary) -> None:
    entries = vocabulary.lists["animal"].entries
    table = np.zeros((len(entries), len(entries)), dtype=np.bool_)
    for i, one in enumerate(entries):
        table[i] = [near(vocabulary, "animal", one.label, other.label) for other in entries]
    never = vocabulary.lists["animal"].conflicts()
    fours = near_fours("animal", table, never)
    assert fours is not None
    assert {*np.bincount(fours.ravel()).tolist()} == {4}
    for four in fours.tolist():
        assert len({*four}) == 4
        assert not any(never[a, b] for a in four for b in four if a != b)
    alone = np.ones_like(never)
    assert near_fours("animal", table, alone) is None, "no four suits where all are alike"


def test_words_of_a_four_have_one_length_and_differ_clearly(vocabulary: Vocabulary) -> None:
    fours = alike_fours(vocabulary.words)
    words = [word for four in fours for word in four]
    assert len(words) == len({*words}) > 1200
    differing: dict[int, list[int]] = defaultdict(list)
    for four in fours:
        for one, other in combinations(four, 2):
            differ = [{a, b} for a, b in zip(one, other, strict=True) if a != b]
            assert 1 <= len(differ) <= len(one) // 2
            assert any(
                not any(pair <= {*same} for same in ("ceoa", "nmhu", "vwy", "iltf"))
                for pair in differ
            )
            differing[len(one)].append(len(differ))
    assert {length: len(found) for length, found in differing.items()} == dict.fromkeys(
        range(4, 10), len(fours)
    )
    assert np.mean(differing[4]) < 1.2 and np.mean(differing[9]) < 3.5
    assert alike_fours(["bank", "bark", "barn"]) == []
    assert alike_fours(["gold", "cold", "golden", "sold", "bold", "Hold"]) == []


def test_letters_of_one_shape_alone_do_not_tell_words_apart() -> None:
    assert alike_fours(["cars", "ears", "oars", "bars"]) == []
    assert alike_fours(["bars", "cars", "tars", "wars"]) != []


def test_text_scenes_show_words_that_have_look_alikes(vocabulary: Vocabulary) -> None:
    together = {frozenset(four) for four in alike_fours(vocabulary.words)}
    rows = [
        row
        for row in asked(vocabulary, 4, ["text"], 300, words="alike")
        if row["subtask"] == "text"
    ]
    choices = [row for row in rows if row["question_type"] == "multiple_choice"]
    assert len(choices) > 200
    assert all(frozenset(row["options"]) in together for row in choices)
    false = [row for row in rows if row["claim"] and row["answer"] == "False"]
    assert len(false) > 50
    assert all(len([f for f in together if row["claim"] in f]) == 1 for row in false)


def test_half_of_the_texts_are_two_words_that_differ_in_one(vocabulary: Vocabulary) -> None:
    plain = alike_fours(vocabulary.words)
    mixed = with_lines(plain)
    lines = [(before, four) for before, four in zip(plain, mixed, strict=True) if before != four]
    assert len(lines) == len(plain) // 2
    places = Counter[bool]()
    for before, four in lines:
        words = [text.split() for text in four]
        first, second = ({pair[at] for pair in words} for at in (0, 1))
        assert min(len(first), len(second)) == 1 and {*before} in (first, second)
        places[len(first) == 1] += 1
    assert places[True] == pytest.approx(places[False], abs=1)
    lengths = Counter(len(before[0]) for before, _ in lines)
    assert lengths.keys() == {len(four[0]) for four in plain}
    assert max(lengths.values()) - min(lengths.values()) <= 1
    assert len({text for four in mixed for text in four}) == 4 * len(mixed), "each text once"


def test_lines_are_asked_among_their_four(vocabulary: Vocabulary) -> None:
    together = {frozenset(four) for four in with_lines(alike_fours(vocabulary.words))}
    rows = [
        row
        for row in asked(vocabulary, 4, ["text"], 300, words="lines")
        if row["subtask"] == "text" and row["question_type"] == "multiple_choice"
    ]
    assert all(frozenset(row["options"]) in together for row in rows)
    shares = Counter(" " in row["answer"] for row in rows)
    assert shares[True] / len(rows) == pytest.approx(0.5, abs=0.1)


def test_by_default_nothing_is_harder(vocabulary: Vocabulary) -> None:
    one, other = (
        validate({"corpus": {"subtasks": ["animal"], "scenes_per_subtask": 50, **more}})
        for more in ({}, {"dysca": {"distractors": "any", "words": "any"}})
    )
    for mine, its in zip(
        build_shard(one, vocabulary, 0, 50), build_shard(other, vocabulary, 0, 50), strict=True
    ):
        assert mine.equals(its)


@pytest.mark.parametrize(
    ("harder", "message"),
    [
        ({"distractors": "far"}, r"corpus\.dysca\.distractors.*'any' or 'near'"),
        ({"words": True}, r"corpus\.dysca\.words"),
        ({"word": "alike"}, r"corpus\.dysca\.word"),
    ],
)
def test_bad_settings_are_one_line(harder: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        validate({"corpus": {"dysca": harder}})
    assert "\n" not in str(caught.value)


def test_look_alikes_are_needed(vocabulary: Vocabulary) -> None:
    none = dataclasses.replace(vocabulary, near={})
    with pytest.raises(UserError, match=r"near\.yaml: holds no look-alikes"):
        Plan(none, "pictograph", ("animal",), DEFAULT.model_copy(update={"distractors": "near"}))
    few = dataclasses.replace(vocabulary, words=("gold", "cold", "table"))
    with pytest.raises(UserError, match="holds no words"):
        Plan(few, "pictograph", ("text",), DEFAULT.model_copy(update={"words": "alike"}))
