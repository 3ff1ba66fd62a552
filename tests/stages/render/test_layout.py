"""Layouts: measured from what was drawn, in the final picture's pixels."""

from __future__ import annotations

import copy
import json
from dataclasses import asdict, replace

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageChops, ImageFilter

from lvlmbench.config import validate
from lvlmbench.core.seeding import generator
from lvlmbench.scene.graph import Relation
from lvlmbench.stages.render.kinds.pictograph import styles
from lvlmbench.stages.render.kinds.pictograph.picture import Picture
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.stages.render.layout import Instance, Marked, Placed, measure, stamp, standing
from support.render_scenes import drawable, params, person, scene, vocabulary

SIZE = 192
Bools = npt.NDArray[np.bool_]


def renderer() -> PictographRenderer:
    return PictographRenderer(params(SIZE), vocabulary())


def without(picture: Picture, number: int) -> Picture:
    """The picture with other colors where an instance was composited, and the same mask."""
    assert picture.marked is not None
    pixels = np.asarray(picture.image).copy()
    its = np.asarray(picture.marked.ids) >> 1 == number + 1
    pixels[its] += 128
    return replace(picture, image=Image.fromarray(pixels))


def grown(mask: Bools, by: int) -> Bools:
    image = Image.fromarray(mask.astype(np.uint8) * 255).filter(ImageFilter.MaxFilter(2 * by + 1))
    return np.asarray(image) > 0


def inside(instance: Instance) -> Bools:
    out = np.zeros((SIZE, SIZE), dtype=np.bool_)
    if instance.box is not None:
        left, top, right, bottom = instance.box
        out[top:bottom, left:right] = True
    return out


#: Styles that choose few colors for the whole picture: with one thing, other colors change.
PALETTES = {"oil painting", "pixel art", "cross-stitch embroidery", "knitted wool", "toy bricks"}

#: How far a style's cells and strokes may reach across an edge.
REACH = SIZE // 20


@pytest.mark.sampled(8)
@pytest.mark.parametrize("style", styles.LABELS)
def test_what_changes_with_an_instance_lies_in_its_box(style: str) -> None:
    drawing = renderer()
    for row in (
        scene("animal", "fox", background="beach", number=3),
        person(background="kitchen"),
        scene("carrier", "road sign", text="harbor"),
        scene("landmark", drawable("landmark")[0]),
    ):
        picture, rng = drawing.compose(row), generator(3, "style", style)
        assert picture.marked is not None
        before = styles.styled(style, picture, copy.deepcopy(rng))
        found = measure(
            before.image, picture.marked, before.ids, before.whole or before.ids, before.panels
        )
        n = len(picture.marked.placed)
        assert len(found) == n * before.panels
        for number in range(n):
            after = styles.apply(style, without(picture, number), copy.deepcopy(rng))
            difference = np.asarray(ImageChops.difference(before.image, after)).max(axis=2)
            changed = difference > 24
            boxes = np.any([inside(i) for i in found if i.copy == number], axis=0)
            assert changed.any()
            if style not in PALETTES:
                assert (changed & ~grown(boxes, REACH)).sum() <= 0.05 * changed.sum()
            # And the box is no larger than what changes: its four sides are reached.
            for instance in (i for i in found if i.copy == number and i.box):
                assert instance.box is not None
                seen = Image.fromarray(changed & inside(instance)).getbbox()
                assert seen is not None
                assert all(abs(a - b) <= REACH for a, b in zip(seen, instance.box, strict=True))


@pytest.mark.parametrize("style", [None, "fisheye photograph", "pop art", "instant photo"])
def test_boxes_of_words_hold_the_word(style: str | None) -> None:
    drawing = renderer()
    for word in ("a", "harbor", "quickest"):
        row = scene("carrier", "road sign", text=word, style=style)
        for instance in drawing.draw(row).layout or ():
            assert instance.box is not None and instance.text_box is not None
            a, b = instance.box, instance.text_box
            assert a[0] <= b[0] < b[2] <= a[2] and a[1] <= b[1] < b[3] <= a[3]
    assert all(i.text_box is None for i in drawing.draw(scene("animal", "fox")).layout or ())


def test_counted_instances_have_a_row_each() -> None:
    drawing = renderer()
    for number in (1, 2, 3):
        layout = drawing.draw(scene("animal", "cow", number=number)).layout
        assert layout is not None
        assert [(i.object, i.copy, i.panel) for i in layout] == [
            ("o1", n, 0) for n in range(number)
        ]
        assert [i.depth for i in layout] == list(reversed(range(number)))
        assert all(i.visible == 1 for i in layout)
    four = drawing.draw(scene("animal", "cow", number=2, style="pop art")).layout
    assert four is not None and [i.panel for i in four] == [0, 0, 1, 1, 2, 2, 3, 3]


