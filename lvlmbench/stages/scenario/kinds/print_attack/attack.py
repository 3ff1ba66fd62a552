"""The scenario: one image a question, with its look drawn and recorded."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core import seeding
from lvlmbench.core.errors import UserError
from lvlmbench.stages.scenario.kinds.print_attack.colors import BLACK, RGB, WHITE, rgb_of
from lvlmbench.stages.scenario.kinds.print_attack.fonts import check_font, font_name, font_path
from lvlmbench.stages.scenario.kinds.print_attack.layout import Letters, margin, set_text
from lvlmbench.stages.scenario.kinds.print_attack.legibility import blend, weakest
from lvlmbench.stages.scenario.kinds.print_attack.printed_text import WrongAnswers, attacked
from lvlmbench.stages.scenario.kinds.print_attack.settings import Position, PrintAttack
from lvlmbench.stages.scenario.pixels import Pixels, decode, encode
from lvlmbench.stages.scenario.scenario import Row, Shard, perturbation, place_of, shown, stage_of

_OUTLINES: dict[str, RGB] = {"black": BLACK, "white": WHITE}

T = TypeVar("T")


@dataclass(frozen=True)
class Look:
    """How a text is to be printed: one of each list of the settings.

    ``size`` is a part of the image's height, ``angle`` in degrees, counterclockwise. ``offset``,
    where there is one, stands in place of ``position``: how far right and down of the image's
    middle the text's is, as parts of the image's width and height.
    """

    size: float
    color: str
    opacity: float
    angle: int
    position: Position
    offset: tuple[float, float] | None = None

    @classmethod
    def draw(cls, settings: PrintAttack, rng: np.random.Generator) -> Look:
        """Each entry of each list is equally likely."""

        def one(of: Sequence[T]) -> T:
            return of[int(rng.integers(len(of)))]

        return cls(
            size=one(settings.sizes),
            color=one(settings.colors),
            opacity=one(settings.opacities),
            angle=one(settings.angles),
            position=one(settings.positions),
            offset=(one(settings.offsets), one(settings.offsets)) if settings.offsets else None,
        )

    def placed(self) -> dict[str, Any]:
        """Return what is recorded of its place."""
        if self.offset is None:
            return {"position": self.position}
        return {"offset": list(self.offset)}


def _beside(
    offset: tuple[float, float], size: tuple[int, int], free: tuple[int, int], edge: tuple[int, int]
) -> tuple[int, int]:
    """Where the text's box begins, its middle so far from the image's; never beyond the edge."""
    x, y = (
        min(max(room // 2 + round(part * side), least), room - least)
        for part, side, room, least in zip(offset, size, free, edge, strict=True)
    )
    return x, y


def _corner(position: Position, free: tuple[int, int], edge: tuple[int, int]) -> tuple[int, int]:
    """Where the text's box begins, given what is free beside it and how near the edge it comes."""
    x = (
        edge[0]
        if "left" in position
        else free[0] - edge[0]
        if "right" in position
        else free[0] // 2
    )
    y = (
        edge[1]
        if "top" in position
        else free[1] - edge[1]
        if "bottom" in position
        else free[1] // 2
    )
    return x, y


def _ink(
    background: Pixels, letters: Letters, look: Look, settings: PrintAttack
) -> tuple[float, str | None, float]:
    """Opacity, outline and contrast: the first that are legible.

    Tried in this order: the drawn opacity, then the higher ones, then 1; each without an outline
    first. Opaque letters in an outline are legible on anything.
    """
    rgb = rgb_of(look.color)
    higher = sorted(o for o in {*settings.opacities, 1.0} if o > look.opacity)
    for opacity in (look.opacity, *higher):
        plain = weakest(background, letters.parts, rgb, opacity, None)
        if plain >= settings.contrast:
            return opacity, None, plain
        found = {
            name: weakest(background, letters.parts, rgb, opacity, outline)
            for name, outline in _OUTLINES.items()
        }
        best = max(found, key=lambda name: found[name])
        if found[best] >= settings.contrast:
            return opacity, best, found[best]
    raise AssertionError(f"{look.color} stands out neither from black nor from white")


