"""Colors of what is drawn with colors of its own: clothes, charts."""

from __future__ import annotations

from colorsys import rgb_to_hsv

#: The colors of garments and held things, as the vocabulary gives them.
COLORS = {
    "red": "#d62728",
    "orange": "#fa8214",
    "yellow": "#fad41e",
    "green": "#2e963c",
    "blue": "#245ccd",
    "purple": "#7d3caf",
    "pink": "#f88cbe",
    "brown": "#784c2c",
    "gray": "#8c8c8c",
    "black": "#1e1e20",
    "white": "#f5f5f5",
}

#: Hue in degrees up to which a color may have these names.
_HUES = (
    (14, ("red",)), (24, ("red", "orange", "brown")), (42, ("orange", "brown")),
    (44, ("orange", "yellow", "brown")), (61, ("yellow",)), (70, ("yellow", "green")),
    (165, ("green",)), (185, ("green", "blue")), (245, ("blue",)), (260, ("blue", "purple")),
    (295, ("purple",)), (330, ("pink", "purple")), (350, ("pink", "red")), (360, ("red",)),
)  # fmt: skip
#: Saturation up to which a color may be called by none of these names, and from which it must be.
_GRAY, _VIVID = 0.07, 0.45


def names_of(mean: tuple[int, int, int]) -> tuple[str, ...]:
    """Return what people may call the color of a thing by the mean of its pixels (0 to 255).

    The lines around a thing darken the mean, and its rim lightens it: hue is what remains.
    """
    hue, saturation, value = rgb_to_hsv(*(part / 255 for part in mean))
    names = next(names for most, names in _HUES if 360 * hue <= most)
    light = ("white", "gray") if value > 0.55 else ("black", "gray")
    if saturation < _GRAY:
        return light
    return names if saturation > _VIVID else (*names, *light)
