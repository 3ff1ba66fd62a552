"""Tables of AutoBench-V and AutoDavis recomputed, and where they do not fit each other."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import rankdata

from lvlmbench.analysis.agreement import Variance, ranks, self_preference, two_way

PUBLISHED = Path(__file__).parents[2] / "data" / "published"
LEVELS = ("easy", "medium", "hard")
INPUTS = ("basic", "spatial", "semantic", "reasoning", "atmospheric")
#: Models that AutoDavis adds to those of AutoBench-V.
ADDED = ("InternVL-2.5-78B", "Gemma-3-27B")
EXAMINERS = ("GPT-4o", "Claude-4-Sonnet", "Qwen3-VL")


def _rows(name: str) -> list[dict[str, str]]:
    with (PUBLISHED / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _cells() -> dict[tuple[str, str, str], str]:
    """Accuracies of Table 2 as printed, by input, level and model."""
    return {
        (row["user_input"], row["difficulty"], row["model"]): row["accuracy"]
        for row in _rows("autodavis_table2")
    }


def _models() -> list[str]:
    return [row["model"] for row in _rows("autodavis_table4")]


def _mean(cells: Sequence[str]) -> float:
    return float(np.mean([float(each) for each in cells]))


def _is_share(printed: str, n: int) -> bool:
    """Whether a percentage is some whole number of ``n``, rounded as it is printed."""
    digits = len(printed.partition(".")[2])
    nearest = round(float(printed) * n / 100)
    return any(f"{100 * k / n:.{digits}f}" == printed for k in range(nearest - 1, nearest + 2))


def _fits(cells: Sequence[str], most: int = 240) -> list[int]:
    """Numbers of questions of which all percentages are shares."""
    return [n for n in range(1, most + 1) if all(_is_share(each, n) for each in cells)]


@pytest.mark.parametrize("path", sorted(PUBLISHED.glob("auto*.csv")), ids=lambda path: path.stem)
def test_each_file_is_a_whole_table_and_listed(path: Path) -> None:
    rows = _rows(path.stem)
    assert rows and all(None not in row and None not in row.values() for row in rows)
    assert f"`{path.name}`" in (PUBLISHED / "README.md").read_text(encoding="utf-8")


def _variance() -> Variance:
    sums = {row["source"]: float(row["sum_of_squares"]) for row in _rows("autodavis_variance")}
    return Variance(len(_rows("autodavis_table10")), len(EXAMINERS), **sums)


def test_the_icc_from_the_sums_of_squares() -> None:
    found = _variance()
    assert (found.models, found.examiners) == (6, 3)
    assert f"{found.icc:.4f}" == "0.2967"
    printed = {row["coefficient"]: row["value"] for row in _rows("autodavis_coefficients")}
    assert f"{found.icc:.3f}" == printed["icc_2_1"]


def test_shares_of_variance_are_printed_as_none() -> None:
    """They add up to 151 %; those of the total are others."""
    assert sum(int(row["share_percent"]) for row in _rows("autodavis_variance")) == 151
    assert [round(100 * share) for share in _variance().shares] == [44, 26, 30]


def _examined() -> np.ndarray:
    scores = {(r["model"], r["examiner"]): float(r["score"]) for r in _rows("autodavis_table11")}
    return np.array([[scores[model, by] for by in EXAMINERS] for model in EXAMINERS])


def test_the_icc_from_single_examiners() -> None:
    assert f"{two_way(_examined()).icc:.4f}" == "0.3074"


def test_no_self_preference_is_there_to_neutralize() -> None:
    found = self_preference(_examined(), range(3))
    assert [f"{each:.3f}" for each in found] == ["-0.001", "-0.009", "-0.003"]


def test_the_lenient_examiner_is_the_strictest() -> None:
    """Table 6 calls GPT-4o more lenient; models score lowest on its questions in Table 11."""
    by = {row["examiner"]: float(row["influence"]) for row in _rows("autodavis_table6")}
    means = dict(zip(EXAMINERS, _examined().mean(axis=0), strict=True))
    assert by["GPT-4o"] > 0
    assert [f"{mean:.3f}" for mean in means.values()] == ["0.589", "0.614", "0.651"]
    assert min(means, key=means.__getitem__) == "GPT-4o"


def test_the_total_score_and_table_11() -> None:
    overall = {row["model"]: row["overall"] for row in _rows("autodavis_table10")}
    rows = [row for row in _rows("autodavis_table11") if row["examiner"] == "all"]
    assert {row["model"]: row["score"] for row in rows} == {e: overall[e] for e in EXAMINERS}


def _possible(spearman: str, kendall: str, shift: str, models: int = 6) -> bool:
    """Whether two rankings of models without ties can be that much alike."""
    first = list(range(models))
    return any(
        (f"{r.spearman:.3f}", f"{r.kendall:.3f}", f"{r.shift:.0f}") == (spearman, kendall, shift)
        for r in (ranks(first, each) for each in permutations(first))
    )


def test_a_stability_that_cannot_be() -> None:
    """Six models: Spearman .914 with Kendall .867 and a shift of 1 is none of all rankings; beside
    that Kendall there are .829, .886 and .943 alone."""
    rows = {row["excluded"]: row for row in _rows("autodavis_table5")}
    told = {
        name: _possible(row["spearman_rho"], row["kendall_tau"], row["max_rank_shift"])
        for name, row in rows.items()
    }
    assert told == {"GPT-4o": False, "Claude-4-Sonnet": True, "Qwen3-VL": True}
    first = range(6)
    near = {f"{r.spearman:.3f}" for p in permutations(first) if
            f"{(r := ranks(first, p)).kendall:.3f}" == "0.867"}  # fmt: skip
    assert "0.914" not in near and "0.943" in near
    assert near <= {"0.829", "0.886", "0.943"}


def test_the_correlation_with_mmmu_is_of_nine_models() -> None:
    printed = {row["of"]: row["value"] for row in _rows("autodavis_coefficients")}["MMMU"]
    fits = [
        (n, squares)
        for n in range(3, 12)
        for squares in range(0, n * (n * n - 1) // 3 + 1, 2)
        if f"{1 - 6 * squares / (n * (n * n - 1)):.3f}" == printed
    ]
    assert fits == [(9, 22)]


def test_what_it_costs() -> None:
    costs = {row["stage"]: float(row["dollars"]) for row in _rows("autodavis_table18")}
    total = costs.pop("total")
    assert f"{sum(costs.values()):.4f}" == "51.8208" and f"{sum(costs.values()):.2f}" == f"{total}"
    prices = {row["model"]: row["input"] for row in _rows("autodavis_table17")}
    assert round(costs["image_generation"] / float(prices["Flux-1.1-Pro"]), 6) == 720


def test_ranks_of_figure_4_follow_from_table_2() -> None:
    """All 165, the best one first, no rank left out after equal accuracies."""
    cells = _cells()
    printed = {
        (row["user_input"], row["difficulty"], row["model"]): int(row["rank"])
        for row in _rows("autodavis_figure4")
    }
    assert printed.keys() == cells.keys() and len(printed) == 165
    for user_input in INPUTS:
        for level in LEVELS:
            keys = [(user_input, level, model) for model in _models()]
            found = rankdata([-float(cells[key]) for key in keys], method="dense")
            assert [printed[key] for key in keys] == found.astype(int).tolist(), (user_input, level)


def _of_models(level: str, models: Sequence[str], user_input: str | None = None) -> float:
    return _mean([
        value for (of_input, of_level, model), value in _cells().items()
        if of_level == level and model in models and user_input in (None, of_input)
    ])  # fmt: skip


def test_means_over_cells_of_the_nine_models() -> None:
    """They are those of AutoBench-V's Table 3 and of Table 4, to a hundredth."""
    nine = [model for model in _models() if model not in ADDED]
    for row in _rows("autobench_v_table3"):
        found = [_of_models(level, nine, row["user_input"]) for level in LEVELS]
        assert found == pytest.approx([float(row[level]) for level in LEVELS], abs=0.01)
        assert np.mean(found) == pytest.approx(float(row["average"]), abs=0.01)
    for row in _rows("autodavis_table4"):
        found = [_of_models(level, [row["model"]]) for level in LEVELS]
        off = np.abs(np.subtract(found, [float(row[level]) for level in LEVELS])).max()
        assert (off > 0.0101) == (row["model"] in ADDED), row["model"]


