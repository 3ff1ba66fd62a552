"""Dysca's Table 3 recomputed, and every mismatch of the paper with its own tables."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from lvlmbench.stages.figures.published import Published, read
from scripts import published_results as published
from scripts.published_results import (
    NOISY,
    claims,
    equal_cells,
    fewest_models,
    ranking,
    scenario_correlations,
)

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "validity.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def rows() -> list[Published]:
    return read(ROOT / "data" / "published")


def test_differences_are_the_printed_ones(rows: list[Published]) -> None:
    """All 78 values in brackets, to the last digit."""
    path = Path(__file__).parents[1] / "data" / "dysca_table3_brackets.csv"
    with path.open(encoding="utf-8", newline="") as file:
        printed = {(row["model"], row["language_model"]): row for row in csv.DictReader(file)}
    assert len(printed) == len(rows) == 26
    for row in rows:
        for name in NOISY:
            found = row.number(name) - row.number("clean")
            told = float(printed[row.model, row.language_model][name])
            assert found == pytest.approx(told, abs=0.0051), (published.title(row), name)


def test_rankings_of_the_columns(rows: list[Published]) -> None:
    first = {name: ranking(rows, name)[0] for name in published.RANKED}
    glm = (1.0, "GLM-4V (GLM-4-9B-Chat)")
    owl, composer = "mPLUG-Owl-2 (LLaMA2-7B)", "Xcomposer2-VL (InternLM2-7B)"
    assert first == {
        "clean": glm, "corruption": glm, "adversarial": glm, "sc": glm,
        "print_attack": (1.0, owl), "sq": (1.0, composer),
    }  # fmt: skip
    for name in published.RANKED:
        ranks = [rank for rank, _ in ranking(rows, name)]
        assert ranks == sorted(ranks) and sum(ranks) == 26 * 27 / 2
    assert ranking(rows, "clean")[-1] == (26.0, "BLIP2 (OPT-3B)")
    tied = [rank for rank, model in ranking(rows, "adversarial") if model.endswith(" (Vicuna-7B)")]
    assert tied.count(16.5) == 2  # MiniGPT-4 and InstructBLIP have one number


def test_correlations_between_scenarios(rows: list[Published]) -> None:
    from scipy import stats

    found = scenario_correlations(rows)
    assert len(found) == 6
    for a, b, rho, tau in found:
        x, y = (published.column(rows, name) for name in (a, b))
        assert rho == pytest.approx(stats.spearmanr(x, y).statistic)
        assert tau == pytest.approx(stats.kendalltau(x, y).statistic)
        assert f"| {a}, {b} | {rho:.3f} | {tau:.3f} |" in DOCUMENT


def test_every_mismatch_is_known_and_listed(rows: list[Published]) -> None:
    refuted = [claim for claim in claims(rows) if not claim.holds]
    assert [claim.says for claim in refuted] == [
        "shares of scenarios",
        "14 open and 2 closed models",
        "the top 1 of each column is bold",
        "names",
        "corruption changes all scores by less than 1 %",
        "each model degrades in both attack scenarios",
        "GPT-4o falls to 56.10 under print attack",
        "GPT-4o loses 25.8 % under print attack",
        "Phi-3-Vision loses 21.39 % under print attack",
        "mPLUG-Owl-2 is the most robust to print attack",
        "both XComposers resist print attack",
        "models with the attacked encoder lose much",
        "other encoders lose 1 to 5 %",
        "rho and tau of MMBench and OCRBench are higher than 0.6",
        "above 0.6 a coefficient is significant",
    ]
    for claim in refuted:
        assert f"| {claim.place} | {claim.says} | {claim.found} |" in DOCUMENT
    for value, places in equal_cells(rows):
        assert f"| {value:.2f} | {'; '.join(places)} |" in DOCUMENT


def test_a_claim_follows_the_table(rows: list[Published]) -> None:
    """Claims are computed: with another number in the table they come out otherwise."""
    changed = [
        Published(**{**vars(r), "scores": {**r.scores, "print_attack": 56.10}})
        if r.model == "GPT-4o"
        else r
        for r in rows
    ]
    found = {claim.says: claim for claim in claims(changed)}
    assert found["GPT-4o falls to 56.10 under print attack"].holds
    assert found["GPT-4o loses 25.8 % under print attack"].found == "25.88 %"


@pytest.mark.parametrize(
    ("rho", "tau", "models", "p"),
    [(0.7, 0.6, 5, 28 / 120), (1.0, 1.0, 3, 1 / 3), (0.9, 0.8, 5, 10 / 120)],
)
def test_how_many_models_printed_coefficients_need(
    rho: float, tau: float, models: int, p: float
) -> None:
    found = fewest_models(rho, tau)
    assert found is not None
    assert found[0] == models
    assert found[1] == pytest.approx(p)
    assert fewest_models(0.99, 0.1) is None


def test_rankings_hold_what_the_papers_print(rows: list[Published]) -> None:
    """data/rankings/published.csv is data/published in another form."""
    with (ROOT / "data" / "rankings" / "published.csv").open(encoding="utf-8") as file:
        scores: dict[str, list[float]] = {}
        for row in csv.DictReader(file):
            scores.setdefault(row["benchmark"], []).append(float(row["score"]))

    def table(name: str) -> list[dict[str, str]]:
        with (ROOT / "data" / "published" / name).open(encoding="utf-8") as file:
            return list(csv.DictReader(file))

    assert sorted(scores["Dysca clean"]) == sorted(row.number("clean") for row in rows)
    touchstone = [float(r["touchstone_score"]) for r in table("touchstone.csv")]
    assert scores["TouchStone"] == touchstone
    for part in ("coverage", "faithfulness"):
        mean = [float(r[f"mean_{part}"]) for r in table("valor_table3.csv")]
        assert scores[f"VALOR-Eval {part}"] == mean
    davis: dict[str, list[float]] = {}
    for row in table("autodavis_table2.csv"):
        davis.setdefault(row["model"], []).append(float(row["accuracy"]))
    means = [np.mean(values) for values in davis.values()]
    assert scores["AutoDavis"] == pytest.approx(means, abs=0.0051)
