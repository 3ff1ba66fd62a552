"""Headings on a line of their own: "On the shelf", "The drummer", and what the lines below say."""

from __future__ import annotations

from dataclasses import dataclass

from lvlmbench.stages.judge.kinds.lexical.reading.hung import finite, hang_adjectives, segments
from lvlmbench.stages.judge.kinds.lexical.reading.listing import LISTED, PREPS, fill, noun_of
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.trees import alive, attach

_LONGEST = 7
#: Keys under the name of somebody that say nothing themselves.
_KEYS = frozenset(
    ("clothing", "clothes", "outfit", "attire", "accessory", "accessories", "action", "activity",
     "headwear", "footwear", "headgear", "pose", "gender", "age", "expression", "dress", "wears",
     "doing", "look", "appearance")
)  # fmt: skip
#: Keys that are what the adjectives behind them are of.
_OWN = frozenset({"hair", "beard", "mustache"})


@dataclass
class Headings:
    """The last headings of a text: who it named, and where things are that lines name after it."""

    text: Text
    who: Token | None = None
    place: tuple[str, Token] | None = None

    def read(self, stretch: list[Token], begins: bool) -> bool:
        """Take in a heading, or what a line below says of it; return whether it was a key."""
        words = [each for each in stretch if each.low not in (".", ":", "!")]
        at = next((n for n, e in enumerate(stretch[:3]) if e.low == ":"), 0)
        if begins and self.who is not None and at and at + 1 < len(stretch):
            return self._key(stretch[0], stretch[at + 1 :], self.who)
        told = [e for e in stretch[:-1] if e.low in (":", ";")]
        if not begins or not words or told or any(finite(self.text, e) for e in words):
            if begins:
                self.who, self.place = None, None
            return False
        noun = noun_of(self.text, words)
        if len(words) <= _LONGEST and words[0].tag in PREPS and words[-1].noun:
            self._over(words)
            return False
        if words[0].low == "the" or noun is None or self.text.has("nouns.vacuous", noun.lemma):
            self.who, self.place = None, None  # another heading
        if self.place is not None:
            relation, over = self.place
            for each in noun.joined() if noun is not None and noun.noun else ():
                self.text.linked.append((each, relation, over))
            return False
        if len(words) <= _LONGEST:
            self.who = noun if noun is not None and alive(noun, self.text) else self.who
        return False

    def _over(self, words: list[Token]) -> None:
        """Take in "On the windowsill"."""
        self.who = None
        phrases = self.text.lexicon.phrases
        low = tuple(each.low for each in words)
        n = next((n for n in range(len(low) - 1, 0, -1) if low[:n] in phrases), 0)
        self.place = (phrases[low[:n]], words[-1]) if n and not words[-1].children("prep") else None

    def _key(self, key: Token, rest: list[Token], who: Token) -> bool:
        """Say of somebody what stands behind "Hair:", "Clothing:"."""
        if key.low in _OWN:
            key.tag = "NN"
            attach(key, who, LISTED)
            for words, _ in segments(rest):
                hang_adjectives(self.text, key, words)
            return True
        if key.low not in _KEYS:
            return False
        attach(key, key, "ROOT")
        key.tag = "FW"  # it names nothing
        fill(self.text, who, segments(rest), own=False)
        return True
