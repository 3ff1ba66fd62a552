"""Scenarios against clean, and accuracies against guessing: by hand and by properties."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.stages.metrics.metrics import metric_rows
from lvlmbench.stages.metrics.plots import headlines
from support.score_tables import FF, KEY, MC, TF, Row, pick, score, table

NOISY = "corruption"


def noisy(
    row: Row, value: float | bool | None, done: str | None = "blur", severity: int | None = 3
) -> Row:
    """The same question in the scenario ``corruption``, answered anew."""
    return score(
        int(str(row["question_id"])), str(row["question_type"]), str(row["subtask"]), value,
        scene=int(str(row["scene_id"])[1:]), model=str(row["model"]), scenario=NOISY,
        done=done, severity=severity,
    )  # fmt: skip


CLEAN = [
    score(0, MC, "animal", True), score(1, MC, "animal", True),
    score(2, MC, "animal", False), score(3, MC, "animal", True),
    score(4, MC, "food", False), score(5, MC, "food", True),
    score(6, FF, "food", 40.0), score(7, FF, "food", 80.0),
]  # fmt: skip
#: What they come to once the image is blurred.
BLURRED = [False, True, False, False, True, True, 10.0, 60.0]
BY_HAND = [*CLEAN, *(noisy(row, value) for row, value in zip(CLEAN, BLURRED, strict=True))]


def difference(rows: Sequence[Row], kind: str = "all", subtask: str = "all", **key: str) -> Row:
    return pick(rows, "difference", kind, subtask, scenario=NOISY, **key)


def test_differences_by_hand() -> None:
    rows = metric_rows(table(BY_HAND))
    # Pairs -1, 0, 0, -1 and 1, 0: moments of the type -1/7 and 4/7; of animals -8/21 and 11/21.
    animal, spread = difference(rows, MC, "animal"), (11 / 21 - (8 / 21) ** 2) * 9 / 8 / 4
    assert (animal["value"], animal["n"]) == (-50.0, 4)
    assert animal["stderr"] == round(100 * math.sqrt(spread), 6)
    # 32/9 answers, half a one on each side; eight scenes, two cells leave the quantile 2.446912.
    middle, sure = -0.5 * 32 / 41, (0.5 * 32 / 41 + 9 / 41 - (0.5 * 32 / 41) ** 2) * 9 / 41
    assert animal["low"] == -100.0
    assert animal["high"] == pytest.approx(100 * (middle + 2.446912 * math.sqrt(sure)), abs=1e-3)
    # Pairs 1, 0 and -0.3, -0.2, which have half an answer at each end.
    food, captions = difference(rows, MC, "food"), difference(rows, FF, "food")
    of_food = (15 / 28 - (5 / 28) ** 2) * 8 / 7 / 2
    of_captions = ((0.13 + 2 * 1.13 / 3) / 4 - (5 / 24) ** 2) * 8 / 7 / 2
    assert (food["value"], food["stderr"]) == (50.0, round(100 * math.sqrt(of_food), 6))
    assert captions["value"] == -25.0
    assert captions["stderr"] == round(100 * math.sqrt(of_captions), 6)
    # Means over subtasks, then over types, of independent scenes.
    mc = (spread + of_food) / 4
    assert difference(rows, MC)["value"] == 0.0
    assert difference(rows, MC)["stderr"] == round(100 * math.sqrt(mc), 6)
    total = difference(rows)
    assert (total["value"], total["n"], total["n_unscored"]) == (-12.5, 8, 0)
    assert total["stderr"] == round(100 * math.sqrt((mc + of_captions) / 4), 6)
    assert difference(rows, subtask="food")["value"] == (50 - 25) / 2
    assert difference(rows, subtask="animal")["value"] == -50.0


def test_pairs_of_one_scene_count_as_one() -> None:
    rng = np.random.default_rng(5)
    once: list[Row] = []
    for i in range(30):
        once.append(score(i, MC, "animal", bool(rng.integers(2))))
        once.append(noisy(once[-1], bool(rng.integers(2))))
    four = [{**row, "question_id": f"{row['question_id']}-{i}"} for row in once for i in range(4)]
    one, other = (difference(metric_rows(table(part))) for part in (once, four))
    assert (one["value"], one["n"], other["n"]) == (other["value"], 30, 120)
    for name in ("stderr", "low", "high"):
        assert other[name] == pytest.approx(one[name], rel=0.05, abs=1)


def test_pairing_takes_the_difficulty_out() -> None:
    """Ten scenes answered alike but one: far surer than two means would be."""
    clean = [score(i, MC, "animal", i % 2 == 0) for i in range(40)]
    rows = metric_rows(table([*clean, *(noisy(r, i % 2 == 0 and i > 0)
                                        for i, r in enumerate(clean))]))  # fmt: skip
    mine = difference(rows)
    assert mine["value"] == -2.5 and mine["stderr"] == pytest.approx(2.5, abs=0.2)
    assert float(pick(rows, "headline")["stderr"]) > 7  # type: ignore[arg-type]


def test_pairs_that_are_not() -> None:
    rows = [
        score(0, MC, "animal", True), score(1, MC, "animal", None), score(2, MC, "animal", True),
        score(3, MC, "animal", False), score(9, MC, "animal", True),
    ]  # fmt: skip
    again = [noisy(rows[0], None), noisy(rows[1], True), noisy(rows[2], False)]
    again += [noisy(rows[3], True), noisy(score(4, MC, "animal", None), True)]
    found = metric_rows(table([*rows, *again]))
    # Scored in both: questions 2 and 3. Question 4 was not asked in clean, 9 only there.
    mine = difference(found, MC, "animal")
    assert (mine["value"], mine["n"], mine["n_unscored"]) == (0.0, 2, 3)
    # Of the scenario's answers without a pair, none is a refusal or a failure.
    assert (mine["n_refused"], mine["n_failed"]) == (0, 0)
    again[0] |= {"status": "refused"}
    counted = difference(metric_rows(table([*rows, *again])), MC, "animal")
    assert [counted[k] for k in ("n_unscored", "n_refused", "n_failed")] == [3, 1, 0]
    # The same questions: 0 to 3 of the clean ones, one of them unscored.
    same = pick(found, "headline", scenario=NOISY, severity="0")
    assert (same["value"], same["n"], same["n_unscored"]) == (round(200 / 3, 6), 3, 1)


def test_a_pair_without_a_scored_side_leaves_null() -> None:
    rows = [score(0, MC, "animal", None), score(1, TF, "animal", True)]
    found = metric_rows(table([*rows, *(noisy(row, True) for row in rows)]))
    assert difference(found, TF)["value"] == 0.0
    assert difference(found, MC)["value"] is None
    assert difference(found)["value"] is None
    assert (difference(found)["n"], difference(found)["n_unscored"]) == (1, 1)
    assert (difference(found, TF)["low"], difference(found, TF)["high"]) == (-100, 100)


def test_who_does_not_look_differs_by_nothing() -> None:
    clean = [score(i, kind, "animal", i % 3 == 0) for i, kind in enumerate([MC, TF] * 12)]
    rows = metric_rows(table([*clean, *(noisy(r, i % 3 == 0) for i, r in enumerate(clean))]))
    found = [r for r in rows if r["metric"] == "difference"]
    assert len(found) > 10
    for row in found:
        assert [row["value"], row["low"] + row["high"]] == [0.0] * 2
        assert row["stderr"] > 0 and row["high"] > 100 / (row["n"] + 1)
        assert math.copysign(1, row["value"]) == 1  # type: ignore[arg-type]


def test_all_turned_wrong_is_not_certain() -> None:
    clean = [score(i, MC, "animal", True) for i in range(10)]
    row = difference(metric_rows(table([*clean, *(noisy(r, False) for r in clean)])))
    assert (row["value"], row["low"]) == (-100.0, -100.0)
    # 335/36 answers and half a one on each side; the quantile of nine degrees is 2.262157.
    middle = 335 / 371
    half = 2.262157 * math.sqrt((1 - middle**2) * 36 / 371)
    assert row["high"] == pytest.approx(100 * (half - middle), abs=1e-3)


def test_without_clean_there_is_nothing_to_compare() -> None:
    only = [noisy(row, True) for row in CLEAN]
    other = [{**row, "model": "k"} for row in CLEAN]
    rows = metric_rows(table([*only, *other]))
    assert not [r for r in rows if r["metric"] == "difference" or r["severity"] == "0"]
    assert pick(rows, "headline", scenario=NOISY, done="blur", severity="3")["value"] is not None
    of_clean = [r for r in rows if r["scenario"] == "clean"]
    assert {(r["perturbation"], r["severity"]) for r in of_clean} == {("all", "all")}


def test_levels_by_kind_and_severity() -> None:
    """Each image has a kind and a severity of its own."""
    clean = [score(i, MC, "animal", True, scene=i) for i in range(8)]
    done = [("blur", 1), ("blur", 5), ("noise", 1), ("noise", 5)] * 2
    right = [True, False, True, True, True, False, False, True]
    rows = metric_rows(table([
        *clean, *(noisy(r, v, *d) for r, v, d in zip(clean, right, done, strict=True))
    ]))  # fmt: skip

    def level(kind: str, severity: str) -> tuple[object, object]:
        row = pick(rows, "headline", scenario=NOISY, done=kind, severity=severity)
        by_type = pick(rows, "score", MC, scenario=NOISY, done=kind, severity=severity)
        assert all(row[k] == by_type[k] for k in ("value", "stderr", "low", "high", "n"))
        return row["value"], row["n"]

    assert level("blur", "all") == (50.0, 4) and level("noise", "all") == (75.0, 4)
    assert level("all", "1") == (75.0, 4) and level("all", "5") == (50.0, 4)
    assert level("noise", "1") == (50.0, 2) and level("blur", "5") == (0.0, 2)
    assert level("blur", "0") == (100.0, 4) and level("all", "0") == (100.0, 8)
    assert difference(rows, done="noise", severity="1")["value"] == -50.0
    assert difference(rows, severity="5")["value"] == -50.0
    assert difference(rows, done="blur")["n"] == 4
    assert difference(rows)["value"] == -37.5
    # One number for each model and scenario, or 'dvc metrics show' prints lines that nobody reads.
    assert {s: list(found) for s, found in headlines(rows)["m"].items()} == {
        "clean": ["headline"],
        NOISY: ["headline"],
    }


def test_a_kind_without_a_severity() -> None:
    rows = metric_rows(table([*CLEAN, *(noisy(row, True, "no_image", None) for row in CLEAN[:6])]))
    of_noisy = [r for r in rows if r["scenario"] == NOISY]
    assert {(r["perturbation"], r["severity"]) for r in of_noisy} == {
        ("all", "all"), ("no_image", "all"), ("all", "0"), ("no_image", "0"),
    }  # fmt: skip
    # The scenario asks no captions, nor does its severity 0.
    assert pick(rows, "headline", scenario=NOISY, severity="0")["value"] == (75 + 50) / 2
    assert pick(rows, "headline")["value"] == ((75 + 50) / 2 + 60) / 2
    assert difference(rows)["value"] == 100 - (75 + 50) / 2


def test_several_images_of_a_question() -> None:
    """A curve: every image at every severity."""
    clean = [score(i, MC, "animal", i != 2, scene=i // 2) for i in range(6)]
    value = {1: [True, True, False, True, True, True], 2: [True, False, False, True, True, False]}
    curve = [
        noisy(row, value[s][i] and kind == "blur", kind, s)
        for i, row in enumerate(clean) for s in (1, 2) for kind in ("blur", "noise")
    ]  # fmt: skip
    rows = metric_rows(table([*clean, *curve]))
    assert pick(rows, "headline", scenario=NOISY)["n"] == 24
    start = pick(rows, "headline", scenario=NOISY, done="blur", severity="0")
    assert (start["value"], start["n"]) == (round(500 / 6, 6), 6)
    assert difference(rows, done="blur", severity="1")["value"] == 0.0
    assert difference(rows, done="blur", severity="2")["value"] == round(-200 / 6, 6)
    assert difference(rows, done="noise")["value"] == round(-500 / 6, 6)
    assert difference(rows)["n"] == 24
    # Images of one scene hang together: the same answer four times is one answer.
    clean = [score(i, MC, "animal", i % 3 > 0) for i in range(24)]
    alike = [noisy(r, i % 2 == 0, k, s) for i, r in enumerate(clean) for k in "ab" for s in (1, 2)]
    once = [noisy(r, i % 2 == 0) for i, r in enumerate(clean)]
    many, single = (difference(metric_rows(table([*clean, *part]))) for part in (alike, once))
    assert (many["value"], many["n"]) == (single["value"], 96)
    assert many["stderr"] == pytest.approx(single["stderr"], rel=0.1)


def test_consensus_leaves_pairs_out() -> None:
    rows = metric_rows(table(BY_HAND), {"0000", "0004"})
    assert difference(rows, MC, "animal")["value"] == -50.0
    kept = difference(rows, MC, "animal", questions="consensus")
    assert (kept["value"], kept["n"]) == (round(-100 / 3, 6), 3)
    assert difference(rows, MC, "food", questions="consensus")["value"] == 0.0
    same = pick(rows, "score", MC, scenario=NOISY, severity="0", questions="consensus")
    assert (same["value"], same["n"]) == (round((200 / 3 + 100) / 2, 6), 4)


_ANSWER = st.tuples(
    st.sampled_from([MC, TF, FF]), st.sampled_from(["animal", "food", "text"]),
    st.booleans(), st.booleans(), st.integers(0, 4), st.integers(0, 2), st.integers(0, 2),
)  # fmt: skip
_Answer = tuple[str, str, bool, bool, int, int, int]


def _value(kind: str, right: bool, extra: float = 0.0) -> float | bool:
    return (61.5 + extra) * right if kind == FF else right


def _both(drawn: list[_Answer], lost: int) -> list[Row]:
    """Clean and corruption; where one of an answer's numbers is ``lost``, that side is unscored."""
    rows: list[Row] = []
    for i, (kind, subtask, before, after, scene, a, b) in enumerate(drawn):
        first = score(i, kind, subtask, None if a == lost else _value(kind, before), scene=scene)
        done = ("blur", "noise")[scene % 2], scene % 3 + 1
        rows += [first, noisy(first, None if b == lost else _value(kind, after, 9.25), *done)]
    return rows


