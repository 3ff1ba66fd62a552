"""What a skill plans a scene and asks about it with: a level, the stock, random choices."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import isqrt

from lvlmbench.core.errors import UserError
from lvlmbench.scene.graph import Object, Setting
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.graphs.level import Level
from lvlmbench.suites.graphs.stock import SMALL, Kind, Stock
from lvlmbench.suites.graphs.wording import Words

#: Tries at kinds that get on with those that are there.
_TRIES = 200


@dataclass(frozen=True)
class Kit:
    """Of one scene: its level and all that is drawn from."""

    level: Level
    stock: Stock
    draws: Draws
    words: Words

    def setting(
        self,
        *keeps: str,
        plain: bool = False,
        ground: bool = False,
        bare: bool = False,
        without: Collection[str] = (),
    ) -> Setting:
        """Return a background and a style that leaves to small things what ``keeps`` says.

        ``keeps`` holds ``shape``, ``color`` or ``text``; ``plain`` wants the plainest style,
        ``ground`` a background on which things can stand, ``bare`` none or one that shows nothing
        that may be taken for one of the things, and ``without`` one that shows nothing of these
        names, or none where all do.
        """
        background, styles = None, self.stock.styles_that_keep(keeps)
        if self.level.background and bare:
            background = self.draws.pick((None, *self.stock.bare))
        elif self.level.background:
            known = self.stock.grounds if ground else self.stock.backgrounds
            if without:
                known = tuple(e for e in known if not {*without} & {*self.stock.shown(e.label)})
            background = self.draws.pick(known).label if known else None
        weather = self._weather(background, keeps) if self.level.weather else None
        plain = plain or weather is not None or not self.level.style
        return Setting(background, styles[0] if plain else self.draws.pick(styles), weather=weather)

    def _weather(self, background: str | None, keeps: Sequence[str]) -> str | None:
        """Weather that a background may have, in half of the pictures that may have some."""
        found = self.weathers(background, keeps)
        return self.draws.pick(found) if found and self.draws.chance() else None

    def weathers(self, background: str | None, keeps: Sequence[str]) -> list[str]:
        """Return what weather a background may have that leaves to things what ``keeps`` says."""
        small = self.level.span[0] < SMALL
        return [
            entry.label
            for entry in self.stock.weathers
            if background in entry.extra.get("suits", ())
            and not {*keeps} & entry.hidden
            and not (small and "color" in entry.hidden)
        ]

    def barred(self, setting: Setting) -> tuple[str, ...]:
        """Return labels of what background, style and weather show by themselves."""
        return self.stock.shown(setting.background, setting.style, setting.weather)

    def size(self) -> int:
        """Return how many things the level wants."""
        return self.draws.within(*self.level.things)

    def spans(self, n: int) -> list[int]:
        """Return longest sides of n things, large ones first; many things are smaller."""
        low, high = self.level.span
        room = isqrt(560_000 // self.level.panels // max(n, 1)) - 30
        high = max(min(high, room), low)
        return sorted((self.draws.within(low, high) for _ in range(n)), reverse=True)

    def kinds(
        self,
        n: int,
        setting: Setting,
        *,
        recolorable: bool = False,
        beside: Sequence[Kind] = (),
        of: Sequence[Kind] | None = None,
    ) -> list[Kind]:
        """Return n kinds that nobody takes for each other, for those beside, or the backdrop.

        Raises
        ------
        UserError
            The vocabulary has too few.
        """
        pool = of
        if pool is None:
            pool = self.stock.pool(
                recolorable=recolorable, span=self.level.span[0], barred=self.barred(setting)
            )
        found: list[Kind] = []
        for _ in range(_TRIES if pool else 0):
            if len(found) == n:
                return found
            kind = self.draws.pick(pool)
            if self.stock.apart(kind, [*found, *beside]):
                found.append(kind)
        if len(found) == n:
            return found
        raise UserError(
            "vocabulary.folder",
            f"holds too few kinds of things to find {n} that nobody takes for each other",
            "add entries",
        )

    def alike(
        self, setting: Setting, beside: Sequence[Kind] = (), of: Sequence[Kind] | None = None
    ) -> list[Kind]:
        """Return two kinds that look alike, where there are such.

        Each pair is as likely as any other, either way round: of a kind that looks like many, one
        cannot tell whether it was drawn for itself or for another's sake.
        """
        found = self._pairs(setting, of)
        for _ in range(_TRIES if found else 0):
            pair = self.draws.pick(found)
            if all(self.stock.apart(kind, beside) for kind in pair):
                return list(pair)
        return self.kinds(2, setting, beside=beside, of=of)

    def pairs(
        self,
        right: Kind,
        setting: Setting,
        beside: Sequence[Kind] = (),
        of: Sequence[Kind] | None = None,
    ) -> list[Kind]:
        """Return three wrong options for a kind: its neighbor by look, and another such pair.

        Two pairs, so that nobody can tell the right one by what resembles what. That is fair where
        ``right`` comes from :meth:`alike`: any of the four could as well be the right one.
        """
        near = [
            other
            for one, other in self._pairs(setting, of)
            if one.number == right.number and self.stock.apart(other, beside)
        ]
        first = self.draws.pick(near or self.kinds(1, setting, beside=[right, *beside], of=of))
        return [first, *self.alike(setting, [*beside, right, first], of)]

    def _pairs(
        self, setting: Setting, of: Sequence[Kind] | None = None
    ) -> Sequence[tuple[Kind, Kind]]:
        found = self.stock.pairs(span=self.level.span[0], barred=self.barred(setting))
        if of is None:
            return found
        mine = {kind.number for kind in of}
        return [pair for pair in found if {one.number for one in pair} <= mine]

    def absent(self, right: Kind, setting: Setting, there: Sequence[Kind]) -> list[Kind]:
        """Return three kinds that are not there; near ones by look where the level wants them."""
        if self.level.near:
            return self.pairs(right, setting, [kind for kind in there if kind != right])
        return self.kinds(3, setting, beside=there)

    def strangers(
        self,
        world_kinds: Sequence[str],
        setting: Setting,
        n: int,
        of: Sequence[Kind] | None = None,
    ) -> list[str]:
        """Return labels of n kinds that are not there, as unlike what is there as it is itself."""
        there = [self.stock.by_label[label] for label in world_kinds]
        return [k.label for k in self.kinds(n, setting, beside=there, of=of)] if n > 0 else []

    def sized(self, n: int, setting: Setting) -> list[Kind]:
        """Return n kinds whose sizes in the world are known, where enough of them are."""
        pool = self.stock.pool(span=self.level.span[0], barred=self.barred(setting))
        known = [kind for kind in pool if kind.size is not None]
        return self.kinds(n, setting, of=known if len(known) > 40 else pool)

    def words_apart(
        self, n: int, beside: Sequence[str] = (), of: Sequence[str] | None = None
    ) -> list[str]:
        """Return n words that nobody takes for each other, nor for those beside.

        Raises
        ------
        UserError
            The vocabulary has too few.
        """
        found: list[str] = []
        pool = self.stock.words if of is None else of
        for _ in range(_TRIES if pool else 0):
            word = self.draws.pick(pool)
            if all(self._words_differ(word, other) for other in (*found, *beside)):
                found.append(word)
            if len(found) == n:
                return found
        raise UserError("vocabulary: text", "has too few words", "allow more in text.yaml")

    @staticmethod
    def _words_differ(one: str, other: str) -> bool:
        same = sum(a == b for a, b in zip(one, other, strict=False))
        return one not in other and other not in one and max(len(one), len(other)) - same >= 2

    def other_carriers(self, name: str, there: Sequence[str]) -> list[str]:
        """Return what else a word could stand on: first what is there."""
        here = self.draws.shuffled([label for label in there if label != name])
        rest = [e.label for e in self.stock.carriers if e.label not in there]
        return [*here, *self.draws.some(rest, 3)][:3]

    def colors(self, n: int) -> list[str]:
        """Return n colors, no two the same."""
        return self.draws.some(self.stock.colors, n)

    def objects(
        self, kinds: Sequence[Kind], spans: Sequence[int], colors: Sequence[str | None] = ()
    ) -> tuple[Object, ...]:
        """Return one object of each kind, in the order given."""
        return tuple(
            Object(
                f"o{at + 1}",
                kind.list,
                kind.label,
                "main" if at == 0 else "secondary",
                color=colors[at] if at < len(colors) else None,
                span=spans[at],
            )
            for at, kind in enumerate(kinds)
        )
