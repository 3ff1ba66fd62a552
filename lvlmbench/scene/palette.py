"""Colors of what is drawn with colors of its own: clothes, charts."""

from __future__ import annotations

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
