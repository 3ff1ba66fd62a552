"""How figures look and how they are saved: the same bytes for the same numbers."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#1f2a33"
MUTED = "#5d6975"
GRID = "#dfe4e8"
PAPER = "#ffffff"
#: The part of a score that guessing gets.
FLOOR = "#d3d9de"
#: Models under test; told apart by marker as well, for readers who do not see the colors.
MODELS = ("#0b63b0", "#c2490c", "#0c7a5b", "#7b4aa8", "#a8327a", "#7a6200", "#1b7f95", "#8a3b2e")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
#: The model that guesses.
GUESSER = "#77828c"
TYPES = {
    "multiple_choice": "#2f6db3",
    "true_false": "#2a9187",
    "short_answer": "#8a5aa8",
    "free_form": "#c98a1b",
    "structured": "#b0533c",
}
#: In inches: the line below a figure, and how far its words are from the left.
_FOOT, _ASIDE = 0.2, 0.12
#: Tables of a font that say how letters join and move. A PDF has each letter in its place, so
#: nothing reads them there, and taking them apart takes longer than the rest of the file.
_UNREAD = ("GSUB", "GPOS", "GDEF", "JSTF", "BASE", "MATH", "kern")
#: Bars of the funnel: what stays.
STAYS = "#3d72a8"

_SETTINGS: Any = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": GRID,
    "axes.labelcolor": MUTED,
    "axes.linewidth": 0.8,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 8,
    "xtick.color": MUTED,
    "ytick.color": GRID,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 8,
    "ytick.major.size": 0,
    "xtick.major.size": 0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "figure.constrained_layout.w_pad": 0.12,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "text.parse_math": False,  # labels are text, whatever they contain
    "svg.hashsalt": "lvlmbench",  # else ids inside the SVG are drawn at random
    "svg.fonttype": "path",  # looks the same wherever it is opened
    "pdf.fonttype": 42,
}


@contextmanager
def settings() -> Iterator[None]:
    """Give Matplotlib the look of the report, whatever the user's matplotlibrc says."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def figure(width: float, height: float, panels: int = 1) -> tuple[Figure, list[Axes]]:
    """Return a figure of ``width`` by ``height`` inches with panels side by side that share y."""
    return grid(width, height, 1, panels)


def grid(width: float, height: float, down: int, across: int) -> tuple[Figure, list[Axes]]:
    """Return the same with ``down`` rows of ``across`` panels; the panels row by row."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    engine = ConstrainedLayoutEngine()
    if down > 1:
        engine.set(h_pad=0.09)  # else titles stand close below the panel above
    made = Figure(figsize=(width, height), layout=engine)
    axes = made.subplots(down, across, sharey=True, squeeze=False)
    return made, list(axes.flat)


def apart(
    width: float, height: float, shares: Sequence[float], down: int = 1
) -> tuple[Figure, list[Axes]]:
    """Return a figure whose panels, side by side, have axes of their own and these shares of its
    width; the same ``down`` times, row by row."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    made = Figure(figsize=(width, height), layout=ConstrainedLayoutEngine())
    axes = made.subplots(down, len(shares), squeeze=False, width_ratios=shares)
    return made, list(axes.flat)


def foot(made: Figure, sentence: str) -> None:
    """Put a sentence below a figure, which grows by a line; nothing else moves or changes size."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    wide, high = made.get_size_inches()
    total = high + _FOOT
    share = _FOOT / total
    engine = made.get_layout_engine()
    if isinstance(engine, ConstrainedLayoutEngine):
        engine.set(rect=(0, share, 1, 1 - share))
    else:
        for ax in made.axes:
            place = ax.get_position(original=True)
            below = share + (1 - share) * place.y0
            ax.set_position((place.x0, below, place.width, (1 - share) * place.height))
    made.set_size_inches(wide, total)
    made.text(_ASIDE / wide, 0.35 * share, sentence, fontsize=7.4, color=MUTED, va="bottom")


def forms(made: Figure) -> dict[str, bytes]:
    """Return the figure as ``"pdf"`` and ``"svg"``; its parts are given their places once."""
    found = {"pdf": encode(made, "pdf")}
    made.set_layout_engine("none")
    return found | {"svg": encode(made, "svg")}


@contextmanager
def _glyphs_alone() -> Iterator[None]:
    """Have the fonts in a PDF hold their glyphs without :data:`_UNREAD`."""
    from fontTools.subset import Options  # type: ignore[import-untyped]

    before = Options._drop_tables_default
    Options._drop_tables_default = [*before, *(name for name in _UNREAD if name not in before)]
    try:
        yield
    finally:
        Options._drop_tables_default = before


def encode(made: Figure, form: str) -> bytes:
    """Encode the figure as ``"svg"`` or ``"pdf"``, without a date or a program's name."""
    keys = {
        "svg": ("Date", "Creator"),
        "pdf": ("CreationDate", "ModDate", "Creator", "Producer"),
    }[form]
    out = io.BytesIO()
    with _glyphs_alone():
        made.savefig(out, format=form, metadata=dict.fromkeys(keys))
    return out.getvalue()
