"""How many there are, in closed questions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from lvlmbench.config import Params, validate
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.scene.vocabulary.entries import clash
from lvlmbench.suites.dysca.counting import NUMBERS, more_of_it
from lvlmbench.suites.suite import build_shard

SUBTASKS = ["animal", "object", "plant", "food", "style", "color"]
SCENES = 2500


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return load_vocabulary(PROJECT_ROOT / "data" / "vocabulary")


def params(**harder: Any) -> Params:
    corpus = {"drawable_by": "pictograph", "scenes_per_subtask": SCENES, "subtasks": SUBTASKS}
    return validate({"snapshot": {"seed": 8}, "corpus": {**corpus, "dysca": harder}})


@pytest.fixture(scope="module")
def rows(vocabulary: Vocabulary) -> list[dict[str, Any]]:
    """Questions about numbers, each with its scene."""
    scenes, questions = build_shard(params(counts=True), vocabulary, 0, SCENES * len(SUBTASKS))
    by_id = {scene["scene_id"]: scene for scene in scenes.to_pylist()}
    assert len({*questions["question_id"].to_pylist()}) == len(questions)
    return [
        row | {"scene": by_id[row["scene_id"]]}
        for row in questions.to_pylist()
        if row["subtask"] == "number"
    ]


def test_answers_are_the_number_shown(rows: list[dict[str, Any]], vocabulary: Vocabulary) -> None:
    kinds = Counter(row["question_type"] for row in rows)
    assert min(kinds[kind] for kind in ("multiple_choice", "true_false")) > 400
    assert len(kinds) == 2
    for row in rows:
        scene, key = row["scene"], row["key"]
        shown = NUMBERS[scene["attributes"]["number"] - 1]
        entry = vocabulary.lists[scene["foreground_list"]].by_label[scene["foreground"]]
        assert scene["subtask"] == scene["foreground_list"]
        if row["question_type"] == "multiple_choice":
            assert key == "number/multiple_choice"
            assert sorted(row["options"]) == sorted(NUMBERS)
            assert row["answer"] == shown == row["options"][row["answer_index"]]
            assert f" {entry.plural} " in row["question"]
            assert row["chance"] == pytest.approx(1 / 3)
        else:
            assert row["answer"] == str(row["claim"] == shown)
            noun = entry.label if row["claim"] == "one" else entry.plural
            assert f"exactly {row['claim']} {noun}" in row["question"]


def test_nothing_is_counted_that_may_be_a_pair_or_stand_behind(
    rows: list[dict[str, Any]], vocabulary: Vocabulary
) -> None:
    behind = vocabulary.lists["background"].by_label
    for row in rows:
        scene = row["scene"]
        entry = vocabulary.lists[scene["foreground_list"]].by_label[scene["foreground"]]
        assert entry.article in ("a", "an")
        assert entry.extra.get("several", True)
        extra = behind[scene["background"]].extra
        for noun in (*extra.get("shows", ()), *extra.get("depicts", ())):
            words = frozenset(noun.casefold().split())
            assert not clash(entry.key, (f"{noun.casefold()}/", words))
    palm = vocabulary.lists["plant"].by_label["palm tree"]
    with_trees = [e for e in behind.values() if "tree" in e.extra.get("depicts", ())]
    assert with_trees
    assert all(more_of_it(e, [palm]).all() for e in with_trees)


def test_no_number_is_right_more_often(rows: list[dict[str, Any]]) -> None:
    choices = [row for row in rows if row["question_type"] == "multiple_choice"]
    for found in (
        Counter(row["answer"] for row in choices),
        Counter(row["answer_index"] for row in choices),
    ):
        n = sum(found.values())
        for number in found.values():
            assert abs(number / n - 1 / 3) < 4 * (2 / 9 / n) ** 0.5
    claims = Counter((row["claim"], row["answer"]) for row in rows if row["claim"])
    for number in NUMBERS:
        true, n = claims[number, "True"], claims[number, "True"] + claims[number, "False"]
        assert abs(true / n - 0.5) < 4 * (0.25 / n) ** 0.5


def test_scenes_stay_and_by_default_no_number_is_asked(vocabulary: Vocabulary) -> None:
    start, stop = 2 * SCENES, 2 * SCENES + 300  # the first of those that are about an animal
    plain, asked = build_shard(params(), vocabulary, start, stop)
    counted, more = build_shard(params(counts=True), vocabulary, start, stop)
    assert plain.equals(counted)
    assert "number" not in asked["subtask"].to_pylist()
    assert "number" in more["subtask"].to_pylist()
    first = [
        {row["question_id"]: row for row in table.to_pylist() if row["subtask"] == "animal"}
        for table in (asked, more)
    ]
    assert first[0] == first[1], "what scenes are about is asked as before"