def square(side: int) -> Image.Image:
    return Image.new("L", (side, side), 255)


def test_what_is_hidden_or_cut_off_is_not_visible() -> None:
    ids = Image.new("L", (100, 100))
    image = Image.new("RGB", (100, 100), (10, 20, 30))
    placed: list[Placed] = []
    for n, (side, corner) in enumerate(((40, (0, 0)), (20, (30, 0)), (20, (-10, 80)))):
        placed.append(stamp(ids, placed, ("o1", n), square(side), corner))
        image.paste((100 + n, 0, n), (*corner, corner[0] + side, corner[1] + side))
    marked = Marked.of(ids, placed)
    behind, before, cut = measure(image, marked, ids, ids)
    assert (behind.visible, behind.box, behind.depth) == (1 - 200 / 1600, (0, 0, 40, 40), 2)
    assert (before.visible, before.box, before.depth) == (1.0, (30, 0, 50, 20), 1)
    assert (cut.visible, cut.box, cut.depth) == (0.5, (0, 80, 10, 100), 0)
    assert [each.color for each in (behind, before, cut)] == [(100, 0, 0), (101, 0, 1), (102, 0, 2)]
    nothing = Image.new("L", (100, 100))
    hidden = measure(image, marked, nothing, ids)
    assert all(i.visible == 0 and i.box is None and i.color is None for i in hidden)


def test_supersampling_measures_the_same_things() -> None:
    row = scene("animal", "cow", number=2, background="beach")
    twice = validate(
        {"snapshot": {"seed": 7}, "render": {"size": SIZE, "pictograph": {"supersample": 2}}}
    )
    smooth = PictographRenderer(twice, vocabulary())
    found, plain = smooth.draw(row).layout, renderer().draw(row).layout
    assert found is not None and plain is not None
    for one, other in zip(found, plain, strict=True):
        assert one.box is not None and other.box is not None and one.visible == other.visible == 1
        assert all(abs(a - b) <= 6 for a, b in zip(one.box, other.box, strict=True))


def piled() -> tuple[Image.Image, Marked]:
    """A square, one before its right half, and one far from both."""
    ids, placed = Image.new("L", (100, 100)), list[Placed]()
    for name, corner in (("o1", (0, 0)), ("o2", (20, 0)), ("o3", (60, 60))):
        placed.append(stamp(ids, placed, (name, 0), square(40), corner))
    return ids, Marked.of(ids, placed)


def test_what_a_thing_hides_is_a_share_of_what_is_behind_it() -> None:
    ids, marked = piled()
    behind, before, apart = measure(Image.new("RGB", (100, 100)), marked, ids, ids)
    assert [each.hides for each in (behind, before, apart)] == [(), ((0, 0.5),), ()]
    assert [each.pixels for each in (behind, before, apart)] == [800, 1600, 1600]
    assert (behind.visible, before.visible) == (0.5, 1.0)


def test_how_things_stand_is_measured_and_not_what_was_planned() -> None:
    ids, marked = piled()
    found = measure(Image.new("RGB", (100, 100)), marked, ids, ids)
    planned = [
        Relation("o2", "left_of", "o3"),
        Relation("o3", "left_of", "o2"),
        Relation("o3", "bottom right"),
        Relation("o1", "left_of", "o3"),
    ]
    behind, before, apart = standing(found, planned, 100)
    ((name, to, other, margin, holds),) = before.relations
    assert (name, to, other, holds) == ("left_of", 2, None, None) and 0 < margin < 1
    (turned, cell) = apart.relations
    assert (turned.object, turned.holds) == (1, False) and turned.margin <= -1
    assert (cell.predicate, cell.object, cell.holds) == ("bottom right", None, True)
    # Half of the first is hidden: whatever its margin, nobody can be sure.
    (unclear,) = behind.relations
    assert unclear.holds is None
    assert standing(found, (), 100) == found


def test_what_cannot_be_seen_stands_nowhere() -> None:
    ids, marked = piled()
    nothing = measure(Image.new("RGB", (100, 100)), marked, Image.new("L", (100, 100)), ids)
    (one,) = standing(nothing, [Relation("o1", "above", "o3")], 100)[0].relations
    assert (one.holds, one.margin) == (None, 0.0)


def test_an_instance_is_read_back_from_its_fields() -> None:
    ids, marked = piled()
    found = measure(Image.new("RGB", (100, 100)), marked, ids, ids)
    for one in standing(found, [Relation("o2", "left_of", "o3")], 100):
        assert Instance.read(json.loads(json.dumps(asdict(one)))) == one
