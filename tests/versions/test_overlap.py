"""What two snapshots share on the text side: scenes and questions."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.versions.chance import SEEDS as FRESH
from lvlmbench.versions.chance import shared_by_chance
from lvlmbench.versions.content import SCENE_LEVELS, Rows, Scenes, question_keys, questions_of
from lvlmbench.versions.overlap import Shared, shared_questions, shared_rows, shared_scenes
from support.overlap_scenes import corpus, parameters, text_side

SEEDS = (11, 12, 13, 14, 15, 16)


@pytest.fixture(scope="module")
def sides() -> dict[int, tuple[Scenes, Rows]]:
    return {seed: text_side(seed, 20) for seed in SEEDS}


def by_level(found: list[Shared]) -> dict[str, Shared]:
    return {level.level: level for level in found}


def test_other_seeds_share_no_id_and_hardly_a_scene(
    sides: dict[int, tuple[Scenes, Rows]],
) -> None:
    """Over all ordered pairs of six seeds, contents agree as often as chance says."""
    seen = dict.fromkeys(SCENE_LEVELS, 0)
    for x, (scenes_a, questions_a) in sides.items():
        for y, (scenes_b, questions_b) in sides.items():
            if x == y:
                continue
            scenes = by_level(shared_scenes(scenes_a, scenes_b, {}))
            questions = by_level(shared_questions(questions_a, questions_b))
            assert scenes["id"].shared == questions["id"].shared == 0
            assert scenes["content"].shared <= 8 and questions["same_scene"].shared <= 24
            assert questions["same_scene_words"].shared <= questions["same_scene"].shared
            for level in SCENE_LEVELS:
                seen[level] += scenes[level].shared
    pairs = len(SEEDS) * (len(SEEDS) - 1)
    params = parameters(11, 20)
    vocabulary = load_vocabulary(vocabulary_dir(params))
    chance = shared_by_chance(params, vocabulary, sides[12][0])
    for level in SCENE_LEVELS:
        # Ordered pairs of the same two seeds count nearly the same matches: twice the variance.
        spread = np.sqrt(chance[level] * (2 / pairs + 1 / FRESH + 1 / len(SEEDS)))
        assert abs(seen[level] / pairs - chance[level]) < 4 * spread


def test_wordings_recur_because_they_come_from_templates(
    sides: dict[int, tuple[Scenes, Rows]],
) -> None:
    found = by_level(shared_questions(sides[11][1], sides[12][1]))["words"]
    assert 0.05 < found.shared / found.n_b < 0.25
    assert 0.05 < found.inside / found.n_b < 0.25


def test_a_snapshot_with_itself_overlaps_fully(
    sides: dict[int, tuple[Scenes, Rows]],
) -> None:
    scenes, questions = sides[11]
    for level in (*shared_scenes(scenes, scenes, {}), *shared_questions(questions, questions)):
        assert level.shared == level.n_b == level.n_a > 0


def test_more_scenes_of_the_same_seed_hold_all_that_were_there() -> None:
    (few, asked), (many, asked_more) = text_side(5, 3), text_side(5, 9)
    found = by_level(shared_scenes(many, few, {}))
    assert found["id"].shared == found["id"].n_b == 60
    assert by_level(shared_scenes(few, many, {}))["id"].shared == 60
    assert by_level(shared_questions(asked_more, asked))["id"].shared == len(asked.ids)


def test_the_order_of_rows_and_the_batches_change_nothing() -> None:
    scenes_a, questions_a = text_side(11, 20)
    of_scenes, of_questions = corpus(parameters(12, 20))
    plain = Scenes.of([of_scenes])
    first = (
        shared_scenes(scenes_a, plain, {}),
        shared_questions(questions_a, questions_of([of_questions], plain)),
    )
    rng = np.random.default_rng(0)
    mixed = of_scenes.take(pa.array(rng.permutation(len(of_scenes))))
    asked = of_questions.take(pa.array(rng.permutation(len(of_questions))))
    other = Scenes.of([mixed.slice(0, 7), mixed.slice(7)])
    again = (
        shared_scenes(scenes_a, other, {}),
        shared_questions(questions_a, questions_of([asked.slice(0, 99), asked.slice(99)], other)),
    )
    assert again == first
    assert any(level.examples for level in first[0])


def planted(scenes: pa.Table, row: int, **columns: object) -> Scenes:
    """The scenes with one changed, under ids of their own."""
    rows = scenes.to_pylist()
    rows[row] |= columns
    for i, held in enumerate(rows):
        held["scene_id"] = f"{i:032x}"
    return Scenes.of([pa.Table.from_pylist(rows, schema=scenes.schema)])


@pytest.mark.parametrize(
    ("column", "levels"),
    [
        ("style", {"but_style", "foreground_background"}),
        ("background", set()),
        ("subtask", {"foreground_background"}),
        ("attributes", {"foreground_background"}),
        ("text", {"foreground_background"}),
        ("caption", set(SCENE_LEVELS)),
        ("prompt", set(SCENE_LEVELS)),
    ],
)
def test_each_level_compares_what_it_says(column: str, levels: set[str]) -> None:
    scenes, _ = corpus(parameters(3, 4, subtasks=["animal"]))
    attributes = scenes.to_pylist()[2]["attributes"] | {"number": 9}
    changed = attributes if column == "attributes" else "something else"
    a, b = Scenes.of([scenes]), planted(scenes, 2, **{column: changed})
    for level, found in by_level(shared_scenes(a, b, {})).items():
        expect = 0 if level == "id" else 4 if level in levels else 3
        assert found.shared == expect, level


def test_the_text_that_is_drawn_is_part_of_the_content() -> None:
    scenes, _ = corpus(parameters(3, 4, subtasks=["text"]))
    found = by_level(shared_scenes(Scenes.of([scenes]), planted(scenes, 1, text="other"), {}))
    assert (found["content"].shared, found["but_style"].shared) == (3, 3)
    assert found["foreground_background"].n_b == 0, "texts have no background"


def test_examples_name_both_rows() -> None:
    a = Rows(["a2", "a1"], {"k": np.array([7, 7], np.uint64)}, ["two", "one"])
    b = Rows(["b1", "b0"], {"k": np.array([7, 0], np.uint64)}, ["here", "there"])
    found = shared_rows(a, b, "k")
    assert (found.n_a, found.n_b, found.shared, found.inside) == (2, 1, 1, 0)
    assert [(e.a, e.b, e.a_shows, e.b_shows) for e in found.examples] == [
        ("a1", "b1", "one", "here")
    ]


def test_chance_is_the_mean_over_other_seeds() -> None:
    params = parameters(3, 4, subtasks=["landmark"])
    vocabulary = load_vocabulary(vocabulary_dir(params))
    b = Scenes.of([corpus(parameters(5, 400, subtasks=["landmark"]))[0]])
    chance = shared_by_chance(params, vocabulary, b)
    assert chance == shared_by_chance(params, vocabulary, b)
    assert all(count * FRESH == pytest.approx(round(count * FRESH)) for count in chance.values())
    more = shared_by_chance(parameters(3, 40, subtasks=["landmark"]), vocabulary, b)
    assert 0 < chance["content"] < more["content"] < len(b.scenes)


def test_questions_are_the_same_whatever_the_order_of_their_options() -> None:
    row = {
        "subtask": "animal",
        "question_type": "multiple_choice",
        "question": "What is it?",
        "options": ["owl", "fox", "cat"],
        "answer": "fox",
        "claim": None,
    }
    own = tuple(question_keys(row, 1))
    assert tuple(question_keys(row | {"options": ["cat", "fox", "owl"]}, 1)) == own

    def same(**changes: object) -> tuple[bool, ...]:
        content = changes.pop("content", 1)
        return tuple(
            x == y for x, y in zip(own, question_keys(row | changes, content), strict=True)
        )

    # In turn: the same asked about the same content, in the same words, the same words alone.
    assert same(question="What can be seen?") == (True, False, False)
    assert same(options=["owl", "fox", "dog"]) == (True, False, False)
    assert same(answer="owl") == (True, False, False)
    assert same(claim="fox") == (False, False, True)
    assert same(subtask="background") == (False, False, True)
    assert same(content=2) == (False, False, True)
    assert same(question_type="true_false") == (False, False, False)
