"""What options give away: before and after adjusting (AutoDavis, figure 2), by letter (3b)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lvlmbench.analysis import options
from lvlmbench.analysis.labels import plain
from lvlmbench.analysis.leaderboard import ALL
from lvlmbench.scene.levels import LEVELS
from lvlmbench.stages.figures import heat, legend, plotting
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stats.estimate import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Looks of the two sides of a comparison: as it was first, and as it is then.
_BEFORE, _AFTER = (plotting.MODELS[1], "o"), (plotting.MODELS[0], "s")
_LONGEST = 22


def _columns(texts: Sequence[str], numbers: Sequence[str]) -> pa.Schema:
    """Texts, numbers with the ends of their intervals, and how many answers they rest on."""
    ends = [f"{name}{end}" for name in numbers for end in ("", "_low", "_high")]
    fields = [(name, pa.string()) for name in texts] + [(name, pa.float64()) for name in ends]
    return pa.schema([*fields, ("n", pa.int64())])


def _percent(name: str, found: Estimate | None) -> dict[str, float | None]:
    ends = (None,) * 3 if found is None else (found.value, found.low, found.high)
    return {
        f"{name}{end}": None if value is None else round(100 * value, 6)
        for end, value in zip(("", "_low", "_high"), ends, strict=True)
    }


@figure(
    "option_adjustment",
    "Accuracy before and after wrong options were adjusted, by level",
    "AutoDavis, figure 2",
)
def option_adjustment(sources: Sources) -> Drawn:
    """Accuracy of each model with the options of the draft and with adjusted ones, by level. It is
    that without the picture, where models were asked without it (AutoDavis, figure 2)."""
    found = options.by_level(sources.snapshot, sources.leaderboard)
    if not found:
        raise NotApplicable(
            "No scenario asked with the options as they were before wrong ones were adjusted."
        )
    shown = not any(not each.pictures for _, each in found)
    of_all = {
        (level, each.model): each
        for (request, level), each in found
        if request == ALL and each.pictures == shown
    }
    known = {level for level, _ in of_all}
    levels = [name for name in (*LEVELS, *sorted(known - {*LEVELS, ALL}), ALL) if name in known]
    models = [m for m in sources.leaderboard.models if any((name, m) in of_all for name in levels)]
    models = models[: 2 * legend.MAX_MODELS]
    made, axes = plotting.figure(9.4, 1.35 + 0.36 * len(models), len(levels))
    for ax, level in zip(axes, levels, strict=True):
        _adjusted(ax, level, {m: of_all[level, m] for m in models if (level, m) in of_all}, models)
    said = "with the picture" if shown else "without the picture"
    _legend(made, {f"before, {said}": _BEFORE, f"after, {said}": _AFTER})
    rows = [
        {
            "request": request, "level": level, "model": each.model,
            "picture": "shown" if each.pictures else "not shown", "n": each.after.n,
            **_percent("before", each.before), **_percent("after", each.after),
            **_percent("change", each.change),
        }
        for (request, level), each in found
    ]  # fmt: skip
    schema = _columns(("request", "level", "model", "picture"), ("before", "after", "change"))
    return Drawn(made, pa.Table.from_pylist(rows, schema))


def _adjusted(
    ax: Axes, level: str, of: Mapping[str, options.Adjusting], models: Sequence[str]
) -> None:
    for y, model in enumerate(models):
        if model in of:
            _bar(ax, y - 0.16, of[model].before, _BEFORE)
            _bar(ax, y + 0.16, of[model].after, _AFTER)
    most = max(each.after.n for each in of.values())
    ax.set_title(f"{'All levels' if level == ALL else plain(level)}, n {most:,}", fontsize=9)
    _shares(ax, models)


def _shares(ax: Axes, models: Sequence[str]) -> None:
    ax.set_yticks(range(len(models)), heat.short([*models], _LONGEST))
    ax.set_ylim(len(models) - 0.4, -0.6)
    ax.set_xlim(0, 100)
    ax.set_xticks(range(0, 101, 25))
    ax.set_xlabel("accuracy (%)")
    ax.grid(axis="x")


def _bar(ax: Axes, y: float, found: Estimate, look: tuple[str, str]) -> None:
    """One accuracy with its interval, in percent."""
    color, marker = look
    if found.low is not None and found.high is not None:
        ax.plot([100 * found.low, 100 * found.high], [y, y], color=color, lw=1.4, alpha=0.7,
                solid_capstyle="butt", zorder=2)  # fmt: skip
    ax.plot(100 * found.value, y, marker, color=color, ms=5, mec=plotting.PAPER, mew=0.6,
            zorder=3, clip_on=False)  # fmt: skip


def _legend(made: Any, looks: Mapping[str, tuple[str, str]]) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=color, marker=marker, lw=1.5, ms=5, label=label)
        for label, (color, marker) in looks.items()
    ]
    made.legend(handles=handles, loc="outside upper left", ncols=len(handles))


@figure(
    "option_positions",
    "Accuracy with all right options at one letter, and the change over the accuracy before",
    "AutoDavis, figure 3b",
)
def option_positions(sources: Sources) -> Drawn:
    """Accuracy of each model with all right options at one letter, beside that with balanced ones,
    and R, the change over the latter (AutoDavis, figure 3b)."""
    found = options.build(sources.snapshot, sources.leaderboard)
    if found is None or not found.places:
        raise NotApplicable("No scenario put all right options at one letter.")
    letters = sorted({each.letter for each in found.places})
    models = list(dict.fromkeys(each.model for each in found.places))[: 2 * legend.MAX_MODELS]
    of = {(each.model, each.letter): each for each in found.places}
    looks = {
        letter: (plotting.MODELS[at % 8], plotting.MARKERS[at % 8])
        for at, letter in enumerate(letters)
    }
    made, (left, right) = plotting.figure(9.4, 1.35 + (0.2 + 0.12 * len(letters)) * len(models), 2)
    even = (plotting.GUESSER, "d")
    step = 0.7 / (len(letters) + 1)
    for y, model in enumerate(models):
        mine = [of[model, letter] for letter in letters if (model, letter) in of]
        _bar(left, y - 0.35 + step / 2, mine[0].before, even)
        for at, each in enumerate(mine, 1):
            place = y - 0.35 + step * (at + 0.5)
            _bar(left, place, each.there, looks[each.letter])
            if each.relative is not None:
                _bar(right, place, each.relative, looks[each.letter])
    left.set_title("Accuracy")
    _shares(left, models)
    right.set_title("Change over the balanced accuracy")
    right.set_xlabel("R = (accuracy there \N{MINUS SIGN} balanced) / balanced (%)")
    right.axvline(0, color=plotting.INK, lw=1, zorder=1)
    right.grid(axis="x")
    _legend(made, {"letters balanced": even, **{f"all at {k}": v for k, v in looks.items()}})
    rows = [
        {
            "model": each.model, "letter": each.letter, "n": each.there.n,
            **_percent("balanced", each.before), **_percent("there", each.there),
            **_percent("relative", each.relative),
        }
        for each in found.places
    ]  # fmt: skip
    schema = _columns(("model", "letter"), ("balanced", "there", "relative"))
    return Drawn(made, pa.Table.from_pylist(rows, schema))
