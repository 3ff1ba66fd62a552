"""What a sentence says behind its nouns: "a kettle, squat and gleaming, sits", "the boat blue"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from lvlmbench.stages.judge.kinds.lexical.reading.hung import (
    LINKS,
    SMALL,
    acts_in_list,
    deny_verb,
    described,
    hang_adjectives,
    numeral,
    of_them,
    segments,
    several,
)
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.trees import FINITE, acting, alive, hang_verb

_LONGEST = 6
#: Words that a piece without a verb of its own may follow.
_CLAUSES = frozenset({"and", "but", "while", "whereas", "with", "yet"})
_APIECE = frozenset({"both", "all", "each", "one", "some"})


def says_so(text: Text, word: Token) -> bool:
    """Return whether a list has a word that says how something is, or which shade."""
    kind = text.lexicon.kinds.get(word.low)
    return (
        kind is not None
        or word.low == "half"
        or word.low in text.lexicon.lists["adjectives.shades"]
    )


def asides(text: Text, stretch: list[Token]) -> None:
    """Hang on a noun what stands between commas behind it: "a kettle, squat and gleaming, sits"."""
    commas = [n for n, e in enumerate(stretch) if e.low in (",", "(", ")", ".", ";")]
    for first, last in pairwise(commas):
        if stretch[first].low == "(":
            last = next((n for n in commas if n > first and stretch[n].low == ")"), last)
        noun, words = stretch[first - 1], of_them(stretch[first + 1 : last])
        after = stretch[last + 1 : last + 2]
        core = [e for e in words if e.low not in SMALL and e.low not in (*LINKS, "nor", "neither")]
        core = [e for e in core if e.tag != "RB" or e.low in text.lexicon.kinds]
        bracket = stretch[first].low == "("
        left_out = {","} if not bracket else {",", *(e.low for e in core if numeral(text, e))}
        core, words = ([e for e in some if e.low not in left_out] for some in (core, words))
        acts = any(acting(text, e) for e in core) and any(
            e.noun and alive(e, text) for e in stretch[:first]
        )
        known = all(says_so(text, e) for e in core) and not acts
        ends = not after or after[0].verb or after[0].tag == "MD" or after[0].low in _APIECE
        ends = ends or stretch[last].low in (")", ".", ";")
        if first and len(core) == 1 and alive(noun, text) and acts_in_list(text, core[0]) and ends:
            hang_verb(core[0], noun)
            deny_verb(words, core[0])
        elif first and noun.noun and core and known and ends and len(words) < _LONGEST:
            hang_adjectives(text, several(stretch, words) or noun, words)


def gapped(text: Text, stretch: list[Token]) -> None:
    """Hang "blue" on the boat in "the car is red, the boat blue", "its sail blue"."""
    said = False
    for words, _ in segments(stretch):
        for piece in _pieces(words):
            verbs = [e for e in piece if e.tag in FINITE and e.low not in text.lexicon.kinds]
            own = bool(piece) and piece[0].tag == "PRP$"
            if piece and not verbs and (own or (said and piece[0].tag == "DT")):
                described(text, piece)
            said = said or any(e.lemma == "be" for e in verbs)


def _pieces(words: list[Token]) -> Iterator[list[Token]]:
    """Words between "and" and an article, "with" and what has it."""
    first = 0
    for at, each in enumerate(words):
        after = words[at + 1 : at + 2]
        if each.low in _CLAUSES and after and after[0].tag in ("DT", "PRP$"):
            yield words[first:at]
            first = at + 1
    yield words[first:]
