"""Figures of what models answer in exams: means, options, styles, examiners."""

from __future__ import annotations

import dataclasses
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.analysis.averages import MEAN, Answer, Averages
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures.figure import FIGURES, Drawn, NotApplicable
from lvlmbench.stages.figures.plotting import encode, settings
from support import score_tables
from support.exam.made import drawn, params_of
from support.exam.snapshot import written

REQUESTS = ("basic_understanding", "spatial_understanding")
ASPECTS = ["animals", "colors_of_things", "left_and_right", "topmost_thing"]
SCENARIOS: Mapping[str, Any] = {
    "names": ["clean", "blind", "draft", "letters", "restyled"],
    "noisy": [
        {"name": "blind"},
        {"name": "draft", "kind": "blind", "blind": {"adjusted": False}},
        {"name": "letters", "kind": "reordered", "reordered": {"at": [1, 4]}},
        {"name": "restyled"},
    ],
}
#: Models; the last one guesses.
MODELS = ("a", "b", "chance")
#: Model and number of a question among those of a scenario -> whether its answer is right.
RIGHT: Mapping[str, Callable[[int], bool]] = {
    "a": lambda n: n % 3 > 0, "b": lambda n: n % 4 == 0, "chance": lambda n: n % 5 == 0,
}  # fmt: skip
Row = Mapping[str, Any]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root = tmp_path_factory.mktemp("exam")
    again = {"pictures": 4, "styles": ["comic book", "watercolor painting"]}
    params = params_of(requests=REQUESTS, scenes=24, only=ASPECTS, size=256, restyled=again)
    scenarios = type(params.scenarios).model_validate(SCENARIOS)
    return written(drawn(params.model_copy(update={"scenarios": scenarios})), root, root / "labels")


def asked(snapshot: Snapshot, again: bool = False) -> list[Row]:
    rows = tables.read(snapshot.folder(tables.QUESTIONS), tables.QUESTIONS).to_pylist()
    return [row for row in rows if (row["base"] is not None) == again]


def answer(
    snapshot: Snapshot, scenario: str, model: str, said: Iterable[tuple[Row, bool, Any]]
) -> None:
    """Write scores: question, whether its answer is right, severity."""
    rows = [
        score_tables.score(0, question["question_type"], question["subtask"], right,
                           model=model, scenario=scenario, severity=severity)
        | {"question_id": question["question_id"], "scene_id": question["scene_id"]}
        for question, right, severity in said
    ]  # fmt: skip
    folder = snapshot.folder(tables.SCORES, model=model, scenario=scenario)
    tables.write_rows(rows, folder / tables.part_name(0), tables.SCORES, "0" * 16)


def sources(snapshot: Snapshot, models: Sequence[str] = MODELS) -> Any:
    def kind(model: str) -> str:
        return "guesser" if model == "chance" else "model"

    rows = [SimpleNamespace(model=m, kind=kind(m)) for m in models]
    board = SimpleNamespace(
        models=[*models], listed=[*models], guessers={"chance"} & {*models}, kind=kind,
        ranked=lambda: {"clean": rows},
    )  # fmt: skip
    return SimpleNamespace(snapshot=snapshot, leaderboard=board)


def made(name: str, sources: Any) -> Drawn:
    with settings():
        found: Drawn = FIGURES.get(name, "test")(sources)
        assert encode(found.figure, "svg")
    return found


def share(of: Sequence[bool]) -> float:
    return pytest.approx(100 * sum(of) / len(of), abs=1e-5)  # type: ignore[no-any-return]


def test_a_mean_counts_each_cell_and_each_model_the_same() -> None:
    def answers(*right: tuple[str, str, bool]) -> list[Answer]:
        return [Answer(f"{cell}{q}", (cell,), f"{cell}{q}", was) for cell, q, was in right]

    one = answers(("x", "1", True), ("x", "2", True), ("x", "3", False), ("y", "1", False))
    two = answers(("x", "1", True), ("x", "2", False), ("x", "3", False), ("y", "1", True))
    found = Averages({"one": one, "two": two, "three": one[:3]}, {}, ["one", "two"])
    assert found.cells == [("x",), ("y",)]

    def value(model: str, *cells: str) -> float | None:
        mean = found.mean(model, [(cell,) for cell in cells])
        return None if mean is None else mean.value

    assert value("one", "x") == pytest.approx(66.666667)
    assert value("one", "x", "y") == pytest.approx(33.333333)
    assert value(MEAN, "x") == 50 and value(MEAN, "y") == 50 and value(MEAN, "x", "y") == 50
    # A cell without an answer, none at all, and one that nobody has.
    assert value("three", "x", "y") is None and value("one") is None and value("one", "z") is None
    both = found.mean(MEAN, [("x",), ("y",)])
    assert both is not None and both.n == 4
    assert both.low is not None and both.high is not None and both.low < 50 < both.high


