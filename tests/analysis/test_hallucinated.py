"""Differences between conditions of what answers make up: on the same scenes, mean of subsets."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.analysis.hallucinated import ALL, Hallucination
from lvlmbench.core.seeding import generator
from lvlmbench.snapshot.reader import Snapshot
from support.report_snapshot import noisy_params

JUDGE, MODEL = "lexical", "model-a"
NAMES = {"judge": JUDGE, "model": MODEL}


def _judged(scene: str, subtask: str, scenario: str, *sums: int, status: str = "judged") -> Any:
    true, wrong, covered, owed = sums
    return {
        **NAMES, "scenario": scenario, "question_id": f"q-{scene}", "image_id": f"i-{scene}",
        "scene_id": scene, "subtask": subtask, "answer_status": "answered", "status": status,
        "true_claims": true, "wrong_claims": wrong, "covered": covered, "owed": owed,
        "false_denials": 0, "unverifiable": 0,
    }  # fmt: skip


def _of(folder: Path, *rows: Any) -> Hallucination:
    """The numbers of a snapshot with these judgements."""
    params = noisy_params()
    for scenario in ("clean", "blind"):
        mine = [row for row in rows if row["scenario"] == scenario]
        place = tables.JUDGEMENTS.folder(folder, **NAMES, scenario=scenario)
        tables.write_rows(mine, place / tables.part_name(0), tables.JUDGEMENTS, "s")
    keys = {**NAMES, "subtask": ALL, "stratum": ALL, "measure": "faithfulness", "value": 1.0}
    numbers = [{**keys, "scenario": scenario, "n": 1} for scenario in ("clean", "blind")]
    numbers.append({**keys, "judge": ALL, "scenario": "clean", "measure": "pope_f1", "n": 2})
    tables.write_rows(numbers, tables.HALLUCINATION.folder(folder), tables.HALLUCINATION, "s")
    scenes = [{"scene_id": scene} for scene in {row["scene_id"]: 0 for row in rows}]
    place = tables.SCENES.folder(folder) / tables.part_name(0)
    tables.write_rows(scenes, place, tables.SCENES, "s")
    return Hallucination(Snapshot(params, folder, folder))


def test_differences_are_means_of_subsets_over_scenes_in_both(tmp_path: Path) -> None:
    found = _of(
        tmp_path,
        _judged("a", "one", "clean", 3, 1, 2, 4), _judged("a", "one", "blind", 1, 3, 1, 4),
        _judged("b", "one", "clean", 5, 1, 3, 4), _judged("b", "one", "blind", 2, 2, 0, 4),
        _judged("c", "two", "clean", 1, 1, 1, 2), _judged("c", "two", "blind", 0, 4, 0, 2),
        _judged("d", "two", "clean", 2, 0, 2, 2), _judged("d", "two", "blind", 1, 1, 1, 2),
        _judged("e", "two", "clean", 9, 0, 9, 9),
        _judged("e", "two", "blind", 0, 9, 0, 9, status="malformed"),
        _judged("f", "three", "clean", 9, 0, 9, 9),
    )  # fmt: skip
    change = found.change(JUDGE, MODEL, "blind", "faithfulness")
    assert change is not None and change.n == 4
    by_hand = ((3 / 8 - 8 / 10) + (1 / 6 - 3 / 4)) / 2
    assert change.value == pytest.approx(100 * by_hand)
    assert change.low is not None and change.high is not None
    assert change.low < change.value < change.high
    covered = found.change(JUDGE, MODEL, "blind", "coverage")
    assert covered is not None
    assert covered.value == pytest.approx(100 * ((1 / 8 - 5 / 8) + (1 / 4 - 3 / 4)) / 2)


def test_a_difference_rests_on_what_scenes_add_to_both_sides(tmp_path: Path) -> None:
    """Of four scenes judged in both only two say something in the second condition; whichever is
    the first makes no difference."""
    silent = (0, 0, 0, 2)
    few = {"a": (1, 3, 1, 2), "b": (2, 2, 1, 2), "c": silent, "d": silent}
    many = {"a": (3, 1, 2, 2), "b": (4, 1, 1, 2), "c": (2, 1, 0, 2), "d": (1, 1, 2, 2)}
    # What a scene adds to a share of 14 or 8 claims, as of four scenes or of two.
    before = {"a": 3 - 4 * 5 / 7, "b": 4 - 5 * 5 / 7, "c": 2 - 3 * 5 / 7, "d": 1 - 2 * 5 / 7}
    after = {"a": 1 - 4 * 3 / 8, "b": 2 - 4 * 3 / 8}
    moved = [
        after.get(name, 0.0) / 8 * 2**0.5 - before[name] / 14 * (4 / 3) ** 0.5 for name in before
    ]
    # Half a scene on each side, and Student's quantile at three degrees of freedom.
    half = 3.182446305 * math.sqrt(math.fsum(each**2 for each in moved) + 1 / 25)
    for at, (clean, blind) in enumerate(((many, few), (few, many))):
        rows = [_judged(s, "one", "clean", *sums) for s, sums in clean.items()]
        rows += [_judged(s, "one", "blind", *sums) for s, sums in blind.items()]
        change = _of(tmp_path / str(at), *rows).change(JUDGE, MODEL, "blind", "faithfulness")
        assert change is not None and change.n == 4
        value = (3 / 8 - 10 / 14) * (1 if at == 0 else -1)
        assert change.value == pytest.approx(100 * value)
        assert change.low == pytest.approx(max(100 * (value - half), -100))
        assert change.high == pytest.approx(min(100 * (value + half), 100))


def test_a_difference_is_of_all_subsets_or_of_none(tmp_path: Path) -> None:
    found = _of(
        tmp_path,
        _judged("a", "one", "clean", 3, 1, 2, 4), _judged("a", "one", "blind", 1, 3, 1, 4),
        _judged("b", "two", "clean", 3, 1, 2, 4), _judged("b", "two", "blind", 0, 0, 0, 4),
    )  # fmt: skip
    assert found.change(JUDGE, MODEL, "blind", "faithfulness") is None
    covered = found.change(JUDGE, MODEL, "blind", "coverage")
    assert covered is not None and covered.value == pytest.approx(100 * (1 / 8 - 1 / 2))


def test_a_condition_that_changes_nothing_differs_by_nothing(tmp_path: Path) -> None:
    """Half a scene on each side of twelve, though no scene differs in the two."""
    rows = [
        _judged(f"s{k}", "one", scenario, k, 4, k % 3, 3)
        for k in range(12)
        for scenario in ("clean", "blind")
    ]
    change = _of(tmp_path, *rows).change(JUDGE, MODEL, "blind", "faithfulness")
    assert change is not None and change.value == 0.0
    far = 100 * 2.200985160 / 13
    assert (change.low, change.high) == (pytest.approx(-far), pytest.approx(far))


@pytest.mark.long
def test_intervals_hold_what_is_so(tmp_path: Path) -> None:
    """Of 200 made-up runs whose true difference is -20 points, in 90 % or more."""
    held = 0
    for run in range(200):
        rng = generator(3, "hallucinated", str(run))
        rows = []
        for k in range(60):
            said, base = int(rng.integers(2, 9)), float(rng.normal(0, 0.05))
            for scenario, p in (("clean", 0.7), ("blind", 0.5)):
                true = int(rng.binomial(said, min(max(p + base, 0.0), 1.0)))
                rows.append(_judged(f"s{k}", f"t{k % 2}", scenario, true, said - true, 1, 2))
        folder = tmp_path / str(run)
        change = _of(folder, *rows).change(JUDGE, MODEL, "blind", "faithfulness")
        assert change is not None and change.low is not None and change.high is not None
        held += change.low <= -20 <= change.high
    assert held >= 180


def test_answers_about_an_arm_that_were_not_judged_are_counted(tmp_path: Path) -> None:
    designs = [
        {"scene_id": scene, "arm": arm}
        for scene, arm in (("a", "random"), ("b", "random"), ("c", "random"), ("d", "typical"))
    ]
    place = tables.DESIGNS.folder(tmp_path) / tables.part_name(0)
    tables.write_rows(designs, place, tables.DESIGNS, "s")
    found = _of(
        tmp_path,
        _judged("a", "one", "clean", 3, 1, 2, 4), _judged("b", "one", "clean", 1, 1, 1, 4),
        _judged("c", "one", "clean", 0, 0, 0, 4, status="malformed"),
        _judged("d", "one", "clean", 0, 0, 0, 4, status="malformed"),
    )  # fmt: skip
    number = found.of_arm(JUDGE, MODEL, "random", "faithfulness")
    assert number is not None and number.value == pytest.approx(100 * 4 / 6)
    assert (number.n, number.answers, number.unjudged) == (6, 3, 1)
    lost = found.of_arm(JUDGE, MODEL, "typical", "coverage")
    assert lost is not None and (lost.value, lost.n, lost.answers, lost.unjudged) == (None, 0, 1, 1)
    assert found.of_arm(JUDGE, MODEL, "untypical", "coverage") is None


def test_what_needs_no_judge_is_none_of_the_judges(tmp_path: Path) -> None:
    found = _of(tmp_path, _judged("a", "one", "clean", 1, 1, 1, 2))
    assert found and found.judges == [JUDGE] and found.models == [MODEL]
    assert found.scenarios == ["clean", "blind"] and found.subtasks == []
    probe = found.number(ALL, MODEL, "clean", "pope_f1")
    assert probe is not None and (probe.value, probe.n, probe.low) == (1.0, 2, None)
    assert found.number(JUDGE, MODEL, "clean", "pope_f1") is None
    assert found.change(JUDGE, MODEL, "blind", "faithfulness") is None


def test_nothing_is_false(tmp_path: Path) -> None:
    assert not Hallucination(Snapshot(noisy_params(), tmp_path, tmp_path))
