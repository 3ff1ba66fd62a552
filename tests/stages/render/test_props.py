"""What stands on a prop stands on something that was drawn; what is in it can be seen."""

from __future__ import annotations

import numpy as np
import pytest

from lvlmbench.stages.render.kinds.pictograph.props import PROPS, SUNK, Prop
from lvlmbench.stages.render.kinds.pictograph.raster import Art, rasterize

SUPPORTS = [prop for prop in PROPS.values() if prop.surfaces]
CONTAINERS = [prop for prop in PROPS.values() if prop.opening]


def alpha(art: Art) -> np.ndarray:
    """Coverage at one pixel a unit."""
    return np.asarray(rasterize(art.source(), art.view[0]).getchannel("A"))


def name(prop: Prop) -> str:
    return prop.label


def test_each_prop_is_to_stand_on_or_to_be_in() -> None:
    assert len(SUPPORTS) >= 4 and len(CONTAINERS) >= 4
    assert all(bool(p.surfaces) != bool(p.opening) for p in PROPS.values())
    assert all(label == prop.label for label, prop in PROPS.items())


@pytest.mark.parametrize("prop", SUPPORTS, ids=name)
def test_a_surface_was_drawn_all_along(prop: Prop) -> None:
    drawn = alpha(prop.art())
    for x0, x1, y in prop.surfaces:
        assert x1 - x0 >= 0.5 * prop.view[0]
        # Board before and behind the lower edge of what stands there.
        for row in (y - 6, y, y + 6):
            assert (drawn[int(row), int(x0) : int(x1) + 1] == 255).all()


@pytest.mark.parametrize("prop", SUPPORTS, ids=name)
def test_headroom_is_free(prop: Prop) -> None:
    art = prop.art()
    pixels = np.asarray(rasterize(art.source(), art.view[0]).convert("RGB")).astype(int)
    for x0, x1, y in prop.surfaces:
        assert prop.headroom is None or prop.headroom < y
        if prop.headroom is not None:
            middle = pixels[int(y - prop.headroom) : int(y) - 16, int(x0 + 8) : int(x1 - 8)]
            assert (middle == middle[0, 0]).all()


@pytest.mark.parametrize("prop", CONTAINERS, ids=name)
def test_what_is_in_it_is_seen_and_is_held(prop: Prop) -> None:
    opening = prop.opening
    assert opening is not None
    left, top, right, bottom = map(int, opening)
    assert 0 <= left < right <= prop.view[0] and 0 <= top < bottom <= prop.view[1]
    art = prop.front_art()
    front = np.zeros(prop.view[::-1]) if art is None else alpha(art)
    for height in (20, 60, bottom - top):
        foot = prop.foot(height)
        hidden = front[int(foot - height) : int(foot), left:right] > 127
        assert hidden.mean() <= SUNK + 0.12
        if prop.rim is not None:
            # The lower edge is behind the front from side to side: nothing hangs in the air.
            assert (front[int(foot) - 1, left:right] == 255).all() or height < 30
            assert foot > prop.rim
        else:
            assert top <= foot - height and foot <= bottom


def test_nothing_is_in_a_table() -> None:
    with pytest.raises(ValueError, match="in a table"):
        PROPS["table"].foot(10)
