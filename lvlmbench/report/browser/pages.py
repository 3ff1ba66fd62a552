"""Pages beside the report that together hold every scene, with pictures in full size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lvlmbench.analysis import thumbnails
from lvlmbench.analysis.inputs import Snapshot
from lvlmbench.analysis.standings import Standings
from lvlmbench.analysis.text import KEPT
from lvlmbench.report.browser import pictures, scenes
from lvlmbench.report.browser.data import About, Browser, chunked
from lvlmbench.report.browser.encode import encode
from lvlmbench.report.browser.items import Items, Picture

#: Bytes of images on a page, about: what PNG takes of noisy pictures, at two bytes a pixel.
PAGE = 36_000_000
_BYTES_PER_PIXEL = 2


def page_name(number: int) -> str:
    """File of a page."""
    return f"part-{number:05d}.html"


def _groups(snapshot: Snapshot, names: Sequence[str]) -> list[list[str]]:
    """Scenes asked about, in their order, in groups of about :data:`PAGE` bytes.

    By the sizes of the images in pixels, so that no image needs to be read.
    """
    ids = [c.scene_id for c in scenes.candidates(snapshot, names)]
    images = scenes.images_of(snapshot, names, ids)
    out: list[list[str]] = []
    size = PAGE
    for scene in ids:
        pixels = sum(i.row["width"] * i.row["height"] for i in images[scene] if i.sha256)
        if size >= PAGE:
            out.append([])
            size = 0
        out[-1].append(scene)
        size += _BYTES_PER_PIXEL * pixels
    return out


def numbers(snapshot: Snapshot, names: Sequence[str]) -> dict[str, int]:
    """Scene id -> number of the page that holds it."""
    groups = _groups(snapshot, names)
    return {scene: number for number, ids in enumerate(groups) for scene in ids}


def _page(
    snapshot: Snapshot, standings: Standings, ids: Sequence[str], names: Sequence[str], total: int
) -> Browser:
    items = Items(snapshot, standings, ids, names, kept=KEPT)
    pairs = [pair for scene in ids for pair in items.pictures(scene)]
    listed = [p for p in dict.fromkeys(p for _, p in pairs) if p is not None and not p.before]
    texts: dict[Picture, str] = {}
    for scenario, wanted in pictures.where(pairs).items():
        folder = snapshot.data / "images" / scenario
        for image_id, data in thumbnails.image_bytes(folder, set(wanted)):
            texts[Picture(wanted[image_id])] = pictures.text(data)
    listed = [p for p in listed if p in texts]
    places: dict[Picture, int | None] = {p: i for i, p in enumerate(listed)}
    chunks = chunked(texts[p] for p in listed)
    head = items.names.head(standings) | {
        "mime": "image/png",
        "items": [items.item(scene, places) for scene in ids],
        "chunks": [len(c) for c in chunks],
    }
    side = snapshot.params.render.size
    return Browser(
        encode(head), tuple(encode(c) for c in chunks), About(len(ids), total, side, 100, "")
    )


def pages(snapshot: Snapshot, standings: Standings) -> Iterator[tuple[str, Browser]]:
    """(file, what it holds) of every page, one in memory at a time."""
    names = scenes.scenarios(snapshot, standings.scenarios)
    groups = _groups(snapshot, names)
    total = sum(map(len, groups))
    for number, ids in enumerate(groups):
        yield page_name(number), _page(snapshot, standings, ids, names, total)
