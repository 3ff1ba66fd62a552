"""Colors that a parser takes for nouns or verbs: "a purple rose", "three rose yo-yos"."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.hung import BE, is_color, is_garment
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.trees import attach

#: Words that may stand between a color and its noun, by tag.
_BETWEEN = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "VBG", "VBN"})
#: Words after which a noun begins, or a list goes on, by tag.
_LEADS = frozenset({"DT", "CD", "PRP$", "JJ", ",", "CC", "IN", ":"})
#: How a color hangs on its noun where the parser knows that it only says how that is.
_LOOSE = frozenset({"npadvmod", "dep", "nsubj", "advmod", "compound"})
#: How a clause hangs on another.
_CLAUSES = frozenset({"ccomp", "advcl", "parataxis"})


def painted(text: Text) -> None:
    """Hang each color that stands right before a noun on it, in place."""
    for sentence in text.sentences:
        for at, color in enumerate(sentence[:-1]):
            if is_color(text, color) and (not at or _leads(sentence[at - 1])):
                _paint(text, color, sentence[at - 1] if at else None, sentence[at + 1 :])


def _leads(word: Token) -> bool:
    return word.tag in _LEADS or word.low in ("a", "an") or (word.verb and word.low not in BE)


def _paint(text: Text, color: Token, before: Token | None, after: list[Token]) -> None:
    """Hang a color on the noun that the words after it lead to, if it hangs elsewhere."""
    words = after[: next((n for n, e in enumerate(after) if not _between(text, e)), len(after))]
    words = words or _flower(text, after)
    named = [e for e in words if e.noun or (text.words.concrete(e.lemma) and e.tag == "JJ")]
    noun = named[-1] if named else None
    if noun is None or text.words.concrete(f"{color.low} {noun.lemma}"):
        return  # "an orange tree"
    if not _may_be(text, color, before, noun):
        return
    for shade in [e for e in color.below if _shade(text, e)]:
        attach(shade, noun, shade.dep)  # "a pale orange moon"
    if noun.head is color:
        _swap(text, color, noun)
    elif (color.head is noun and color.dep in _LOOSE) or (
        color.head in words[:-1] and (color.dep in _LOOSE or not color.head.noun)
    ):
        attach(color, noun, "amod")  # "a lime jeep", "a lime racing car"
    else:
        return
    noun.tag = noun.tag if noun.noun else "NN"
    noun.dep = "attr" if noun.dep == "acomp" else noun.dep
    color.tag = "JJ" if color.verb else color.tag


def _between(text: Text, word: Token) -> bool:
    return word.tag in _BETWEEN and (_shade(text, word) or not is_color(text, word))


def _shade(text: Text, word: Token) -> bool:
    return word.tag == "JJ" and word.low in text.lexicon.lists["adjectives.shades"]


def _may_be(text: Text, color: Token, before: Token | None, noun: Token) -> bool:
    """Whether a word behind a color is what has it, and no verb that was taken for a noun."""
    if before is None or is_garment(text, noun):
        return True
    owner = color.head
    if noun.tag == "NNS" and owner.head is noun and text.words.concrete(owner.lemma):
        return False  # "an orange moon rises"
    if before.tag == "IN" and before.low != "with":
        return False  # "the man in red stands": the parser knows better
    return not (is_color(text, before) and text.words.concrete(color.low))  # "a pink rose lies"


def _flower(text: Text, after: list[Token]) -> list[Token]:
    """The noun behind a color that may be a color or a verb: "a purple rose", "pink shades".

    Of verbs, those in the past that are things, and those of today that are clothes.
    """
    first, more = after[0], after[1:2]
    if first.noun:
        alone = not any(e.tag in _BETWEEN for e in more)
        return [first] if alone and text.words.concrete(first.lemma) else []
    name = {"VBD": first.low, "VBZ": first.lemma}.get(first.tag, "")
    ends = not more or more[0].low in (",", ".", ";", "and") or more[0].tag == "IN"
    known = text.words.concrete(name) if first.tag == "VBD" else first.low in text.words.roles
    if not name or not ends or not known:
        return []
    first.tag, first.lemma = ("NN", name) if first.tag == "VBD" else ("NNS", name)
    return [first]


def _swap(text: Text, color: Token, noun: Token) -> None:
    """Put a noun where its color hung, and the color below it."""
    top, dep = color.head, color.dep
    before = text.tokens[max(0, color.i - 2) : color.i]
    listed = dep in _CLAUSES and [e.low for e in before[1:]] == [","] and before[0].noun
    shows = next((e for e in color.below if e.tag in ("VBZ", "VBP") and e.i < color.i), None)
    attach(noun, top if top is not color else noun, dep)
    for each in list(color.below):
        own = each.dep == "nsubj" and each.noun and top is not color
        attach(each, top if own else noun, "nummod" if each.tag == "CD" else each.dep)
    attach(color, noun, "amod")
    if shows is not None:  # "one sees two goats, three rose yo-yos"
        attach(shows, noun.head if noun.head is not noun else shows, dep)
        attach(noun, shows, "dobj")
    elif listed:  # "in red boots, yellow glasses"
        attach(noun, before[0], "conj")
