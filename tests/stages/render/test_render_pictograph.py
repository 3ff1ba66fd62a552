"""The pictograph renderer draws what the metadata says, and draws it where it can be seen."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from lvlmbench.scene.graph import Graph
from lvlmbench.stages.filter.ocr.kinds.rapidocr import RapidOcr
from lvlmbench.stages.filter.ocr.matching import distance
from lvlmbench.stages.render.kinds.pictograph import art, backgrounds, layout, styles
from lvlmbench.stages.render.kinds.pictograph.carriers.shapes import Carrier
from lvlmbench.stages.render.kinds.pictograph.lettering import (
    FACES,
    Box,
    fit,
    font,
    written,
)
from lvlmbench.stages.render.kinds.pictograph.raster import Sticker, StickerCache, rasterize
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.stages.render.kinds.pictograph.subjects import Subjects
from support.render_scenes import drawable, params, person, scene, vocabulary

THINGS = ("animal", "object", "plant", "food", "clothes", "landmark", "action", "profession")


def renderer(size: int = 128, supersample: int = 1) -> PictographRenderer:
    settings_ = params(size, pictograph=_Frozen(supersample=supersample))
    return PictographRenderer(settings_, vocabulary())


class _Frozen(dict):  # type: ignore[type-arg]
    """A hashable dictionary, for the cache of parameter sets."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(sorted(self.items())))


def pixels(image: Image.Image) -> np.ndarray:
    return np.asarray(image).astype(int)


@pytest.mark.parametrize("name", THINGS)
def test_every_entry_is_drawn_and_covers_part_of_the_canvas(name: str) -> None:
    drawing, small = renderer(64), drawable(name)
    assert small
    for label in small:
        row = scene(name, label)
        assert drawing.refuses(row) is None, label
        picture = drawing.compose(row)
        assert picture.image.size == picture.mask.size == (64, 64)
        share = pixels(picture.mask).mean() / 255
        assert 0.015 < share < 0.9, (label, share)


@pytest.mark.parametrize("carrier", drawable("carrier"))
def test_words_stay_whole_on_their_carrier_and_on_the_canvas(carrier: str) -> None:
    drawing = renderer(256)
    longest = max(vocabulary().words, key=len)
    for number, word in enumerate((longest, "owl", "gypsy", "Il")):
        picture = drawing.compose(scene("carrier", carrier, number, text=word))
        assert picture.text_box is not None
        left, top, right, bottom = picture.text_box
        assert 0 <= left < right <= 256 and 0 <= top < bottom <= 256
        # Around the word lies the carrier, but for the corners of the box of a tilted one.
        assert pixels(picture.mask.crop(picture.text_box)).mean() > 250
        assert right - left >= 16


@pytest.mark.long
def test_words_can_be_read_off_every_carrier() -> None:
    reader, drawing = RapidOcr(None, "test"), renderer(512)
    words = ("harbor", "lemon", "quickest", "winter harbor", "quickest lemon")
    misread = []
    for i, carrier in enumerate(drawable("carrier")):
        word = words[i % len(words)]
        picture = drawing.compose(scene("carrier", carrier, i, text=word))
        read = reader.read(picture.image)
        if distance(word, read) > 0:
            misread.append((carrier, word, read))
    # A mirrored or clipped word would never be read; the reader itself errs now and then.
    assert len(misread) <= 1, misread


def test_glyphs_with_letters_and_landmarks_are_never_mirrored() -> None:
    subjects, rng = Subjects(vocabulary()), np.random.default_rng(0)
    for name, label in (("object", "stop sign"), ("object", "calendar"), *(
        ("landmark", label) for label in drawable("landmark")
    )):  # fmt: skip
        assert not subjects.subject(Graph.of(scene(name, label)).objects[0], rng).mirror, label
    assert subjects.subject(Graph.of(scene("animal", "fox")).objects[0], rng).mirror


def _near(image: Image.Image, rgb: tuple[int, int, int], within: int = 40) -> np.ndarray:
    return np.abs(pixels(image) - np.array(rgb)).max(axis=2) <= within


