"""From what judges say to the table ``hallucination``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.labelling.kinds.claims import SHEET, said
from lvlmbench.scene.claims import Scope
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.hallucination.run import rows, write_hallucination
from lvlmbench.stages.judge.judge import Reading
from lvlmbench.suites.dialogue import TASKS
from lvlmbench.suites.dysca import Dysca
from support.hallucination_tables import SUBTASKS, question, snapshot
from support.scripted_judge import Scripted, words

#: True: dog, ball; wrong: cat, tree.
SAID = {
    ("m", "s1"): "dog ball cat",
    ("m", "s2"): "dog",
    ("m", "s3"): "no cat",
    ("m", "s4"): None,
}


def found(
    of: Snapshot, labels: Path = Path("none"), **names: str
) -> dict[tuple[str, str, str], Any]:
    """Rows by subtask, stratum and measure."""
    return {
        (row["subtask"], row["stratum"], row["measure"]): row
        for row in rows(of, labels)
        if names.items() <= row.items()
    }


def test_numbers_by_hand(tmp_path: Path) -> None:
    made = found(snapshot(tmp_path, SAID))

    def number(subtask: str, measure: str, stratum: str = "all") -> tuple[Any, ...]:
        row = made[subtask, stratum, measure]
        return tuple(row[name] for name in ("value", "n", "answers", "unjudged"))

    assert number("animal", "faithfulness") == (75.0, 4, 2, 0)
    # dog, ball and the ball's color are owed twice
    assert number("animal", "coverage") == (50.0, 6, 2, 0)
    assert number("animal", "f1") == (60.0, 2, 2, 0)
    assert number("animal", "faithfulness_macro") == (pytest.approx(250 / 3), 2, 2, 0)
    assert number("animal", "all_true") == (50.0, 2, 2, 0)
    assert number("animal", "claims") == (2.0, 2, 2, 0)
    assert number("animal", "wrong", "object") == (25.0, 4, 2, 0)
    assert number("animal", "faithfulness_at", "2") == (100.0, 3, 2, 0)
    # the vocabulary has no ball: of dog, cat and dog one is not there
    assert number("animal", "chair_i") == (pytest.approx(100 / 3), 3, 2, 0)
    # one of two answers could be judged, and it claims nothing
    assert number("color", "faithfulness") == (None, 0, 2, 1)
    assert number("color", "coverage") == (0.0, 3, 2, 1)
    assert number("color", "f1") == (0.0, 1, 2, 1)
    # a subtask has no faithfulness, so the mean is that of the other one; its F1 of 0 counts
    assert number("all", "faithfulness") == (75.0, 4, 4, 1)
    assert number("all", "faithfulness_at", "2") == (100.0, 3, 4, 1)
    assert number("all", "coverage") == (25.0, 9, 4, 1)
    assert number("all", "f1") == (30.0, 3, 4, 1)
    for row in made.values():
        assert row["value"] is None or row["low"] is None or row["low"] <= row["value"]
        assert row["value"] is None or row["high"] is None or row["value"] <= row["high"]


def test_rows_fit_the_table_and_are_the_same_again(tmp_path: Path) -> None:
    of = snapshot(tmp_path / "data", {**SAID, ("n", "s1"): "cat", ("n", "s3"): "ball"})
    out = tmp_path / "out.parquet"
    write_hallucination(of.params, of.data, tmp_path / "labels", out)
    made = tables.read([out], tables.HALLUCINATION)
    keys = [tuple(row[name] for name in tables.HALLUCINATION.key) for row in made.to_pylist()]
    assert len({*keys}) == len(keys)
    assert {row["model"] for row in made.to_pylist()} == {"m", "n"}
    first = out.read_bytes()
    write_hallucination(of.params, of.data, tmp_path / "labels", out)
    assert out.read_bytes() == first


def test_claims_count_that_the_suite_asks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Dysca, "scopes", lambda self, params: {"animal": Scope(("attribute",))})
    made = found(snapshot(tmp_path, SAID))
    assert made["animal", "all", "faithfulness"]["value"] is None
    assert made["animal", "all", "coverage"]["n"] == 2  # the ball's color, in two scenes
    assert ("animal", "all", "chair_i") not in made
    assert made["animal", "all", "released_coverage"]["value"] == 0
    assert ("color", "all", "released_coverage") not in made


def test_in_dialogue_descriptions_alone_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a story makes up is none, also where a judge has read claims of it."""
    tasks = {"animal": TASKS["touchstone_simple"], "color": TASKS["touchstone_story"]}
    monkeypatch.setattr(Dysca, "dialogue", lambda self, params: tasks)
    made = found(snapshot(tmp_path, {**SAID, ("m", "s4"): "unicorn dragon cat"}))
    assert {subtask for subtask, *_ in made} == {"all", "animal"}
    for subtask in ("all", "animal"):
        row = made[subtask, "all", "faithfulness"]
        assert (row["value"], row["n"], row["answers"], row["unjudged"]) == (75.0, 4, 2, 0)