@pytest.mark.long
@settings(deadline=None, max_examples=50)
@given(st.lists(_ANSWER, min_size=1, max_size=30))
def test_the_difference_of_totals_is_the_total_of_differences(drawn: list[_Answer]) -> None:
    rows = metric_rows(table(_both(drawn, lost=-1)), resamples=100)
    found = {tuple(r[k] for k in KEY[2:]): r for r in rows if r["questions"] == "all"}
    checked = 0
    for key, row in found.items():
        if key[-1] != "difference":
            continue
        _, kind, subtask, style, done, severity, level, _ = key
        one = "similarity" if kind == FF else "accuracy"
        metric = {(False, False): one, (True, True): "headline"}.get(
            (kind == "all", subtask == "all"), "score"
        )
        after = found[NOISY, kind, subtask, style, done, severity, level, metric]
        if (done, severity) == ("all", "all"):
            before = found["clean", kind, subtask, style, "all", "all", level, metric]
        elif severity == "all":
            before = found[NOISY, kind, "all", "all", done, "0", level, metric]
        else:
            continue  # no row of clean has the questions of a severity
        checked += 1
        if row["value"] is None:
            assert after["value"] is None or before["value"] is None
            continue
        expected = float(after["value"]) - float(before["value"])  # type: ignore[arg-type]
        assert row["value"] == pytest.approx(expected, abs=2e-6)
        assert row["n"] == after["n"] and row["n_unscored"] == 0
    assert checked


