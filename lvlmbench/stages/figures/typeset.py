"""Measuring and breaking lines of text that nobody vouches for, in the font of the figures."""

from __future__ import annotations

from typing import Literal

from lvlmbench.core.untrusted import plain_text

Weight = Literal["normal", "bold"]
#: Characters of one text that are laid out at all.
MOST = 600
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def drawable(text: str | None) -> str:
    """Return the text; what would hide, stack, or has no glyph is named as [U+65E5].

    Letters written from right to left stay: the figures lay them out as they are read.
    """
    from matplotlib.font_manager import FontProperties, findfont, get_font

    font = get_font(findfont(FontProperties()))
    shown = plain_text((text or "")[:MOST]).replace("\t", " ")
    out: list[str] = []
    unknown: list[str] = []
    for character in f"{shown}\n":
        if character != "\n" and not font.get_char_index(ord(character)):
            unknown.append(f"U+{ord(character):04X}")
            continue
        if unknown:
            out.append(f"[{' '.join(unknown)}]")
            unknown.clear()
        out.append(character)
    cut = ELLIPSIS if len(text or "") > MOST else ""
    return "".join(out)[:-1] + cut


def one_line(text: str | None) -> str:
    """Return :func:`drawable` with every run of white space as one space."""
    return " ".join(drawable(text).split())


def width(text: str, size: float, weight: Weight = "normal") -> float:
    """Return width of one line in points; what markup of formulas it may hold is text."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    if not text:
        return 0.0
    font = FontProperties(size=size, weight=weight)
    return float(text_to_path.get_text_width_height_descent(text, font, False)[0])


def _head(word: str, room: float, size: float, weight: Weight) -> int:
    """How many characters of a word fit; at least one."""
    low, high = 1, len(word)
    while low < high:
        middle = (low + high + 1) // 2
        fits = width(word[:middle], size, weight) <= room
        low, high = (middle, high) if fits else (low, middle - 1)
    return low


def _broken(paragraph: str, room: float, size: float, weight: Weight) -> list[str]:
    """One paragraph in lines: between words, and within those that are longer than a line."""
    lines: list[str] = []
    line = ""
    for word in paragraph.split():
        longer = f"{line} {word}" if line else word
        if width(longer, size, weight) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        while width(word, size, weight) > room:
            n = _head(word, room, size, weight)
            if n == len(word):
                break
            lines.append(word[:n])
            word = word[n:]
        line = word
    return [*lines, line] if line else lines


def wrap(
    text: str | None, room: float, size: float, weight: Weight = "normal", most: int = 6
) -> list[str]:
    """Return an untrusted text in at most ``most`` lines, none wider than ``room`` points.

    What does not fit is left out, and an ellipsis says so.
    """
    lines: list[str] = []
    for paragraph in drawable(text).split("\n"):
        lines += _broken(paragraph, room, size, weight)
        if len(lines) > most:
            break
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    while last and width(last + ELLIPSIS, size, weight) > room:
        last = last[:-1]
    return [*lines[: most - 1], last.rstrip() + ELLIPSIS]