def test_where_nobody_lists_what_pictures_show_there_is_no_number(tmp_path: Path) -> None:
    of = snapshot(tmp_path, SAID)
    path = tables.TRUTH.folder(of.data) / tables.part_name(0)
    tables.write(tables.TRUTH.empty_table(), path, tables.TRUTH, "s")
    assert not found(of)
    out = tmp_path / "out.parquet"
    write_hallucination(of.params, of.data, tmp_path / "labels", out)
    assert not tables.read([out], tables.HALLUCINATION).num_rows


def test_what_could_not_be_judged_is_counted(tmp_path: Path) -> None:
    refusing = Scripted(lambda text: Reading("refused", why="no"))
    made = found(snapshot(tmp_path, SAID, judges={"j": refusing}))
    row = made["all", "all", "faithfulness"]
    assert (row["value"], row["n"], row["answers"], row["unjudged"]) == (None, 0, 4, 4)


def test_judges_are_apart(tmp_path: Path) -> None:
    deaf = Scripted(lambda text: words(""))
    of = snapshot(tmp_path, SAID, judges={"j": Scripted(), "deaf": deaf})
    assert found(of, judge="j")["animal", "all", "claims"]["value"] == 2
    assert found(of, judge="deaf")["animal", "all", "claims"]["value"] == 0


def test_nothing_is_said_where_nothing_is_asked(tmp_path: Path) -> None:
    closed = question("s1", question_type="short_answer", accepted=["dog"], chance=0.0)
    assert not found(snapshot(tmp_path, {("m", "s1"): "dog"}, [closed]))


def test_probes_are_of_no_judge(tmp_path: Path) -> None:
    def probe(at: int, key: str) -> dict[str, Any]:
        return question(
            "s1", question_id=f"p{at}", question_type="true_false", options=["True", "False"],
            answer="True", answer_index=0, chance=0.5, key=f"animal/true_false/probe/{key}",
        )  # fmt: skip

    keys = ("random/yes/1", "random/yes/2", "random/no/1", "random/no/2", "popular/yes/1")
    probes = [probe(at, key) for at, key in enumerate(keys)]
    other = probe(9, "random/yes/3") | {"key": "animal/true_false/o1"}
    of = snapshot(tmp_path, {("m", "s1"): "dog"}, [*probes, other, question("s1")])
    names = {"model": "m", "scenario": "clean"}
    scores = [
        {
            **names, "question_id": f"p{at}", "scene_id": f"s{at}", "subtask": "animal",
            "question_type": "true_false", "correct": correct, "scored": correct is not None,
        }
        for at, correct in ((0, True), (1, False), (2, False), (3, None), (4, True), (9, True))
    ]  # fmt: skip
    folder = tables.SCORES.folder(of.data, **names)
    tables.write_rows(scores, folder / tables.part_name(0), tables.SCORES, "s")
    made = found(of, judge="all")
    assert {measure for _, _, measure in made} == {
        "pope_accuracy", "pope_precision", "pope_recall", "pope_f1", "pope_yes",
    }  # fmt: skip
    row = made["animal", "random", "pope_accuracy"]
    assert (row["value"], row["n"], row["answers"], row["unjudged"]) == (
        pytest.approx(100 / 3), 3, 4, 1,
    )  # fmt: skip
    assert made["all", "random", "pope_recall"]["value"] == 50
    # who is asked for another set counts in that alone
    row = made["animal", "popular", "pope_recall"]
    assert (row["value"], row["n"], row["answers"]) == (100, 1, 1)
    assert found(of, judge="j")["animal", "all", "coverage"]["n"] == 3


