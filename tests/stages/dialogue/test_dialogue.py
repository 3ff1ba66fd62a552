"""From what judges say of pairs to the table ``dialogue``."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.labelling.kinds.answers import SHEET, paired
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.dialogue.run import rows, write_dialogue
from lvlmbench.stages.judge.judge import Comparison, Pair
from lvlmbench.suites.dialogue import TASKS
from support.dialogue_tables import ASKED, of_dialogue, points, snapshot
from support.scripted_judge import Scripted

#: Of two models, the second better; what a judge of points sees is the last word.
SAID = {
    ("m", "s1"): "dog 4",
    ("m", "s2"): "dog cat 8",
    ("m", "s3"): "ball 6",
    ("m", "s4"): "dog 3",
    ("m", "s5"): None,
    **{("n", scene): f"dog {point}" for scene, point in zip(ASKED, (9, 9, 8, 7, 9), strict=True)},
}


@pytest.fixture(autouse=True)
def _tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    of_dialogue(monkeypatch)


def made(data: Path, **judges: Scripted) -> Snapshot:
    return snapshot(data, SAID, judges or {"j": Scripted(compares=points(1.0))})


def found(of: Snapshot, labels: Path = Path("none"), **names: str) -> dict[tuple[str, ...], Any]:
    """Rows by model, stratum and measure."""
    return {
        (row["model"], row["stratum"], row["measure"]): row
        for row in rows(of, labels)
        if names.items() <= row.items()
    }


def _labelled(of: Snapshot, folder: Path) -> dict[str, Any]:
    """Labels of one person, who finds the second model better but once."""
    labels = {}
    for first, _, item in paired(of, "j"):
        better = "m" if first["question_id"] == "q-s4" else "n"
        labels[item.item_id] = {"label": "right" if first["model"] == better else "wrong"}
    path = folder / of.params.suite / SHEET / "ann.json"
    path.parent.mkdir(parents=True)
    given = {
        "format": "lvlmbench-labels-1", "sheet": SHEET, "suite": "dysca", "rater": "ann",
        "labels": labels,
    }  # fmt: skip
    path.write_text(json.dumps(given))
    return labels


def test_numbers_by_hand(tmp_path: Path) -> None:
    numbers = found(made(tmp_path))

    def number(model: str, stratum: str, measure: str) -> tuple[Any, ...]:
        row = numbers[model, stratum, measure]
        return tuple(row[name] for name in ("value", "n", "answers", "unjudged"))

    # 4, 8, 6, 3 and half a point for standing first every other time
    assert number("m", "all", "score") == (575.0, 4, 5, 1)
    assert number("m", "all", "reference") == (850.0, 4, 5, 1)
    assert number("m", "all", "loss") == (75.0, 4, 5, 1)
    assert number("m", "all", "tie") == (25.0, 4, 5, 1)
    assert number("m", "description", "score") == (650.0, 3, 3, 0)
    assert number("m", "touchstone_simple", "score") == (650.0, 2, 2, 0)
    assert number("m", "touchstone_story", "score") == (None, 0, 1, 1)
    assert number("n", "all", "win") == (60.0, 5, 5, 0)
    assert number("n", "all", "win_rate") == (70.0, 5, 5, 0)
    # the fifth question has no score of the other model
    assert number("m", "all", "common_score") == (575.0, 4, 5, 1)
    assert number("n", "all", "score") == (890.0, 5, 5, 0)
    assert number("n", "all", "common_score") == (875.0, 4, 5, 0)
    # the first place is worth a point, and where both are as good it decides
    assert number("m", "all", "bias") == (1.0, 4, 5, 1)
    assert number("m", "all", "flips") == (25.0, 4, 5, 1)
    # words that the truth does not have: the point itself, and a cat
    assert number("m", "all", "hallucination") == (pytest.approx(800 / 3), 3, 3, 0)
    assert ("m", "touchstone_species", "hallucination") not in numbers
    # of dog 4, dog cat 8 and ball 6 the claims are three right ones and four others
    assert number("m", "all", "exact_hallucination") == (pytest.approx(4000 / 7), 7, 3, 0)


def test_who_is_better_is_stronger(tmp_path: Path) -> None:
    numbers = found(made(tmp_path))
    ranks = {model: numbers[model, "all", "rank"]["value"] for model in ("m", "n", "reference")}
    assert ranks == {"n": 1, "reference": 2, "m": 3}
    strength = numbers["m", "all", "strength"]
    # Of five scenes it has half a win in one: in draws without that one nothing bounds it below.
    assert strength["low"] is None and strength["value"] < strength["high"]
    assert strength["value"] < 0 and strength["n"] == 8
    assert (strength["answers"], strength["unjudged"]) == (5, 1)
    assert numbers["reference", "all", "strength"]["answers"] == 10


def test_rows_fit_the_table_and_are_the_same_again(tmp_path: Path) -> None:
    judges = {"j": Scripted(compares=points(1.0)), "k": Scripted(compares=points())}
    of, out = made(tmp_path / "data", **judges), tmp_path / "out.parquet"
    write_dialogue(of.params, of.data, tmp_path / "labels", out)
    rows_made = tables.read([out], tables.DIALOGUE).to_pylist()
    keys = [tuple(row[name] for name in tables.DIALOGUE.key) for row in rows_made]
    assert len({*keys}) == len(keys) > 100
    first = out.read_bytes()
    write_dialogue(of.params, of.data, tmp_path / "labels", out)
    assert out.read_bytes() == first


def test_a_suite_without_dialogue_has_no_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of, out = made(tmp_path), tmp_path / "out.parquet"
    monkeypatch.undo()
    write_dialogue(of.params, of.data, tmp_path / "labels", out)
    assert not tables.read([out], tables.DIALOGUE).num_rows


def test_judges_agree_as_far_as_they_do(tmp_path: Path) -> None:
    """One finds all answers worse that the other finds as good as the reference, or worse."""

    def strict(pair: Pair) -> Comparison:
        def score(text: str) -> float:
            return 10.0 if text == "8" else 1.0

        return Comparison("judged", score(pair.first), score(pair.second))

    judges = {"j": Scripted(compares=points()), "k": Scripted(compares=strict)}
    numbers = found(made(tmp_path, **judges), model="all")
    assert {(row["judge"], row["beside"]) for row in numbers.values()} == {("j", "k")}
    agreement = numbers["all", "all", "agreement"]
    # of m three of four are worse to both, of n one of five
    assert agreement["value"] == pytest.approx(400 / 9)
    assert (agreement["n"], agreement["answers"], agreement["unjudged"]) == (9, 10, 1)
    assert numbers["all", "all", "kappa"]["value"] == 0  # the strict one tells nothing apart
    assert numbers["all", "all", "alpha"]["value"] < 0


def test_a_judge_agrees_with_people(tmp_path: Path) -> None:
    of, folder = made(tmp_path / "data"), tmp_path / "labels"
    assert not found(of, folder, beside="people")
    labels = _labelled(of, folder)
    numbers = found(of, folder, beside="people")
    agreement = numbers["all", "all", "agreement"]
    assert len(labels) == 4  # one model has not answered the fifth question
    assert (agreement["value"], agreement["n"], agreement["unjudged"]) == (75.0, 4, 0)


def test_people_agree_with_one_another_by_ability(tmp_path: Path) -> None:
    """Two more people say the same of three pairs of four; one of them has left one out."""
    of, folder = made(tmp_path / "data"), tmp_path / "labels"
    first = _labelled(of, folder)
    tasks = {item.item_id: ASKED[row["scene_id"]] for row, _, item in paired(of, "j")}
    species = next(key for key, task in tasks.items() if task == "touchstone_species")
    other = {"right": "wrong", "wrong": "right"}
    bob = {**first, species: {"label": other[first[species]["label"]]}}
    cid = {key: label for key, label in first.items() if key != species}
    kept = folder / of.params.suite / SHEET
    given = json.loads((kept / "ann.json").read_text())
    for name, labels in (("bob", bob), ("cid", cid)):
        text = json.dumps(given | {"rater": name, "labels": labels})
        (kept / f"{name}.json").write_text(text)
    numbers = {
        (row["judge"], row["stratum"]): row
        for row in rows(of, folder)
        if row["beside"] == "people" and row["measure"] == "agreement"
    }
    # ann and bob on four pairs, of which they say the same of three; each with cid on three
    whole, apart, told = (numbers["people", name] for name in ("all", "recognition", "description"))
    assert (whole["value"], whole["n"]) == (90.0, 10)
    assert (apart["value"], apart["n"]) == (0.0, 1)
    described = [name for name in tasks.values() if TASKS[name].ability == "description"]
    assert (told["value"], told["n"]) == (100.0, 3 * len(described))
    # of the species ann and bob contradict one another: no majority, so the judge has no such pair
    assert ("j", "recognition") not in numbers and numbers["j", "all"]["n"] == 3


def test_people_are_asked_what_judges_are(tmp_path: Path) -> None:
    of = made(tmp_path, j=Scripted(compares=points()))
    rows_shown = {first["question_id"]: (first, item) for first, _, item in paired(of, "j")}
    first, item = rows_shown["q-s4"]
    before = ("Asked before: What animal is it?", "Answered: A dog.")
    assert item.lines[2:] == (*before, "What of s4?")
    assert "helps who asked" in item.asks and "says more" not in item.asks
    better = "first" if first["model"] == "n" else "second"  # 7 points, and 3
    assert item.group == f"pairs whose {better} answer j finds better"
    assert len(rows_shown["q-s1"][1].lines) == 3


def test_labels_without_a_judge_are_no_rows(tmp_path: Path) -> None:
    of, folder = made(tmp_path / "data"), tmp_path / "labels"
    _labelled(of, folder)
    none = of.params.judge.model_copy(update={"judges": ()})
    of = replace(of, params=of.params.model_copy(update={"judge": none}))
    assert not found(of, folder)


def test_an_answer_that_was_never_compared_is_one_line(tmp_path: Path) -> None:
    of = made(tmp_path)
    [path] = tables.PAIRWISE.shards(of.data, judge="j", model="m", scenario="clean")
    tables.write(tables.PAIRWISE.empty_table(), path, tables.PAIRWISE, "s")
    with pytest.raises(UserError, match="has no pair of question q-s1"):
        found(of)
