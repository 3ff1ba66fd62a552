"""The browser's data within a number of bytes: smaller pictures first, then fewer scenes.

What a picture takes is estimated from some of them before all are made, which takes most of the
time; what then does not fit loses scenes from the end of the list, on which nothing else depends.
"""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench.analysis.inputs import Snapshot
from lvlmbench.analysis.standings import Standings
from lvlmbench.analysis.text import KEPT
from lvlmbench.report.browser import pictures, scenes
from lvlmbench.report.browser.data import About, Browser, chunked
from lvlmbench.report.browser.encode import encode
from lvlmbench.report.browser.items import Item, Items, Picture
from lvlmbench.report.browser.pages import numbers
from lvlmbench.report.browser.pictures import Look

#: Fewer bytes than any scene takes, so that no more scenes are looked at than could fit.
_LEAST = 4_000
#: Qualities tried at the requested side, then smaller sides with the quality of each.
_QUALITIES = (80, 65, 50)
_SMALLER = ((224, 55), (192, 55), (160, 50), (128, 50))
#: Scenes whose pictures tell how large the others are.
_SAMPLE = 12
#: Characters kept of an answer: where answers are long, those of the second.
_KEPT = (KEPT, 400)
#: Part of the room that words may take before answers are cut shorter.
_WORDS = 0.5


def looks(side: int) -> list[Look]:
    """From the best look to the smallest; none is larger than asked for."""
    return [Look(side, q) for q in _QUALITIES] + [Look(s, q) for s, q in _SMALLER if s < side]


def _base64(size: float) -> float:
    return 4 * (size + 2) / 3 + 3


class _Draft:
    """Items of scenes with their pictures' places, before it is known how many of them fit."""

    def __init__(
        self, snapshot: Snapshot, standings: Standings, ids: Sequence[str], names: Sequence[str]
    ) -> None:
        self._arguments = (snapshot, standings, ids, names)
        self.ids = list(ids)
        self.items = Items(*self._arguments, kept=_KEPT[0])
        self.of = {scene: self.items.pictures(scene) for scene in self.ids}
        self.kept = _KEPT[0]

    def shorten(self) -> None:
        """Cut answers shorter."""
        self.kept = _KEPT[1]
        self.items = Items(*self._arguments, kept=self.kept)

    def pictures(self, count: int) -> list[Picture]:
        """Distinct pictures of the first scenes, in the order of their first use."""
        found = (p for scene in self.ids[:count] for _, p in self.of[scene] if p is not None)
        return list(dict.fromkeys(found))

    def words(self, count: int) -> list[Item]:
        """The items of the first scenes, without pictures."""
        return [self.items.item(scene, {}) for scene in self.ids[:count]]


def _means(snapshot: Snapshot, draft: _Draft, tried: Sequence[Look]) -> list[float]:
    """Mean bytes of base64 of a picture in each look, from those of a few scenes."""
    sample = [pair for scene in draft.ids[:_SAMPLE] for pair in draft.of[scene]]
    sizes = [[0.0] for _ in tried]
    wanted = pictures.where(sample)
    for picture, image in pictures.decoded(snapshot, wanted, draft.pictures(_SAMPLE)):
        for found, look in zip(sizes, tried, strict=True):
            found.append(_base64(len(pictures.small(picture, image, look))))
    return [sum(found) / max(1, len(found) - 1) for found in sizes]


def _fitting(sizes: Sequence[float], room: float) -> int:
    """How many of these, in order, fit."""
    for count, size in enumerate(sizes):
        room -= size
        if room < 0:
            return count
    return len(sizes)


def _scene_sizes(draft: _Draft, mean: float) -> list[float]:
    """Bytes that each scene adds: its words, and the pictures that none before it has."""
    seen: set[Picture] = set()
    out = []
    for scene, item in zip(draft.ids, draft.words(len(draft.ids)), strict=True):
        mine = {p for _, p in draft.of[scene] if p is not None} - seen
        seen |= mine
        out.append(len(encode(item).encode()) + 40 + mean * len(mine))
    return out


def _plan(snapshot: Snapshot, draft: _Draft, room: int) -> tuple[Look, int]:
    """The best look in which all scenes fit; else the smallest, and how many fit in it."""
    tried = looks(snapshot.params.report.thumbnail_size)
    means = _means(snapshot, draft, tried)
    words = sum(_scene_sizes(draft, 0.0))
    if words > _WORDS * room:
        draft.shorten()
        words = sum(_scene_sizes(draft, 0.0))
    n_pictures = len(draft.pictures(len(draft.ids)))
    for look, mean in zip(tried, means, strict=True):
        if words + mean * n_pictures <= room:
            return look, len(draft.ids)
    return tried[-1], _fitting(_scene_sizes(draft, means[-1]), room)


def _left_out(shown: int, wanted: int, look: Look, side: int, megabytes: float) -> str:
    limit = f"{megabytes:g} MB (report.megabytes)"
    if shown < wanted:
        return (
            f"{wanted:,} scenes were to be shown; {wanted - shown:,} of them are left out, and "
            f"pictures are smaller than asked for, to keep to {limit}."
        )
    if look.side < side:
        return f"They are smaller than the {side} px asked for, to keep to {limit}."
    return ""


def build(snapshot: Snapshot, standings: Standings, budget: int) -> Browser:
    """The data of the browser in at most ``budget`` bytes.

    Parameters
    ----------
    budget
        Bytes for head and chunks together, without the elements around them.
    """
    settings = snapshot.params.report
    names = scenes.scenarios(snapshot, standings.scenarios)
    found = scenes.candidates(snapshot, names)
    wanted = len(found) if settings.items == "all" else min(settings.items, len(found))
    draft = _Draft(snapshot, standings, scenes.chosen(found, min(wanted, budget // _LEAST)), names)
    frame = len(encode(draft.items.names.head(standings))) + 1000
    look, count = _plan(snapshot, draft, int(0.97 * budget) - frame)
    shown = pictures.where(pair for scene in draft.ids[:count] for pair in draft.of[scene])
    texts = {
        picture: pictures.text(pictures.small(picture, image, look))
        for picture, image in pictures.decoded(snapshot, shown, draft.pictures(count))
    }
    parts = numbers(snapshot, names) if settings.full else {}
    while True:
        browser = _browser(draft, standings, count, texts, parts)
        size = len(browser[0].encode()) + sum(map(len, browser[1]))
        if size <= budget or not count:
            break
        count = max(0, min(count - 1, int(count * budget / size)))
    left_out = _left_out(count, wanted, look, settings.thumbnail_size, settings.megabytes)
    return Browser(*browser, About(count, len(found), look.side, look.quality, left_out))


def _browser(
    draft: _Draft,
    standings: Standings,
    count: int,
    texts: dict[Picture, str],
    parts: dict[str, int],
) -> tuple[str, tuple[str, ...]]:
    listed = [p for p in draft.pictures(count) if p in texts]
    places: dict[Picture, int | None] = {p: i for i, p in enumerate(listed)}
    chunks = chunked(texts[p] for p in listed)
    items = []
    for scene in draft.ids[:count]:
        item = draft.items.item(scene, places)
        items.append(item | {"part": parts[scene]} if scene in parts else item)
    head = draft.items.names.head(standings)
    head |= {"mime": pictures.MIME, "items": items, "chunks": [len(c) for c in chunks]}
    return encode(head), tuple(encode(chunk) for chunk in chunks)
