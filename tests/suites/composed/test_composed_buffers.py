"""Layouts of composed scenes agree with what an oracle measures in their id buffers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from lvlmbench.stages.render import layout
from lvlmbench.stages.render.kinds.pictograph import arrangement
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from support.composed_sample import (
    FOLDER,
    Buffers,
    Crowded,
    Row,
    buffers_of,
    drawn,
    laid_out,
    params_of,
    vocabulary,
)
from support.oracle.buffers import colors, measured, shown
from support.oracle.names import names_in
from support.oracle.phrases import SKILLS
from support.oracle.picture import Picture, Thing, from_layout
from support.oracle.verdict import judged

_SIDE = 256
#: A chart is one thing with many parts; its parts are held against its numbers elsewhere.
_PARAMS = params_of(8, sorted({*SKILLS} - {"charts"}), side=_SIDE, seed=2)
#: Colors that things have beside the one that they are drawn in: outlines, glass, wood.
_NEUTRAL = ("black", "white", "gray", "brown")


@dataclass(frozen=True)
class Shot:
    """A scene, its layout as the table has it, and its buffers."""

    scene: Row
    layout: list[Row]
    buffers: Buffers

    @property
    def seen(self) -> Picture:
        """What the buffer shows."""
        own = self.buffers
        return measured(self.scene, own.together, own.alone, names_in(FOLDER), own.objects)

    @property
    def told(self) -> Picture:
        """What the layout says."""
        return from_layout(self.scene, self.layout, _SIDE, names_in(FOLDER))


def _plain(scene: Row) -> Row:
    """The scene in the style that leaves all where it is."""
    return {**scene, "setting": {**scene["setting"], "style": None}}


@pytest.fixture(scope="module")
def renderer() -> PictographRenderer:
    """Draws things so that they hide one another."""
    return Crowded(_PARAMS, vocabulary())


@pytest.fixture(scope="module")
def shots(renderer: PictographRenderer) -> list[Shot]:
    """Scenes of every skill and level."""
    scenes = [_plain(scene) for scene, _ in drawn(_PARAMS).rows()]
    return [Shot(s, laid_out(renderer, s), buffers_of(renderer, s)) for s in scenes]


def _apart(shots: list[Shot]) -> Iterator[tuple[str, Any, Any]]:
    """What layouts say that buffers do not show."""
    for shot in shots:
        for seen, told in zip(shot.seen.things, shot.told.things, strict=True):
            if seen.edges != told.edges or seen.area != told.area:
                yield "box", seen, told
            if abs(seen.visible - told.visible) > 0.001:
                yield "visible", seen, told
            for number in {*seen.hides, *told.hides}:
                if abs(seen.hides.get(number, 0.0) - told.hides.get(number, 0.0)) > 0.001:
                    yield "hides", seen, told


def test_layouts_say_what_the_buffer_shows(shots: list[Shot]) -> None:
    assert len(shots) > 55
    assert sum(bool(thing.hides) for shot in shots for thing in shot.seen.things) > 12
    assert list(_apart(shots)) == []


@pytest.mark.long
def test_questions_hold_of_the_buffer_alone(shots: list[Shot]) -> None:
    sample = drawn(_PARAMS, Crowded(_PARAMS, vocabulary()))
    still = {
        shot.scene["scene_id"]: shot.seen
        for shot, scene in zip(shots, (s for s, _ in drawn(_PARAMS).rows()), strict=True)
        if scene["setting"]["style"] in (None, "flat illustration")
    }
    asked = [row for row in sample.asked(range(2)) if row["scene_id"] in still]
    assert len(asked) > 60
    assert [row for row in asked if judged(row, still[row["scene_id"]]).faults] == []


def _facings(scenes: int) -> Counter[tuple[bool, bool]]:
    """Of things in panels: whether they are turned by their shapes, and by the layout."""
    params = params_of(scenes, ["differences"], side=512, seed=3)
    renderer, found = PictographRenderer(params, vocabulary()), Counter[tuple[bool, bool]]()
    for scene, rows in drawn(params, renderer).rows():
        shot = Shot(scene, rows, buffers_of(renderer, scene))
        first: dict[str, Thing] = {}
        for seen, told in zip(shot.seen.things, shot.told.things, strict=True):
            one = first.setdefault(told.label, told)
            if told.facing and one.number != told.number:
                found[seen.facing != one.facing, told.facing != one.facing] += 1
    return found


@pytest.mark.long
def test_things_face_where_their_shapes_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """What faces the other way in another panel is the mirror image of what it is in the first."""
    found = _facings(48)
    assert found.keys() == {(True, True), (False, False)}
    assert found[True, True] > 5 and found[False, False] > 50
    monkeypatch.setattr(arrangement, "_facing", lambda thing, subject, drawn: drawn)
    assert _facings(48).keys() == {(False, True), (False, False)}


def test_things_show_the_color_that_is_said_of_them(shots: list[Shot]) -> None:
    """More of it than of any other, but for outlines, glass and wood."""
    rgb, found = names_in(FOLDER).rgb, []
    for shot in shots:
        if shot.scene["setting"]["weather"]:
            continue
        for thing in shot.seen.things:
            if thing.color and thing.visible > 0.8:
                mask = shown(shot.buffers.together, thing.number)
                share = colors(shot.buffers.pixels, mask, rgb)
                others = {*rgb} - {thing.color, *_NEUTRAL}
                found.append(share[thing.color] > max(share[each] for each in others))
    assert len(found) > 40
    assert all(found)


def _box_of_another(patch: pytest.MonkeyPatch) -> None:
    true = layout._look
    patch.setattr(layout, "_look", lambda image, ids, n: true(image, ids, max(n - 1, 0)))


def _nothing_hidden(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(layout, "_over", lambda *given: {})


def _all_visible(patch: pytest.MonkeyPatch) -> None:
    true = layout.Marked.of.__func__  # type: ignore[attr-defined]

    def of(cls: type, ids: Any, placed: Any) -> layout.Marked:
        found: layout.Marked = true(cls, ids, placed)
        return layout.Marked(found.ids, found.placed, (1.0,) * len(found.seen))

    patch.setattr(layout.Marked, "of", classmethod(of))


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("plant", "finds"),
    [(_box_of_another, "box"), (_nothing_hidden, "hides"), (_all_visible, "visible")],
)
def test_planted_mistakes_of_measuring_are_found(
    plant: Any, finds: str, renderer: PictographRenderer, shots: list[Shot],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    plant(monkeypatch)
    # What is told is measured with the mistake; what is seen, with the buffers as they are.
    again = [Shot(s.scene, laid_out(renderer, s.scene), s.buffers) for s in shots]
    assert {what for what, _, _ in _apart(again)} == {finds}
