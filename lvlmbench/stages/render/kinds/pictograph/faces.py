"""Eyes, brows and mouths: happy, sad or angry beyond doubt at 256 pixels."""

from __future__ import annotations


def element(
    tag: str, fill: str = "none", stroke: str = "#000", width: float = 2.2, **at: object
) -> str:
    """An SVG element; underscores in attribute names stand for hyphens."""
    attributes = " ".join(f'{k.replace("_", "-")}="{v}"' for k, v in at.items())
    line = f'stroke="{stroke}" stroke-width="{width}"' if width else ""
    return f'<{tag} fill="{fill}" {line} {attributes}/>'


def path(d: str, fill: str = "none", stroke: str = "#000", width: float = 2.2) -> str:
    """One path with round caps (the group sets them)."""
    return element("path", fill, stroke, width, d=d)


def ellipse(cx: float, cy: float, rx: float, ry: float, fill: str, width: float = 2.2) -> str:
    """An ellipse."""
    return element("ellipse", fill, width=width, cx=cx, cy=cy, rx=rx, ry=ry)


def shade(color: str, factor: float) -> str:
    """The color, darkened."""
    return "#" + "".join(f"{round(int(color[i : i + 2], 16) * factor):02x}" for i in (1, 3, 5))


def _mouth(x: float, y: float, k: float, expression: str) -> list[str]:
    """Return the mouth below (x, y), and what belongs to it: cheeks, or a frown."""
    out: list[str] = []

    def on(dx: float, dy: float) -> str:
        return f"{x + dx * k:.2f} {y + dy * k:.2f}"

    if expression == "happy":
        out.append(
            path(f"M{on(-8, 8)} Q{on(0, 11)} {on(8, 8)} Q{on(6.5, 19)} {on(0, 19)} "
                 f"Q{on(-6.5, 19)} {on(-8, 8)} Z", "#8a1f1f", width=1.6 * k)
        )  # fmt: skip
        out.append(
            path(f"M{on(-7, 8.9)} Q{on(0, 11.4)} {on(7, 8.9)} L{on(6.3, 12)} "
                 f"Q{on(0, 14)} {on(-6.3, 12)} Z", "#fff", width=0)
        )  # fmt: skip
        out.append(path(f"M{on(-4, 17.6)} Q{on(0, 14.4)} {on(4, 17.6)} Z", "#ea5a47", width=0))
        for side in (-1, 1):
            out.append(
                f'<ellipse cx="{x + side * 11 * k:.2f}" cy="{y + 7 * k:.2f}" rx="{3 * k:.2f}" '
                f'ry="{2 * k:.2f}" fill="#ea5a47" opacity="0.45"/>'
            )
    elif expression == "sad":
        out.append(path(f"M{on(-6.5, 16.5)} Q{on(0, 8)} {on(6.5, 16.5)}", width=2.3 * k))
        out.append(path(f"M{on(-2, 18.4)} Q{on(0, 17.2)} {on(2, 18.4)}", width=1.3 * k))
    else:
        out.append(
            path(f"M{on(-7, 17)} Q{on(-6, 9.6)} {on(0, 9.6)} Q{on(6, 9.6)} {on(7, 17)} "
                 f"Q{on(0, 13.6)} {on(-7, 17)} Z", "#fff", width=1.7 * k)
        )  # fmt: skip
        for dx in (-3.4, 0, 3.4):
            out.append(path(f"M{on(dx, 10)} L{on(dx, 14.8)}", width=0.9 * k))
        for side in (-1, 1):
            out.append(path(f"M{on(side * 1.3, -7.5)} L{on(side * 1.1, -3.6)}", width=1.1 * k))
    return out


def face(x: float, y: float, k: float, expression: str, brow: str, eye: float) -> str:
    """Eyes, brows and mouth around (x, y); ``k`` scales, ``eye`` is half the eyes' distance."""
    out = []
    for side in (-1, 1):
        ex = x + side * eye * k

        def at(dx: float, dy: float, ex: float = ex, side: int = side) -> str:
            return f"{ex + side * dx * k:.2f} {y + dy * k:.2f}"

        out.append(ellipse(ex, y, 3.6 * k, 4.2 * k, "#fff", 1.1 * k))
        drop = {"happy": -0.3, "sad": 1.0, "angry": 0.4}[expression]
        out.append(ellipse(ex, y + drop * k, 2.0 * k, 2.5 * k, "#000", 0))
        out.append(ellipse(ex + 0.7 * k, y + (drop - 1.0) * k, 0.7 * k, 0.7 * k, "#fff", 0))
        if expression == "happy":
            d = f"M{at(-3.6, -7.6)} Q{at(0.2, -10.6)} {at(4.2, -7.6)}"
        elif expression == "sad":
            d = f"M{at(-3.4, -10.2)} Q{at(0.6, -8.0)} {at(4.4, -5.6)}"
        else:
            d = f"M{at(-4.2, -3.2)} L{at(4.6, -8.4)}"
            # The upper lid follows the brow: the stare of an angry eye.
            out.append(
                path(f"M{at(-4.4, -1.9)} L{at(4.2, -6.2)} L{at(-4.4, -6.2)} Z", "SKIN", "SKIN", 0.4)
            )
            out.append(path(f"M{at(-3.9, -1.8)} L{at(3.6, -4.2)}", width=1.3 * k))
        out.append(path(d, stroke=brow, width=2.5 * k))
        if expression == "sad":
            tear = (
                f"M{at(2.2, 4.6)} C{at(-0.6, 9.0)} {at(0.2, 12.4)} {at(2.4, 12.4)} "
                f"C{at(4.8, 12.4)} {at(5.2, 9.0)} {at(2.2, 4.6)} Z"
            )
            out.append(path(tear, "#61b2e4", "#1e50a0", 0.9 * k))

    return "".join([*out, *_mouth(x, y, k, expression)])


def anger_mark(x: float, y: float) -> str:
    """The red mark of a popping vein that comics put at the temple."""
    parts = []
    for sx, sy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        parts.append(
            path(f"M{x + sx * 1.3} {y + sy * 5} Q{x + sx * 1.5} {y + sy * 1.5} "
                 f"{x + sx * 5} {y + sy * 1.3}", stroke="#d22f27", width=1.9)
        )  # fmt: skip
    return "".join(parts)
