"""What a word says of a thing or a person: which type of attribute, with which value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import Thing

#: Shades that are said without a color, too: "a dark door".
_SHADES = frozenset({"dark", "pale"})
#: Ages of people, as claims have them.
AGES = ("child", "teenager", "adult", "elderly")
#: Colors that are said of a person for the hair.
_OF_HAIR = frozenset({"blond", "blonde", "ginger", "auburn", "brunette", "balding"})


class Values:
    """Reads the values of attributes."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.kinds = sight.text.lexicon.kinds
        self.lists = sight.text.lexicon.lists

    def shaded(self, token: Token) -> Token | None:
        """Return the word that says which red: "dark"."""
        before = self.sight.text.tokens[token.i - 1] if token.i else None
        if before is None or self.kinds.get(token.low) != "color":
            return None
        return (
            before
            if before.low in self.lists["adjectives.shades"]
            and before.i not in self.sight.things.by_token
            else None
        )

    def said_of(self, token: Token, thing: Thing) -> Iterator[tuple[str, str]]:
        """Yield what a word says of a thing, as (relation, value)."""
        low = token.low
        after = (
            self.sight.text.tokens[token.i + 1]
            if token.i + 1 < len(self.sight.text.tokens)
            else None
        )
        if (
            low in self.lists["adjectives.shades"]
            and after is not None
            and after.i not in self.sight.things.by_token
            and self.kinds.get(after.low) == "color"
        ):
            return
        if thing.role == "person":
            told = self._of_person(low, thing)
            if told is not None:
                yield from told
                return
        if low.endswith("-patterned") and low.removesuffix("-patterned") in self.kinds:
            low = low.removesuffix("-patterned")
        if low.endswith("-colored"):
            yield "color", low
            return
        if "-and-" in low and all(self.kinds.get(each) == "color" for each in low.split("-and-")):
            yield from (("color", each) for each in low.split("-and-"))
            return
        kind = "color" if low in _SHADES else self.kinds.get(low, _by_form(low, self.kinds))
        bare = low.endswith("ed") and token.dep == "amod" and token.i < token.head.i
        if low in self.lists["certainty.hedge.adjectives"] or (kind is None and not bare):
            return
        kind = kind or "other"  # "scattered petals"
        shade = self.shaded(token)
        if low == "flat" and thing.root.name == "tire":
            kind = "state"
        before = self.sight.text.low[token.i - 1] if token.i else ""
        if kind == "material" and before in ("stainless", "cast", "wrought"):
            low = f"{before} {low}"
        if kind in ("state", "other") and token.i and self.sight.text.low[token.i - 1] == "half":
            low = f"half {low}"
        yield kind, f"{shade.low} {low}" if shade is not None else low

    def _of_person(self, low: str, thing: Thing) -> list[tuple[str, str]] | None:
        """What a word says of a person alone; None where it says what it says of things."""
        if low.endswith("-skinned"):
            return [("race", low.removesuffix("-skinned"))]
        if low.endswith("-haired"):
            return [("hair", low.removesuffix("-haired"))]
        if low in _OF_HAIR:
            return [("hair", low)]
        if low in self.lists["people.race"] and low != "indian":
            return [("race", low)]
        for age in AGES:
            if low in self.lists[f"people.ages.{age}"]:
                if age in ("child", "teenager") and thing.root.says.get("age"):
                    return []
                if low == "little" and not thing.root.says.get("gender"):
                    return None
                return [("age", age)]
        for gender in ("female", "male"):
            if low == gender:
                return [("gender", gender)]
        return None


def _by_form(low: str, kinds: Mapping[str, str | None]) -> str:
    """The type of a word that no list holds, by how it ends: "snow-white", "star-shaped"."""
    if low.endswith("-shaped"):
        return "shape"
    if low.endswith(("-high", "-length", "-sized", "-size", "-tall", "-wide")):
        return "size"
    last = low.rpartition("-")[2]
    return "color" if last != low and kinds.get(last) == "color" else "other"
