"""What is known of drawings is what they show."""

from __future__ import annotations

import csv

import pytest

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.stages.render.kinds.pictograph.raster import StickerCache
from lvlmbench.stages.render.kinds.pictograph.subjects import Subjects
from lvlmbench.suites.graphs.stock import stock_of
from lvlmbench.suites.valor.outlines import FOLDER, outline
from scripts.drawing_areas import percents
from support.render_scenes import vocabulary


def test_all_things_have_an_area_and_it_is_the_one_that_is_drawn() -> None:
    stock = stock_of(vocabulary(), "pictograph")
    text = (PROJECT_ROOT / FOLDER / "areas.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert [(row["list"], row["label"]) for row in rows] == [(k.list, k.label) for k in stock.kinds]
    subjects, cache = Subjects(vocabulary()), StickerCache()
    for kind in stock.kinds[::23]:
        measured = [each / 100 for each in percents(kind, subjects, cache)]
        assert outline(kind) == pytest.approx(tuple(measured))


def test_what_lies_across_its_square_is_longer_than_its_side() -> None:
    kinds = {kind.label: kind for kind in stock_of(vocabulary(), "pictograph").kinds}
    lengths = [found.length for label in ("syringe", "hammer") if (found := outline(kinds[label]))]
    assert lengths[0] > 1.25 > lengths[1] >= 1
