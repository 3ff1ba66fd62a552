"""Subjects far from their verbs: "a bowler, freckled, his jumper stained, is munching a scone"."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.trees import FINITE, alive, attach

_BREAKS = frozenset({";", ":", ".", "while", "whereas", "but", "because", "although", "as"})
_ARTICLES = frozenset({"DT", "PRP$", "CD"})


def interrupted(text: Text) -> None:
    """Give a verb that follows a comma the subject that its clause begins with, in place."""
    for sentence in text.sentences:
        for at, verb in enumerate(sentence):
            if verb.tag in FINITE and at > 2 and sentence[at - 1].low == ",":
                _subject(text, sentence[:at], _main(verb))


def _main(verb: Token) -> Token:
    """The verb that an auxiliary is of."""
    return verb.head if verb.dep in ("aux", "auxpass") and verb.head.i > verb.i else verb


def _subject(text: Text, before: list[Token], verb: Token) -> None:
    breaks = (n for n, e in enumerate(before) if e.low in _BREAKS or _begins(text, before, n))
    clause = before[max(breaks, default=-1) + 1 :]
    commas = [n for n, each in enumerate(clause) if each.low == ","]
    led = bool(clause) and clause[0].tag == "IN" and len(commas) > 2
    if led:  # "in this drawing, a child, wearing a cap, is waving"
        clause, commas = clause[commas[0] + 1 :], [n - commas[0] - 1 for n in commas[1:]]
    if len(commas) < 2 or any(each.tag in FINITE for each in clause[: commas[0]]):
        return
    named = [each for each in clause[: commas[0]] if each.noun and not _inside(each)]
    named = [each for each in named if alive(each, text)] or named
    who = named[-1] if named else None
    if who is None or (led and not alive(who, text)):
        return
    if any(each.i < clause[commas[0]].i for each in who.children("cc")):
        return
    old = verb.children("nsubj", "nsubjpass")
    if any(each is who or each.i > clause[-1].i or each.low == "who" for each in old):
        return
    dep = "nsubjpass" if verb.children("auxpass") else "nsubj"
    for each in old:
        attach(each, who, "appos")
    attach(who, verb, dep)


def _begins(text: Text, words: list[Token], at: int) -> bool:
    """Whether ", and" leads a clause, or another noun: what follows it has an article."""
    after = words[at + 1 :]
    led = words[at].low == "and" and at > 0 and words[at - 1].low == ","
    return led and bool(after) and after[0].tag in _ARTICLES and not _worn(text, words[:at], after)


def _worn(text: Text, before: list[Token], after: list[Token]) -> bool:
    """Whether ", and a scarf" only ends what somebody wears, up to the verb."""
    wears = any(e.low == "wearing" or (e.tag == "VBN" and e.low == "dressed") for e in before)
    if not wears or any(e.tag in FINITE for e in before) or after[-1].low != ",":
        return False
    return sum(e.low == "," for e in after) == 1 and not any(
        e.noun and alive(e, text) for e in after
    )


def _inside(noun: Token) -> bool:
    """Whether a noun only belongs to another: "with a bald head"."""
    top = noun
    while top.dep == "conj" and top.head.noun:
        top = top.head
    return top.dep in ("compound", "pobj", "poss", "dobj")