@pytest.mark.long
@settings(deadline=None, max_examples=30)
@given(st.lists(_ANSWER, min_size=1, max_size=30), st.integers(0, 2**32), st.booleans())
def test_order_changes_nothing_and_rows_are_sound(
    drawn: list[_Answer], seed: int, drop: bool
) -> None:
    made = _both(drawn, lost=0)
    gone = {f"{i:04d}" for i in range(0, len(drawn), 3)} if drop else set()
    rows = metric_rows(table(made), gone, resamples=100)
    random.Random(seed).shuffle(made)
    assert metric_rows(table(made), gone, resamples=100) == rows
    sets = [[r for r in rows if r["questions"] == q] for q in ("all", "consensus")]
    one, other = ([tuple(r[k] for k in KEY[1:]) for r in part] for part in sets)
    assert one == other and len(set(one)) == len(one)
    for row in rows:
        for number in ("value", "stderr", "low", "high"):
            assert row[number] is None or math.isfinite(row[number])  # type: ignore[arg-type]
        if row["metric"] == "difference" and row["low"] is not None:
            assert -100 <= row["low"] <= row["value"] <= row["high"] <= 100  # type: ignore[operator]
    asked = pick(rows, "headline", scenario=NOISY)
    pairs = difference(rows)
    assert sum(map(int, (pairs["n"], pairs["n_unscored"]))) == sum(  # type: ignore[arg-type]
        map(int, (asked["n"], asked["n_unscored"]))  # type: ignore[arg-type]
    )


