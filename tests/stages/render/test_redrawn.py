"""Glyphs that are drawn anew or changed: each is still there, is changed and keeps its box."""

from __future__ import annotations

import pytest

from lvlmbench.stages.render.kinds.pictograph import art, redrawn
from lvlmbench.stages.render.kinds.pictograph.raster import probe, rasterize

_TABLES = (
    redrawn.ANEW, redrawn.BELOW_LINES, redrawn.OVER_LINES, redrawn.WITHOUT, redrawn.OTHERWISE,
)  # fmt: skip
CODES = sorted({code for table in _TABLES for code in table})


def original(code: str) -> str:
    return (art.folder() / f"{code}.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", CODES)
def test_a_glyph_is_changed_and_stays_within_its_box(code: str) -> None:
    svg = art.svg(code)
    assert rasterize(svg, 72).tobytes() != rasterize(original(code), 72).tobytes()
    assert 'viewBox="0 0 72 72"' in svg
    left, top, right, bottom = probe(svg, (72, 72))
    assert right - left > 20 and bottom - top > 20
    alpha = rasterize(svg, 144).getchannel("A")
    assert not any(alpha.crop(edge).getbbox() for edge in ((0, 0, 144, 1), (0, 143, 144, 144)))


@pytest.mark.parametrize("code", sorted({*redrawn.WITHOUT, *redrawn.OTHERWISE}))
def test_what_is_left_out_or_written_otherwise_stands_in_the_glyph(code: str) -> None:
    source = original(code)
    for words in redrawn.WITHOUT.get(code, ()):
        assert words in source and words not in art.svg(code)
    for old, _ in redrawn.OTHERWISE.get(code, ()):
        assert old in source


def test_other_glyphs_stay_as_they_are() -> None:
    assert art.svg("1F98A") == original("1F98A")
