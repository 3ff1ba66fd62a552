"""What scenes can be composed of: the drawable entries of a vocabulary, and how they get on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from lvlmbench.core.errors import UserError
from lvlmbench.scene.vocabulary import Entry, Vocabulary
from lvlmbench.scene.vocabulary.entries import clash
from lvlmbench.scene.vocabulary.keys import THINGS

#: Things smaller than this, in thousandths, must be told from their outlines.
SMALL = 160
#: Percentage of the height from which on all must be ground, so that things stand one farther away
#: than the other.
_GROUND = 70


@dataclass(frozen=True)
class Kind:
    """A kind of thing.

    Attributes
    ----------
    number
        Its place in the stock.
    recolorable
        Whether it can be drawn in any color.
    plain
        Whether it can be told where it is small.
    near
        Labels of what looks like it.
    size
        How large it is in the world; None where that is not clear.
    """

    number: int
    list: str
    label: str
    entry: Entry = field(hash=False)
    recolorable: bool = False
    plain: bool = True
    near: tuple[str, ...] = ()
    size: int | None = None


def _key(noun: str) -> tuple[str, frozenset[str]]:
    """A noun that may be no label, as conflicts are decided."""
    return f"{noun.casefold()}/", frozenset(noun.casefold().split())


def _kinds(vocabulary: Vocabulary, renderer: str | None) -> list[Kind]:
    found: dict[str, Kind] = {}
    for name in THINGS:
        for entry in vocabulary.lists[name].for_renderer(renderer).entries:
            more = entry.extra
            single = entry.article in ("a", "an") and entry.plural != entry.label
            if not single or not more.get("several", True) or entry.label in found:
                continue
            found[entry.label] = Kind(
                len(found),
                name,
                entry.label,
                entry,
                bool(entry.fills),
                bool(more.get("small", True)),
                tuple(label for _, label in vocabulary.near.get((name, entry.label), ())),
                more.get("size"),
            )
    return list(found.values())


class Stock:
    """All kinds of things, and which of them may be called by one another's name."""

    def __init__(self, vocabulary: Vocabulary, renderer: str | None) -> None:
        self.kinds = tuple(_kinds(vocabulary, renderer))
        if len(self.kinds) < 40:
            raise UserError(
                "vocabulary.folder",
                f"holds {len(self.kinds)} countable things that {renderer} draws",
                "composed scenes need 40",
            )
        self.by_label = {kind.label: kind for kind in self.kinds}
        colors = vocabulary.lists["color"].for_renderer(renderer).entries
        self._rgb: dict[str, Sequence[int]] = {e.label: e.extra["rgb"] for e in colors}
        self.colors = tuple(self._rgb)
        lists = vocabulary.lists
        self.backgrounds = tuple(lists["background"].for_renderer(renderer).entries)
        #: Before which things can stand at many distances.
        self.grounds = tuple(e for e in self.backgrounds if e.extra.get("ground", 100) <= _GROUND)
        #: In which nothing may be taken for a thing that stands before it.
        self.bare = tuple(e.label for e in self.backgrounds if e.extra.get("bare"))
        self.styles = tuple(lists["style"].for_renderer(renderer).entries)
        self.weathers = (
            tuple(lists["weather"].for_renderer(renderer).entries) if "weather" in lists else ()
        )
        self.carriers = tuple(lists["carrier"].for_renderer(renderer).entries)
        self.landmarks = tuple(lists["landmark"].for_renderer(renderer).entries)
        self.words = vocabulary.words
        self._shown = {
            e.label: tuple(
                label for key in ("shows", "depicts", "sometimes") for label in e.extra.get(key, ())
            )
            for e in (*self.backgrounds, *self.styles, *self.weathers)
        }
        keys = [kind.entry.key for kind in self.kinds]
        self._clashes = tuple(
            frozenset(j for j, other in enumerate(keys) if clash(one, other) or j in shown)
            for one, shown in zip(keys, self._parts(), strict=True)
        )
        self._pools: dict[tuple[bool, bool, frozenset[str]], tuple[Kind, ...]] = {}
        self._called: dict[str, frozenset[int]] = {}
        self._nouns = {entry.label: entry.key for name in THINGS for entry in lists[name].entries}
        self._pairs: dict[tuple[bool, frozenset[str]], tuple[tuple[Kind, Kind], ...]] = {}

    def _parts(self) -> list[set[int]]:
        """For each kind, the kinds that are a part of it, or that it is a part of."""
        found: list[set[int]] = [set() for _ in self.kinds]
        for kind in self.kinds:
            for part in kind.entry.extra.get("parts", ()):
                for other in self.kinds:
                    if other.entry.words <= _key(part)[1]:
                        found[kind.number].add(other.number)
                        found[other.number].add(kind.number)
        return found

    def clash(self, one: str, other: str) -> bool:
        """Return whether a picture of one may be called by the other's label, too."""
        if one == other:
            return True
        a, b = self.by_label.get(one), self.by_label.get(other)
        return a is not None and b is not None and b.number in self._clashes[a.number]

    def pool(
        self, *, recolorable: bool = False, span: int = 1000, barred: Iterable[str] = ()
    ) -> tuple[Kind, ...]:
        """Return the kinds that can be told at a span and are not barred."""
        key = (recolorable, span < SMALL, frozenset(barred))
        if key not in self._pools:
            numbers = frozenset[int]().union(*map(self._may_be, key[2]))
            self._pools[key] = tuple(
                kind
                for kind in self.kinds
                if (kind.recolorable or not recolorable)
                and (kind.plain or span >= SMALL)
                and kind.number not in numbers
            )
        return self._pools[key]

    def _may_be(self, noun: str) -> frozenset[int]:
        """The kinds that somebody may call by a noun, which may be no label."""
        if noun not in self._called:
            keys = _key(noun), self._nouns.get(noun, _key(noun))
            self._called[noun] = frozenset(
                kind.number
                for kind in self.kinds
                if any(clash(kind.entry.key, key) for key in keys) or self.clash(kind.label, noun)
            )
        return self._called[noun]

    def pairs(
        self, *, span: int = 1000, barred: Iterable[str] = ()
    ) -> tuple[tuple[Kind, Kind], ...]:
        """Return all pairs of kinds of a pool that look alike, each both ways round."""
        key = (span < SMALL, frozenset(barred))
        if key not in self._pairs:
            pool = self.pool(span=span, barred=key[1])
            near = {k.number: {other.number for other in self.neighbors(k)} for k in pool}
            self._pairs[key] = tuple(
                (one, self.kinds[other])
                for one in pool
                for other in sorted(near[one.number])
                if one.number in near.get(other, ()) and self.apart(one, [self.kinds[other]])
            )
        return self._pairs[key]

    def apart(self, kind: Kind, others: Sequence[Kind]) -> bool:
        """Return whether a kind may stand beside others: nobody takes one's name for another."""
        clashes = self._clashes[kind.number]
        return all(other.number not in clashes for other in others)

    def styles_that_keep(self, what: Sequence[str]) -> list[str]:
        """Return styles in which small things keep their ``shape``, ``color`` or ``text``.

        Raises
        ------
        UserError
            There is none.
        """
        found = [style.label for style in self.styles if not style.hidden_small.intersection(what)]
        if not found:
            which = f"no style keeps {' and '.join(what)} of small things"
            raise UserError("vocabulary: style", which, "add one that hides nothing of them")
        return found

    def shown(self, *around: str | None) -> tuple[str, ...]:
        """Return what backgrounds, styles or weathers show by themselves."""
        return tuple(label for each in around for label in self._shown.get(each or "", ()))

    def phrase(self, background: str | None) -> str:
        """Return where things are, in words; nothing where there is no background."""
        return next((e.extra["phrase"] for e in self.backgrounds if e.label == background), "")

    def near_colors(self, color: str) -> list[str]:
        """Return the other colors, the nearest first."""

        def away(other: str) -> int:
            pairs = zip(self._rgb[color], self._rgb[other], strict=True)
            return sum((a - b) * (a - b) for a, b in pairs)

        return sorted((each for each in self.colors if each != color), key=away)

    def neighbors(self, kind: Kind) -> list[Kind]:
        """Return what looks like a kind; else what comes from the same list."""
        found = [self.by_label[label] for label in kind.near if label in self.by_label]
        return found or [k for k in self.kinds if k.list == kind.list and self.apart(k, [kind])]


@lru_cache(maxsize=4)
def stock_of(vocabulary: Vocabulary, renderer: str | None) -> Stock:
    """Return what scenes are composed of; once a process for a vocabulary."""
    return Stock(vocabulary, renderer)
