"""Words for backgrounds that name something in the picture: "a bench behind the church"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token

#: Prepositions that something stands by; a background is none then.
_BESIDE = frozenset(("between", "behind", "beside", "near", "past", "above", "below", "over"))
#: Verbs by which a background is said to be one.
_SAY_WHERE = frozenset(
    ("be", "provide", "serve", "form", "suggest", "create", "add", "seem", "appear")
)
_SETTINGS = frozenset({"setting", "background", "backdrop", "location", "environment", "place"})


def stands(text: Text, head: Token, name: str, compound: bool) -> bool:
    """Return whether a word for a background names something in the picture here."""
    top = head
    while top.dep == "conj" and top.head.noun:
        top = top.head
    prep = top.head
    of_side = prep.low == "of" and prep.head.low in ("front", "top", "side", "left", "right")
    if top.dep == "pobj" and (of_side or prep.low in _BESIDE):
        return True
    if top.dep in ("nsubj", "nsubjpass") and prep.verb and prep.lemma not in _SAY_WHERE:
        return True
    setting = top.dep == "pobj" and prep.low in ("in", "at", "inside", "within", "of")
    setting = setting or (prep.low == "against" and prep.head.low == "set")
    if top.dep in ("attr", "dobj"):  # "the setting is a farm"
        of = {each.lemma for each in prep.children("nsubj")}
        setting = setting or not of.isdisjoint(_SETTINGS)
    return (compound or text.has("nouns.grounds", name)) and not setting


def lead(words: Sequence[Token]) -> Token:
    """Return the noun that a name hangs by: "sunset" of "sunset over the sea", else the last."""
    led = (one for one, next_ in pairwise(words) if one.noun and next_.tag == "IN")
    return next(led, words[-1])