def chances(levels: dict[int, float | None]) -> pa.Table:
    rows = [{"question_id": f"{i:04d}", "chance": level} for i, level in levels.items()]
    return tables.QUESTIONS.of(rows)


def test_accuracies_against_guessing_by_hand() -> None:
    # Animals: of 0.25, 0.25, 0.25, 0.5 and, for one that is unscored, 0.5.
    asked = [score(i, MC, "animal", i > 0) for i in range(4)] + [score(4, MC, "animal", None)]
    asked += [score(5, MC, "food", True), score(6, MC, "food", True), score(7, FF, "food", 50.0)]
    levels = {0: 0.25, 1: 0.25, 2: 0.25, 3: 0.5, 4: 0.5, 5: 0.25, 6: 1 / 3, 7: None}
    rows = metric_rows(table(asked), questions=chances(levels))
    assert pick(rows, "chance", MC, "animal")["value"] == 31.25
    above, right = (pick(rows, m, MC, "animal") for m in ("above_chance", "accuracy"))
    assert above["value"] == 75 - 31.25 and above["stderr"] == right["stderr"]
    assert above["low"] == pytest.approx(float(right["low"]) - 31.25, abs=1e-6)  # type: ignore[arg-type]
    assert above["high"] == pytest.approx(float(right["high"]) - 31.25, abs=1e-6)  # type: ignore[arg-type]
    assert (above["n"], above["n_unscored"]) == (4, 1)
    food = 100 * (1 / 4 + 1 / 3) / 2
    assert pick(rows, "chance", MC)["value"] == round((31.25 + food) / 2, 6)
    whole = pick(rows, "above_chance", MC)
    assert whole["value"] == round((75 + 100) / 2 - (31.25 + food) / 2, 6)
    assert not [r for r in rows if r["metric"] == "chance" and r["question_type"] in (FF, "all")]
    assert pick(rows, "chance", MC)["stderr"] is None


