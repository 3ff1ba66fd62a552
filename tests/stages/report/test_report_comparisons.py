"""The section that tells whether differences between models are more than chance."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.analysis import comparisons
from lvlmbench.analysis.comparisons import (
    Comparison,
    Comparisons,
    Differences,
    _neighbours,
    probability,
)
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Row, Value
from lvlmbench.core.errors import UserError
from lvlmbench.snapshot.reader import Snapshot
from support import report_comparisons
from support.report_comparisons import row
from support.report_pages import render, words

MODELS = ["model-a", "hostile", "reference_a", "chance"]


def with_rows(snapshot: Snapshot, folder: Path, rows: Sequence[dict[str, Any]]) -> Snapshot:
    """The snapshot with other comparisons."""
    shutil.copytree(snapshot.results, folder, dirs_exist_ok=True)
    tables.write_rows(rows, folder / "comparisons.parquet", tables.COMPARISONS, "s")
    return replace(snapshot, results=folder)


def section(html: str) -> str:
    start = html.index('<section id="comparisons"')
    return html[start : html.index("</section>", start) + len("</section>")]


def built(snapshot: Snapshot) -> Differences:
    found = comparisons.build(snapshot, Leaderboard(snapshot))
    assert found is not None
    return found


def test_every_pair_is_as_the_table_has_it(snapshot: Snapshot) -> None:
    found = built(snapshot)
    assert [r.model for r in found.ranking] == MODELS
    assert len(found.pairs) == 6
    of_table = {
        (r["model"], r["baseline_model"]): r for r in snapshot.comparisons.to_pylist()
        if r["family"] == "models" and r["question_type"] == "all"
    }  # fmt: skip
    for pair in found.pairs:
        key = (pair.model, pair.baseline)
        stored = of_table.get(key) or of_table[key[::-1]]
        sign = 1 if key in of_table else -1
        got = pair.overall
        if stored["difference"] is None:
            assert got.verdict == "none"
            continue
        assert got.difference == sign * stored["difference"]
        assert [got.low, got.high] == sorted(sign * stored[k] for k in ("low", "high"))
        better = [stored["n_better"], stored["n_worse"]][::sign]
        assert [got.n_better, got.n_worse] == better
        assert (got.p_holm, got.n) == (stored["p_holm"], stored["n"])


def test_matrix_says_the_same_from_both_sides(snapshot: Snapshot) -> None:
    ranking = built(snapshot).ranking
    other = {"better": "worse", "worse": "better"}
    for i, one in enumerate(ranking):
        assert one.verdicts[i] is None
        for j, verdict in enumerate(one.verdicts):
            assert ranking[j].verdicts[i] == other.get(str(verdict), verdict)
    assert ranking[0].verdicts[3] == "better"  # model-a against guessing


def test_words_say_that_nothing_could_be_shown_and_never_that_models_are_equal(
    snapshot: Snapshot, made: Path, tmp_path: Path
) -> None:
    rows = [row("model-a", "hostile", p_holm=0.051), row("reference_a", "chance", p_holm=0.0499)]
    text = words(section(render(with_rows(snapshot, tmp_path, rows), made / "results/dysca")))
    assert "+2.0 to +6.0no difference shown; up to 6.0 points are not ruled out" in text
    assert "0.051" not in text
    assert "reference_a is better" in text
    assert "Of 2 pairs, 1 is distinguished" in text
    assert "equal " not in text and "identical" not in text


def test_neighbours_stay_within_their_kind_and_end_at_guessing(snapshot: Snapshot) -> None:
    found = [(p.model, p.baseline) for p in built(snapshot).neighbours]
    assert found == [("model-a", "chance"), ("hostile", "chance"), ("reference_a", "chance")]


def test_models_without_a_total_are_nobodys_neighbours() -> None:
    def ranked(model: str, kind: Any, value: float | None) -> Row:
        total = Value(value, None, None, 9, 3)
        return Row(model, "clean", kind, total, {}, {}, None)

    rows = [
        ranked("first", "model", 70.0),
        ranked("last", "model", 60.0),
        ranked("no captions", "model", None),
        ranked("nothing", "model", None),
        ranked("chance", "guesser", 40.0),
    ]
    against_guessing = [(name, "chance") for name in ("last", "no captions", "nothing")]
    assert _neighbours(rows) == [("first", "last"), *against_guessing]


def test_p_is_not_rounded_to_the_level() -> None:
    found = [probability(p, named=False) for p in (0.04996, 0.050004, 0.05, 0.0499, 0.3)]
    assert found == ["0.04996", "0.050004", "0.050", "0.0499", "0.30"]


def test_the_baseline_is_seen_from_the_other_side(snapshot: Snapshot, tmp_path: Path) -> None:
    found = Comparisons(with_rows(snapshot, tmp_path, [row("chance", "model-a")]))
    seen = found.between("model-a", "chance", "clean")
    want = Comparison(-4.0, -6.0, -2.0, 0.0002, 0.012, 120, 9, 20, 3)
    assert seen == want and seen is not None and seen.verdict == "worse"
    assert found.between("model-a", "chance", "clean", "free_form") is None
    assert found.between("model-a", "hostile", "clean") is None


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "better"),
        ({"difference": -4.0}, "worse"),
        ({"p_holm": 0.05}, "open"),
        ({"p_holm": 0.0499}, "better"),
        ({"difference": 0.0}, "open"),
        ({"difference": None, "low": None, "high": None, "p": None, "p_holm": None}, "none"),
        ({"p_holm": float("nan")}, "none"),
    ],
)
def test_verdicts(
    snapshot: Snapshot, tmp_path: Path, changes: dict[str, Any], verdict: str
) -> None:
    found = Comparisons(with_rows(snapshot, tmp_path, [row("model-a", "chance", **changes)]))
    one = found.between("model-a", "chance", "clean")
    other = found.between("chance", "model-a", "clean")
    assert one is not None and other is not None
    assert one.verdict == verdict
    assert other.verdict == {"better": "worse", "worse": "better"}.get(verdict, verdict)


@pytest.mark.parametrize(
    ("p", "words_"),
    [(None, "\N{EN DASH}"), (0.0, "p < 0.001"), (0.0009, "p < 0.001"), (0.001, "p 0.001"),
     (0.0449, "p 0.045"), (0.0499, "p 0.0499"), (0.25, "p 0.25"), (1.0, "p 1.00")],
)  # fmt: skip
def test_p_values_are_never_a_bare_zero(p: float | None, words_: str) -> None:
    assert probability(p) == words_


def test_without_comparisons_the_page_says_so(
    snapshot: Snapshot, made: Path, tmp_path: Path
) -> None:
    figures = made / "results/dysca"
    other = with_rows(snapshot, tmp_path, [])
    assert comparisons.build(other, Leaderboard(other)) is None
    assert "Nothing to compare" in words(section(render(other, figures)))
    (tmp_path / "comparisons.parquet").unlink()
    gone = replace(snapshot, results=tmp_path)
    with pytest.raises(UserError, match=r"comparisons.parquet: is missing; if a file"):
        render(gone, figures)


def test_models_without_rows_are_named(snapshot: Snapshot, made: Path, tmp_path: Path) -> None:
    other = with_rows(snapshot, tmp_path, [row("model-a", "chance", p_holm=None, difference=None)])
    found = built(other)
    assert found.alone == ["hostile", "reference_a"]
    assert [p.overall.verdict for p in found.pairs] == ["none"]
    text = words(section(render(other, made / "results/dysca")))
    assert "Compared with no other model: hostile, reference_a." in text
    assert "could not be compared" in text


def test_many_models_stay_readable(
    snapshot: Snapshot, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    skills = {f"vendor-{i:02}": 100.0 - 2 * i for i in range(26)}
    rows = report_comparisons.rows(skills, ["clean"])
    total = Value(50.0, 45.0, 55.0, 100, 0, 0, 0)
    board = [
        Row(name, "clean", "model", replace(total, value=skill), {}, {}, None)
        for name, skill in skills.items()
    ]
    monkeypatch.setattr(Leaderboard, "ranked", lambda self: {"clean": board})
    found = built(with_rows(snapshot, tmp_path, rows))
    assert len(found.pairs) == 26 * 25 // 2 and len(found.neighbours) == 25
    assert all(p.overall.verdict == "open" for p in found.neighbours)  # 2 points apart
    assert found.told_apart == len(found.pairs) - 25
    assert [v for v in found.ranking[0].verdicts if v] == ["open", *["better"] * 24]
