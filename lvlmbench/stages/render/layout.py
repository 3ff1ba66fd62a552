"""What a picture shows where, measured from an id buffer that was composited with its pixels.

The buffer is as large as the picture (mode L). Pixels of the n-th instance, from 0, are
``mark(n)``, those of the word that is written on it ``mark(n, written=True)``, all others 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from operator import mul
from typing import Any, NamedTuple

from PIL import Image

from lvlmbench.scene import relations
from lvlmbench.scene.graph import Relation
from lvlmbench.scene.relations import Seen

#: Instances that a buffer can tell apart.
MOST = 126

#: Coverage from which on a pixel shows an instance rather than what is behind it.
COVERED = 128

#: What is recorded of a chart: whether its parts, as drawn, show its values.
READS = "reads_back"

Box = tuple[int, int, int, int]

_THRESHOLD = [0] * COVERED + [255] * (256 - COVERED)


def mark(instance: int, written: bool = False) -> int:
    """Return the value of an instance's pixels."""
    return 2 * (instance + 1) + int(written)


class Standing(NamedTuple):
    """How an instance stands to others, and whether it clearly does."""

    predicate: str
    object: int | None
    other: int | None
    margin: float
    holds: bool | None


@dataclass(frozen=True)
class Instance:
    """One thing as it was drawn: columns of :data:`lvlmbench.tables.layouts.LAYOUTS`."""

    object: str
    copy: int
    panel: int
    box: Box | None
    visible: float
    depth: int
    color: tuple[int, int, int] | None
    text_box: Box | None = None
    pixels: int = 0
    hides: tuple[tuple[int, float], ...] = ()
    relations: tuple[Standing, ...] = ()
    part: str | None = None
    label: str | None = None
    fill: str | None = None

    def row(self, image_id: str, scene_id: str, number: int) -> dict[str, Any]:
        """Return the row of an image's instance."""
        found = asdict(self)
        found["hides"] = [{"instance": at, "share": share} for at, share in self.hides]
        found["relations"] = [each._asdict() for each in self.relations]
        for name in ("box", "text_box"):
            found[name] = _named(found[name], "left", "top", "right", "bottom")
        found["color"] = _named(found["color"], "red", "green", "blue")
        return {"image_id": image_id, "scene_id": scene_id, "instance": number, **found}

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Instance:
        """Return an instance from its fields as JSON has them."""
        given: dict[str, Any] = dict(fields)
        for name in ("box", "text_box", "color"):
            given[name] = None if given[name] is None else tuple(given[name])
        given["hides"] = tuple((at, share) for at, share in given["hides"])
        given["relations"] = tuple(Standing(*each) for each in given["relations"])
        return cls(**given)


def _named(values: Sequence[int] | None, *names: str) -> dict[str, int] | None:
    return None if values is None else dict(zip(names, values, strict=True))


@dataclass(frozen=True)
class Placed:
    """One thing as it was composited, back to front.

    Attributes
    ----------
    object, copy
        Which instance of which object of the graph.
    pixels
        How many pixels it covers, those outside the picture or behind other things included.
    over
        Instance behind it -> how many pixels of that it hides.
    panel
        Which panel of the picture it is in.
    part
        Which part of a chart it is.
    reads
        Of a chart, whether its parts show its values; None for all else.
    """

    object: str
    copy: int
    pixels: int
    over: Mapping[int, int] = field(default_factory=dict)
    panel: int = 0
    part: str | None = None
    reads: bool | None = None


def stamp(
    ids: Image.Image,
    placed: Sequence[Placed],
    what: tuple[str, int],
    coverage: Image.Image,
    corner: tuple[int, int],
    ink: Image.Image | None = None,
    panel: int = 0,
    part: str | None = None,
) -> Placed:
    """Composite one more instance into the buffer, before those that are there.

    Parameters
    ----------
    coverage
        Of the instance, mode L; its left upper corner lies at ``corner``.
    ink
        Coverage of the word that is written on it.

    Raises
    ------
    ValueError
        The buffer can tell no more of them apart.
    """
    number = len(placed)
    if number >= MOST:
        raise ValueError(f"an id buffer tells {MOST} instances apart")
    shape = coverage.point(_THRESHOLD)
    # A part of a chart hides nothing of it: it is what the chart shows.
    over = _over(ids, number, shape, corner) if number and part is None else {}
    ids.paste(mark(number), corner, shape)
    if ink is not None:
        ids.paste(mark(number, written=True), corner, ink.point(_THRESHOLD))
    return Placed(*what, pixels=shape.histogram()[255], over=over, panel=panel, part=part)


def _over(ids: Image.Image, n: int, shape: Image.Image, corner: tuple[int, int]) -> dict[int, int]:
    """How many pixels of each of the n instances that are there a shape is to cover."""
    x, y = corner
    part = ids.crop((x, y, x + shape.width, y + shape.height))
    found = _pixels(part.histogram(shape), n)
    return {at: pixels for at, pixels in enumerate(found) if pixels}