def test_designed_scenes_tell_what_is_claimed_as_it_is_expected(tmp_path: Path) -> None:
    def design(scene: str, arm: str, triplet: str | None) -> dict[str, Any]:
        return {"scene_id": scene, "arm": arm, "triplet": triplet, "expected": "cat"}

    arms = ("untypical", "unassociated", "typical", "random")
    triplets = ("t", "t", "t", None)
    designs = [design(*each) for each in zip(SUBTASKS, arms, triplets, strict=True)]
    told = {("m", "s1"): "dog cat", ("m", "s2"): "dog", ("m", "s3"): "cat", ("m", "s4"): "ball"}
    asked = [question(scene, subtask="animal") for scene in SUBTASKS]
    made = found(snapshot(tmp_path, told, asked, designs=designs))
    effect = made["animal", "all", "associative_effect"]
    assert (effect["value"], effect["n"], effect["answers"]) == (100.0, 1, 4)
    assert effect["low"] < 100
    claims = {arm: made["animal", arm, "associated_claims"]["value"] for arm in arms}
    assert claims == {"untypical": 100, "unassociated": 0, "typical": 100, "random": 0}
    # expected and not there: half of what the first answer names, and nothing of the others
    cog = made["animal", "all", "amber_cog"]
    assert (cog["value"], cog["n"]) == (25.0, 2)


def test_sizes_as_in_the_world_and_against_it_are_apart(tmp_path: Path) -> None:
    priors = {"s1": "with", "s2": "against", "s3": "against", "s4": None}
    asked = [question(s, subtask="animal", factors={"prior": p}) for s, p in priors.items()]
    told = {("m", "s1"): "dog", ("m", "s2"): "cat", ("m", "s3"): "dog", ("m", "s4"): "tree"}
    made = found(snapshot(tmp_path, told, asked))
    rows = {stratum: made["animal", stratum, "faithfulness"] for stratum in ("with", "against")}
    assert [(row["value"], row["n"]) for row in rows.values()] == [(100, 1), (50, 2)]
    assert made["animal", "all", "faithfulness"]["value"] == 50


def test_gold_claims_are_what_people_say(tmp_path: Path) -> None:
    """Of dog, ball and cat people say that dog and cat are not there; of the second dog nobody
    says a thing."""
    of = snapshot(tmp_path / "data", SAID)
    [answer] = [s for s in SUBTASKS if SAID["m", s] == "dog ball cat"]
    says = {"dog": "wrong", "ball": "right", "cat": "wrong"}
    labels = {
        item.item_id: {"label": says[row["subject"]]}
        for row, item in said(of, "j")
        if row["question_id"] == f"q-{answer}"
    }
    given = {
        "format": "lvlmbench-labels-1", "sheet": SHEET, "suite": "dysca", "rater": "ann",
        "labels": labels,
    }  # fmt: skip
    path = tmp_path / "labels" / "dysca" / SHEET / "ann.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(given))
    made = found(of, tmp_path / "labels")
    row = made["animal", "judge", "acc_f"]
    assert (row["value"], row["n"]) == (50.0, 2)  # the cat is found, the dog is not
    assert row["low"] is None or row["high"] - row["low"] <= 200
    assert made["animal", "judge", "acc_c"]["value"] == 100
    assert ("color", "judge", "acc_c") not in made
    assert ("animal", "judge", "acc_f") not in found(of, tmp_path / "nobody")


def test_tables_of_other_answers_are_refused(tmp_path: Path) -> None:
    of = snapshot(tmp_path, SAID)
    names = {"judge": "j", "model": "m", "scenario": "clean"}
    path = tables.MATCHES.folder(tmp_path, **names) / tables.part_name(0)
    kept = tables.read([path], tables.MATCHES)
    tables.write(kept.slice(1), path, tables.MATCHES, "s")
    with pytest.raises(UserError, match="claims of question q-s1"):
        found(of)
    tables.write(kept, path, tables.MATCHES, "s")
    path = tables.JUDGEMENTS.folder(tmp_path, **names) / tables.part_name(0)
    judged = tables.read([path], tables.JUDGEMENTS)
    tables.write(judged.slice(1), path, tables.JUDGEMENTS, "s")
    with pytest.raises(UserError, match="not among its judgements"):
        found(of)
