"""Leaked or fresh: how often the comparison is right, and what it makes of tables."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lvlmbench import tables
from lvlmbench.core.seeding import generator
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import plotting, regenerated
from lvlmbench.stages.figures.figure import FIGURES, NotApplicable
from lvlmbench.stages.figures.regenerated import Pairs, compared
from lvlmbench.stages.report.formatting import environment
from support.exam.made import params_of
from support.report_pages import words

RUNS = 1000


def runs(
    name: str, share: float = 0.0, aspects: int = 120, each: int = 3, skill: float = 0.5,
    count: int = RUNS,
) -> list[Pairs]:  # fmt: skip
    """Simulated models, each asked about a plan twice; aspects differ much in difficulty, and of
    the first drawing a share is known."""
    rng, found = generator(4, "leakage", name), []
    aspect = np.repeat(np.arange(aspects), each)
    for _ in range(count):
        logit = np.log(skill / (1 - skill)) + rng.normal(0, 1.2, aspects)[aspect]
        shift = rng.normal(0, 0.4, (2, aspects))[:, aspect]  # luck of an aspect's pictures
        right = rng.random((2, len(aspect))) < 1 / (1 + np.exp(-logit - shift))
        older = right[0] | (rng.random(len(aspect)) < share)
        missing = rng.random((2, len(aspect))) < 0.05
        first, second = (np.where(m, np.nan, r) for m, r in zip(missing, (older, right[1]),
                                                                 strict=True))  # fmt: skip
        pairs = compared("m", first, second, [*map(str, aspect)])
        assert pairs is not None
        found.append(pairs)
    return found


def shares(found: list[Pairs]) -> dict[str, float]:
    counts = Counter(pairs.verdict for pairs in found)
    return {verdict: n / len(found) for verdict, n in counts.items()}


@pytest.mark.parametrize(
    ("aspects", "each"), [(24, 3), (120, 3), (120, 30)], ids=["one request", "default", "paper"]
)
def test_who_has_seen_nothing_is_said_to_differ_once_in_twenty_at_most(
    aspects: int, each: int
) -> None:
    found = runs(f"innocent {aspects} {each}", aspects=aspects, each=each)
    said = shares(found)
    covered = np.mean([p.low < 0 < p.high for p in found])  # type: ignore[operator]
    print(f"\n{aspects} aspects, {aspects * each} items: {said}; 95 % intervals hold {covered:.3f}")
    assert said.get("differs", 0) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / RUNS)
    assert 0.92 <= covered <= 0.98
    if aspects * each > 2000:
        assert said["equivalent"] > 0.9


@pytest.mark.parametrize(("share", "least"), [(0.8, 1.0), (0.4, 0.99), (0.2, 0.7)])
def test_who_knows_a_share_is_found_out(share: float, least: float) -> None:
    found = runs(f"leaky {share}", share, count=200)
    said = shares(found)
    print(f"\nknows {share:.0%} of 360: {said}")
    assert said.get("differs", 0) >= least
    assert all(p.difference > 0 for p in found if p.verdict == "differs")


def test_a_difference_at_the_margin_is_seldom_called_equivalent() -> None:
    """The test of equivalence keeps its own 5 %: at a true difference of 5 points."""
    found = runs("margin", 0.1, each=30, skill=0.5, count=200)  # 10 % of the half that is wrong
    middle = np.mean([p.difference for p in found])
    said = shares(found)
    print(f"\ntrue difference {middle:.2f} points, 3,600 items: {said}")
    assert 4.5 < middle < 5.5
    assert said.get("equivalent", 0) <= 0.12


def test_pairs_that_are_all_alike_are_decided_where_there_are_enough() -> None:
    """All right twice, or all wrong: no spread is seen, and yet pairs may differ that were not
    asked. Of 72 pairs none differs in 5 of 100 runs if 4.1 of 100 do; of 48, if 6 do."""
    aspect = [f"a{at % 24}" for at in range(72)]
    for right in (0.0, 1.0):
        same = compared("m", np.full(72, right), np.full(72, right), aspect)
        assert same is not None and same.verdict == "equivalent" and same.difference == 0
        assert same.within == pytest.approx((-4.0754, 4.0754), abs=1e-3)
        assert (same.low, same.high) == pytest.approx((-4.9949, 4.9949), abs=1e-3)
        few = compared("m", np.full(48, right), np.full(48, right), aspect[:48])
        assert few is not None and few.verdict == "undecided"
    lost = compared("m", np.ones(72), np.zeros(72), aspect)
    assert lost is not None and lost.verdict == "differs" and lost.difference == 100
    assert lost.low is not None and 85 < lost.low < 95 and lost.high == 100
    assert pytest.approx(0.05, abs=1e-3) == 0.9592**72  # what the bound says


def test_aspects_that_are_all_alike_leave_pairs_to_vary() -> None:
    """Each aspect has one pair lost and one won: over aspects there is no spread."""
    aspect = [f"a{at // 2}" for at in range(60)]
    older = np.arange(60.0) % 2
    both = compared("m", older, 1 - older, aspect)
    assert both is not None and both.difference == 0 and both.low is not None
    assert both.low < -20 and both.verdict == "undecided"


def test_too_few_aspects_decide_nothing() -> None:
    aspect = [f"a{at % 9}" for at in range(90)]
    pairs = compared("m", np.ones(90), np.arange(90.0) % 2, aspect)
    assert pairs is not None and (pairs.low, pairs.within) == (None, None)
    assert pairs.verdict == "undecided" and pairs.difference == 50
    none = np.full(90, np.nan)
    assert compared("m", none, np.ones(90), aspect) is None


def suite(folder: Path, number: int, right: Any, plan: str = "plan", missing: int = 0) -> Snapshot:
    """A suite of 40 aspects, 3 items each, with one model's scores."""
    params = params_of(requests=("spatial_understanding",), regeneration=number, general=4,
                       fine=6 if plan == "plan" else 5, scenes=72)  # fmt: skip
    params = params.model_copy(update={"suite": folder.name})
    rows, scores = [], []
    for at in range(120):
        scene = f"{number}s{at}"
        rows.append(
            {
                "scene_id": scene, "subtask": "spatial_understanding", "general_no": 0,
                "general": "g", "fine_no": at // 3, "aspect": f"a{at // 3}", "called": "a",
                "truth": "construction", "level": ("easy", "medium", "hard")[at % 3], "number": 0,
                "examiner": "rules", "status": "made",
            }
        )  # fmt: skip
        if at >= missing:
            scores.append(
                {
                    "model": "m", "scenario": "clean", "question_id": f"q{scene}",
                    "image_id": f"i{scene}", "scene_id": scene, "subtask": "spatial_understanding",
                    "question_type": "multiple_choice", "correct": bool(right(at)), "scored": True,
                    "parse_method": "letter",
                }
            )  # fmt: skip
    name = tables.part_name(0)
    place = tables.DESCRIPTIONS.folder(folder) / name
    tables.write_rows(rows[::-1], place, tables.DESCRIPTIONS, "0" * 16)
    place = tables.SCORES.folder(folder, model="m", scenario="clean") / name
    tables.write_rows(scores, place, tables.SCORES, "0" * 16)
    return Snapshot(params, folder)


