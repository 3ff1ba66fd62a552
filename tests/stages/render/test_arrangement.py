"""Several things in a picture: what is measured is what was drawn; what cannot be is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lvlmbench.scene.charts import Chart
from lvlmbench.scene.graph import Graph, Object, Relation
from lvlmbench.stages.render.kinds.pictograph import arrangement
from lvlmbench.stages.render.kinds.pictograph.renderer import GIVEN_UP, PictographRenderer
from support.composed_scenes import composed, made
from support.render_scenes import vocabulary

#: A shadow reaches so far beyond a thing's box, as a share of the picture's side.
_SHADOW = 0.075
_TWO = ((1, "car"), (2, "bicycle"))


def scene(*things: Object, relations: tuple[Relation, ...] = (), name: str = "s") -> dict[str, Any]:
    graph = Graph(things, relations)
    return {"scene_id": name, "subtask": "spatial", "pair": None, **graph.row()}


def thing(number: int, label: str = "car", span: int = 200, **more: Any) -> Object:
    return Object(f"o{number}", "object", label, span=span, **more)


@pytest.mark.long
def test_pixels_change_only_where_a_thing_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Redraw without one instance: changes lie in its box and shadow, its share is as measured."""
    honest(monkeypatch, 40)


@pytest.mark.long
def test_pixels_change_only_where_each_of_300_was(monkeypatch: pytest.MonkeyPatch) -> None:
    honest(monkeypatch, 300)


def honest(monkeypatch: pytest.MonkeyPatch, wanted: int) -> None:
    found = made(scenes=6 if wanted <= 40 else 24)
    renderer = PictographRenderer(found.params, vocabulary())
    whole, checked = arrangement.compose, 0
    side = found.params.render.size
    for row in found.scenes.to_pylist():
        if row["scene_id"] not in found.images or any(o["chart"] for o in row["objects"]):
            continue
        before = renderer.compose(row)
        assert before.marked is not None
        for number, placed in enumerate(before.marked.placed):

            def without(background: Any, plans: Any, cache: Any, left_out: int = number) -> Any:
                return whole(background, [p for n, p in enumerate(plans) if n != left_out], cache)

            monkeypatch.setattr(arrangement, "compose", without)
            after = renderer.compose(row)
            monkeypatch.setattr(arrangement, "compose", whole)
            changed = np.any(np.asarray(before.image) != np.asarray(after.image), axis=2)
            mine = np.isin(np.asarray(before.marked.ids), (2 * number + 2, 2 * number + 3))
            if not mine.any():
                continue
            rows, columns = np.nonzero(mine)
            reach = int(_SHADOW * side) + 2
            near = np.zeros_like(mine)
            near[
                max(rows.min() - reach, 0) : rows.max() + reach + 1,
                max(columns.min() - reach, 0) : columns.max() + reach + 1,
            ] = True
            # A part that is hidden may lie outside the box of what is seen.
            if before.marked.seen[number] > 0.99 and row["setting"]["weather"] is None:
                assert not (changed & ~near).any(), (row["scene_id"], number)
            share = mine.sum() / placed.pixels
            assert abs(share - before.marked.seen[number]) <= 0.02
            checked += 1
            if checked == wanted:
                return
    assert checked == wanted


def test_planned_relations_are_measured() -> None:
    found = [
        each
        for row in made().layouts.to_pylist()
        for each in row["relations"]
        if each["predicate"] != "reads_back"
    ]
    assert len(found) >= 12
    assert sum(each["holds"] is True for each in found) >= 0.95 * len(found)


def test_what_cannot_be_placed_is_given_up() -> None:
    renderer = PictographRenderer(composed(), vocabulary())
    apart = Relation("o1", "left_of", "o2"), Relation("o1", "right_of", "o2")
    assert renderer.refuses(scene(thing(1), thing(2, "bicycle"), relations=apart)) == GIVEN_UP
    big = [thing(n, span=480) for n in range(1, 7)]
    assert renderer.refuses(scene(*big)) == GIVEN_UP


@pytest.mark.parametrize(
    ("things", "relations", "part"),
    [
        ([thing(1, count=9)], (), "at most 8 things in a picture, not 9"),
        ([thing(1, span=10)], (), "60 to 920 thousandths"),
        ([thing(1)], (Relation("o1", "beside", "o1"),), "does not know the relation 'beside'"),
        ([thing(1)], (Relation("o1", "left_of", "o7"),), "names 'o7', which is no object"),
        ([thing(1), replace(thing(2), panel=2)], (), "1, 2 or 4 panels, not of 3"),
        (
            [thing(1), thing(2, "bicycle")],
            (Relation("o1", "nearer", "o2"),),
            "before 'None', which has no ground",
        ),
        ([thing(1, "no such thing")], (), "does not draw the object 'no such thing'"),
    ],
)
def test_what_is_wrong_is_one_phrase(things: Any, relations: Any, part: str) -> None:
    reason = PictographRenderer(composed(), vocabulary()).refuses(
        scene(*things, relations=relations)
    )
    assert reason is not None and part in reason and "\n" not in reason


def test_a_chart_with_a_negative_share_is_one_phrase() -> None:
    pie = Chart("pie", "", "club", "", ("a", "b"), (120, -20), ("red", "blue"))
    drawn = Object("o1", "chart", "pie", span=800, chart=pie)
    reason = PictographRenderer(composed(), vocabulary()).refuses(scene(drawn))
    assert reason is not None and "has a share of -20 %" in reason


def test_a_scene_is_the_same_alone_and_among_others() -> None:
    found = made()
    rows = found.scenes.to_pylist()[::5]
    renderer = PictographRenderer(found.params, vocabulary())
    for row in reversed(rows):
        if row["scene_id"] in found.images:
            assert renderer.draw(row).image.tobytes() == found.images[row["scene_id"]].tobytes()


def test_the_shapes_of_hiding_are_measured() -> None:
    front = scene(
        thing(1, span=300),
        thing(2, "bicycle", span=300),
        relations=(Relation("o2", "in_front_of", "o1"),),
    )
    renderer = PictographRenderer(composed(size=512), vocabulary())
    assert renderer.refuses(front) is None
    layout = renderer.draw(front).layout or ()
    hidden, over = layout
    assert (hidden.object, over.object) == ("o1", "o2")
    ((at, share),) = over.hides
    assert at == 0 and 0.1 < share < 0.5
    assert abs((1 - hidden.visible) - share) <= 0.02
    assert over.visible > 0.99 and not hidden.hides


@pytest.mark.parametrize("by", [(-70, 0), (0, 80)])
def test_a_thing_may_stand_aside_of_its_place(by: tuple[int, int]) -> None:
    """It has room there; all else has the same place in both panels."""
    before = [replace(thing(n, label), id=f"o{n}.0", panel=0) for n, label in _TWO]
    after = [replace(one, id=f"{one.slot}.1", panel=1) for one in before]
    after[0] = replace(after[0], aside=by)
    side = 512
    renderer = PictographRenderer(composed(size=side), vocabulary())
    row = scene(*before, *after)
    assert renderer.refuses(row) is None
    boxes = [one.box for one in renderer.draw(row).layout or ()]
    moved, still = (
        [(b - a) / side for a, b in zip(boxes[n], boxes[n + 2], strict=True)] for n in (0, 1)
    )
    assert still == pytest.approx([0.512, 0, 0.512, 0], abs=0.004)
    x, y = (each / 1000 for each in by)
    assert moved == pytest.approx([0.512 + x, y, 0.512 + x, y], abs=0.004)
