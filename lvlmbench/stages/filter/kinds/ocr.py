"""Filter ``ocr``: the word of a text item can be read in its image (section 3.3, step 2).

The score is a distance (``filter.ocr.matching``): an image stays if its score is at most the
threshold, 0 by default. docs/filters.md has the rule's reasons and what was measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
import pyarrow as pa
from PIL import Image, ImageFilter
from pydantic import Field

from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.section import Engined, Known, Name
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.filter.decoding import UNDECODABLE, decoded
from lvlmbench.stages.filter.filter import FILTERS, TEXT_SUBTASK, Verdict, Weights
from lvlmbench.stages.filter.ocr.engine import OCR_ENGINES, Reader, is_strip
from lvlmbench.stages.filter.ocr.matching import distance, plain, tokens

NOTHING_READ = "no text found"
OTHER_TEXT = "other text"
#: Of a picture so long that engines fail on it.
STRIP = "too long a strip"

_LONGEST_NOTE = 100


def _quoted(texts: list[str]) -> str:
    """What was read, for a person: one line, printable, at most 100 characters."""
    joined = " | ".join(" ".join(text.split()) for text in texts if plain(text))
    shown = "".join(c if c.isprintable() else "?" for c in f"read: {joined}")
    return shown if len(shown) <= _LONGEST_NOTE else f"{shown[: _LONGEST_NOTE - 1]}…"


class Ocr(Engined):
    """An OCR filter: whether the word of a text item can be read."""

    registry = "ocr_engines"

    engine: Annotated[Name, Known("ocr_engines")] = Field(
        default_factory=lambda: OCR_ENGINES.first().name, description="What reads."
    )
    max_distance: float = Field(
        0.0,
        ge=0,
        le=1,
        description="Largest edit distance between the word and what was read, divided by the "
        "length of the longer one.",
    )


#: Standard deviation of the blur, and side of the median's window, for a picture of 1 pixel.
_BLUR = 0.004
_WINDOW = 0.01


def softened(picture: Image.Image) -> Image.Image:
    """Blurred by 0.4 % of the shorter side: 2 pixels of 512."""
    return picture.filter(ImageFilter.GaussianBlur(_BLUR * min(picture.size)))


def smoothed(picture: Image.Image) -> Image.Image:
    """The median of windows of 1 % of the shorter side: thin strokes go, edges stay."""
    import cv2  # Pillow's median takes seconds for a picture of 1,024 pixels

    window = 2 * int(_WINDOW * min(picture.size) / 2) + 1  # odd: 5 of 512
    return Image.fromarray(cv2.medianBlur(np.asarray(picture.convert("RGB")), window))


def contrasted(picture: Image.Image) -> Image.Image:
    """Blurred, with the contrast of each color raised where it is low: dark letters on dark."""
    import cv2

    # Contrast-limited adaptive histogram equalization, in eighths of the picture's sides.
    equalizer = cv2.createCLAHE(clipLimit=4, tileGridSize=(8, 8))
    bands = softened(picture.convert("RGB")).split()
    return Image.merge("RGB", [Image.fromarray(equalizer.apply(np.asarray(b))) for b in bands])


def looks(picture: Image.Image) -> Iterator[tuple[str, Image.Image]]:
    """The picture as it is, then its softened versions, each with its name; made when asked for.

    A person reads a word through halftone dots, hatching and grain, because the eye averages what
    is finer than the letters. The engines do not: of pictographs in the style of a newspaper print
    they lose every other word. So a picture in which the word was not found is looked at again,
    softened in ways that blur texture and leave letters. A later look is held to the same rule as
    the first.
    """
    yield "as it is", picture
    for way in (softened, smoothed, contrasted):
        yield way.__name__, way(picture)


class OcrFilter:
    """Keeps a text item if its word is among what one of the looks reads."""

    def __init__(self, name: str, settings: Ocr, engine: Reader) -> None:
        self.name, self._settings, self._engine = name, settings, engine

    def judge(self, images: pa.Table, scenes: pa.Table) -> list[Verdict]:
        """One verdict an image; a scene of another subtask, or without a word, has no score.

        Raises
        ------
        UserError
            The engine cannot load its weights.
        """
        verdicts = []
        about = scenes.select(["subtask", "text"]).to_pylist()
        for i, scene in enumerate(about):
            if scene["subtask"] != TEXT_SUBTASK or not plain(scene["text"] or ""):
                verdicts.append(Verdict(keep=True))
                continue
            picture = decoded(images.slice(i, 1).select(["image"]).to_pylist()[0])
            if picture is None:
                verdicts.append(Verdict(keep=False, reason=UNDECODABLE))
            else:
                verdicts.append(self.look(picture, scene["text"]))
        return verdicts

    def look(self, picture: Image.Image, word: str) -> Verdict:
        """The verdict on one picture that must show ``word``.

        Looks again until the word is found. The score is the smallest distance of all looks; the
        note of a removed image tells what the nearest look read, and that of an image kept by a
        later look, which look it was.
        """
        limit = self._settings.max_distance
        if is_strip(picture):
            return Verdict(keep=False, reason=STRIP, threshold=limit)
        best, nearest = 1.0, list[str]()
        for number, (name, version) in enumerate(looks(picture)):
            texts = self._engine.read(version)
            score = distance(word, texts)
            if score <= limit:
                note = f"word found in the image {name}" if number else None
                return Verdict(keep=True, score=score, threshold=limit, note=note)
            if score < best or not tokens(nearest):
                best, nearest = min(score, best), texts
        if not tokens(nearest):
            return Verdict(keep=False, reason=NOTHING_READ, score=best, threshold=limit)
        return Verdict(False, OTHER_TEXT, score=best, threshold=limit, note=_quoted(nearest))


def check(params: Params, spec: FilterSpec, where: str, early: bool = False) -> None:
    """Check that the folders of the engine's weights are there."""
    spec.own(Ocr).check(f"{where}: ocr")


@FILTERS.register(
    "ocr",
    vocabulary=False,
    label="OCR",
    settings=Ocr,
    check=check,
    place=3,
    defaults={30: {"name": "ocr"}},
    looks_with=lambda spec: str(spec.own(Ocr).engine),
    exactness=(
        Promise(
            Exactness.HARDWARE,
            "a neural network in 32-bit floats whose kernels cannot be chosen; only the text that "
            "it reads counts, so a verdict differs only where a letter does",
        ),
    ),
)
def make(params: Params, spec: FilterSpec, weights: Weights) -> OcrFilter:
    """Return the filter.

    Raises
    ------
    UserError
        The engine is not installed, or a folder of weights is not what it must be.
    """
    settings = spec.own(Ocr)
    return OcrFilter(spec.name, settings, settings.make(f"filter.filters: {spec.name}: ocr"))
