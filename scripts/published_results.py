"""Hold Dysca's printed results against each other: recompute Table 3, check the text.

``python scripts/published_results.py`` prints the tables of docs/validity.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.stages.figures import published_rankings
from lvlmbench.stages.figures.published import Published, read
from lvlmbench.stages.validity.ranks import F64, average_ranks, kendall, spearman

#: Columns with a value in brackets.
NOISY = ("corruption", "adversarial", "print_attack")
#: Columns that rank models, and whether more is better.
RANKED = {"clean": True, **dict.fromkeys(NOISY, True), "sq": False, "sc": False}
#: Models that the text names more than once.
GLM, OWL = "GLM-4V (GLM-4-9B-Chat)", "mPLUG-Owl-2 (LLaMA2-7B)"
COMPOSER_2 = "Xcomposer2-VL (InternLM2-7B)"
#: The encoder that the attacked model has.
SHARED = "EVA-CLIP ViT-G"
#: Table 4: benchmark -> (rho, tau) on all styles.
TABLE_4 = {
    printed.benchmark: (printed.spearman, printed.kendall)
    for printed in published_rankings.read(PROJECT_ROOT / "data" / "published")
    if printed.styles == "all"
}
#: Table 2: shares of the questions by scenario and by type, in percent, as printed.
TABLE_2 = {"scenarios": (25.2, 24.1, 25.2, 25.2), "question types": (40.6, 40.5, 18.8)}


@dataclass(frozen=True)
class Claim:
    """What the paper says at a place, and what its own tables give."""

    place: str
    says: str
    found: str
    holds: bool


def title(row: Published) -> str:
    """Return a row of Table 3 by name."""
    return f"{row.model} ({row.language_model})" if row.language_model else row.model


def column(rows: Sequence[Published], name: str) -> F64:
    """Return numbers of a column."""
    return np.array([row.number(name) for row in rows], dtype=np.float64)


def ranking(rows: Sequence[Published], name: str) -> list[tuple[float, str]]:
    """Return (rank, model) of a column, the best first; equal numbers share a mean rank."""
    values = column(rows, name)
    ranks = average_ranks(-values if RANKED[name] else values)
    order = sorted(range(len(rows)), key=lambda i: (ranks[i], i))
    return [(float(ranks[i]), title(rows[i])) for i in order]


def scenario_correlations(rows: Sequence[Published]) -> list[tuple[str, str, float, float]]:
    """Return (scenario, scenario, rho, tau-b) over all models, for each pair of scenarios."""
    return [
        (a, b, float(spearman(column(rows, a), column(rows, b))),
         float(kendall(column(rows, a), column(rows, b))))
        for a, b in combinations(("clean", *NOISY), 2)
    ]  # fmt: skip


def equal_cells(rows: Sequence[Published]) -> list[tuple[float, list[str]]]:
    """Return scores that stand in Table 3 more than once, in the clean and the noisy scenarios."""
    places: dict[float, list[str]] = {}
    for row in rows:
        for name in ("clean", *NOISY):
            places.setdefault(row.number(name), []).append(f"{title(row)}: {name}")
    return [(value, found) for value, found in places.items() if len(found) > 1]


def fewest_models(rho: float, tau: float) -> tuple[int, float, float] | None:
    """Return the fewest models whose orders can give both coefficients, rounded to 0.01.

    Returns
    -------
    tuple or None
        That number, and the exact two-sided p-values of rho and tau; None above 8 models.
    """
    for n in range(3, 9):
        first = np.arange(n, dtype=np.float64)
        orders = np.array(list(permutations(range(n))), dtype=np.float64)
        rhos, taus = spearman(first, orders), kendall(first, orders)
        fits = (abs(rhos - rho) <= 0.005 + 1e-9) & (abs(taus - tau) <= 0.005 + 1e-9)
        if fits.any():
            at = int(np.flatnonzero(fits)[0])
            p = [float((abs(v) >= abs(v[at]) - 1e-9).mean()) for v in (rhos, taus)]
            return n, p[0], p[1]
    return None


def _loss(row: Published, name: str) -> float:
    """By how much a score is below clean, in percent of it."""
    return 100 * (row.number("clean") - row.number(name)) / row.number("clean")


def _points(row: Published, name: str) -> float:
    return round(row.number(name) - row.number("clean"), 2)


def _counts(rows: Sequence[Published]) -> Iterator[Claim]:
    """Shares that add up, numbers of models, what Table 3 prints in bold."""
    by = {title(row): row for row in rows}
    for what, shares in TABLE_2.items():
        total, slack = round(sum(shares), 1), 0.05 * len(shares)
        holds = abs(total - 100) <= slack + 1e-9
        yield Claim("Table 2", f"shares of {what}", f"sum {total} %", holds)
    closed = sum(not row.language_model for row in rows)
    counts = (len(rows) - closed, closed)
    told = f"{counts[0]} and {counts[1]} rows"
    yield Claim("3.1", "14 open and 2 closed models", told, counts == (14, 2))
    yield Claim("abstract", "24 open and 2 closed models", told, counts == (24, 2))
    best = max(rows, key=lambda row: row.number("blind"))
    found = f"none in the column Blind, led by {title(best)} with {best.number('blind'):.2f}"
    yield Claim("Table 3", "the top 1 of each column is bold", found, False)
    name = by["MiniGPT-2 (LLaMA2-7B)"].model
    found = f"'{name}' is not in section 4's list of models; MiniGPT-v2 is built like it"
    yield Claim("Table 3", "names", found, False)
    for name, bold in (
        ("clean", GLM), ("corruption", GLM), ("adversarial", GLM), ("print_attack", OWL),
        ("sq", COMPOSER_2), ("sc", GLM),
    ):  # fmt: skip
        first = ranking(rows, name)[0][1]
        yield Claim("Table 3", f"{bold} is bold in {name}", first, first == bold)


def _clean_and_corruption(rows: Sequence[Published]) -> Iterator[Claim]:
    """Sections 4.1 and 4.2 (1), and the first sentence of 4.2 (2)."""
    clean = {title(row): row.number("clean") for row in rows}
    top = max(clean.values())
    yield Claim("4.1", "all scores are below 85", f"at most {top:.2f}", top < 85)
    gain = clean["MiniGPT-4 (Vicuna-13B)"] - clean["MiniGPT-4 (Vicuna-7B)"]
    yield Claim("4.2 (1)", "MiniGPT-4 gains 8.79", f"{gain:.2f}", round(gain, 2) == 8.79)
    gain = clean[GLM] - clean["Emu2-Chat (LLaMA-33B)"]
    yield Claim("4.2 (1)", "GLM-4V is 18.45 above Emu2", f"{gain:.2f}", round(gain, 2) == 18.45)
    most = [row for row in rows if abs(_points(row, "corruption")) >= 1]
    share = [row for row in rows if abs(_loss(row, "corruption")) >= 1]
    found = f"{len(most)} models change by 1 point or more, {len(share)} by 1 % of clean or more"
    yield Claim("4.2 (2)", "corruption changes all scores by less than 1 %", found, not most)


def _print_attack(rows: Sequence[Published]) -> Iterator[Claim]:
    """What section 4.2 (2) says of the print attack."""
    by = {title(row): row for row in rows}
    gained = _points(by["MiniGPT-4 (Vicuna-7B)"], "print_attack")
    risen = [title(row) for row in rows if _points(row, "print_attack") >= 0]
    found = f"{', '.join(risen)} gains {gained:.2f} under print attack"
    yield Claim("4.2 (2)", "each model degrades in both attack scenarios", found, not risen)
    for name, end, loss, digits in (
        ("Gemini-1.5-Pro", 61.05, 21.5, 1), ("GPT-4o", 56.10, 25.8, 1), (GLM, 52.09, 36.5, 1),
        ("Phi-3-Vision (Phi-3)", 57.78, 21.39, 2), (OWL, None, 1.7, 1),
    ):  # fmt: skip
        row = by[name]
        score, lost = row.number("print_attack"), _loss(row, "print_attack")
        if end is not None:
            says = f"{row.model} falls to {end:.2f} under print attack"
            yield Claim("4.2 (2)", says, f"{score:.2f}", score == end)
        says = f"{row.model} loses {loss} % under print attack"
        yield Claim("4.2 (2)", says, f"{lost:.2f} %", round(lost, digits) == loss)
    owl = _points(by[OWL], "print_attack")
    less = [title(row) for row in rows if _points(row, "print_attack") > owl]
    found = f"{' and '.join(less)} lose fewer points"
    yield Claim("4.2 (2)", "mPLUG-Owl-2 is the most robust to print attack", found, not less)
    losses = sorted(_points(row, "print_attack") for row in rows)
    lost = _points(by[COMPOSER_2], "print_attack")
    place = losses.index(lost) + 1
    found = f"Xcomposer2-VL loses {-lost:.2f} points, the {place}th largest loss of {len(rows)}"
    yield Claim("4.2 (2)", "both XComposers resist print attack", found, place > len(rows) / 2)


def _adversarial(rows: Sequence[Published]) -> Iterator[Claim]:
    """What section 4.2 (2) says of the adversarial attack."""
    composer = next(row for row in rows if title(row) == "Xcomposer-VL (InternLM-7B)")
    lost, left = _loss(composer, "adversarial"), composer.number("adversarial")
    says, found = "XComposer-VL falls by 57.6 % to 30.28", f"{lost:.2f} %, to {left:.2f}"
    yield Claim("4.2 (2)", says, found, round(lost, 1) == 57.6)
    same = [row for row in rows if row.visual_encoder == SHARED]
    least = min(same, key=lambda row: _loss(row, "adversarial"))
    found = f"{title(least)}, with the same encoder, loses {-_points(least, 'adversarial'):.2f}"
    holds = _loss(least, "adversarial") > 5
    yield Claim("4.2 (2)", "models with the attacked encoder lose much", found, holds)
    other = [row for row in rows if row.visual_encoder != SHARED]
    points = [-_points(row, "adversarial") for row in other]
    shares = [_loss(row, "adversarial") for row in other]
    found = f"{min(points):.2f} to {max(points):.2f} points, but {min(shares):.2f} to "
    found += f"{max(shares):.2f} % of clean"
    yield Claim("4.2 (2)", "other encoders lose 1 to 5 %", found, max(shares) <= 5)
    harder = all(_points(row, "adversarial") < _points(row, "corruption") for row in other)
    says = "the attack costs them more than corruption"
    yield Claim("4.2 (2)", says, str(harder).lower(), harder)


def _spread_and_ranks(rows: Sequence[Published]) -> Iterator[Claim]:
    """Sections 4.2 (3) and 4.4."""
    by = {title(row): row for row in rows}
    xl, xxl = by["InstructBLIP (Flan-T5-XL)"], by["InstructBLIP (Flan-T5-XXL)"]
    least = {name: min(column(rows, name)) for name in ("sq", "sc")}
    holds = least["sq"] == by[COMPOSER_2].sq == 20.9
    yield Claim("4.2 (3)", "Xcomposer2-VL has the best SQ, 20.9", f"{least['sq']}", holds)
    holds = least["sc"] == by[GLM].sc == 0.8
    yield Claim("4.2 (3)", "GLM-4V has the best SC, 0.8", f"{least['sc']}", holds)
    says = "InstructBLIP XXL scores higher than XL, with a higher SC"
    high, low = xxl.number("clean"), xl.number("clean")
    found = f"{high:.2f} and {low:.2f}, SC {xxl.sc} and {xl.sc}"
    yield Claim("4.2 (3)", says, found, high > low and xxl.sc > xl.sc)
    tau = min(min(TABLE_4[name]) for name in ("MMBench", "OCRBench"))
    says = "rho and tau of MMBench and OCRBench are higher than 0.6"
    yield Claim("4.4", says, f"tau of MMBench is {tau:.2f}", tau > 0.6)
    fits = {name: fewest_models(*pair) for name, pair in TABLE_4.items()}
    fitting = [f"{name} {f[0]} models, p {f[1]:.3f}" for name, f in fits.items() if f is not None]
    found = f"the fewest that can give the printed pairs: {'; '.join(fitting)}"
    small = all(f is not None and f[1] < 0.05 for f in fits.values())
    yield Claim("4.4", "above 0.6 a coefficient is significant", found, small)


def claims(rows: Sequence[Published]) -> list[Claim]:
    """Return every statement of the paper that its tables confirm or refute, in its order."""
    parts = (_counts, _clean_and_corruption, _print_attack, _adversarial, _spread_and_ranks)
    return [claim for part in parts for claim in part(rows)]


def _markdown(rows: Sequence[Published]) -> str:
    lines = ["| place | the paper says | its tables give |", "| --- | --- | --- |"]
    lines += [f"| {c.place} | {c.says} | {c.found} |" for c in claims(rows) if not c.holds]
    lines += ["", "| score | where |", "| ---: | --- |"]
    lines += [f"| {value:.2f} | {'; '.join(places)} |" for value, places in equal_cells(rows)]
    lines += ["", "| scenarios | rho | tau-b |", "| --- | ---: | ---: |"]
    lines += [f"| {a}, {b} | {r:.3f} | {t:.3f} |" for a, b, r, t in scenario_correlations(rows)]
    return "\n".join(lines)


if __name__ == "__main__":
    print(_markdown(read(PROJECT_ROOT / "data" / "published")))
