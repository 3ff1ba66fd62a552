"""Figures of an exam: what stands in them is what the tables hold."""

from __future__ import annotations

import dataclasses
import itertools
import json
import shutil
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lvlmbench import tables
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.core.seeding import generator
from lvlmbench.labelling.sheet import SHEETS
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import exams
from lvlmbench.stages.figures.figure import FIGURES, Drawn, NotApplicable
from lvlmbench.stages.figures.kinds import alignment, renderer_alignment
from lvlmbench.stages.figures.kinds.aspect_diversity import diversity
from lvlmbench.stages.figures.kinds.described_words import components
from lvlmbench.stages.figures.plotting import encode, settings
from support import figure_pages
from support.exam.made import drawn, params_of
from support.exam.snapshot import written

OWN = ("request_ranks", "aspect_tree", "level_examples", "alignment_brackets", "level_words",
       "word_map", "aspect_diversity", "renderer_alignment")  # fmt: skip
#: Figures of what models answered (test_figures_exam_scores.py).
OF_ANSWERS = ("request_scores", "option_adjustment", "option_positions", "style_levels",
              "examiner_spread", "leakage")  # fmt: skip
REQUESTS = ("basic_understanding", "spatial_understanding")
ASPECTS = ["animals", "colors_of_things", "left_and_right", "topmost_thing"]
#: Right answers of each model, in percent, by level; the last one guesses.
VALUES = {"a": (90, 60, 30), "b": (90, 70, 20), "c": (50, 70, 10), "chance": (95, 95, 95)}


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root = tmp_path_factory.mktemp("exam")
    params = params_of(requests=REQUESTS, scenes=12, only=ASPECTS, size=256)
    clean = params.scenarios.model_copy(update={"names": ("clean",), "noisy": ()})
    exam = drawn(params.model_copy(update={"scenarios": clean}))
    return written(exam, root, root / "labels")


@pytest.fixture(scope="module")
def sources(snapshot: Snapshot) -> Any:
    levels = ("easy", "medium", "hard")

    def value(model: str, *key: str, subtask: str, level: str) -> Value:
        return Value(float(VALUES[model][levels.index(level)]), 5.0, 99.0, 4, 0)

    rows = [SimpleNamespace(model=m, kind="guesser" if m == "chance" else "model") for m in VALUES]
    board = SimpleNamespace(
        value=value, ranked=lambda: {"clean": rows},
        kind=lambda model: "guesser" if model == "chance" else "model",
    )  # fmt: skip
    return SimpleNamespace(snapshot=snapshot, leaderboard=board, beside=None)


def made(name: str, sources: Any) -> Drawn:
    with settings():
        found: Drawn = FIGURES.get(name, "test")(sources)
    return found


@pytest.mark.parametrize("name", OWN)
def test_each_is_drawn_with_its_numbers_and_the_same_again(name: str, sources: Any) -> None:
    first, again = made(name, sources), made(name, sources)
    assert len(first.table) and first.table == again.table
    with settings():
        assert encode(first.figure, "svg") == encode(again.figure, "svg")


