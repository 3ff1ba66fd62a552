"""The browser's data within a number of bytes: smaller pictures first, then fewer scenes.

A few scenes tell what words and pictures take; the best look in which everything fits is then
made. Where it turns out larger than estimated, the pictures are made again, smaller; only what
does not fit in the smallest look loses scenes, from the end of a list on which nothing else
depends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.selection import Candidate
from lvlmbench.core.untrusted import KEPT
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.browser import images as pictures
from lvlmbench.stages.report.browser import scenes
from lvlmbench.stages.report.browser.budget import Kind, Tried, base64_bytes, kinds, looks
from lvlmbench.stages.report.browser.data import About, Browser, chunked
from lvlmbench.stages.report.browser.encode import encode
from lvlmbench.stages.report.browser.images import Look
from lvlmbench.stages.report.browser.items import Item, Items, Picture
from lvlmbench.stages.report.browser.pages import numbers

#: Scenes that tell how much the others take: about one of each subtask.
_SAMPLE = 24
#: How many more scenes are looked at than should fit, as those tried may be large ones.
_SLACK = 1.5
#: Characters kept of an answer: where answers are long, those of the second.
_KEPT = (KEPT, 400)
#: Part of the room that words may take before answers are cut shorter.
_WORDS = 0.5
#: Bytes of the head beside items and names: the remaining keys, and a number for each chunk.
_KEYS = 1_000
#: Bytes that an item takes in the head beyond its own: a comma, and the page that holds it.
_ITEM = 16


@dataclass(frozen=True)
class _Draft:
    """Items of scenes with what their pictures are made from, before any picture is made."""

    items: Items
    ids: list[str]
    kept: int

    def pictures(self, count: int | None = None) -> list[Picture]:
        """Distinct pictures of the first scenes, in the order of their first use."""
        found = (p for s in self.ids[:count] for _, p in self.items.pictures(s) if p is not None)
        return list(dict.fromkeys(found))

    def wanted(self, count: int | None = None) -> dict[str, dict[str, str]]:
        """Where the images of these pictures lie; see :func:`pictures.where`."""
        return pictures.where(pair for s in self.ids[:count] for pair in self.items.pictures(s))

    def words(self) -> list[int]:
        """Bytes of each scene's item."""
        items = (self.items.item(scene, {}, self.kept) for scene in self.ids)
        return [len(encode(item).encode()) + _ITEM for item in items]


def _draft(
    snapshot: Snapshot,
    leaderboard: Leaderboard,
    found: Sequence[Candidate],
    names: Sequence[str],
    count: int,
    kept: int,
) -> _Draft:
    ids = scenes.chosen(found, count)
    return _Draft(Items(snapshot, leaderboard, ids, names), ids, kept)


class _Trial:
    """Makes the pictures of a draft in each look, those that are seldom needed on demand."""

    def __init__(self, snapshot: Snapshot, draft: _Draft) -> None:
        self._snapshot, self._draft = snapshot, draft
        self._looks = looks(snapshot.params.report.thumbnail_size)

    @cached_property
    def first(self) -> Tried:
        """The looks at the side that is asked for, and the smallest one of all."""
        largest, least = self._looks[0], self._looks[-1]
        return self._tried([look for look in self._looks if look.side == largest.side] + [least])

    @cached_property
    def all(self) -> Tried:
        """All looks."""
        return self.first | self._tried([x for x in self._looks if x not in self.first.means])

    def best(self, found: Sequence[Kind], room: float) -> Look | None:
        """The best look of all in which pictures of these kinds take at most ``room`` bytes."""
        look = self.first.best(found, room)
        return look if look in self._looks[:-1] else self.all.best(found, room)

    def _tried(self, some: Sequence[Look]) -> Tried:
        wanted, listed = self._draft.wanted(), self._draft.pictures()
        of = kinds(wanted, listed)
        sizes: dict[Look, dict[Kind, list[int]]] = {look: {} for look in some}
        decoded = pictures.decoded(self._snapshot, wanted, listed)
        for picture, files in pictures.all_small(decoded, some):
            for look, file in files.items():
                sizes[look].setdefault(of[picture], []).append(base64_bytes(len(file)))
        return Tried.of(sizes)


def _fitting(draft: _Draft, sizes: Mapping[Picture, float], room: float) -> int:
    """How many scenes fit: each adds its words, and the pictures that none before it has."""
    seen: set[Picture] = set()
    for count, (scene, words) in enumerate(zip(draft.ids, draft.words(), strict=True)):
        mine = {p for _, p in draft.items.pictures(scene) if p is not None} - seen
        seen |= mine
        room -= words + sum(sizes.get(p, 0) for p in mine)
        if room < 0:
            return count
    return len(draft.ids)


def _at_most(draft: _Draft, trial: _Trial, room: float) -> int:
    """Scenes that could fit in the smallest look with answers cut short, with some slack."""
    if not draft.ids:
        return 0
    tried = trial.first
    least = list(tried.means)[-1]
    of = kinds(draft.wanted(), draft.pictures())
    words = sum(_Draft(draft.items, draft.ids, _KEPT[1]).words())
    each = (words + tried.total(least, of.values())) / len(draft.ids)
    return int(_SLACK * room / each) + 1


