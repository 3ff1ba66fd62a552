"""Several things in one picture: posed, placed by the solver, composited back to front."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from math import ceil
from typing import TypeAlias

import numpy as np
from PIL import Image, ImageFilter

from lvlmbench.core.seeding import generator
from lvlmbench.scene import panels
from lvlmbench.scene.charts import Chart
from lvlmbench.scene.graph import Graph, Object, Relation
from lvlmbench.scene.relations import PREDICATES, spot_of
from lvlmbench.stages.render import solver
from lvlmbench.stages.render.kinds.pictograph import charts, lettering, raster
from lvlmbench.stages.render.kinds.pictograph.charts import Drawing, Seen
from lvlmbench.stages.render.kinds.pictograph.charts.registry import CHARTS
from lvlmbench.stages.render.kinds.pictograph.layout import half_tangent
from lvlmbench.stages.render.kinds.pictograph.picture import Picture
from lvlmbench.stages.render.kinds.pictograph.raster import Pose, StickerCache
from lvlmbench.stages.render.kinds.pictograph.subjects import Subject
from lvlmbench.stages.render.layout import Marked, Placed, mark, stamp

#: Instances that one picture shows at most.
MOST = 8
#: Longest sides that can be drawn, in thousandths of the picture's.
SPANS = (60, 920)
#: Things lean by no more degrees than this: their places are to be told.
_TILT = 7.0
#: Longest side, in pixels, of the raster that a thing's shape is taken from.
_OUTLINE = 64
#: A thing ends so much above the lower edge of its box.
_RIM = 8
_SHADOW = [v * 88 // 255 for v in range(256)]


@dataclass(frozen=True)
class Plan:
    """One instance before it is drawn: how it lies, where its center is (in thousandths), and
    what a chart's look is drawn from."""

    object: Object
    copy: int
    subject: Subject
    pose: Pose
    center: tuple[int, int]
    look: int = 0


def refuses(graph: Graph) -> str | None:
    """Return why things cannot be arranged, whatever they are; None when they can."""
    if graph.panels not in panels.GRIDS:
        return f"pictograph draws pictures of 1, 2 or 4 panels, not of {graph.panels}"
    n = max(
        sum(thing.instances for thing in graph.objects if (thing.panel or 0) == panel)
        for panel in range(graph.panels)
    )
    if n > MOST:
        return f"pictograph draws at most {MOST} things in a picture, not {n}"
    ids = {thing.id for thing in graph.objects}
    for thing in graph.objects:
        if not SPANS[0] <= (thing.span or 0) <= SPANS[1]:
            return f"pictograph draws things of {SPANS[0]} to {SPANS[1]} thousandths of the side"
    for one in graph.relations:
        if one.predicate not in PREDICATES and spot_of(one.predicate) is None:
            return f"pictograph does not know the relation '{one.predicate}'"
        unknown = {one.subject, one.object, one.other} - ids - {None}
        if unknown:
            return f"a relation names '{min(map(str, unknown))}', which is no object of the scene"
    return None


def deep(graph: Graph) -> list[Relation]:
    """Return the relations that need a ground that reaches into the distance."""
    return [one for one in graph.relations if one.predicate in solver.DEEP]


def upright(graph: Graph) -> set[str]:
    """Return what does not lean: what is on or in something, and what is told by its size."""
    found = {one.subject for one in graph.relations if one.predicate in ("on", "inside")}
    for one in graph.relations:
        if one.predicate in ("larger", "smaller"):
            found |= {one.subject, str(one.object)}
    return found


def _facing(thing: Object, subject: Subject, drawn: bool) -> bool:
    """Whether a thing is mirrored: as its facing wants, else by chance where it may be."""
    if thing.facing is None or subject.faces is None or not subject.mirror:
        return drawn and subject.mirror
    return thing.facing != subject.faces