def test_accuracies_and_their_means_are_those_of_the_answers(snapshot: Snapshot) -> None:
    questions = asked(snapshot)
    right = {m: [RIGHT[m](n) for n in range(len(questions))] for m in MODELS}
    for model in MODELS:
        said = zip(questions, right[model], [None] * len(questions), strict=True)
        answer(snapshot, "clean", model, said)
    rows = made("request_scores", sources(snapshot)).table.to_pylist()
    value = {(r["request"], r["level"], r["model"]): r["value"] for r in rows}
    cells: dict[tuple[str, str], list[int]] = defaultdict(list)
    for n, question in enumerate(questions):
        cells[question["subtask"], question["level"]].append(n)
    assert len(cells) == 6 and len(value) == 3 * 4 * 4 == len(rows)
    by = {
        (*cell, model): 100 * sum(right[model][n] for n in places) / len(places)
        for cell, places in cells.items()
        for model in MODELS
    }
    for (request, level, model), found in by.items():
        assert value[request, level, model] == pytest.approx(found, abs=1e-5)
        if model == "a":
            mean = (found + by[request, level, "b"]) / 2
            assert value[request, level, MEAN] == pytest.approx(mean, abs=1e-5)
    for model in MODELS:
        for request in REQUESTS:
            mean = sum(v for k, v in by.items() if k[::2] == (request, model)) / 3
            assert value[request, "all", model] == pytest.approx(mean, abs=1e-5)
        for level in ("easy", "medium", "hard"):
            mean = sum(v for k, v in by.items() if k[1:] == (level, model)) / 2
            assert value["all", level, model] == pytest.approx(mean, abs=1e-5)
        mean = sum(v for k, v in by.items() if k[2] == model) / 6
        assert value["all", "all", model] == pytest.approx(mean, abs=1e-5)


def test_options_are_compared_over_the_same_questions_by_level(snapshot: Snapshot) -> None:
    questions = asked(snapshot)
    adjusted = [n for n, question in enumerate(questions) if question["replaced"] is not None]
    assert adjusted
    answer(snapshot, "draft", "a", ((q, n % 2 == 0, None) for n, q in enumerate(questions)))
    said = [(q, n % 4 == 0, None) for n, q in enumerate(questions)]
    answer(snapshot, "blind", "a", said[1:])  # one has no answer, and is left out of both
    rows = made("option_adjustment", sources(snapshot, ["a"])).table.to_pylist()
    assert {row["picture"] for row in rows} == {"not shown"}
    known = [n for n in adjusted if n]
    for row in rows:
        mine = [
            n for n in known
            if row["request"] in (questions[n]["subtask"], "all")
            and row["level"] in (questions[n]["level"], "all")
        ]  # fmt: skip
        assert row["n"] == len(mine)
        assert row["before"] == share([n % 2 == 0 for n in mine])
        assert row["after"] == share([n % 4 == 0 for n in mine])
        assert row["change"] == pytest.approx(row["after"] - row["before"], abs=1e-5)
    assert {row["level"] for row in rows} == {"easy", "medium", "hard", "all"}


def test_letters_are_compared_with_balanced_ones(snapshot: Snapshot) -> None:
    questions = asked(snapshot)
    answer(snapshot, "clean", "a", ((q, n % 4 == 0, None) for n, q in enumerate(questions)))
    moved = [(q, place == 1, place) for q in questions for place in (1, 4)]
    answer(snapshot, "letters", "a", moved)
    rows = made("option_positions", sources(snapshot, ["a"])).table.to_pylist()
    balanced = sum(n % 4 == 0 for n in range(len(questions))) / len(questions)
    at_a, at_d = rows
    assert (at_a["letter"], at_a["there"], at_d["letter"], at_d["there"]) == ("A", 100, "D", 0)
    assert at_a["balanced"] == pytest.approx(100 * balanced, abs=1e-5) == at_d["balanced"]
    assert at_a["relative"] == pytest.approx(100 * (1 - balanced) / balanced, abs=1e-4)
    assert at_d["relative"] == pytest.approx(-100)