def test_means_that_do_not_add_up() -> None:
    """Those of the two added models, and Table 3 in all but three cells, always below."""
    cells, off = _cells(), {}
    for row in _rows("autodavis_table2_averages"):
        mean = _mean([value for (*_, model), value in cells.items() if model == row["model"]])
        if abs(mean - float(row["average"])) > 0.0151:
            off[row["model"]] = (row["average"], f"{mean:.2f}")
    assert off == {"InternVL-2.5-78B": ("51.73", "51.92"), "Gemma-3-27B": ("50.67", "50.80")}
    apart = [
        round(_of_models(level, _models(), row["user_input"]) - float(row[level]), 3)
        for row in _rows("autodavis_table3")
        for level in LEVELS
    ]
    assert sum(each > 0.0101 for each in apart) == 12 and min(apart) > -0.0101


def test_percentages_tell_how_many_questions_were_left() -> None:
    """Of 240 each: 209 of basic-easy, 179 or 180 of spatial-easy, none for all in spatial-hard."""
    cells = _cells()
    nine = [model for model in _models() if model not in ADDED]
    assert _fits([cells["basic", "easy", model] for model in nine]) == [209]
    easy = [cells["spatial", "easy", model] for model in nine]
    assert all(_is_share(each, 179) or _is_share(each, 180) for each in easy)
    assert _fits([cells["spatial", "hard", model] for model in nine]) == []
    assert cells["basic", "easy", "InternVL-2.5-78B"] == "80.01" and _fits(["80.01"]) == []