@pytest.mark.parametrize("color", drawable("color"))
def test_a_recolored_car_has_the_color_and_keeps_its_tyres(color: str) -> None:
    rgb = tuple(vocabulary().lists["color"].by_label[color].extra["rgb"])
    other = "blue" if color == "red" else "red"
    drawing = renderer(256)
    one = drawing.compose(scene("object", "car", color=color))
    two = drawing.compose(scene("object", "car", color=other))
    assert one.mask.tobytes() == two.mask.tobytes()
    inside = pixels(one.mask) > 250
    changed = np.abs(pixels(one.image) - pixels(two.image)).max(axis=2) > 24
    assert not changed[~inside].any(), "the background is not touched"
    # Most of what changed is the color itself; the rest is its blend with the outline.
    assert (_near(one.image, rgb) & changed).sum() > 0.6 * changed.sum()
    kept = inside & ~changed
    dark = pixels(one.image).max(axis=2) < 60
    assert (dark & kept).sum() > 0.1 * inside.sum(), "outline and tyres stay dark"


def test_recoloring_keeps_shades_and_leaves_other_fills() -> None:
    source = '<path fill="#EA5A47"/><path fill="#d22f27"/><path fill="#fff"/><path stroke="#000"/>'
    new = art.recolored(source, ("#ea5a47", "#d22f27"), (20, 120, 220))
    assert '"#1478dc"' in new and '"#fff"' in new and '"#000"' in new
    second = new.split('"')[3]
    darker = [int(second[i : i + 2], 16) for i in (1, 3, 5)]
    assert all(a <= b for a, b in zip(darker, (20, 120, 220), strict=True)) and darker[2] < 200


def test_recolorable_objects_take_every_color() -> None:
    objects = vocabulary().lists["object"].entries
    some = [entry.label for entry in objects if entry.extra.get("recolor")]
    assert len(some) >= 10
    drawing, colors = renderer(96), drawable("color")
    for i, label in enumerate(some):
        color = colors[i % len(colors)]
        row = scene("object", label, color=color)
        assert drawing.refuses(row) is None
        picture = drawing.compose(row)
        rgb = tuple(vocabulary().lists["color"].by_label[color].extra["rgb"])
        inside = pixels(picture.mask) > 250
        assert (_near(picture.image, rgb, 60) & inside).sum() > 0.08 * inside.sum(), (color, label)


def test_people_differ_in_every_attribute_they_are_asked_about() -> None:
    drawing = renderer(256)
    choices = {
        "age": ["child", "adult", "elderly"],
        "gender": drawable("gender"),
        "race": drawable("race"),
        "expression": ["happy", "sad", "angry"],
    }
    for attribute, labels in choices.items():
        assert set(labels) <= set(drawable(attribute))
        drawn = {}
        for label in labels:
            row = person(**{attribute: label})
            assert drawing.refuses(row) is None
            drawn[label] = pixels(drawing.compose(row).image)
        for a, b in combinations(labels, 2):
            share = (np.abs(drawn[a] - drawn[b]).max(axis=2) > 20).mean()
            assert share > 0.005, (attribute, a, b, share)


def test_number_is_how_many_things_are_drawn() -> None:
    from scipy import ndimage

    drawing = renderer(256)
    for number in (1, 2, 3):
        for seed in range(6):
            mask = drawing.compose(scene("food", "lemon", seed, number=number)).mask
            _, found = ndimage.label(pixels(mask) > 128)
            assert found == number


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 2**32),
    st.lists(st.tuples(st.integers(8, 300), st.integers(8, 300)), min_size=1, max_size=3),
    st.sampled_from([64, 128, 512]),
    st.floats(0, 20),
    st.floats(0.05, 0.9),
)
def test_places_never_overlap_or_leave_the_canvas(
    seed: int, sizes: list[tuple[int, int]], canvas: int, tilt: float, share: float
) -> None:
    low, high = layout.SPAN[len(sizes)]
    spans = [canvas * (low + (high - low) * share)] * len(sizes)
    places = layout.place(np.random.default_rng(seed), canvas, sizes, spans, tilt, mirror=False)
    boxes = []
    for place, size in zip(places, sizes, strict=True):
        width, height = place.pose.extent(*size)
        x, y = place.corner
        assert min(x, y) >= 0 and x + width <= canvas and y + height <= canvas
        assert not place.pose.mirrored
        boxes.append((x, y, x + width, y + height))
    for a, b in combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=16), st.integers(20, 400))
