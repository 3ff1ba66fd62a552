"""What is checked before anything runs: letters for all labels, and room for them."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core.errors import UserError
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.scenario.kinds.print_attack.fonts import (
    check_font,
    font_name,
    font_path,
    missing,
)
from lvlmbench.stages.scenario.kinds.print_attack.layout import fits, margin
from lvlmbench.stages.scenario.kinds.print_attack.printed_text import lists_printed
from lvlmbench.stages.scenario.kinds.print_attack.settings import PrintAttack

_STEP = 8  # of render.size
_LARGEST = 4096


def texts_printed(params: Params) -> list[str]:
    """All that may be printed, sorted: truth values, and labels that the renderer draws."""
    lists = load_vocabulary(vocabulary_dir(params)).lists
    texts = {"True", "False"}
    for name in lists_printed(params):
        texts |= {e.label for e in lists[name].for_renderer(params.corpus.drawable_by).entries}
    return sorted(texts)


def check_print_attack(params: Params, spec: ScenarioSpec, where: str) -> None:
    """Whether the font has all letters, and an image room for all labels at all angles.

    Raises
    ------
    UserError
        It says which letters or which label.
    """
    settings = spec.own(PrintAttack)
    where = f"{where}: print_attack"
    path = font_path(settings.font)
    check_font(path, f"{where}: font")
    texts = texts_printed(params)
    lacking = missing(path, "".join(texts))
    if lacking:
        raise UserError(
            f"{where}: font",
            f"{font_name(path)} has no glyph for {' '.join(lacking)}",
            "give a font that has, or null for DejaVu Sans Bold",
        )
    for size in range(params.render.size, _LARGEST + 1, _STEP):
        large = _too_large(settings, texts, size)
        if size == params.render.size:
            if large is None:
                return
            label, angle = large
        if large is None:
            raise UserError(
                where,
                f"an image of {params.render.size} pixels is smaller than the text '{label}' in "
                f"letters of {settings.smallest} turned by {angle} degrees",
                f"write a render.size of {size} to {_LARGEST}, or a lower 'smallest' (6 or more)",
            )
    raise UserError(
        f"{where}: smallest",
        f"no image has room for '{label}' in letters of {settings.smallest} pixels",
        "write a lower one (6 or more)",
    )


def _too_large(settings: PrintAttack, texts: list[str], size: int) -> tuple[str, int] | None:
    """A text and an angle at which it has no room on an image of this size; None if all have."""
    path, side = font_path(settings.font), size - 2 * margin(size)
    for text in sorted(texts, key=len, reverse=True):
        for angle in settings.angles:
            if not fits(path, settings.smallest, text, angle, (side, side)):
                return text, angle
    return None