def print_text(
    pixels: Pixels, text: str, look: Look, settings: PrintAttack, font: Path
) -> tuple[Pixels, dict[str, Any]] | None:
    """A copy of the image with the text on it, and what is recorded of it.

    Parameters
    ----------
    pixels
        Shape (h, w, 3); it stays as it is, and so does the copy outside the recorded box.

    Returns
    -------
    None where the image is smaller than the text.
    """
    height, width = pixels.shape[:2]
    edge = margin(width), margin(height)
    room = width - 2 * edge[0], height - 2 * edge[1]
    wanted = round(look.size * height)
    letters = set_text(font, wanted, settings.smallest, text, look.angle, room)
    if letters is None:
        return None
    deep, wide = letters.fill.shape
    free = (width - wide, height - deep)
    if look.offset is None:
        x, y = _corner(look.position, free, edge)
    else:
        x, y = _beside(look.offset, (width, height), free, edge)
    background = pixels[y : y + deep, x : x + wide]
    opacity, outline, ratio = _ink(background, letters, look, settings)
    inked = letters.fill > 0
    printed = background
    if outline is not None:
        inked |= letters.ring > 0
        printed = blend(printed, _OUTLINES[outline], letters.ring)
    printed = blend(printed, rgb_of(look.color), letters.fill, opacity)
    image = pixels.copy()
    image[y : y + deep, x : x + wide] = printed
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    box = (x + columns[0], y + rows[0], x + columns[-1] + 1, y + rows[-1] + 1)
    return image, {
        "angle": look.angle,
        "box": [int(each) for each in box],
        "color": look.color,
        "contrast": math.floor(100 * ratio) / 100,
        "drawn_opacity": look.opacity,
        "font": font_name(font),
        "lines": len(letters.lines),
        "opacity": opacity,
        "outline": outline,
        "size_px": letters.size,
        **look.placed(),
    }


class PrintAttackScenario:
    """Prints a wrong answer to each question on an image of its own."""

    def __init__(self, params: Params, spec: ScenarioSpec) -> None:
        self._params, self._spec = params, spec
        self._settings = spec.own(PrintAttack)
        self._font = font_path(self._settings.font)
        check_font(self._font, f"{place_of(params, spec.name)}: print_attack: font")
        self._wrong = WrongAnswers(params, self._settings.true_false)

    def apply(self, shard: Shard) -> Iterator[Row]:
        """One row a question, in the order of the images and of the questions of each.

        Questions of and about the subtask ``text`` get none (Dysca, section 3.3).
        """
        scenes = {scene["scene_id"]: scene for scene in shard.scenes.to_pylist()}
        questions: dict[str, list[Row]] = defaultdict(list)
        for question in shard.questions.to_pylist():
            questions[question["scene_id"]].append(question)
        for at in range(shard.images.num_rows):
            (clean,) = shard.images.slice(at, 1).to_pylist()
            scene = scenes[clean["scene_id"]]
            asked = [q for q in questions[clean["scene_id"]] if attacked(q, scene)]
            pixels = decode(clean) if asked else None
            if pixels is None:
                continue
            for question in asked:
                yield self._row(clean, scene, question, pixels)

    def _row(self, clean: Row, scene: Row, question: Row, pixels: Pixels) -> Row:
        name = question["question_id"]
        rng = seeding.generator(self._params.snapshot.seed, stage_of(self._spec), name)
        text = self._wrong.draw(question, scene, rng)
        look = Look.draw(self._settings, rng)
        done = print_text(pixels, text, look, self._settings, self._font)
        if done is None:
            height, width = pixels.shape[:2]
            raise UserError(
                f"{place_of(self._params, self._spec.name)}: print_attack",
                f"an image of {width} x {height} pixels is smaller than the text '{text}' in "
                f"letters of {self._settings.smallest}",
                "write a larger render.size, or a lower 'smallest' (6 or more)",
            )
        image, parameters = done
        record = perturbation("print_attack", parameters=parameters, printed_text=text)
        return shown(self._params, self._spec, clean, encode(image), record, question_id=name)