@settings(max_examples=60, deadline=None)
def test_lettering_fits(word: str, width: int) -> None:
    for face in FACES:
        size = fit(face, (word,), width, width / 3)
        left, top, right, bottom = font(face, size).getbbox(word)
        assert size == 1 or (right - left <= width and bottom - top <= width / 3)


@pytest.mark.parametrize("face", FACES)
def test_two_words_stand_in_two_lines_where_these_are_larger(face: str) -> None:
    def box(size: tuple[int, int], text: str) -> tuple[Box, Image.Image]:
        area = (0, 0, *size)
        sign = Carrier(size, "", area, (("#fff", "#fff", "#000"),))
        sticker = Sticker(Image.new("RGB", size, "white"), Image.new("L", size, 255), (0, 0), 1.0)
        _, ink, found = written(sticker, sign, text, "#000", face)
        assert ink.getbbox() == found  # what is said is what is drawn
        return found, ink

    (left, top, right, bottom), ink = box((300, 200), "undertake ravine")
    rows = np.asarray(ink).max(axis=1)[top:bottom]
    assert (rows == 0).any(), "a gap between the lines"
    assert right - left > 250 and bottom - top > 60
    strip, ink = box((600, 40), "undertake ravine")
    assert (np.asarray(ink).max(axis=1)[strip[1] : strip[3]] > 0).all(), "one line on a strip"


def test_what_the_cache_holds_changes_no_pixel() -> None:
    rows = [scene("animal", label, number=1 + i % 3) for i, label in enumerate(["fox", "cow"] * 2)]
    roomy, cramped = renderer(128), renderer(128)
    cramped._cache = StickerCache(limit=1)
    for row in rows:
        assert roomy.draw(row).image.tobytes() == cramped.draw(row).image.tobytes()


def test_supersampling_keeps_the_size_and_the_scene() -> None:
    row = scene("object", "car", background=backgrounds.LABELS[0], color="red")
    plain, smooth = renderer(128).compose(row), renderer(128, supersample=2).compose(row)
    assert smooth.image.size == smooth.mask.size == (128, 128)
    assert ImageChops.difference(plain.image, smooth.image).getbbox() is not None
    word = renderer(128, supersample=2).compose(scene("carrier", "road sign", text="owl"))
    assert word.text_box is not None and max(word.text_box) <= 128


@pytest.mark.parametrize("style", styles.LABELS)
def test_every_style_draws_every_kind_of_scene(style: str) -> None:
    drawing = renderer(128)
    for row in (
        scene("animal", "fox", style=style, background=backgrounds.LABELS[1], number=2),
        person(style=style),
        scene("carrier", "mug", style=style, text="harbor"),
    ):
        assert drawing.refuses(row) is None
        image = drawing.draw(row).image
        assert image.mode == "RGB" and image.size == (128, 128)


def test_refusals_say_what_is_not_drawn() -> None:
    drawing = renderer()
    celebrity = vocabulary().lists["celebrity"].entries[0].label
    cases = {
        "subtask celebrity": scene("celebrity", celebrity),
        "animal 'unicorn of the test'": scene("animal", "unicorn of the test"),
        "background 'the far side'": scene("animal", "fox", background="the far side"),
        "style 'no such style'": scene("animal", "fox", style="no such style"),
        "age 'teenager'": person(age="teenager"),
        "race 'Black'": person(race="Black"),
        "cannot recolor": scene("object", "stop sign", color="red"),
        "color 'ultraviolet'": scene("object", "car", color="ultraviolet"),
        "without a word": scene("carrier", "mug"),
    }
    for words, row in cases.items():
        reason = drawing.refuses(row)
        assert reason is not None and words in reason


def test_variants_of_a_person_show_the_same_activity() -> None:
    surfers = art.person_variants("1F3C4")
    assert len(surfers) == 18 and all(code.startswith("1F3C4") for code in surfers)
    cooks = art.person_variants("1F9D1-200D-1F373")
    assert len(cooks) == 18 and all("1F373" in code for code in cooks)


def test_rasters_need_no_system_font() -> None:
    text = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text y="8">A</text></svg>'
    assert rasterize(text, 32).getchannel("A").getbbox() is None
