"""Tools to put trees of words right: hang a word on another, tell who may act."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.verbs import base

#: How a word hangs on the noun that it describes.
INSIDE = ("nmod", "compound", "amod")
#: Tags of verbs that a sentence has one of.
FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})


def attach(token: Token, head: Token, dep: str) -> None:
    """Hang a word on another one; on itself as a root.

    Where the other hangs below it, the other takes its place first: a tree has no circles.
    """
    if head is not token and token in head.up():
        attach(head, token.head if token.head is not token else head, token.dep)
    if token.head is not token:
        token.head.below.remove(token)
    token.head, token.dep = head, "ROOT" if head is token else dep
    if head is not token:
        head.below.append(token)
        head.below.sort(key=lambda each: each.i)


def hang_verb(token: Token, noun: Token) -> None:
    """Have somebody do what a word in -ing says."""
    attach(token, noun, "acl")
    for each in token.children("nsubj"):
        attach(each, noun, "appos")  # "a boy in boots, gloves, waving": the gloves do not wave
    token.tag = "VBG"
    if token.lemma == token.low:
        token.lemma = base(token.low)


def alive(noun: Token, text: Text) -> bool:
    """Return whether a noun names somebody who may act."""
    if noun.lemma in text.lexicon.says or text.has("nouns.animals", noun.lemma):
        return True
    known = text.words.roles.get(noun.lemma) or text.words.role(noun.lemma)
    return known in ("person", "animal")  # a jumper is worn before it jumps


def acting(text: Text, token: Token) -> bool:
    """Return whether a word after a comma says what somebody does: ", waving"."""
    if not token.low.endswith("ing") or not token.i or text.low[token.i - 1] not in (",", "and"):
        return False
    if text.lexicon.kinds.get(token.low) not in (None, "state", "other"):
        return False
    if token.dep in INSIDE and token.head.i > token.i:
        return False
    return token.tag == "VBG" or (token.noun and token.dep in ("conj", "appos", "ROOT"))
