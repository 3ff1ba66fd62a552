"""How models are told apart in charts: colors, markers, points with intervals, the legend."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, TypeAlias

from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.stages.figures import heat, plotting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Model -> its color and marker.
Looks: TypeAlias = dict[str, tuple[str, str]]

#: Models that a chart shows; the tables show all.
MAX_MODELS = 8
#: Of a legend: size of letters in points, longest name in characters, most columns.
_SIZE, _LONGEST, _MOST = 8.5, 40, 5
#: In inches: what a column takes beside its words, the page beside its columns, and one line.
_BESIDE, _MARGIN, _LINE = 0.58, 0.2, 0.18
#: Lines that charts have room for; the page grows by more.
_LINES = 2


def shown_models(leaderboard: Leaderboard, scenario: str) -> list[str]:
    """Return models in the charts: the best by the headline, and always the one that guesses."""
    rows = [r for r in leaderboard.ranked().get(scenario, []) if r.kind != "floor"]
    guessers = [r.model for r in rows if r.kind == "guesser"][:1]
    best = [r.model for r in rows if r.kind != "guesser"]
    return [*best[: MAX_MODELS - len(guessers)], *guessers]


def assigned(models: Sequence[str], guessers: Collection[str]) -> Looks:
    """Return colors and markers of models by their places; those that guess are gray.

    From the ninth on colors come again, with other markers.
    """
    free = [m for m in models if m not in guessers]
    shapes = len(plotting.MARKERS)
    found: Looks = {
        model: (plotting.MODELS[i % len(plotting.MODELS)], plotting.MARKERS[(i + i // 8) % shapes])
        for i, model in enumerate(free)
    }
    return {m: found.get(m, (plotting.GUESSER, "d")) for m in models}


def looks(models: Sequence[str], board: Leaderboard) -> Looks:
    """Return colors and markers of models in their order.

    They follow from the places of the models in the parameters, never from scores: a model looks
    the same in all charts of all suites.
    """
    found = assigned(board.listed, board.guessers)
    return {model: found[model] for model in models}


def points(
    ax: Axes, values: dict[str, Value], rows: list[str], shift: float, look: tuple[str, str]
) -> None:
    """Draw one model's dots with interval bars, ``shift`` rows below the middle of their rows."""
    color, marker = look
    for y, group in enumerate(rows):
        value = values.get(group)
        if value is None or value.value is None:
            continue
        low = value.value if value.low is None else value.low
        high = value.value if value.high is None else value.high
        ax.plot([low, high], [y + shift] * 2, color=color, lw=1.5, solid_capstyle="butt", zorder=3)
        ax.plot(
            value.value, y + shift, marker, color=color, ms=5.2, mec=plotting.PAPER, mew=0.7,
            zorder=4, clip_on=False,
        )  # fmt: skip


def legend(made: Figure, looks: Looks, with_floor: bool = False) -> None:
    """Draw a legend of the models above the panels, and of the bars of guessing.

    It has as many columns as the page is wide enough for, and the page grows with its lines.
    """
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    names = heat.short(list(looks), _LONGEST)
    handles: list[Line2D | Patch] = [
        Line2D([], [], color=color, marker=marker, lw=1.5, ms=5.2, label=name)
        for name, (color, marker) in zip(names, looks.values(), strict=True)
    ]
    if with_floor:
        handles.append(Patch(color=plotting.FLOOR, lw=0, label="expected from guessing"))
    widest = max((heat.text_width(str(h.get_label()), _SIZE) for h in handles), default=0.0)
    room = int((made.get_figwidth() - _MARGIN) / (widest + _BESIDE))
    columns = max(1, min(len(handles), _MOST, room))
    lines = -(-len(handles) // columns)
    if lines > _LINES:
        made.set_figheight(made.get_figheight() + (lines - _LINES) * _LINE)
    made.legend(handles=handles, loc="outside upper left", fontsize=_SIZE, ncols=columns)


def empty(message: str) -> Figure:
    """Return a figure that says why there is none."""
    made, (ax,) = plotting.figure(7.6, 1.2)
    ax.set_axis_off()
    ax.text(0.0, 0.5, message, transform=ax.transAxes, color=plotting.MUTED, va="center")
    return made