def _made(
    snapshot: Snapshot, draft: _Draft, trial: _Trial, room: float
) -> tuple[Look, int, dict[Picture, str]]:
    """The pictures as base64 in the best look in which all fit; else in the smallest, and of how
    many scenes."""
    wanted, listed = draft.wanted(), draft.pictures()
    of = kinds(wanted, listed)
    left = room - sum(draft.words())
    least = list(trial.first.means)[-1]
    look, count = trial.best(list(of.values()), left), len(draft.ids)
    if look is None:
        # Estimated as well: the pictures of scenes that cannot fit need not be made.
        guess = {p: trial.first.total(least, [kind]) for p, kind in of.items()}
        look, count = least, _fitting(draft, guess, room)
        wanted, listed = draft.wanted(count), draft.pictures(count)
    while True:
        decoded = pictures.decoded(snapshot, wanted, listed)
        texts = {
            picture: pictures.text(files[look])
            for picture, files in pictures.all_small(decoded, [look])
        }
        sizes = {p: len(text) + 3.0 for p, text in texts.items()}
        took = int(sum(sizes.values()))
        if count == len(draft.ids) and took > left:
            smaller = trial.all.next(look, list(of.values()), took, left)
            if smaller is not None:
                look = smaller
                continue
        kept = _Draft(draft.items, draft.ids[:count], draft.kept)
        return look, _fitting(kept, sizes, room), texts


def _left_out(shown: int, wanted: int, look: Look, side: int, megabytes: float) -> str:
    limit = f"to keep to {megabytes:g} MB (report.megabytes)"
    smaller = look.side < side
    if not shown and wanted:
        why = f"the rest of the report leaves no room for one within {megabytes:g} MB"
        gone = f"{wanted:,} of them are left out, since {why} (report.megabytes)."
        return f"{wanted:,} scenes were to be shown; {gone}"
    if shown < wanted:
        also = ", and pictures are smaller than asked for," if smaller else ""
        gone = f"{wanted - shown:,} of them are left out{also} {limit}."
        return f"{wanted:,} scenes were to be shown; {gone}"
    return f"They are smaller than the {side} px asked for, {limit}." if smaller else ""


def build(
    snapshot: Snapshot, leaderboard: Leaderboard, budget: int, alone: bool = False
) -> Browser:
    """The data of the browser in at most ``budget`` bytes.

    Parameters
    ----------
    budget
        Bytes for head and chunks together, without the elements around them.
    alone
        Whether no pages of all scenes are written beside the report, whatever ``report.full`` says.
    """
    settings = snapshot.params.report
    names = scenes.scenarios(snapshot, leaderboard.scenarios)
    found = scenes.candidates(snapshot, names)
    wanted = len(found) if settings.items == "all" else min(settings.items, len(found))
    sample = _draft(snapshot, leaderboard, found, names, min(wanted, _SAMPLE), _KEPT[0])
    trial = _Trial(snapshot, sample)
    room = budget - _KEYS - len(encode(sample.items.names.head(leaderboard)).encode())
    count = min(wanted, _at_most(sample, trial, max(0, room)))
    draft = _draft(snapshot, leaderboard, found, names, count, _KEPT[0])
    room = budget - _KEYS - len(encode(draft.items.names.head(leaderboard)).encode())
    if sum(draft.words()) > _WORDS * room:
        draft = _Draft(draft.items, draft.ids, _KEPT[1])
    look, count, texts = _made(snapshot, draft, trial, room)
    parts = numbers(snapshot, names) if settings.full and not alone else {}
    while True:
        head, chunks = _browser(draft, leaderboard, count, texts, parts)
        if len(head.encode()) + sum(map(len, chunks)) <= budget or not count:
            break
        count -= 1
    left_out = _left_out(count, wanted, look, settings.thumbnail_size, settings.megabytes)
    beside, shows = len(set(parts.values())), snapshot.params.shows
    about = About(count, len(found), look.side, look.quality, left_out, beside, shows)
    return Browser(head, chunks, about)


def _browser(
    draft: _Draft,
    leaderboard: Leaderboard,
    count: int,
    texts: dict[Picture, str],
    parts: dict[str, int],
) -> tuple[str, tuple[str, ...]]:
    listed = [p for p in draft.pictures(count) if p in texts]
    places: dict[Picture, int | None] = {p: i for i, p in enumerate(listed)}
    chunks = chunked(texts[p] for p in listed)
    items: list[Item] = []
    for scene in draft.ids[:count]:
        item = draft.items.item(scene, places, draft.kept)
        items.append(item | {"part": parts[scene]} if scene in parts else item)
    head = draft.items.names.head(leaderboard)
    head |= {"mime": pictures.MIME, "items": items, "chunks": [len(c) for c in chunks]}
    return encode(head), tuple(encode(chunk) for chunk in chunks)