@dataclass(frozen=True)
class Marked:
    """An id buffer on its way through a style.

    Attributes
    ----------
    ids
        The buffer.
    placed
        What is in it, back to front.
    seen
        Share of each that composition left to be seen.
    """

    ids: Image.Image
    placed: tuple[Placed, ...]
    seen: tuple[float, ...]

    @classmethod
    def of(cls, ids: Image.Image, placed: Sequence[Placed]) -> Marked:
        """Return what was composited."""
        found = _pixels(ids.histogram(), len(placed))
        whole = {each.object: n for n, each in enumerate(placed) if each.part is None}
        for n, each in enumerate(placed):
            if each.part is not None:
                found[whole[each.object]] += found[n]
        seen = (n / max(each.pixels, 1) for n, each in zip(found, placed, strict=True))
        return cls(ids, tuple(placed), tuple(seen))


def _pixels(counts: Sequence[int], instances: int) -> list[int]:
    """How many pixels show each instance, by the histogram of a buffer."""
    return [counts[mark(n)] + counts[mark(n, written=True)] for n in range(instances)]


def measure(
    image: Image.Image, marked: Marked, ids: Image.Image, whole: Image.Image, panels: int = 1
) -> tuple[Instance, ...]:
    """Return what the final picture shows of each instance.

    Parameters
    ----------
    image
        The picture, mode RGB.
    marked
        What was composited, before the style.
    ids
        The buffer as the style moved it; panel p has the marks of instances p * n to (p + 1) * n.
    whole
        The same before the style hid some of it, by a frame or a mask.
    """
    n = len(marked.placed)
    counts = ids.histogram()
    shown = _pixels(counts, n * panels)
    before = shown if whole is ids else _pixels(whole.histogram(), n * panels)
    found = []
    for number in range(n * panels):
        at, each = number % n, marked.placed[number % n]
        box = color = text_box = None
        if shown[number]:
            box, color = _look(image, ids, number)
            written = mark(number, written=True)
            text_box = _only(ids, written).getbbox() if counts[written] else None
        found.append(
            Instance(
                object=each.object,
                copy=each.copy,
                panel=number // n or each.panel,
                box=box,
                visible=round(marked.seen[at] * shown[number] / max(before[number], 1), 4),
                depth=n - 1 - at,
                color=color,
                text_box=text_box,
                pixels=shown[number],
                part=each.part,
                relations=_reading(each.reads),
                hides=tuple(
                    (number - at + behind, round(pixels / marked.placed[behind].pixels, 4))
                    for behind, pixels in each.over.items()
                ),
            )
        )
    return tuple(found)


def _reading(reads: bool | None) -> tuple[Standing, ...]:
    return () if reads is None else (Standing(READS, None, None, 1.0 if reads else -1.0, reads),)


def seen(number: int, one: Instance, side: int) -> Seen | None:
    """Return an instance as relations take it; None where nothing of it can be seen."""
    if one.box is None:
        return None
    box = relations.Box(*(edge / side for edge in one.box))
    return Seen(number, box, one.pixels / side / side, one.visible, dict(one.hides), one.panel)


def standing(
    found: Sequence[Instance], planned: Sequence[Relation], side: int
) -> tuple[Instance, ...]:
    """Return instances with how they stand to each other, of the relations that were planned."""
    if not planned:
        return tuple(found)
    places: dict[str | None, list[int]] = {}
    for number, one in enumerate(found):
        places.setdefault(one.object, []).append(number)
    added: dict[int, list[Standing]] = {}
    for rule in planned:
        first, second = (places[each][0] if each else None for each in (rule.object, rule.other))
        for number in places[rule.subject]:
            numbers = [at for at in (number, first, second) if at is not None]
            parts = [seen(at, found[at], side) for at in numbers]
            judged = relations.Judged(None, 0.0)
            if None not in parts:
                judged = relations.judge(rule.predicate, *(part for part in parts if part))
            added.setdefault(number, []).append(
                Standing(rule.predicate, first, second, judged.margin, judged.holds)
            )
    return tuple(
        replace(one, relations=tuple(added.get(number, ()))) for number, one in enumerate(found)
    )


def _only(ids: Image.Image, *values: int) -> Image.Image:
    return ids.point([255 * (v in values) for v in range(256)])


def _look(image: Image.Image, ids: Image.Image, number: int) -> tuple[Box, tuple[int, int, int]]:
    """The box of an instance that can be seen, and its mean color, in whole numbers."""
    shape = _only(ids, mark(number), mark(number, written=True))
    box = shape.getbbox()
    assert box is not None
    counts = image.crop(box).histogram(shape.crop(box))
    pixels = sum(counts[:256])
    sums = (sum(map(mul, range(256), counts[c : c + 256])) for c in (0, 256, 512))
    red, green, blue = ((2 * total + pixels) // (2 * pixels) for total in sums)
    return box, (red, green, blue)
