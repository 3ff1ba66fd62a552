"""What a list says of a noun: adjectives, counts, clothes, phrases, each hung on it."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.hung import (
    LINKS,
    NUMERAL,
    SMALL,
    acts_in_list,
    deny_verb,
    described,
    hang_adjectives,
    is_thing,
    numeral,
    says_how,
    shares,
)
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.text import QUOTED
from lvlmbench.stages.judge.kinds.lexical.reading.trees import FINITE, alive, attach, hang_verb

#: How a noun that a title lists hangs on it.
LISTED = "listed"
_RATHER = ("rather", "than")
PREPS = frozenset({"IN", "TO"})
_ENDS = frozenset({"IN", "TO", "VBZ", "VBP", "VBD", "MD", "PRP", "EX"})


def noun_of(text: Text, words: list[Token]) -> Token | None:
    """Return the noun that words begin with: the last of the first run of them."""
    found: Token | None = None
    for each in words:
        if each.low in LINKS and found is None:
            continue
        if each.noun or (found is None and each is words[-1] and is_thing(text, each)):
            if each.lemma in text.lexicon.lists["nouns.measures"] and _of(words, each):
                continue
            found = each
        elif found is not None or (each.tag in _ENDS and each.low != "of"):
            break
    return found


def _of(words: list[Token], noun: Token) -> bool:
    at = words.index(noun) + 1
    return at < len(words) and words[at].low == "of"


def fill(text: Text, noun: Token, parts: list[tuple[list[Token], str]], own: bool) -> None:
    """Hang the parts of a list on the noun that they are said of."""
    title, inside = noun, noun
    for words, before in parts:
        noun = inside if before == "(" else title
        if any(QUOTED.lower() in each.low for each in words):
            continue
        core = [e for e in words if e.low not in SMALL and e.low not in LINKS]
        if shares(text, words) and words[0].low == "none":
            continue
        if len(core) == 1 and acts_in_list(text, core[0]) and alive(noun, text):
            hang_verb(core[0], noun)
            deny_verb(words, core[0])
            continue
        if len(core) == 2 and acts_in_list(text, core[0]) and core[1].noun and alive(noun, text):
            hang_verb(core[0], noun)
            attach(core[1], core[0], "dobj")  # "bassist: chewing gum"
            continue
        if (said := described(text, words)) is not None:
            attach(said, noun, LISTED)
            continue
        kinds = text.lexicon.kinds
        if not core or any(e.tag in FINITE and e.low not in kinds for e in core):
            continue
        if numeral(text, core[0]) and (len(core) == 1 or core[1].tag in PREPS):
            attach(core[0], noun, "nummod")
            if len(core) > 1 and core[1].children("pobj"):
                attach(core[1], noun, "prep")
        elif core[0].tag in PREPS:
            attach(core[0], noun, "prep")
        elif all(says_how(text, e) or e.low in _RATHER for e in core) or _names(text, core):
            hang_adjectives(text, noun, words)
        elif core[0].tag in ("VBN", "VBG") and core[0].dep != "amod":
            attach(core[0], noun, "acl")
        else:
            inner = noun_of(text, words)
            inside = inner or inside
            if inner is not None and inner is not noun and not (own and led(words)):
                same = alive(noun, text) and alive(inner, text)
                attach(inner, noun, "appos" if same else LISTED)


def led(words: list[Token]) -> bool:
    """Return whether an article, a number or "and" leads words."""
    return words[0].low in ("a", "an", "the", "and") or words[0].tag == NUMERAL


def _names(text: Text, core: list[Token]) -> bool:
    """ "Oriental pattern": a noun for an attribute, led by its value."""
    names = text.lexicon.maps["adjectives.names"]
    return len(core) == 2 and (core[1].lemma in names or core[0].lemma in names)
