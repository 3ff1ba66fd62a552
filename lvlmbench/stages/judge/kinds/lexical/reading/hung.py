"""What stands behind a noun and says how it is: pieces between commas, adjectives hung on it."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.trees import FINITE, alive, attach

#: Marks between pieces of a list.
PARTS = frozenset({",", ";", "(", ")", ":"})
#: Forms of "be" that link a noun and what it is.
BE = frozenset({"is", "are", "was", "were", "'s", "'re"})
#: Words that link adjectives.
LINKS = frozenset({"and", "or", "but"})
#: Words before an adjective that change nothing of what it says.
SMALL = frozenset(
    ("the", "a", "an", "very", "either", "both", "not", "all", "only", "still", "now", "partly",
     "slightly", "rather", "quite", "over", "some", "others", "each", "one", "two", "most")
)  # fmt: skip
#: Words before a noun that is not named yet.
_FRESH = frozenset({"a", "an", "one", "two", "some"})
#: How adjectives end that are made of two words.
_FORMS = ("-colored", "-shaped", "-sized")
_GONE = frozenset({"missing", "absent"})
_NO_NOUNS = frozenset({"bit", "touch", "tad", "none", "one", "rest", "remainder"})
#: Words that stand for one or some of what was named.
_OF_NAMED = frozenset(
    ("one", "other", "others", "another", "rest", "remainder", "some", "two", "three", "four",
     "first", "second", "third", "last", "former", "latter", "each", "all", "both", "none")
)  # fmt: skip
#: Words that may stand before a noun, by tag, and how they hang on it.
_LEADS = {
    "DT": "det", "PRP$": "poss", "JJ": "amod", "CD": "nummod", "NN": "compound", "NNS": "compound",
    "NNP": "compound", "VBG": "amod", "VBN": "amod",
}  # fmt: skip
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


def finite(text: Text, word: Token) -> bool:
    """Return whether a word is a verb that a sentence has one of, and says not how things are."""
    if word.tag not in FINITE or text.lexicon.kinds.get(word.low) is not None:
        return False
    before = text.tokens[word.i - 1] if word.i else word
    bare = before.noun and not before.children("det", "poss") and not alive(before, text)
    return not (word.tag == "VBD" and word.low.endswith("ed") and bare)  # "mast snapped"


def shades(text: Text, word: Token) -> bool:
    """Return whether a word only says which shade of the color after it."""
    color = text.lexicon.kinds.get("".join(text.low[word.i + 1 : word.i + 2])) == "color"
    return color and word.low in text.lexicon.lists["adjectives.shades"]


def adverbial(text: Text, word: Token) -> bool:
    """Return whether a word only says how much the adjective after it holds: "freshly waxed"."""
    after = text.tokens[word.i + 1 : word.i + 2]
    leads = bool(after) and after[0].low not in LINKS and after[0].low not in PARTS
    return word.tag == "RB" and word.low not in text.lexicon.kinds and (leads or word.low == "not")


def shares(text: Text, words: list[Token]) -> list[Token]:
    """Return "one" and "plain" of "one plain": some of what was named, and how they are."""
    words = [e for e in of_them(words) if e.low not in LINKS and e.tag != "RB"]
    words = words[1:] if words and words[0].low in ("the", "an") else words
    led = len(words) > 1 and words[0].low in _OF_NAMED
    return words if led and all(text.lexicon.kinds.get(e.low) for e in words[1:]) else []


def of_them(words: list[Token]) -> list[Token]:
    """Return the words without "of them" behind the first: "all of them unlit"."""
    low = [each.low for each in words[:3]]
    part = low[:1] and low[0] in ("all", "both", "each", "some", "most", "one", "two", "none")
    return [words[0], *words[3:]] if part and low[1:] == ["of", "them"] else words


def is_color(text: Text, word: Token) -> bool:
    """Return whether a word is the name of a color."""
    return text.lexicon.kinds.get(word.low) == "color"


def is_garment(text: Text, word: Token) -> bool:
    """Return whether a word names clothes."""
    return "clothes" in (text.words.roles.get(word.low), text.words.roles.get(word.lemma))


def says(text: Text, word: Token) -> bool:
    """Return whether a list has a word that says how something is."""
    return text.lexicon.kinds.get(word.low) is not None


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
    words = words[next((n for n, e in enumerate(words) if e.low not in LINKS), 0) :]
    at = _noun_at(text, words)
    if at is None:
        return None
    noun, rest = words[at], words[at + 1 :]
    said = [each for each in rest if not _passed(text, each)]
    if len(said) > 1 and said[0].low not in text.lexicon.kinds and said[0].tag in ("VBD", "VBN"):
        said = said[1:]  # "lid flipped open"
    if said[0].tag in ("VBN", "VBD", "VBG") and any(
        e.i > said[0].i for e in said[0].children("prep")
    ):
        return None
    for each in (noun, *said):
        attach(each, each, "ROOT")
    noun.tag = noun.tag if noun.noun else "NN"
    for each in words[:at]:
        if each.tag in _LEADS:
            attach(each, noun, _LEADS[each.tag])
    hang_adjectives(text, noun, [e for e in rest if e in said or _kept(e)])
    return noun


def _noun_at(text: Text, words: list[Token]) -> int | None:
    """Where the noun is of which all words behind it say how it is; None where there is none."""
    at = len(words)
    while at and (_passed(text, words[at - 1]) or _says_state(text, words[at - 1])):
        at -= 1
    rest = [each for each in words[at:] if not _passed(text, each)]
    noun = words[at - 1] if at else None
    if noun is None or not rest or noun.low in text.lexicon.kinds or noun.low in _NO_NOUNS:
        return None
    if noun.lemma in text.lexicon.maps["adjectives.names"]:
        return None
    led = all(each.tag in _LEADS or each.low in SMALL for each in words[: at - 1])
    known = any(each.low in text.lexicon.kinds for each in rest)
    named = noun.noun or (is_thing(text, noun) and noun.tag[:2] in ("JJ", "VB", "NN", "RB"))
    return at - 1 if named and led and (known or not alive(noun, text)) else None


def _kept(word: Token) -> bool:
    """Whether a word between adjectives links or denies them."""
    return word.low in LINKS or word.low in ("not", "neither", "nor", "than")


def _passed(text: Text, word: Token) -> bool:
    """Whether a word between adjectives says nothing itself."""
    adverb = adverbial(text, word)
    adverb = adverb or text.low[word.i : word.i + 2] == ["wide", "open"]
    return word.low in SMALL - _FRESH or word.low in LINKS or word.low in ("than", "nor") or adverb


def _says_state(text: Text, word: Token) -> bool:
    """Whether a word behind a noun says how it is; participles that no list holds do."""
    kinds = text.lexicon.kinds
    if word.low in kinds:
        return kinds[word.low] is not None or word.low in _GONE
    if word.low in text.lexicon.lists["adjectives.shades"]:
        return shades(text, word) or not word.noun
    if kinds.get(word.low.rpartition("-")[2]) == "color" or word.low.endswith(_FORMS):
        return True
    return word.tag in ("VBN", "VBD") and word.low.endswith("ed") and not is_thing(text, word)


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
        elif each.low in ("not", "neither", "none"):
            denied = each
        elif (
            each.low in (*SMALL, "than")
            or each.lemma in text.lexicon.maps["adjectives.names"]
            or adverbial(text, each)
        ):
            continue
        else:
            shade = shades(text, each) and each is not words[-1]
            for below in list(each.below):
                if below not in words:
                    attach(below, noun, "dep")
            attach(each, first or noun, "conj" if first else "appos")
            each.tag = each.tag if shade else "JJ"
            first = first or (None if shade else each)
            if denied is not None:
                attach(denied, each, "neg" if denied.low == "not" else "preconj")
                denied = None
