"""How far judges agree with one another and with people, as a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lvlmbench.analysis.dialogue.results import PEOPLE
from lvlmbench.analysis.hallucinated import ALL, Number
from lvlmbench.stages.figures import heat, plotting
from lvlmbench.stages.figures.compared import First, first
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.suites.dialogue import ABILITIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MEASURES = ("agreement", "kappa", "alpha")
#: Strata of the panel by ability.
_STRATA = (*ABILITIES, ALL)
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("judge", "beside", "model", "stratum", "measure")),
        *((name, pa.float64()) for name in ("value", "low", "high")),
        *((name, pa.int64()) for name in ("n", "answers", "unjudged")),
    ]
)


@figure(
    "dialogue_judges",
    "How far judges agree with one another and with people, and people among themselves",
    "TouchStone, figure 4",
    place=24,
    scale=True,
)
def dialogue_judges(sources: Sources) -> Drawn:
    """Share of answers that two judges, a judge and people, or two people find better, tied or
    worse alike, with Cohen's kappa below it; beside it the shares by ability (TouchStone,
    figure 4)."""
    found = first(sources)
    pairs = [
        (judge, beside)
        for judge in (*found.numbers.judges, PEOPLE)
        for beside in found.numbers.besides(judge, found.scenario, _MEASURES[0])
    ]
    rows: list[dict[str, Any]] = [
        {"judge": judge, "beside": beside, "model": model, "stratum": stratum, "measure": measure,
         **vars(number)}
        for judge, beside in pairs
        for model in (ALL, *found.numbers.models)
        for stratum in (ALL, *ABILITIES)
        for measure in _MEASURES
        if (number := _number(found, judge, beside, model, measure, stratum)) is not None
    ]  # fmt: skip
    if not rows:
        raise NotApplicable("One judge alone, and nobody has labelled answers.")
    across = list(dict.fromkeys([*found.numbers.judges, *(row["beside"] for row in rows)]))
    across = [name for name in across if name != PEOPLE] + [PEOPLE] * (PEOPLE in across)
    down = [*found.numbers.judges, *([PEOPLE] if (PEOPLE, PEOPLE) in pairs else [])]
    lines = _lines(pairs)
    share = (1.3 + 1.05 * len(across), 1.9 + 0.95 * len(_STRATA))
    made, (ax, by) = plotting.apart(sum(share), 1.5 + 0.62 * max(len(down), len(lines)), share)
    for y, judge in enumerate(down):
        for x, beside in enumerate(across):
            _cell(ax, found, judge, beside, (x, y))
    _look(ax, down, across)
    for y, (judge, beside) in enumerate(lines):
        for x, stratum in enumerate(_STRATA):
            number = _over_models(found, judge, beside, _MEASURES[0], stratum)
            _share(by, number, (x, y), "n {}")
    heads = [*(words.replace(" ", "\n") for words in ABILITIES.values()), "all"]
    _look(by, [_called(*each) for each in lines], heads, 26)
    return Drawn(made, pa.Table.from_pylist(rows, _SCHEMA))


def _lines(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Each two once, in whatever order they come first."""
    found: dict[frozenset[str], tuple[str, str]] = {}
    for pair in pairs:
        found.setdefault(frozenset(pair), pair)
    return [*found.values()]


def _called(judge: str, beside: str) -> str:
    return "two people" if judge == beside == PEOPLE else f"{judge}, {beside}"


def _number(
    found: First, judge: str, beside: str, model: str, measure: str, stratum: str = ALL
) -> Number | None:
    number = found.numbers.number(judge, model, found.scenario, measure, stratum, beside)
    return number if number is not None and number.value is not None else None


def _over_models(
    found: First, judge: str, beside: str, measure: str, stratum: str = ALL
) -> Number | None:
    """The number over all models; where there is none, that of the first model."""
    numbers = (_number(found, judge, beside, m, measure, stratum) for m in (ALL, *found.models))
    return next((number for number in numbers if number is not None), None)


def _cell(ax: Axes, found: First, judge: str, beside: str, at: tuple[int, int]) -> None:
    agreement, kappa = (
        _over_models(found, judge, beside, measure) or _over_models(found, beside, judge, measure)
        for measure in ("agreement", "kappa")
    )
    if judge == beside != PEOPLE:
        _box(ax, at, "itself", plotting.PAPER)
        return
    below = "" if kappa is None else f"\N{GREEK SMALL LETTER KAPPA} {kappa.value:.2f}"
    _share(ax, agreement, at, below.replace("-", "\u2212"))


def _share(ax: Axes, number: Number | None, at: tuple[int, int], below: str) -> None:
    """A cell with a share in percent; ``below`` stands under it, with n for its braces."""
    if number is None:
        _box(ax, at, "not known", plotting.PAPER)
        return
    text = f"{number.value:.0f} %\n{below.format(f'{number.n:,}')}".strip()
    _box(ax, at, text, heat.shade((number.value or 0.0) / 100))


def _box(ax: Axes, at: tuple[int, int], text: str, color: str) -> None:
    from matplotlib.patches import Rectangle

    x, y = at
    ax.add_patch(Rectangle((x + 0.02, y + 0.03), 0.96, 0.94, fc=color, ec=plotting.GRID, lw=0.6))
    quiet = color == plotting.PAPER
    ax.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=7.6,
            color=plotting.MUTED if quiet else heat.ink_on(color))  # fmt: skip


def _look(ax: Axes, down: Sequence[str], across: Sequence[str], longest: int = 14) -> None:
    ax.set_xlim(0, len(across))
    ax.set_ylim(len(down), 0)
    ax.set_xticks([i + 0.5 for i in range(len(across))], heat.short(across, longest))
    ax.set_yticks([i + 0.5 for i in range(len(down))], heat.short(down, 22))
    ax.xaxis.tick_top()
    ax.spines["bottom"].set_visible(False)