def test_percentages_that_are_no_shares() -> None:
    """Item counts that the text gives: 60 fresh items, 300 of MMBench."""
    leaked = _rows("autodavis_leakage")[0]["score"]
    assert leaked == "62.50" and not _is_share(leaked, 60)
    tuned = {row["fine_tuned"]: row["score"] for row in _rows("autodavis_mmbench")}
    assert _is_share(tuned["0"], 300) and not _is_share(tuned["1"], 300)


def test_alignment_is_not_of_six_questions() -> None:
    """Shares of six questions would be at most 4/6, 5/6 and 1 in their brackets."""
    most = {"0.0-0.7": 4 / 6, "0.8-0.9": 5 / 6, "0.9-1.0": 1.0}
    rows = [row for row in _rows("autodavis_table8") if row["score"] in most]
    means = {row["difficulty"]: float(row["before"]) for row in _rows("autodavis_table8_means")}
    found = {
        level: sum(int(r["before"]) * most[r["score"]] for r in rows if r["difficulty"] == level)
        / 48
        for level in LEVELS
    }
    assert [f"{found[level]:.3f}" for level in LEVELS] == ["0.969", "0.920", "0.906"]
    assert all(100 * found[level] < means[level] for level in LEVELS)


def test_one_table_is_given_as_two() -> None:
    """Alignment of questions and answers has the numbers of Flux's image-text alignment."""
    flux = [r["alignment"] for r in _rows("autodavis_table15") if r["model"] == "Flux-1.1-Pro"]
    questions = [row["alignment"] for row in _rows("autodavis_questions_alignment")]
    assert list(map(float, flux)) == list(map(float, questions))
