"""What is worn on the head, before the eyes and around the neck, around (0, 0) as the heads are."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.faces import ellipse, path
from lvlmbench.stages.render.kinds.pictograph.figures.marks import edge, seam, tint


def top_hat(color: str) -> str:
    """Return a top hat with its ribbon."""
    line = edge(color)
    return (
        path("M-17 -18 L-19 -52 Q0 -57 19 -52 L17 -18 Z", color, line)
        + path("M-17.4 -26 Q0 -22 17.4 -26 L17 -18 Q0 -14 -17 -18 Z", seam(color), width=0)
        + path("M-31 -16 C-24 -23 24 -23 31 -16 C24 -8.5 -24 -8.5 -31 -16 Z", color, line)
    )


def cap(color: str) -> str:
    """Return a cap with its peak to one side."""
    line, fold = edge(color), seam(color)
    return (
        path("M-22 -9 C-23 -35 23 -35 22 -9 Z", color, line)
        + path("M0 -29 Q-9 -20 -8 -9 M0 -29 Q9 -20 8 -9", stroke=fold, width=1.3)
        + ellipse(0, -29.6, 2.6, 1.8, color, 1.6)
        + path("M-14 -9.4 C-2 -15 22 -17 38 -7.6 C40 -4 36 -2.6 33 -4.4 C20 -9 2 -9.6 -14 -7.4 Z",
               color, line)
    )  # fmt: skip


def beanie(color: str) -> str:
    """Return a woolly hat with a bobble."""
    line, fold = edge(color), seam(color)
    ribs = " ".join(f"M{x} -20 L{x} -9.5" for x in range(-18, 20, 6))
    return (
        ellipse(0, -38, 7.4, 7.4, tint(color, 0.0), 2)
        + path("M-3 -41 L-1 -37 M3 -41 L1 -36 M-4 -36 L0 -34", stroke=fold, width=1.2)
        + path("M-21 -14 C-22 -37 22 -37 21 -14 Z", color, line)
        + path("M-23 -20 Q0 -24 23 -20 L23 -9 Q0 -13 -23 -9 Z", color, line)
        + path(ribs, stroke=fold, width=1.4)
    )


def headphones(color: str) -> str:
    """Return headphones over the hair."""
    line = edge(color)
    band = "M-23 0 C-25 -42 25 -42 23 0"
    out = path(band, stroke=line, width=8.4) + path(band, stroke=color, width=5)
    for s in (-1, 1):
        out += path(f"M{s * 18} -9 L{s * 25} -9 C{s * 31} -9 {s * 31} 12 {s * 25} 12 L{s * 18} 12 "
                    "Z", color, line)  # fmt: skip
        out += path(f"M{s * 21.4} -8 L{s * 21.4} 11", stroke=seam(color), width=1.3)
    return out


def glasses(color: str) -> str:
    """Return round glasses: two thin rims, and the eyes show through clear panes."""
    bows = path("M-2.6 -1.6 Q0 -4 2.6 -1.6 M17 -2 L21 -3 M-17 -2 L-21 -3", stroke="#000", width=2.6)
    out = bows + bows.replace("#000", color).replace("2.6", "1.5", 1)
    for s in (-1, 1):
        # The outline is on the outside alone: within, it would close the view of the eye.
        out += f'<ellipse cx="{s * 9.7}" cy="0" rx="7.5" ry="8" fill="#fff" fill-opacity="0.3" '
        out += f'stroke="{edge(color)}" stroke-width="2.6"/>'
        out += f'<ellipse cx="{s * 9.7}" cy="0" rx="7" ry="7.5" fill="none" stroke="{color}" '
        out += 'stroke-width="2.6"/>'
    return out


def sunglasses(color: str) -> str:
    """Return sunglasses: two dark panes in a colored frame."""
    bows = "M-3 -3.6 Q0 -5.2 3 -3.6 M18 -4.4 L21.4 -4.6 M-18 -4.4 L-21.4 -4.6"
    out = path(bows, stroke=edge(color), width=3.4) + path(bows, stroke=color, width=1.8)
    for s in (-1, 1):
        pane = (
            f"M{s * 2.8} -5.2 L{s * 17.8} -6.2 C{s * 18.6} 2 {s * 15.6} 7 {s * 10.4} 7 "
            f"C{s * 5.2} 7 {s * 2.6} 2.6 {s * 2.8} -5.2 Z"
        )
        out += path(pane, "#2b2f3a", edge(color), 3.8) + path(pane, "#2b2f3a", color, 2.2)
        out += path(f"M{s * 10 - 4} 2.6 L{s * 10 + 0.6} -3", stroke="#ffffff", width=1.3)
    return out


def scarf(color: str) -> str:
    """Return a scarf around the neck, one end hanging down."""
    line, fold = edge(color), seam(color)
    return (
        path("M6 27 L19 27 L21 66 L8 66 Z", color, line)
        + path("M8.6 66 L8 71 M13 66 L13 71 M17 66 L17.4 71 M21 66 L22 71", stroke=color, width=2.4)
        + path("M8 58 L20.6 58 M7.6 53 L20.4 53", stroke=fold, width=1.6)
        + path("M-20 18 C-10 27 10 27 20 18 C25 22 25 31 20 34 C8 41 -8 41 -20 34 "
               "C-25 31 -25 22 -20 18 Z", color, line)
        + path("M-18 26 C-8 33 8 33 18 26 M4 36 Q12 34 19 30", stroke=fold, width=1.5)
    )  # fmt: skip


def bow_tie(color: str) -> str:
    """Return a bow tie below the chin."""
    line = edge(color)
    shape = (
        path("M0 32 L-20 22.6 Q-22.6 32 -20 41.4 Z M0 32 L20 22.6 Q22.6 32 20 41.4 Z", color, line)
        + path("M-4.4 27.6 L4.4 27.6 L4.4 36.4 L-4.4 36.4 Z", color, line)
        + path("M-8 31 L-15 28 M8 31 L15 28 M-8 34 L-15 36.4 M8 34 L15 36.4", stroke=seam(color),
               width=1.3)
    )  # fmt: skip
    return f'<g transform="translate(0 4)">{shape}</g>'


ON_HEAD = {"top hat": top_hat, "cap": cap, "beanie": beanie, "headphones": headphones}
BEFORE_EYES = {"glasses": glasses, "sunglasses": sunglasses}
