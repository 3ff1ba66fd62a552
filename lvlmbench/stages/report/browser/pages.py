"""Pages beside the report that together hold every scene, with pictures in full size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lvlmbench.analysis import thumbnails
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.core.untrusted import KEPT
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.browser import images as pictures
from lvlmbench.stages.report.browser import scenes
from lvlmbench.stages.report.browser.budget import base64_bytes
from lvlmbench.stages.report.browser.data import About, Browser, chunked
from lvlmbench.stages.report.browser.encode import encode
from lvlmbench.stages.report.browser.items import Items, Picture

#: Bytes of base64 on a page at most, where it holds more than one scene: what words and scripts
#: take comes on top, and a page stays below 50 MB.
PAGE = 46_000_000
#: Quality of the pictures that show what was changed, which no shard holds.
_QUALITY = 80


def page_name(number: int) -> str:
    """File of a page."""
    return f"part-{number:05d}.html"


def _sizes(snapshot: Snapshot, names: Sequence[str], ids: Sequence[str]) -> dict[str, int]:
    """Scene id -> bytes of base64 that its images take."""
    images = scenes.images_of(snapshot, names, ids)
    out = dict.fromkeys(ids, 0)
    attacked = scenes.attacked(snapshot)
    for name in names:
        of = {i.row["image_id"]: s for s in ids for i in images[s] if i.scenario == name}
        # What an attack changed takes less as WebP than the image itself as the shard has it.
        times = 2 if name in attacked else 1
        for image_id, data in thumbnails.image_bytes(thumbnails.folder_of(snapshot, name), set(of)):
            out[of[image_id]] += times * base64_bytes(len(data))
    return out


def _groups(snapshot: Snapshot, names: Sequence[str]) -> list[list[str]]:
    """Scenes asked about, in their order, in groups of at most :data:`PAGE` bytes."""
    ids = [c.scene_id for c in scenes.candidates(snapshot, names)]
    sizes = _sizes(snapshot, names, ids)
    out: list[list[str]] = []
    total = 0
    for scene in ids:
        total += sizes[scene]
        if not out or total > PAGE:
            out.append([])
            total = sizes[scene]
        out[-1].append(scene)
    return out


def numbers(snapshot: Snapshot, names: Sequence[str]) -> dict[str, int]:
    """Scene id -> number of the page that holds it."""
    groups = _groups(snapshot, names)
    return {scene: number for number, ids in enumerate(groups) for scene in ids}


def _texts(snapshot: Snapshot, items: Items, ids: Sequence[str]) -> dict[Picture, str]:
    """Images as the shards have them, and what was changed, as base64 in the order of the items."""
    pairs = [pair for scene in ids for pair in items.pictures(scene)]
    listed = list(dict.fromkeys(p for _, p in pairs if p is not None))
    wanted = pictures.where(pairs)
    out: dict[Picture, str] = {}
    for scenario, found in wanted.items():
        folder = thumbnails.folder_of(snapshot, scenario)
        for image_id, data in thumbnails.image_bytes(folder, set(found)):
            out[Picture(found[image_id])] = pictures.text(data)
    changed = [p for p in listed if p.before]
    for picture, image in pictures.decoded(snapshot, wanted, changed):
        out[picture] = pictures.text(pictures.webp(image, max(image.size), _QUALITY))
    return {p: out[p] for p in listed if p in out}


def _page(
    snapshot: Snapshot,
    leaderboard: Leaderboard,
    ids: Sequence[str],
    names: Sequence[str],
    total: int,
) -> Browser:
    items = Items(snapshot, leaderboard, ids, names)
    texts = _texts(snapshot, items, ids)
    places: dict[Picture, int | None] = {p: i for i, p in enumerate(texts)}
    chunks = chunked(texts.values())
    head = items.names.head(leaderboard) | {
        "mime": "image/png",
        "items": [items.item(scene, places, KEPT) for scene in ids],
        "chunks": [len(c) for c in chunks],
    }
    about = About(len(ids), total, snapshot.params.render.size, 100, "")
    about = replace(about, shows=snapshot.params.shows)
    return Browser(encode(head), tuple(encode(c) for c in chunks), about)


def pages(snapshot: Snapshot, leaderboard: Leaderboard) -> Iterator[tuple[str, Browser]]:
    """(file, what it holds) of every page, one in memory at a time."""
    names = scenes.scenarios(snapshot, leaderboard.scenarios)
    groups = _groups(snapshot, names)
    total = sum(map(len, groups))
    for number, ids in enumerate(groups):
        yield page_name(number), _page(snapshot, leaderboard, ids, names, total)
