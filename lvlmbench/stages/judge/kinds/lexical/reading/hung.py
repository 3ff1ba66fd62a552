"""What stands behind a noun and says how it is: pieces between commas, adjectives hung on it."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.trees import attach

#: Marks between pieces of a list.
PARTS = frozenset({",", ";", "(", ")", ":"})
#: Words that link adjectives.
LINKS = frozenset({"and", "or", "but"})
#: Words before an adjective that change nothing of what it says.
SMALL = frozenset(
    ("the", "a", "an", "very", "either", "both", "not", "all", "only", "still", "now", "partly",
     "slightly", "rather", "quite", "some", "others", "each", "one", "two", "most")
)  # fmt: skip
#: The tag of a number.
NUMERAL = "CD"


def segments(rest: list[Token]) -> list[tuple[list[Token], str]]:
    """Return words between commas and the like, each with what stands before them."""
    out: list[tuple[list[Token], str]] = []
    now: list[Token] = []
    before = ""
    for each in rest:
        if each.low in PARTS or each.low == ".":
            if now:
                out.append((now, before))
            now, before = [], each.low
        else:
            now.append(each)
    if now:
        out.append((now, before))
    return out


def numeral(text: Text, word: Token) -> bool:
    """Return whether a word is a number."""
    return word.tag == NUMERAL or word.low in text.lexicon.maps["lemmas.numbers"]


def is_thing(text: Text, token: Token) -> bool:
    """Return whether a word names what can be seen, whatever the parser makes of it."""
    return token.low not in text.lexicon.kinds and text.words.concrete(token.low) is True


def says_how(text: Text, each: Token) -> bool:
    """Return whether a word says how something is."""
    if each.low in text.lexicon.kinds or each.low in text.lexicon.lists["adjectives.shades"]:
        return True
    return (each.tag[:2] in ("JJ", "VB", "RB") or "-" in each.low) and not is_thing(text, each)


def described(text: Text, words: list[Token]) -> Token | None:
    """Return the noun of "saddle torn", "laces yellow rather than black", the rest hung on it."""
    at = next((n for n, e in enumerate(words) if e.low not in SMALL and e.low not in LINKS), 0)
    noun = words[at] if words else None
    rest = [e for e in words[at + 1 :] if e.low not in (*SMALL, *LINKS, "than")]
    names = text.lexicon.maps["adjectives.names"]
    if noun is None or not rest or noun.low in text.lexicon.kinds or noun.lemma in names:
        return None
    named = noun.noun or is_thing(text, noun)
    if not named or not all(says_how(text, e) and e.low in text.lexicon.kinds for e in rest):
        return None
    if rest[0].tag in ("VBN", "VBD", "VBG") and any(
        e.i > rest[0].i for e in rest[0].children("prep")
    ):
        return None
    for each in (noun, *rest):
        attach(each, each, "ROOT")
    noun.tag = noun.tag if noun.noun else "NN"
    hang_adjectives(text, noun, words[at + 1 :])
    return noun


def several(stretch: list[Token], words: list[Token]) -> Token | None:
    """Return what "both round" is said of: the first of the nouns that are several."""
    before = next((e.low for e in reversed(stretch) if e.i < words[0].i), "")
    if words[0].low not in ("both", "all", "each") or before == "(":
        return None
    return next((e for e in stretch if e.tag == "NNS" and e.i < words[0].i), None)


def acts_in_list(text: Text, word: Token) -> bool:
    """Return whether a word in -ing is what somebody does: "bride: veil, laughing"."""
    kind = text.lexicon.kinds.get(word.low)
    return word.low.endswith("ing") and kind in ("expression", None) and not word.children("det")


def deny_verb(words: list[Token], verb: Token) -> None:
    """Hang a "not" before a verb on it: "punk: jeans, not smoking"."""
    for each in words:
        if each.low == "not":
            attach(each, verb, "neg")


def hang_adjectives(text: Text, noun: Token, words: list[Token]) -> None:
    """Hang adjectives on the noun that they are said of, with what denies them."""
    first: Token | None = None
    denied: Token | None = None
    for each in words:
        if each.low in (*LINKS, "nor") and first is not None:
            attach(each, first, "cc")
        elif each.low in ("not", "neither"):
            denied = each
        elif each.low in (*SMALL, "than") or each.lemma in text.lexicon.maps["adjectives.names"]:
            continue
        else:
            shade = each.low in text.lexicon.lists["adjectives.shades"] and each is not words[-1]
            for below in list(each.below):
                if below not in words:
                    attach(below, noun, "dep")
            attach(each, first or noun, "conj" if first else "appos")
            each.tag = each.tag if shade else "JJ"
            first = first or (None if shade else each)
            if denied is not None:
                attach(denied, each, "neg" if denied.low == "not" else "preconj")
                denied = None
