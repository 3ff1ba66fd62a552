"""What is known of drawings is what they show."""

from __future__ import annotations

import csv

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.stages.render.kinds.pictograph.raster import StickerCache
from lvlmbench.stages.render.kinds.pictograph.subjects import Subjects
from lvlmbench.suites.graphs.stock import stock_of
from lvlmbench.suites.valor.outlines import FOLDER, share
from scripts.drawing_areas import percent
from support.render_scenes import vocabulary


def test_all_things_have_an_area_and_it_is_the_one_that_is_drawn() -> None:
    stock = stock_of(vocabulary(), "pictograph")
    text = (PROJECT_ROOT / FOLDER / "areas.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert [(row["list"], row["label"]) for row in rows] == [(k.list, k.label) for k in stock.kinds]
    subjects, cache = Subjects(vocabulary()), StickerCache()
    for kind in stock.kinds[::23]:
        assert share(kind) == percent(kind, subjects, cache) / 100