def test_styles_are_compared_over_the_same_questions(snapshot: Snapshot) -> None:
    scenes = tables.read(snapshot.folder(tables.SCENES), tables.SCENES).to_pylist()
    style = {row["scene_id"]: row["style"] for row in scenes if row["base"] is not None}
    first, again = asked(snapshot), asked(snapshot, again=True)
    assert again
    for model in MODELS:
        right = RIGHT[model]
        answer(snapshot, "clean", model, ((q, right(n), None) for n, q in enumerate(first)))
        answer(snapshot, "restyled", model, ((q, right(n + 1), None) for n, q in enumerate(again)))
    rows = made("style_levels", sources(snapshot)).table.to_pylist()
    value = {(row["style"], row["level"], row["model"]): row["value"] for row in rows}
    both = {(q["base"], q["key"]) for q in again} & {(q["scene_id"], q["key"]) for q in first}
    for (name, level, model), found in value.items():
        if model == MEAN or level == "all":
            continue
        if name == "as first drawn":
            said = [
                RIGHT[model](n) for n, q in enumerate(first)
                if (q["scene_id"], q["key"]) in both and q["level"] == level
            ]  # fmt: skip
        else:
            said = [
                RIGHT[model](n + 1) for n, q in enumerate(again)
                if style[q["scene_id"]] == name and (q["base"], q["key"]) in both
                and q["level"] == level
            ]  # fmt: skip
        assert found == share(said)
    assert {k[0] for k in value} == {"as first drawn", "comic book", "watercolor painting"}
    for name, model in itertools.product(("as first drawn", "comic book"), (*MODELS, MEAN)):
        levels = [value[name, level, model] for level in ("easy", "medium", "hard")]
        assert value[name, "all", model] == pytest.approx(sum(levels) / 3, abs=1e-5)
    for name in ("easy", "hard"):
        mean = sum(value["comic book", name, model] for model in "ab") / 2
        assert value["comic book", name, MEAN] == pytest.approx(mean, abs=1e-5)


def test_variance_is_that_of_the_models_by_one_examiner_and_by_all(
    snapshot: Snapshot, tmp_path: Path
) -> None:
    accuracies = {
        ("baseline", "all"): (40.0, 60.0, 80.0), ("single", "one"): (50.0, 50.0, 53.0),
        ("single", "two"): (30.0, 70.0, 20.0), ("without", "one"): (0.0, 50.0, 99.0),
    }  # fmt: skip
    rows = [
        {"scenario": scenario, "condition": condition, "examiner": examiner, "model": model,
         "figure": "accuracy", "value": value, "low": value - 5, "high": value + 5, "n": 10}
        for scenario in ("clean", "blind")
        for (condition, examiner), values in accuracies.items()
        for model, value in zip("xyz", values, strict=True)
    ]  # fmt: skip
    tables.write_rows(rows, tables.AGREEMENT.folder(tmp_path), tables.AGREEMENT, "0" * 16)
    with pytest.raises(NotApplicable, match="Fewer than two examiners"):
        made("examiner_spread", sources(snapshot, "xyz"))
    names = pa.array(["one", "two"] * (len(snapshot.questions) // 2 + 1))
    given = snapshot.questions.drop(["examiner"])
    given = given.append_column("examiner", names[: len(given)])
    agreed = tables.read([tables.AGREEMENT.folder(tmp_path)], tables.AGREEMENT)
    other = SimpleNamespace(questions=given, agreement=agreed, first_scenario="clean")
    rows = made("examiner_spread", sources(other, "xyz")).table.to_pylist()  # type: ignore[arg-type]
    found = {row["examiner"]: row["value"] for row in rows if row["model"] not in "xyz"}
    assert found == {"all": 400.0, "one": 3.0, "two": 700.0}
    assert len(rows) == 12 and {row["n"] for row in rows if row["model"] not in "xyz"} == {30}


def test_figures_of_scenarios_that_were_not_run_say_so(snapshot: Snapshot) -> None:
    alone = snapshot.params.scenarios.model_copy(update={"names": ("clean",), "noisy": ()})
    params = snapshot.params.model_copy(update={"scenarios": alone})
    other = sources(dataclasses.replace(snapshot, params=params))
    for name in ("option_adjustment", "option_positions", "style_levels"):
        with pytest.raises(NotApplicable, match="No sc"):
            made(name, other)