@pytest.mark.parametrize("name", [*OWN, *OF_ANSWERS, "style_panel"])
def test_nothing_is_drawn_of_a_suite_without_an_examiner(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with pytest.raises(NotApplicable):
        made(name, figure_pages.sources(figure_pages.noisy(tmp_path_factory)))


def test_places_are_those_of_the_accuracies(sources: Any) -> None:
    rows = made("request_ranks", sources).table.to_pylist()
    assert len(rows) == len(REQUESTS) * 3 * len(VALUES)
    ranks = {(r["level"], r["model"]): (r["rank"], r["n_ranked"]) for r in rows}
    assert [ranks["easy", m] for m in "abc"] == [(1, 3), (1, 3), (3, 3)]
    assert [ranks["medium", m] for m in "abc"] == [(3, 3), (1, 3), (1, 3)]
    assert [ranks["hard", m] for m in "abc"] == [(1, 3), (2, 3), (3, 3)]
    assert {ranks[level, "chance"] for level in ("easy", "hard")} == {(None, None)}


def test_each_aspect_has_a_picture_of_its_own(sources: Any, snapshot: Snapshot) -> None:
    told = tables.read(snapshot.folder(tables.DESCRIPTIONS), tables.DESCRIPTIONS).to_pylist()
    scene = {row["scene_id"]: row for row in told}
    images = snapshot.images["clean"].to_pylist()
    of_image = {row["image_id"]: row["scene_id"] for row in images}
    asked = Counter(scene[q]["aspect"] for q in snapshot.questions["scene_id"].to_pylist())
    rows = made("aspect_tree", sources).table.to_pylist()
    assert sorted(row["aspect"] for row in rows) == sorted(ASPECTS)
    for row in rows:
        one = scene[of_image[row["image_id"]]]
        assert one["aspect"] == row["aspect"] and one["level"] == row["level"] == "medium"
        assert (row["planned"], row["asked"]) == (6, asked[row["aspect"]])


def test_an_example_of_each_request_and_level_has_its_first_question(
    sources: Any, snapshot: Snapshot
) -> None:
    rows = made("level_examples", sources).table.to_pylist()
    assert [(r["request"], r["level"]) for r in rows] == [
        (request, level) for request in REQUESTS for level in ("easy", "medium", "hard")
    ]
    told = {row["scene_id"]: row for row in exams.described(snapshot)}
    questions = {row["question_id"]: row for row in snapshot.questions.to_pylist()}
    images = {row["image_id"]: row["scene_id"] for row in snapshot.images["clean"].to_pylist()}
    for row in rows:
        scene, question = told[row["scene_id"]], questions[row["question_id"]]
        assert (scene["subtask"], scene["aspect"]) == (row["request"], row["aspect"])
        assert scene["level"] == row["level"] and scene["description"] == row["description"]
        assert question["scene_id"] == images[row["image_id"]] == row["scene_id"]
        assert row["options"] == "; ".join(question["options"])
        assert row["right_option"] == question["answer"]
    assert len({(row["request"], row["aspect"]) for row in rows}) == len(REQUESTS)


def test_first_and_last_pictures_stand_in_their_brackets(
    snapshot: Snapshot, sources: Any, tmp_path: Path
) -> None:
    checked = tables.read(snapshot.folder(tables.VALIDATION), tables.VALIDATION).to_pylist()
    one, two = sorted({row["scene_id"] for row in checked})[:2]
    wrong = [row | {"correct": row["scene_id"] != one or row["number"] > 0} for row in checked]
    tries = tables.read(snapshot.folder(tables.ATTEMPTS), tables.ATTEMPTS).to_pylist()
    rejected = {"outcome": "rejected", "filter": "alignment", "reason": "r", "attempt": 0}
    for scene, score in ((one, 0.5), (two, None)):
        own = next(row for row in tries if row["scene_id"] == scene)
        tries.append(own | {"attempt": 1, "image_id": f"{own['image_id'][:-1]}x"})
        tries[tries.index(own)] = own | rejected | {"score": score}
    for table, rows in ((tables.VALIDATION, wrong), (tables.ATTEMPTS, tries)):
        tables.write_rows(rows, table.folder(tmp_path) / tables.part_name(0), table, "0" * 16)
    other = dataclasses.replace(snapshot, data=tmp_path)
    n = sum(row["scene_id"] == one for row in checked)
    first, last = alignment.scores(other)
    assert (first[one], first[two]) == (0.5, None)
    assert last[one] == pytest.approx((n - 1) / n) and last[two] == 1
    drawn_once = {k for k, times in Counter(row["scene_id"] for row in tries).items() if times == 1}
    assert drawn_once and all(first[k] == last[k] == 1 for k in drawn_once & last.keys())
    names = [alignment.bracket(score) for score in (0.69, 0.7, 0.8, 0.9, 1.0, None)]
    assert names == ["below 0.7", "0.7 to 0.8", "0.8 to 0.9", "0.9 and above", "0.9 and above",
                     "not told"]  # fmt: skip
    rows = made("alignment_brackets", sources).table.to_pylist()
    assert sum(r["scenes"] for r in rows if r["picture"] == "last picture") == len(last)


def test_what_validators_confirm_of_attempts_is_counted(snapshot: Snapshot, tmp_path: Path) -> None:
    def checks(scene: str, attempt: int, *answers: str) -> list[dict[str, Any]]:
        """A check for each text: a letter for each validator, + right, - wrong, ? no answer."""
        return [
            {
                "scene_id": scene, "image_id": f"i{scene}{attempt}", "subtask": REQUESTS[0],
                "attempt": attempt, "validator": f"v{validator}", "number": number,
                "check_id": f"c{number}", "element_type": "object", "element": "a cat",
                "question": "What?", "options": ["a", "b"], "answer_index": 0,
                "status": "timeout" if said == "?" else "answered",
                "answered_index": {"+": 0, "-": 1, "?": None}[said],
                "correct": {"+": True, "-": False, "?": None}[said],
                "why": "late" if said == "?" else None, "request_id": "r",
            }
            for number, of in enumerate(answers)
            for validator, said in enumerate(of)
        ]  # fmt: skip

    rows = [
        *checks("one", 0, "+++", "+-?", "--+", "???"),  # half of those who answered is no majority
        *checks("one", 1, "+++", "+-+", "++-", "???"),
        *checks("two", 0, "???", "???", "+++"),  # too few are answered
        *checks("two", 1, "-", "+"),
        *checks("three", 0, "?"),
    ]
    folder = tables.ATTEMPT_CHECKS.folder(tmp_path)
    tables.write_rows(rows, folder / tables.part_name(0), tables.ATTEMPT_CHECKS, "0" * 16)
    first, last = alignment.scores(dataclasses.replace(snapshot, data=tmp_path))
    assert first == {"one": pytest.approx(1 / 3), "two": None}
    assert last == {"one": 1.0, "two": 0.5}


def test_pictures_as_described_are_counted_by_renderer_checks_and_people(
    snapshot: Snapshot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = shutil.copytree(snapshot.data, tmp_path / "data")
    checked = tables.read(snapshot.folder(tables.VALIDATION), tables.VALIDATION).to_pylist()
    level = {row["scene_id"]: row["level"] for row in exams.described(snapshot)}
    easy = sorted({row["scene_id"] for row in checked if level[row["scene_id"]] == "easy"})
    one, two, three = easy[:3]  # wrong at last; redrawn by another renderer; first not told
    tries = tables.read(snapshot.folder(tables.ATTEMPTS), tables.ATTEMPTS).to_pylist()
    wrong = [row | {"correct": row["scene_id"] != one or row["number"] > 0} for row in checked]
    for scene, score in ((two, 0.5), (three, None)):
        own = next(row for row in tries if row["scene_id"] == scene)
        again = {"attempt": 1, "image_id": f"{own['image_id'][:-1]}x", "renderer": "diffusion"}
        tries.insert(tries.index(own) + 1, own | again)
        rejected = {"outcome": "rejected", "filter": "alignment", "reason": "r", "attempt": 0}
        tries[tries.index(own)] = own | rejected | {"score": score}
    for table, rows in ((tables.VALIDATION, wrong), (tables.ATTEMPTS, tries)):
        tables.write_rows(rows, table.folder(data) / tables.part_name(0), table, "0" * 16)
    items = [
        item for item in SHEETS.get("descriptions", "test")(snapshot)
        if item.asks.startswith("Does") and item.together in easy
    ]  # fmt: skip
    folder = tmp_path / "labels" / snapshot.params.suite / "descriptions"
    folder.mkdir(parents=True)
    for rater in range(3):  # two of three say no to the picture of the first scene
        labels = {
            item.item_id: {"label": "wrong" if item.together == one and rater else "right"}
            for item in items
        }
        given = {"format": "lvlmbench-labels-1", "sheet": "descriptions", "rater": f"r{rater}",
                 "suite": snapshot.params.suite, "labels": labels}  # fmt: skip
        (folder / f"r{rater}.json").write_text(json.dumps(given))
    monkeypatch.setattr(renderer_alignment, "PROJECT_ROOT", tmp_path)
    kept = snapshot.params.labels.model_copy(update={"folder": "labels"})
    params = snapshot.params.model_copy(update={"labels": kept})
    other: Any = SimpleNamespace(snapshot=Snapshot(params, data, snapshot.results))
    rows = made("renderer_alignment", other).table.to_pylist()
    found = {
        (row["by"], row["renderer"]): (row["aligned"], row["of"])
        for row in rows if row["level"] == "easy"
    }  # fmt: skip
    n, shown = len(easy), len({item.together for item in items})
    assert found == {
        ("checks, first picture", "pictograph"): (n - 3, n - 1),
        ("checks, last picture", "pictograph"): (n - 3, n - 2),
        ("checks, last picture", "diffusion"): (2, 2),
        ("people, picture shown", "diffusion"): (2, 2),
        ("people, picture shown", "pictograph"): (shown - 3, shown - 2),
    }


def test_words_are_counted_once_a_description(sources: Any, snapshot: Snapshot) -> None:
    told = tables.read(snapshot.folder(tables.DESCRIPTIONS), tables.DESCRIPTIONS).to_pylist()
    rows = made("level_words", sources).table.to_pylist()
    for row in rows:
        mine = [d for d in told if d["level"] == row["level"]]
        topic = sum(d["topic_word"] == row["word"] for d in mine)
        key = sum(row["word"] in d["key_words"] and d["topic_word"] != row["word"] for d in mine)
        assert (row["topic"], row["key"]) == (topic, key) and topic + key > 0
    words = {(d["level"], w) for d in told for w in (d["topic_word"], *d["key_words"])}
    assert {(row["level"], row["word"]) for row in rows} == words
    mapped = made("word_map", sources).table.to_pylist()
    assert sum(row["descriptions"] for row in mapped) == len(told)
    assert {row["word"] for row in mapped} == {d["topic_word"] for d in told}


def test_two_suites_have_maps_on_the_same_axes(sources: Any, snapshot: Snapshot) -> None:
    named = snapshot.params.model_copy(update={"suite": "without"})
    beside = dataclasses.replace(snapshot, params=named)
    rows = made("word_map", SimpleNamespace(snapshot=snapshot, beside=beside)).table.to_pylist()
    assert len(rows) == 2 * len(made("word_map", sources).table)
    by_suite = {
        suite: [{k: v for k, v in row.items() if k != "suite"} for row in rows
                if row["suite"] == suite]
        for suite in (snapshot.params.suite, "without")
    }  # fmt: skip
    assert by_suite["without"] == by_suite[snapshot.params.suite]


def test_main_components_keep_a_plane_as_it_is() -> None:
    random = generator(4, "figures", "plane")
    plane = random.standard_normal((30, 2)) * (5.0, 2.0)
    turned = np.linalg.qr(random.standard_normal((6, 6)))[0][:2]
    places, kept = components(plane @ turned + 3.0)
    assert kept == 1.0 and places.shape == (30, 2)
    assert places.var(axis=0)[0] > places.var(axis=0)[1]
    for i, j in itertools.combinations(range(30), 2):
        gap = np.linalg.norm(plane[i] - plane[j])
        assert np.linalg.norm(places[i] - places[j]) == pytest.approx(gap, abs=2e-3)
    order = random.permutation(30)
    again, _ = components((plane @ turned + 3.0)[order])
    assert np.array_equal(again, places[order])


def test_diversity_is_by_pairs_and_its_interval_by_leaving_one_out() -> None:
    apart, alike = diversity(np.eye(6)), diversity(np.ones((6, 4)))
    assert apart is not None and alike is not None
    assert (apart.value, apart.vendi) == (1.0, 6.0) and apart.low == apart.high == 1.0
    assert (alike.value, alike.vendi) == (0.0, 1.0)
    assert diversity(np.eye(1)) is None
    few = diversity(np.eye(4))
    assert few is not None and few.low is None
    vectors = generator(5, "figures", "texts").random((9, 5))

    def by_hand(rows: Any) -> float:
        pairs = [
            1 - float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
            for a, b in itertools.combinations(rows, 2)
        ]
        return sum(pairs) / len(pairs)

    found = diversity(vectors)
    assert found is not None and found.low is not None and found.high is not None
    assert found.value == pytest.approx(by_hand(vectors), abs=1e-4)
    without = np.array([by_hand(np.delete(vectors, at, axis=0)) for at in range(9)])
    error = float(np.sqrt(8 / 9 * ((without - without.mean()) ** 2).sum()))
    assert found.high - found.value == pytest.approx(2.306004 * error, abs=2e-4)


def test_styles_of_one_scene_stand_in_a_line(tmp_path: Path) -> None:
    params = params_of(
        requests=REQUESTS, scenes=2, only=[ASPECTS[0], ASPECTS[2]], at=["easy", "hard"], size=256,
        restyled={"pictures": 1, "styles": ["comic book", "watercolor painting"]},
    )  # fmt: skip
    again = type(params.scenarios).model_validate(
        {"names": ["clean", "restyled"], "noisy": [{"name": "restyled"}]}
    )
    exam = drawn(params.model_copy(update={"scenarios": again}))
    snapshot = written(exam, tmp_path, tmp_path / "labels")
    sources: Any = SimpleNamespace(snapshot=snapshot)
    rows = made("style_panel", sources).table.to_pylist()
    scenes = {row["scene_id"]: row for row in exam.scenes.to_pylist()}
    asked = {*exam.questions["scene_id"].to_pylist()}
    shown = {row["scene_id"] for row in rows}
    assert shown == {k for k in asked if scenes[k]["base"] in asked} | {
        scenes[k]["base"] for k in asked if scenes[k]["base"] in asked
    }
    bases = list(dict.fromkeys(row["base"] for row in rows))
    assert len(bases) >= 3 and [row["base"] for row in rows] == [
        row["base"] for base in bases for row in rows if row["base"] == base
    ]
    for base in bases:
        line = [row for row in rows if row["base"] == base]
        assert line[0]["scene_id"] == base and len({row["style"] for row in line}) == len(line)
    assert [r["subtask"] for r in rows] == sorted((r["subtask"] for r in rows), key=REQUESTS.index)


def test_the_table_is_what_the_csv_holds(sources: Any) -> None:
    rows = made("aspect_diversity", sources).table.to_pylist()
    texts = {row["texts"] for row in rows}
    assert "names of aspects" in texts and "descriptions, hard" in texts
    assert {row["n"] for row in rows if row["texts"] == "names of aspects"} == {2}