def test_items_of_one_plan_are_paired_and_told(tmp_path: Path) -> None:
    leaked = suite(tmp_path / "exam", 0, lambda at: at % 10 != 0, missing=3)
    fresh = suite(tmp_path / "exam_again", 1, lambda at: at % 2, missing=6)
    other = suite(tmp_path / "other", 0, lambda at: True, plan="another")
    (found,) = regenerated.build(fresh, [other, leaked], ["m", "never asked"])
    (pairs,) = found.pairs
    assert (found.suite, found.number, found.newer, found.aspects) == ("exam", 0, 1, 40)
    assert (pairs.n, pairs.planned) == (114, 120)
    assert pairs.older == pytest.approx(100 * sum(at % 10 != 0 for at in range(6, 120)) / 114)
    assert pairs.newer == 50 and pairs.verdict == "differs"
    assert regenerated.build(leaked, [other, fresh], ["m"]) == []
    page = environment().get_template("leakage.html.j2").render(leakage=[found])
    text = words(page)
    assert "drawing 0 of the same plan, this is drawing 1" in text
    assert "of 120 planned" in text and "differs: better at what may have leaked" in text


def test_the_figure_shows_the_older_drawing_that_is_named(tmp_path: Path) -> None:
    leaked = suite(tmp_path / "exam", 0, lambda at: at % 10 != 0, missing=3)
    fresh = suite(tmp_path / "exam_again", 1, lambda at: at % 2, missing=6)
    board = SimpleNamespace(models=["m", "never asked"])

    def drawn(of: Snapshot, beside: Snapshot | None) -> Any:
        sources: Any = SimpleNamespace(snapshot=of, leaderboard=board, beside=beside)
        with plotting.settings():
            return FIGURES.get("leakage", "test")(sources).table.to_pylist()

    (row,) = drawn(fresh, leaked)
    older = 100 * sum(at % 10 != 0 for at in range(6, 120)) / 114
    assert (row["older_suite"], row["model"], row["pairs"], row["planned"]) == (
        "exam",
        "m",
        114,
        120,
    )
    assert (row["older"], row["newer"]) == (pytest.approx(older, abs=1e-5), 50)
    assert row["difference"] == pytest.approx(older - 50, abs=1e-5) and row["verdict"] == "differs"
    assert 0 < row["low"] < row["difference"] < row["high"]
    with pytest.raises(NotApplicable, match="No other suite"):
        drawn(fresh, None)
    with pytest.raises(NotApplicable, match="exam_again is no older drawing"):
        drawn(leaked, fresh)


def test_worse_at_what_may_have_leaked_is_no_alarm() -> None:
    pairs = Pairs("m", 9, 9, 10.0, 60.0, -60.0, -40.0, (-58.0, -42.0))
    shown = SimpleNamespace(suite="exam", number=0, newer=1, scenario="clean", margin=5.0,
                            aspects=9, pairs=[pairs])  # fmt: skip
    page = environment().get_template("leakage.html.j2").render(leakage=[shown])
    assert "worse at what may have leaked" in page and "⚠" not in page
