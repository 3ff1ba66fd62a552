"""The setting: where things are, in which weather or light, and in which style they are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, field_validator

from lvlmbench.config.section import Section, once
from lvlmbench.scene.graph import Graph, Relation, Setting
from lvlmbench.scene.sets import Value
from lvlmbench.scene.vocabulary import Entry
from lvlmbench.scene.vocabulary.entries import clash
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.asking import value
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.stock import Stock

Key: TypeAlias = Literal["background", "weather", "style"]

#: Tries at four options that nobody takes for each other.
_TRIES = 5000
#: Tries at such that are clear before a background.
_AGAIN = 40
#: Least longest side of things, in thousandths, in styles that hide the shape of small ones.
_CLEAR = 200
#: Values of the keys that are asked about, joined as programs know them.
_JOIN = "+"

_QUESTIONS: dict[tuple[Key, ...], tuple[str, ...]] = {
    ("background",): (
        "Where is this?",
        "Where does this scene take place?",
        "Which of these describes where this is?",
    ),
    ("weather",): (
        "What is the weather or lighting like?",
        "Which of these is true of the weather or lighting in the picture?",
        "What can you say about the weather or lighting in the picture?",
    ),
    ("style",): (
        "What kind of picture is this?",
        "Judging by its style, what kind of picture is this?",
        "Which of these describes the style of the picture?",
    ),
    ("background", "weather"): (
        "Where is this, and what is the weather or lighting like?",
        "Where does this scene take place, and what is the weather or lighting like?",
        "Which of these describes where this is and what the weather or lighting is like?",
    ),
    ("background", "style"): (
        "Where is this, and how is it shown?",
        "Which place does the picture show, and in what style?",
        "Which of these describes where this is and how it is shown?",
    ),
}


class Keys(Section):
    """What of the setting is asked about."""

    keys: Annotated[tuple[Key, ...], Field(min_length=1, max_length=2)] = Field(
        description="One or two of `background`, `weather` and `style`; of two, `background` is "
        "the first."
    )
    without: tuple[str, ...] = Field(
        (), description="Labels of backgrounds, weather and styles that are left out."
    )

    _once = field_validator("keys", "without")(once("name"))

    @field_validator("keys")
    @classmethod
    def _known(cls, keys: tuple[Key, ...]) -> tuple[Key, ...]:
        if keys not in _QUESTIONS:
            known = "; ".join(", ".join(each) for each in _QUESTIONS)
            raise ValueError(f"{', '.join(keys)} are not asked about together; use one of: {known}")
        return keys


@dataclass(frozen=True)
class _Known:
    """What may be asked of settings: values of the keys, each as good as any other.

    Attributes
    ----------
    values
        Labels of the keys, in their order.
    apart
        Pairs of labels of one key that nobody takes for each other.
    families
        Label -> kind of style.
    doubts
        Label of weather -> where nobody can tell whether it is so.
    """

    values: tuple[tuple[str, ...], ...]
    apart: frozenset[frozenset[str]]
    families: Mapping[str, str]
    doubts: Mapping[str, frozenset[str]]

    def four(self, kit: ExamKit, right: tuple[str, ...] | None = None) -> list[tuple[str, ...]]:
        """Return four values that are told apart, the right one first; none where none are found.

        All that are possible are as likely; so whichever of four is right, they are offered as
        often.
        """
        for _ in range(_TRIES):
            first = right or kit.draws.pick(self.values)
            if len(first) == 1:
                found = [first, *kit.draws.some([v for v in self.values if v != first], 3)]
            else:  # all ways in which two can go with two
                (a, x), (b, y) = first, kit.draws.pick(self.values)
                found = [first, (a, y), (b, x), (b, y)]
            if len({*found}) == 4 and {*found} <= {*self.values} and self._fair(kit, found):
                return found
        return []

    def _fair(self, kit: ExamKit, found: Sequence[tuple[str, ...]]) -> bool:
        columns = [sorted({*column}) for column in zip(*found, strict=True)]
        pairs = (frozenset(pair) for column in columns for pair in combinations(column, 2))
        if not all(pair in self.apart for pair in pairs):
            return False
        styles = [self.families[label] for label in columns[-1] if label in self.families]
        if kit.level.near > 1 and len(styles) == 4:  # two kinds of styles, two of each
            return all(styles.count(each) == 2 for each in styles)
        return len({*styles}) == len(styles)

    def clear(self, background: str | None, offered: Sequence[tuple[str, ...]]) -> bool:
        """Return whether there is no doubt before a background which offered weather is so."""
        return not any(background in self.doubts.get(v, ()) for each in offered for v in each)


@lru_cache(maxsize=32)
def _known(stock: Stock, keys: tuple[Key, ...], without: tuple[str, ...]) -> _Known:
    """What may be asked of settings with a stock."""
    lists: dict[Key, tuple[Entry, ...]] = {
        "background": stock.backgrounds,
        "weather": stock.weathers,
        # What a style shows several times cannot be counted as what it is of.
        "style": tuple(each for each in stock.styles if "number" not in each.hidden),
    }
    columns = [[each for each in lists[key] if each.label not in without] for key in keys]
    pairs = [pair for column in columns for pair in combinations(column, 2)]
    return _Known(
        tuple(
            tuple(entry.label for entry in entries)
            for entries in product(*columns)
            if len(entries) == 1 or _together(*entries)
        ),
        frozenset(frozenset((a.label, b.label)) for a, b in pairs if _apart(a, b)),
        {each.label: each.extra["family"] for each in lists["style"]},
        {each.label: frozenset(each.extra.get("in_doubt", ())) for each in lists["weather"]},
    )


def _together(background: Entry, other: Entry) -> bool:
    """Whether weather, or a style, leaves no doubt before a background, nor of it."""
    suits = other.extra.get("suits")
    if suits is None:
        return "background" not in other.hidden
    return background.label in suits and background.label not in other.extra.get("in_doubt", ())


def _apart(one: Entry, other: Entry) -> bool:
    """Whether nobody takes one for the other, nor finds one in a drawing of the other."""
    return not clash(one.key, other.key) and not any(
        b.label in a.extra.get(key, ())
        for a, b in ((one, other), (other, one))
        for key in ("shows", "depicts", "sometimes", "in_doubt")
    )


@FAMILIES.register("setting", settings=Keys)
class Scenery(Family):
    """Things in a setting: one of four backgrounds, kinds of weather or styles, or of two each."""

    def __init__(self, about: Keys) -> None:
        self._keys, self._without = about.keys, about.without

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan a setting, one of four that can be told apart, and things as the level wants."""
        known = _known(kit.stock, self._keys, self._without)
        offered = known.four(kit)
        if not offered:
            return None
        setting = self._setting(kit, known, offered)
        return None if setting is None else _before(kit, setting, "weather" in self._keys)

    def _setting(
        self, kit: ExamKit, known: _Known, offered: Sequence[tuple[str, ...]]
    ) -> Setting | None:
        """What is asked about as it is offered first, and all else as the level wants it."""
        held = dict(zip(self._keys, offered[0], strict=True))
        stock = kit.stock
        backgrounds: list[str | None] = [held.get("background")]
        if self._keys == ("weather",):
            entry = next(each for each in stock.weathers if each.label == held["weather"])
            backgrounds = [each for each in entry.extra["suits"] if known.clear(each, offered)]
            there = [each.label for each in stock.backgrounds]
            backgrounds = [each for each in backgrounds if each in there]
        elif self._keys == ("style",):
            entry = next(each for each in stock.styles if each.label == held["style"])
            if kit.level.background and "background" not in entry.hidden:
                backgrounds = [each.label for each in stock.backgrounds]
        if not backgrounds:
            return None
        style = held.get("style") or self._style(kit)
        return Setting(kit.draws.pick(backgrounds), style, weather=held.get("weather"))

    def _style(self, kit: ExamKit) -> str:
        """The plainest style, or one that hides no background."""
        hidden = {each.label for each in kit.stock.styles if "background" in each.hidden}
        styles = kit.stock.styles_that_keep(("shape",))
        if not kit.level.style or "weather" in self._keys:
            return styles[0]
        return kit.draws.pick([each for each in styles if each not in hidden] or styles[:1])

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which of the four it is."""
        known, setting = _known(kit.stock, self._keys, self._without), world.graph.setting
        right = tuple(str(getattr(setting, key)) for key in self._keys)
        offered = known.four(kit, right) if right in known.values else []
        for _ in range(_AGAIN):
            if "background" in self._keys or known.clear(setting.background, offered):
                break
            offered = known.four(kit, right)
        else:
            return []
        return value(
            kit,
            world,
            ["setting", _JOIN.join(self._keys), "?"],
            _QUESTIONS[self._keys],
            [_JOIN.join(each) for each in offered],
            family="setting",
            show=lambda each: said(kit.stock, self._keys, each),
            hops=kit.level.hops,
        )


def _before(kit: ExamKit, setting: Setting, weather: bool) -> Graph:
    """Things in a setting, as many as the level has, one before another where it wants that.

    Where weather is asked about there is nothing that itself shows some.
    """
    n, barred = kit.size(), kit.barred(setting)
    if weather:
        barred += kit.stock.shown(*(each.label for each in kit.stock.weathers))
    pool = kit.stock.pool(span=kit.level.span[0], barred=barred)
    kinds, spans = kit.kinds(n, setting, of=pool), kit.draws.shuffled(kit.spans(n))
    style = next(each for each in kit.stock.styles if each.label == setting.style)
    small = "shape" in style.hidden_small
    if small:
        spans = [max(span, _CLEAR) for span in spans]
    overlap = kit.level.overlap and n > 1 and not small
    over = [Relation(f"o{n}", "in_front_of", f"o{n - 1}")] if overlap else []
    return Graph(kit.objects(kinds, spans), tuple(over), setting)


def said(stock: Stock, keys: Sequence[str], joined: Value) -> str:
    """Return how an option is written: values of the keys, joined."""
    held = dict(zip(keys, str(joined).split(_JOIN), strict=True))
    where = stock.phrase(held.get("background"))
    if "weather" in held:
        words = next(e.extra["phrase"] for e in stock.weathers if e.label == held["weather"])
        return f"{where}, and {words[0].lower()}{words[1:]}" if where else str(words)
    if "style" in held:
        caption = next(e.extra["caption"] for e in stock.styles if e.label == held["style"])
        words = caption.replace(" of {subject}", "").replace(" {subject}", "")
        return f"{where}, shown as {words}" if where else words
    return where
