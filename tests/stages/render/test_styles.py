"""Styles: size, repeatability, and that what a style does not hide can still be seen."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import generator
from lvlmbench.stages.render.kinds.pictograph import backgrounds, styles
from lvlmbench.stages.render.kinds.pictograph.picture import Picture

VOCABULARY = Path(__file__).parents[3] / "data" / "vocabulary" / "style.yaml"

#: Styles that move pixels far on purpose: what is at a place before is elsewhere after.
MOVES = {"fisheye photograph", "instant photo", "photographic negative", "sepia photograph"}


@cache
def entries() -> dict[str, dict[str, Any]]:
    found = yaml.safe_load(VOCABULARY.read_text())["entries"]
    return {e["label"]: e for e in found}


@cache
def hidden(label: str) -> frozenset[str]:
    """What a style hides as pictographs are drawn."""
    entry = entries()[label]
    return frozenset((*entry.get("hides", ()), *entry["drawn"]["pictograph"]["hides"]))


def hides(label: str, aspect: str) -> bool:
    return aspect in hidden(label)


def disc(size: int, color: tuple[int, int, int], background: str = "meadow") -> Picture:
    """A colored disc with a black outline before a background."""
    image = backgrounds.draw(background, size, generator(1, "test", background))
    mask = Image.new("L", (size, size))
    box = [size * 22 // 100, size * 22 // 100, size * 78 // 100, size * 78 // 100]
    ImageDraw.Draw(image).ellipse(box, fill=color, outline=(0, 0, 0), width=max(1, size // 64))
    ImageDraw.Draw(mask).ellipse(box, fill=255)
    return Picture(image, mask)


def digest(label: str, picture: Picture, item: str = "") -> str:
    image = styles.apply(label, picture, generator(7, "style", item))
    return hashlib.sha256(image.tobytes()).hexdigest()


@pytest.mark.parametrize("label", styles.LABELS)
@pytest.mark.parametrize("size", [64, 101, 1024])
def test_size_is_respected(label: str, size: int) -> None:
    image = styles.apply(label, disc(size, (214, 39, 40)), generator(1, "style", label))
    assert (image.mode, image.size) == ("RGB", (size, size))


@pytest.mark.parametrize("label", styles.LABELS)
def test_an_empty_mask_is_no_obstacle(label: str) -> None:
    picture = disc(96, (214, 39, 40))
    bare = Picture(picture.image, Image.new("L", (96, 96)))
    assert styles.apply(label, bare, generator(1, "style", label)).size == (96, 96)


@pytest.mark.parametrize("label", styles.LABELS)
def test_same_draws_same_bytes_and_the_picture_is_untouched(label: str) -> None:
    picture = disc(96, (36, 92, 205))
    before = (picture.image.tobytes(), picture.mask.tobytes())
    assert digest(label, picture) == digest(label, picture)
    assert (picture.image.tobytes(), picture.mask.tobytes()) == before


def test_order_and_what_came_before_do_not_matter() -> None:
    picture, other = disc(96, (36, 92, 205)), disc(128, (214, 39, 40), "forest")
    forward = {label: digest(label, picture, label) for label in styles.LABELS}
    backward = {}
    for label in reversed(styles.LABELS):
        digest(label, other, "something else")
        backward[label] = digest(label, picture, label)
    assert forward == backward


def test_styles_differ_from_each_other() -> None:
    picture = disc(96, (36, 92, 205))
    assert len({digest(label, picture) for label in styles.LABELS}) == len(styles.LABELS)


def test_vocabulary_and_labels_agree() -> None:
    declared = {label for label, e in entries().items() if "pictograph" in e["renderers"]}
    assert declared == set(styles.LABELS)
    assert len(declared) >= 20
    assert len(entries()) >= 51
    assert sum(e["realistic"] for e in entries().values()) >= 8


def test_unknown_label_is_a_user_error() -> None:
    with pytest.raises(UserError, match="watercolour"):
        styles.apply("watercolour", disc(64, (0, 0, 0)), generator(1, "style", ""))


HUES = {
    "red": ((214, 39, 40), 0),
    "yellow": ((250, 212, 30), 50),
    "green": ((46, 150, 60), 128),
    "blue": ((36, 92, 205), 220),
    "purple": ((125, 60, 175), 274),
}


def hue_of(rgb: np.ndarray) -> float:
    r, g, b = (float(v) for v in rgb)
    most, span = max(r, g, b), max(r, g, b) - min(r, g, b)
    assert span > 18, "no color left"
    if most == r:
        return 60 * ((g - b) / span) % 360
    return 60 * ((b - r) / span + 2) if most == g else 60 * ((r - g) / span + 4)


@pytest.mark.parametrize("label", [s for s in styles.LABELS if not hides(s, "color")])
@pytest.mark.parametrize("name", HUES)
def test_color_stays_where_it_is_not_hidden(label: str, name: str) -> None:
    color, hue = HUES[name]
    image = styles.apply(label, disc(256, color), generator(1, "style", label))
    middle = np.asarray(image)[96:160, 96:160].reshape(-1, 3).mean(axis=0)
    off = abs(hue_of(middle) - hue)
    assert min(off, 360 - off) < 30


#: The five skin tones of the pictographs, lightest first.
SKIN = ((250, 220, 188), (222, 187, 144), (193, 154, 101), (165, 121, 57), (106, 70, 47))


@pytest.mark.parametrize("label", [s for s in styles.LABELS if not hides(s, "race")])
@pytest.mark.parametrize("tone", range(5))
def test_skin_tone_stays_where_it_is_not_hidden(label: str, tone: int) -> None:
    """Of the five tones the drawn one is still the nearest."""
    image = styles.apply(label, disc(256, SKIN[tone], "kitchen"), generator(1, "style", label))
    middle = np.asarray(image)[96:160, 96:160].reshape(-1, 3).mean(axis=0)
    far = [float(np.abs(middle - np.array(s)).sum()) for s in SKIN]
    assert far.index(min(far)) == tone


@pytest.mark.parametrize(
    "label", ["sepia photograph", "blueprint", "stone relief", "woodcut print"]
)
def test_color_is_gone_where_a_single_ink_draws(label: str) -> None:
    """Red and blue of like brightness come out alike: 'hides: color' is no empty claim."""
    means = []
    for color in ((226, 40, 40), (60, 84, 205)):
        image = styles.apply(label, disc(256, color), generator(1, "style", label))
        means.append(np.asarray(image)[96:160, 96:160].reshape(-1, 3).mean(axis=0))
    assert hides(label, "color")
    assert np.abs(means[0] - means[1]).max() < 16


@pytest.mark.parametrize(
    "label", [s for s in styles.LABELS if not hides(s, "text") and s not in MOVES]
)
def test_text_stays_apart_from_its_ground_where_it_is_not_hidden(label: str) -> None:
    size = 512
    image = backgrounds.draw("forest", size, generator(1, "test", "sign"))
    mask, letters = (Image.new("L", (size, size)) for _ in range(2))
    board = [70, 160, 440, 340]
    for target, fill in ((image, (250, 246, 226)), (mask, 255)):
        ImageDraw.Draw(target).rectangle(board, fill=fill)
    place = {"xy": (255, 250), "font": ImageFont.load_default(110), "anchor": "mm"}
    ImageDraw.Draw(image).text(text="WORD", fill=(25, 25, 35), **place)
    ImageDraw.Draw(letters).text(text="WORD", fill=255, **place)
    picture = Picture(image, mask, (90, 190, 420, 310))
    styled = styles.apply(label, picture, generator(1, "style", label)).convert("L")
    box = (90, 190, 420, 310)
    gray = np.asarray(styled.crop(box), dtype=np.float64)
    inside = np.asarray(letters.crop(box)) > 127
    word, ground = gray[inside], gray[~inside]
    filled = abs(word.mean() - ground.mean()) / ((word.var() + ground.var()) / 2) ** 0.5
    # Outline styles leave the letters empty: there the letters' rims must stand out instead.
    step = np.abs(np.diff(gray, axis=1, prepend=gray[:, :1]))
    rim = np.asarray(
        letters.crop(box).filter(ImageFilter.FIND_EDGES).filter(ImageFilter.MaxFilter(5))
    )
    drawn = step[rim > 127].mean() / (step[rim <= 127].mean() + 1)
    assert filled > 0.9 or drawn > 1.5


def layout(image: Image.Image) -> np.ndarray:
    """Colors of 16 x 16 fields around the middle, which the disc covers."""
    fields = np.asarray(image.resize((16, 16), Image.Resampling.BOX), dtype=np.float64)
    keep = np.ones((16, 16), dtype=bool)
    keep[3:13, 3:13] = False
    return fields[keep]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("label", [s for s in styles.LABELS if not hides(s, "background")])
def test_backgrounds_stay_apart_where_they_are_not_hidden(label: str) -> None:
    """A styled background resembles itself, styled with other draws, more than any other."""
    pictures = {b: disc(256, (214, 39, 40), b) for b in backgrounds.LABELS}
    one, two = (
        {b: layout(styles.apply(label, p, generator(1, item, b))) for b, p in pictures.items()}
        for item in ("one", "two")
    )
    hits = sum(
        min(two, key=lambda b: float(np.abs(found - two[b]).sum())) == name
        for name, found in one.items()
    )
    assert hits >= 0.9 * len(pictures)


PROBE = """
import hashlib
from test_styles import backgrounds, digest, disc, styles
from lvlmbench.core.seeding import generator
h = hashlib.sha256()
for label in backgrounds.LABELS:
    h.update(backgrounds.draw(label, 96, generator(1, 'probe', label)).tobytes())
picture = disc(96, (214, 39, 40))
for label in styles.LABELS:
    h.update(digest(label, picture).encode())
print(h.hexdigest())
"""


def test_bytes_do_not_depend_on_the_processor() -> None:
    """NumPy and the C library restricted to plain instructions give the same pixels."""
    features = "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR"
    plain = {
        "NPY_DISABLE_CPU_FEATURES": features,
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F,-AVX",
    }
    here = Path(__file__).parent
    path = os.pathsep.join([str(here), str(here.parents[2])])
    found = [
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", PROBE],
            env={**os.environ, "PYTHONPATH": path, **extra},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for extra in ({}, plain)
    ]
    assert found[0] == found[1] != ""
