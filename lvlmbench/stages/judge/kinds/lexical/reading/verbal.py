"""Verbs that a parser takes for nouns, and nouns that it takes for verbs."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.model import third_person
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.trees import FINITE, INSIDE, alive, attach

_AFTER_VERB = frozenset({"IN", "RP", "RB", "PRP", "TO", "."})
#: What a list of nouns holds.
_IN_LIST = frozenset({"DT", "JJ", "VBN", "CD", "NN", "NNS", "NNP", "NNPS"})
_BEFORE_VERB = frozenset({"neither", "both", "each", "one", "other", "none", "latter", "former"})
_ARTICLES = frozenset({"DT", "PRP$"})


def clauses(text: Text) -> None:
    """Give each clause without a verb the one that was read as a noun."""
    for sentence in text.sentences:
        for clause in _clauses(sentence):
            if not any(each.tag in FINITE for each in clause) and not _inverted(clause, text):
                _verb(clause, text)


def _clauses(sentence: list[Token]) -> list[list[Token]]:
    """A sentence between its commas and the like, each piece with what ends it."""
    out: list[list[Token]] = [[]]
    for each in sentence:
        out[-1].append(each)
        if each.low in (",", ";", ":", "while", "where", "who", "which", "as", "when"):
            out.append([])
    return [clause for clause in out if clause]


def _inverted(clause: list[Token], text: Text) -> bool:
    """ "Behind him trots a lad": the verb that was read as a noun, its subject after it."""
    words = clause[1:] if clause[0].tag == "CC" else clause
    if not words or words[0].tag not in ("IN", "TO"):
        return False
    for at, token in enumerate(words[2:-2], start=2):
        known = text.lexicon.maps["lemmas.told"].get(token.low, "")
        lemma = (third_person(token.low) or known) if token.noun else ""
        if sum(e.tag in ("DT", "CD", "PRP", "PRP$") or e.low == "," for e in words[1:at]) > 1:
            return False
        noun = next((e for e in words[at + 2 :] if e.noun and not _leads(e)), None)
        if lemma and words[at + 1].tag in ("DT", "CD", "PRP$") and noun is not None:
            attach(token, token, "ROOT")
            attach(words[0], token, "prep")
            attach(noun, token, "nsubj")
            token.tag, token.lemma = "VBZ", lemma
            return True
    return False


def _leads(noun: Token) -> bool:
    return noun.dep in INSIDE and noun.head.i == noun.i + 1


def _verb(sentence: list[Token], text: Text) -> None:
    """ "A cyclist in a helmet rides past": the verb that was read as a noun."""
    verbs = text.lexicon.maps["lemmas.told"]
    for at, token in enumerate(sentence[1:-1], start=1):
        before, after = sentence[at - 1], sentence[at + 1]
        led = any(e.low in ("a", "an") for e in token.below) and token.tag == "NNS"
        thing = alive(before, text) or (led and text.words.concrete(before.lemma))
        plain = before.tag == "JJ" and before.low not in text.lexicon.kinds
        if plain and token.noun and thing:
            before.tag = "NN"  # "a finch perches"
        some = before.tag == "PRP" or before.low in _BEFORE_VERB
        if not token.noun or not (before.noun or some):
            continue
        lemma = verbs.get(token.low) if after.tag in _AFTER_VERB else None
        if lemma is None and after.tag in _AFTER_VERB and token.tag == "NNS":
            acts = alive(before, text) or any(e.noun and alive(e, text) for e in sentence[:at])
            lemma = third_person(token.low) if acts and not alive(token, text) else None
        if lemma is None and after.tag in _ARTICLES and after.head is not token:
            lemma = third_person(token.low)  # "waves a handkerchief"
        if lemma is None and token.tag == "NNS" and any(e.low in ("a", "an") for e in token.below):
            lemma = third_person(token.low)  # "a weather vane creaks"
        if not lemma:
            continue
        if token.children("nsubj"):
            token.tag, token.lemma = "VBZ", lemma
            return
        subject = _subject(sentence, before)
        if token.head is not before:
            attach(before, token.head if token.head is not token else before, token.dep)
        for each in list(token.below):
            if each.i < token.i and each is not before:
                attach(each, before, each.dep)
        old = next((e for e in sentence if e.head.i not in _range(sentence) or e.head is e), token)
        attach(token, token, "ROOT")
        if old is not token and old is not subject:
            attach(old, token, "dep")
        attach(subject, token, "nsubj")
        token.tag, token.lemma = "VBZ", lemma
        _all_of_list(subject, token, text)
        if after.tag in _ARTICLES:
            noun = next((e for e in sentence[at + 2 :] if e.noun and not _leads(e)), None)
            if noun is not None:
                attach(noun, token, "dobj")
        if after.head.i < token.i and after.tag in ("IN", "RP", "RB"):
            attach(after, token, "prep" if after.children("pobj") else "advmod")
        return


def _all_of_list(last: Token, verb: Token, text: Text) -> None:
    """Have all of "a mug, a towel and a spoon lie there" do what the last one was read to do."""
    nouns, at = [last], last.i - 1
    while at >= 0 and text.tokens[at].sentence == last.sentence:
        each = text.tokens[at]
        if each.low not in (",", "and") and each.tag not in _IN_LIST:
            return
        if each.noun and text.low[at + 1] in (",", "and"):
            nouns.insert(0, each)
        at -= 1
    if len(nouns) > 1:
        attach(nouns[0], verb, "nsubj")
        for each in nouns[1:]:
            attach(each, nouns[0], "conj")


def _range(sentence: list[Token]) -> range:
    return range(sentence[0].i, sentence[-1].i + 1)


def _subject(sentence: list[Token], before: Token) -> Token:
    """The noun that the sentence begins with, where the last one hangs on a preposition."""
    at = before
    for each in before.up():
        if each.sentence != before.sentence or each.i > before.i:
            break
        if each.noun:
            at = each
    if at is before:
        for each in sentence:
            if each.noun and each.i < before.i and each.dep in ("ROOT", "nsubj"):
                return each
    return at
