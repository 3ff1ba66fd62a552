"""The judge's faithfulness and coverage beside people's (VALOR-Eval, table 4)."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.labelling.sheet import SHEETS, Item
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures.figure import NotApplicable, Sources
from lvlmbench.stages.figures.kinds import hallucination_people
from lvlmbench.stages.figures.plotting import encode, settings
from support import figure_pages
from support.hallucination_tables import snapshot as made

YES, NO, UNCLEAR = "right", "wrong", "unclear"
#: What a model says of four scenes that show a dog and a red ball.
SAID = {("m", "s1"): "dog", ("m", "s2"): "dog ball cat", ("m", "s3"): "ball", ("m", "s4"): "cat"}
#: Answer -> what people say of the claims that the judge reads in it.
CLAIMS = {
    "dog": {"there is a dog": YES},
    "dog ball cat": {"there is a dog": YES, "there is a ball": NO, "there is a cat": YES},
    "ball": {"there is a ball": YES},
    "cat": {"there is a cat": YES},
}
#: Answer -> what people say of the features that it owes.
FEATURES = {
    "dog": {"there is a dog": YES, "there is a ball": NO, "the ball is red": NO},
    "dog ball cat": {"there is a dog": YES, "there is a ball": YES, "the ball is red": YES},
    "ball": {"there is a dog": NO, "there is a ball": YES, "the ball is red": UNCLEAR},
    "cat": {"there is a dog": NO, "the ball is red": NO},
}
Labels = Mapping[str, Mapping[str, str]]


@pytest.fixture
def snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Snapshot:
    monkeypatch.setattr(hallucination_people, "PROJECT_ROOT", tmp_path)
    found = made(tmp_path / "data", SAID)
    labels = found.params.labels.model_copy(update={"folder": "labels"})
    params = found.params.model_copy(update={"labels": labels})
    return dataclasses.replace(found, params=params)


def parts(item: Item) -> tuple[str, str]:
    """The answer that an item shows, and what stands below it."""
    answer = item.lines[1].removeprefix("Answer: ").replace("[", "").replace("]", "")
    return answer, item.lines[2].partition(": ")[2]


def label(root: Path, snapshot: Snapshot, sheet: str, said: Labels, rater: str = "r") -> None:
    folder = root / "labels" / snapshot.params.suite / sheet
    folder.mkdir(parents=True, exist_ok=True)
    labels = {}
    for item in SHEETS.get(sheet, "test")(snapshot):
        answer, words = parts(item)
        if words in said[answer]:
            labels[item.item_id] = {"label": said[answer][words]}
    given = {"format": "lvlmbench-labels-1", "sheet": sheet, "rater": rater,
             "suite": snapshot.params.suite, "labels": labels}  # fmt: skip
    (folder / f"{rater}.json").write_text(json.dumps(given))


def rows(snapshot: Snapshot) -> dict[tuple[str, str, str], dict[str, Any]]:
    drawn = figure_pages.draw(
        "hallucination_people", Sources(snapshot, None, figure_pages.PUBLISHED)
    )
    found = figure_pages.rows(drawn)
    return {(row["model"], row["subtask"], row["measure"]): row for row in found}


def test_shares_of_answers_are_those_of_judge_and_people(
    snapshot: Snapshot, tmp_path: Path
) -> None:
    label(tmp_path, snapshot, "claims", CLAIMS)
    label(tmp_path, snapshot, "features", FEATURES)
    found = rows(snapshot)
    # Of the judge and of people: (1/3, 1/3), (2/3, 1) and, without what is unclear, (1/2, 1/2).
    # The fourth answer has a feature that nobody has labelled.
    covered = found["all", "all", "coverage"]
    assert (covered["answers"], covered["partly_labelled"]) == (3, 1)
    assert covered["by_judge"] == pytest.approx(50)
    assert covered["by_people"] == pytest.approx(100 * 11 / 18)
    assert covered["pearson"] == pytest.approx(math.sqrt(12 / 13), abs=1e-6)
    assert covered["low"] is None  # two answers are left without one of three
    # (1, 1), (2/3, 2/3), (1, 1), (0, 1): they vary together not at all.
    faithful = found["all", "all", "faithfulness"]
    assert (faithful["answers"], faithful["partly_labelled"]) == (4, 0)
    assert faithful["by_judge"] == pytest.approx(100 * 2 / 3)
    assert faithful["by_people"] == pytest.approx(100 * 11 / 12)
    assert faithful["pearson"] == 0
    same = {"model": "m", "subtask": "all"}
    assert {**covered, **same} == found["m", "all", "coverage"]
    one = found["all", "animal", "coverage"]
    assert (one["answers"], one["pearson"]) == (2, None)  # two points are always on a line
    assert found["all", "color", "coverage"]["by_people"] == 50


def test_more_than_half_of_the_people_count(snapshot: Snapshot, tmp_path: Path) -> None:
    other = {answer: dict.fromkeys(words, NO) for answer, words in FEATURES.items()}
    for rater in ("a", "b"):
        label(tmp_path, snapshot, "features", FEATURES, rater)
    label(tmp_path, snapshot, "features", other, "c")
    row = rows(snapshot)["all", "all", "coverage"]
    assert row["by_people"] == pytest.approx(100 * 11 / 18)
    assert rows(snapshot)["all", "all", "faithfulness"]["answers"] == 0


def test_it_is_drawn_the_same_again_beside_the_paper(snapshot: Snapshot, tmp_path: Path) -> None:
    label(tmp_path, snapshot, "features", FEATURES)
    figures = snapshot.params.figures.model_copy(update={"published": True})
    params = snapshot.params.model_copy(update={"figures": figures})
    given = Sources(dataclasses.replace(snapshot, params=params), None, figure_pages.PUBLISHED)
    first, again = (figure_pages.draw("hallucination_people", given) for _ in range(2))
    with settings():
        assert encode(first.figure, "svg") == encode(again.figure, "svg")
    assert figure_pages.misplaced(first.figure) == []
    figure_pages.check_tabular(first.tex or "")
    theirs = [row for row in figure_pages.rows(first) if row["source"] == "valor_eval"]
    assert len(theirs) == 5 * 2
    assert {"0.91", "Positions"} <= {*figure_pages.words(first.figure)}


def test_it_says_why_it_cannot_be_made(snapshot: Snapshot, tmp_path: Path) -> None:
    with pytest.raises(NotApplicable, match="label export features"):
        rows(snapshot)
    some: Labels = {answer: {"the ball is red": NO} for answer in FEATURES}
    label(tmp_path, snapshot, "features", some)
    with pytest.raises(NotApplicable, match="Of no answer"):  # no answer is labelled whole
        rows(snapshot)
    judging = snapshot.params.judge.model_copy(update={"judges": ()})
    params = snapshot.params.model_copy(update={"judge": judging})
    with pytest.raises(NotApplicable, match="No free answer"):
        rows(dataclasses.replace(snapshot, params=params))