def test_chance_without_a_scored_answer_is_null() -> None:
    asked = [score(0, MC, "animal", None), score(1, TF, "animal", True)]
    rows = metric_rows(table(asked), {"0001"}, chances({0: 0.25, 1: 0.5}))
    assert pick(rows, "above_chance", MC)["value"] is None
    assert pick(rows, "above_chance", TF)["value"] == 50.0
    assert pick(rows, "above_chance", TF, questions="consensus")["value"] is None


@pytest.mark.long
def test_guessing_is_within_its_interval_of_chance() -> None:
    """200 models that guess: about one in twenty intervals leaves 0 out."""
    rng, inside = np.random.default_rng(2), 0
    options = rng.integers(2, 5, 60)
    levels: dict[int, float | None] = {i: 1 / int(n) for i, n in enumerate(options)}
    for _ in range(200):
        asked = [score(i, MC, "animal", bool(rng.random() < 1 / n)) for i, n in enumerate(options)]
        row = pick(
            metric_rows(table(asked), (), chances(levels), resamples=100), "above_chance", MC
        )
        inside += float(row["low"]) <= 0 <= float(row["high"])  # type: ignore[arg-type]
    assert 0.92 <= inside / 200 <= 0.98


def test_questions_that_lack_one_are_one_line() -> None:
    with pytest.raises(UserError, match="hold question 0003") as error:
        metric_rows(table(CLEAN), (), chances(dict.fromkeys((0, 1, 2, *range(4, 8)), 0.5)))
    assert "\n" not in str(error.value)