def looks(graph: Graph, rng: np.random.Generator) -> dict[str, np.random.Generator]:
    """Return a stream for each of a graph's looks, which hangs on no other look."""
    base = int(rng.integers(1 << 62))
    return {look: generator(base, "look", look) for look in map(graph.look, graph.objects)}


def plans(
    graph: Graph,
    subjects: Sequence[Subject],
    cache: StickerCache,
    rng: np.random.Generator,
    ground: int | None = None,
) -> list[Plan] | None:
    """Return how each instance lies, back to front; None where the solver gives up.

    What is nearer or farther than something stands on the ground, which begins at this percentage
    of a panel's height.
    """
    lie, stand = rng.spawn(2)
    room, origins = panels.first(graph.panels), panels.origins(graph.panels)
    posed: list[tuple[Object, int, Subject, Pose]] = []
    things: dict[tuple[str, int], solver.Thing] = {}
    still = upright(graph)
    grounded = {each for one in deep(graph) for each in (one.subject, one.object)}
    lies = looks(graph, lie)
    for thing, subject in zip(graph.objects, subjects, strict=True):
        own = deepcopy(lies[graph.look(thing)])  # alike in all panels
        for copy in range(thing.instances):
            tilt = half_tangent(own, 0.0 if thing.id in still else min(subject.tilt, _TILT))
            mirrored = _facing(thing, subject, bool(own.random() < 0.5))
            # What is told to face another way becomes its own mirror image.
            leans = -tilt if mirrored and thing.facing is not None else tilt
            pose = Pose(1.0, leans, mirrored)
            posed.append((thing, copy, subject, pose))
            found = replace(_thing(thing, subject, pose, cache), room=room)
            if ground is not None and thing.id in grounded:
                found = replace(found, ground=(room[3] * ground // 100, room[3]))
            before = things.get((thing.slot, copy))
            things[thing.slot, copy] = found if before is None else _larger(before, found)
    places = _places(graph, things, stand)
    if places is None:
        return None
    plan = [
        Plan(
            *each,
            _moved(
                places[each[0].slot, each[1]], origins[each[0].panel or 0], each[0].aside or (0, 0)
            ),
            int(stand.integers(1 << 31)) if each[2].chart is not None else 0,
        )
        for each in posed
    ]
    return [plan[at] for at in _back_to_front(plan, graph)]


_Things: TypeAlias = dict[tuple[str, int], solver.Thing]


def _places(
    graph: Graph, things: _Things, rng: np.random.Generator
) -> dict[tuple[str, int], tuple[int, int]] | None:
    """Where things are to stand in their panels, by slot and copy; None where the solver gives up.

    Panels that share no place are solved by themselves: what one shows moves nothing in another.
    """
    panel_of = {thing.slot: thing.panel or 0 for thing in graph.objects}
    asides = dict.fromkeys(panel_of, (0, 0))
    asides |= {thing.slot: thing.aside for thing in graph.objects if thing.aside}
    groups = [things]
    if graph.panels > 1 and len(panel_of) == len(graph.objects):
        by_panel: dict[int, _Things] = {}
        for slot, thing in things.items():
            by_panel.setdefault(panel_of[slot[0]], {})[slot] = thing
        groups = [by_panel[panel] for panel in sorted(by_panel)]
    found: dict[tuple[str, int], tuple[int, int]] = {}
    streams = [rng] if len(groups) == 1 else rng.spawn(len(groups))
    for group, own in zip(groups, streams, strict=True):
        ids = {thing.object for thing in group.values()}
        relations = [each for each in graph.relations if each.subject in ids]
        roomy = [_wider(thing, asides[slot]) for (slot, _), thing in group.items()]
        centers = solver.Solver(roomy, relations, own).solve()
        if centers is None:
            return None
        for at, center in zip(group, centers, strict=True):
            found[at] = _moved(center, tuple(-by // 2 for by in asides[at[0]]))
    return found


def _moved(center: tuple[int, int], *by: tuple[int, ...]) -> tuple[int, int]:
    return center[0] + sum(each[0] for each in by), center[1] + sum(each[1] for each in by)


def _wider(thing: solver.Thing, by: tuple[int, int]) -> solver.Thing:
    """What has room for a thing at its place, and aside of it."""
    return replace(thing, width=thing.width + abs(by[0]), height=thing.height + abs(by[1]))


def _larger(a: solver.Thing, b: solver.Thing) -> solver.Thing:
    """What has room for either of two things that share a place in different panels."""
    width, height = max(a.width, b.width), max(a.height, b.height)
    return replace(a if a.shape.size >= b.shape.size else b, width=width, height=height)


def _thing(thing: Object, subject: Subject, pose: Pose, cache: StickerCache) -> solver.Thing:
    """The box and the shape of an instance, in thousandths."""
    if subject.chart is not None:
        columns = (thing.span or 0) // solver.CELL
        rows = ceil(columns * CHARTS.get(subject.chart.kind, "chart").aspect)
        size = columns * solver.CELL, rows * solver.CELL
        return solver.Thing(thing.id, *size, np.ones((rows, columns), dtype=np.bool_))
    small = cache.sticker(subject.art, _OUTLINE).mask
    scale = _span(thing, subject, cache) / solver.CELL / max(small.size)
    shape = raster.posed(small, Pose(scale, pose.half_tan, pose.mirrored))
    cells = np.asarray(shape) >= 128
    width, height = (side * solver.CELL for side in shape.size)
    return solver.Thing(thing.id, width, height, cells, seat=_seat(thing, subject, cache))


def _seat(
    thing: Object, subject: Subject, cache: StickerCache
) -> tuple[int, int | None, int, int] | None:
    """Where something can be on a prop or in it, from its center, in thousandths."""
    prop = subject.prop
    if prop is None:
        return None
    left, top, right, bottom = cache.box(subject.art)
    unit = _span(thing, subject, cache) / max(right - left, bottom - top)
    x, y = (left + right) / 2, (top + bottom) / 2
    high = None if prop.top is None else round((prop.top - y) * unit)
    west, east = (round((edge - x) * unit) for edge in prop.across)
    return west, high, east, round((prop.foot - y) * unit) + _RIM


def _span(thing: Object, subject: Subject, cache: StickerCache) -> float:
    """Longest side of what is drawn, in thousandths."""
    span = float(thing.span or 0)
    if not subject.whole:
        return span
    left, top, right, bottom = cache.box(subject.art)
    return span * max(right - left, bottom - top) / max(subject.art.view)


def _back_to_front(found: Sequence[Plan], graph: Graph) -> list[int]:
    """Places of the instances in drawing order: as they are listed, what is behind before."""
    over = {
        (one.subject, one.object) if one.predicate != "behind" else (one.object, one.subject)
        for one in graph.relations
        if one.predicate in ("in_front_of", "behind", "inside", "on")
    }
    order: list[int] = []

    def add(at: int) -> None:
        if at in order:
            return
        for other, plan in enumerate(found):
            if (found[at].object.id, plan.object.id) in over:
                add(other)
        order.append(at)

    for at in range(len(found)):
        add(at)
    return order


def compose(background: Image.Image, found: Sequence[Plan], cache: StickerCache) -> Picture:
    """The things on the background (RGB, square; it is drawn on)."""
    canvas = background.width
    mask, ids = Image.new("L", background.size), Image.new("L", background.size)
    placed: list[Placed] = []
    for plan in found:
        drawing = None if plan.subject.chart is None else drawn_chart(plan, canvas)
        if drawing is not None:
            rgb, coverage, ink = drawing.rgb, drawing.coverage, None
        else:
            rgb, coverage, ink = _drawn(plan, canvas, cache)
        x, y = (canvas * c / solver.SIDE for c in plan.center)
        corner = round(x - coverage.width / 2), round(y - coverage.height / 2)
        _cast_shadow(background, coverage, corner)
        background.paste(rgb, corner, coverage)
        mask.paste(255, corner, coverage)
        what, panel = (plan.object.id, plan.copy), plan.object.panel or 0
        placed.append(stamp(ids, placed, what, coverage, corner, ink, panel))
        if drawing is not None and plan.subject.chart is not None:
            placed = _with_parts(ids, placed, drawing, plan.subject.chart, corner)
    return Picture(background, mask, None, Marked.of(ids, placed))


def _drawn(
    plan: Plan, canvas: int, cache: StickerCache
) -> tuple[Image.Image, Image.Image, Image.Image | None]:
    """Colors, coverage and, of a word, its coverage."""
    subject = plan.subject
    span = canvas * _span(plan.object, subject, cache) / solver.SIDE
    if subject.lettering is not None or plan.object.instances > 1:
        sticker = cache.sticker(subject.art, span)
        pose = Pose(span / max(sticker.mask.size), plan.pose.half_tan, plan.pose.mirrored)
        rgb, ink = sticker.rgb, None
        if subject.lettering is not None:
            rgb, written, _ = lettering.written(sticker, *subject.lettering)
            ink = raster.posed(written, pose)
        return raster.posed(rgb, pose), raster.posed(sticker.mask, pose), ink
    box = cache.box(subject.art)
    width, height = box[2] - box[0], box[3] - box[1]
    rim = raster.margins(span)[1]
    unit = (span - 2 * rim) / max(width, height)
    size = ceil(width * unit) + 2 * rim, ceil(height * unit) + 2 * rim
    extent = plan.pose.extent(*size)
    return *raster.tilted(subject.art, box, unit, plan.pose, extent), None


def drawn_chart(plan: Plan, canvas: int) -> Drawing:
    """Return the chart of an instance as it is drawn.

    Raises
    ------
    UserError
        It cannot be read at this size.
    """
    assert plan.subject.chart is not None
    side = round(canvas * (plan.object.span or 0) / solver.SIDE)
    return charts.draw(plan.subject.chart, side, np.random.default_rng(plan.look))


def _with_parts(
    ids: Image.Image,
    placed: list[Placed],
    drawing: Drawing,
    chart: Chart,
    corner: tuple[int, int],
) -> list[Placed]:
    """The parts of a chart behind the chart, which says whether they show its values."""
    at, board = len(placed) - 1, placed[-1]
    for part in drawing.parts:
        what = board.object, len(placed) - at
        placed.append(stamp(ids, placed, what, part.mask, corner, None, board.panel, part.name))
    seen: dict[str, Seen] = {}
    for number in range(at + 1, len(placed)):
        shape = ids.point([255 * (value == mark(number)) for value in range(256)])
        box = shape.getbbox()
        if box is not None:
            x, y = corner
            inside = box[0] - x, box[1] - y, box[2] - x, box[3] - y
            seen[str(placed[number].part)] = Seen(inside, shape.histogram()[255])
    placed[at] = replace(board, reads=charts.reads_back(chart, seen))
    return placed


def _cast_shadow(background: Image.Image, coverage: Image.Image, corner: tuple[int, int]) -> None:
    """A soft shadow, a little below a thing, worked out at a quarter of the size."""
    canvas = background.width
    factor = 4 if canvas >= 256 else 1
    blur, drop = canvas / factor * 0.012, max(1, round(canvas / factor * 0.011))
    pad = (ceil(blur * 3) + drop) * factor
    room = Image.new("L", (coverage.width + 2 * pad, coverage.height + 2 * pad))
    room.paste(coverage, (pad, pad + drop * factor))
    soft = room.reduce(factor).filter(ImageFilter.GaussianBlur(blur)).point(_SHADOW)
    soft = soft.resize(room.size, Image.Resampling.BILINEAR)
    background.paste((16, 20, 30), (corner[0] - pad, corner[1] - pad), soft)
