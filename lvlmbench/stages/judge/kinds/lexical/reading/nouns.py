"""Nouns that a parser takes for other words: "barmaid behind a counter", "trash can"."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.trees import alive, attach

_OF_NOUNS = frozenset({"ROOT", "dobj", "pobj", "nsubj", "nsubjpass", "conj", "appos", "acomp"})
_BEGINS = frozenset({".", ";", ":", ","})
_ENDS = frozenset({",", ".", ":", ";", "(", ")"})
_BASE = frozenset({"VB", "VBP", "VBZ"})
#: Words that stay verbs before an adjective, though nouns are spelled so.
_VERBS = frozenset(
    ("be", "have", "wear", "do", "look", "stand", "lie", "sit", "hang", "rest", "run", "show",
     "get")
)  # fmt: skip
_GENDERS = frozenset({"male", "female"})


def name_nouns(token: Token, text: Text) -> None:
    """Make a noun of a word that was read as another one, in place; of two that are one name."""
    if _is_noun(token, text):
        irregular = text.lexicon.maps["lemmas.nouns"].get(token.low)
        token.tag = "NN" if irregular is None else "NNS"
        token.lemma = irregular or token.lemma
    elif _stands_alone(token, text):
        for each in token.children("nsubj"):  # "a box, goat on its roof"
            attach(each, each, "ROOT")
        several = token.tag == "VBZ"
        token.tag, token.lemma = ("NNS", token.lemma) if several else ("NN", token.low)
        if token.dep not in _OF_NOUNS:
            attach(token, token, "ROOT")
    elif token.low in _GENDERS and token.noun and token.i:
        _gender(token, text)
    elif token.tag == "VBD" and text.lexicon.kinds.get(token.low) and token.children("dobj"):
        _describes(token, text)
    _one_name(token, text)


def _is_noun(token: Token, text: Text) -> bool:
    """Whether what was read as another word is a noun: "a half-eaten croissant on a plate"."""
    irregular = text.lexicon.maps["lemmas.nouns"].get(token.low)
    if irregular and token.tag in ("JJ", "RB") and token.dep in ("attr", "dobj", "pobj", "nsubj"):
        return True  # "three cacti", "are the geese"
    lemma = irregular or token.lemma
    if token.noun or token.low in text.lexicon.kinds or not text.words.concrete(lemma):
        return False
    if token.tag == "VBG":
        return not token.low.endswith("ing")
    begins = not token.i or text.tokens[token.i - 1].low in (".", ";", ":")
    if begins and token.tag in ("VB", "RB") and text.tokens[token.i + 1 : token.i + 2]:
        return text.tokens[token.i + 1].tag in ("IN", "JJR")  # "snail on a flowerpot"
    after = text.low[token.i + 1 : token.i + 2]
    if after == [":"] and (not token.i or text.tokens[token.i - 1].sentence != token.sentence):
        return token.lemma not in text.lexicon.lists["nouns.vacuous"]
    led = any(each.dep in ("det", "nummod", "poss") for each in token.below)
    return token.tag == "JJ" and token.dep in _OF_NOUNS and led


def _stands_alone(token: Token, text: Text) -> bool:
    """Whether a word begins a telegram or follows an article: "boy on a log", "a fencer, left"."""
    if token.noun or not token.low.isalpha() or token.low in text.lexicon.kinds:
        return False
    before = text.low[token.i - 1] if token.i else "."
    after = text.tokens[token.i + 1 : token.i + 2]
    ends = not after or after[0].low in _ENDS or after[0].tag == "IN"
    role = text.words.role(token.low) or ("person" if token.low in text.lexicon.says else "")
    if before in _BEGINS and role == "clothes" and token.tag in ("VB", "VBP"):
        return True  # "a boy, hat far too big"
    if before == "," and token.tag == "VB" and after and after[0].tag == "IN":
        return role in ("person", "animal")
    told = after and text.lexicon.kinds.get(after[0].low) and not token.children("nsubj")
    if before in _BEGINS and told and token.tag in _BASE and token.lemma not in _VERBS:
        return bool(text.words.concrete(token.lemma))  # "oars, blades green"
    article = before in ("a", "an", "the") and token.tag == "JJ" and after
    if article and after[0].low == "(" and text.words.concrete(token.low):
        return True  # "the thimble (brass)"
    begins = before in _BEGINS - {","} or before in ("a", "an", "the", "two", "three")
    return begins and ends and role in ("person", "animal") and token.tag != "VBZ"


def _gender(token: Token, text: Text) -> None:
    """ "Nurse, male, green scrubs": an adjective of who was named."""
    before = text.tokens[token.i - 1]
    if before.low not in (",", "(", ":", "or", "and"):
        return
    for each in reversed(text.tokens[: token.i]):
        if each.sentence != token.sentence or each.low == ".":
            return
        if each.noun and alive(each, text):
            token.tag = "JJ"
            for below in list(token.below):
                if below is not each:
                    attach(below, each, below.dep)
            attach(token, each, "appos")
            return


def _describes(token: Token, text: Text) -> None:
    """ "Bald man, checked jacket": what was read as a verb describes the noun after it."""
    noun = token.children("dobj")[0]
    subject = next(iter(token.children("nsubj")), None)
    if subject is None or noun.i != token.i + 1 or text.low[token.i - 1] != ",":
        return
    attach(subject, token.head if token.head is not token else subject, token.dep)
    attach(noun, subject, "appos")
    for each in list(token.below):
        attach(each, subject, each.dep)
    attach(token, noun, "amod")
    token.tag = "JJ"


def _one_name(token: Token, text: Text) -> None:
    """ "Fire hydrant", "trash can": two words that are one name, whatever their tags."""
    after = text.tokens[token.i + 1 : token.i + 2]
    if not after or after[0].sentence != token.sentence or after[0].noun or not token.noun:
        return
    name = f"{token.low} {after[0].low}"
    known = text.words.concrete(name) or name in text.lexicon.lists["nouns.compounds"]
    if not known or after[0].low in text.lexicon.kinds:
        return
    second = after[0]
    if second.tag == "MD" and any(e.tag == "VB" for e in text.tokens[second.i + 1 : second.i + 2]):
        return  # "no cup of coffee can be seen"
    over = second if token.head in (second, token) else token
    top = over.head in (second, token)
    attach(second, second if top else over.head, over.dep)
    for each in list(token.below):
        if each is not second:
            attach(each, second, each.dep)
    attach(token, second, "compound")
    second.tag, second.lemma = "NN", second.low
