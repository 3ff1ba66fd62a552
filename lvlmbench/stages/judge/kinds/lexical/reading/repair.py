"""What the parser gets wrong so often that it is put right: lists of two, verbs taken for nouns."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.model import third_person
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.verbs import base

_INSIDE = ("nmod", "compound", "amod")
_OF_NOUNS = frozenset({"ROOT", "dobj", "pobj", "nsubj", "nsubjpass", "conj", "appos", "acomp"})
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_AFTER_VERB = frozenset({"IN", "RP", "RB", "PRP", "TO", "."})
_ARTICLES = frozenset({"DT", "PRP$"})


def repair(text: Text) -> Text:
    """Put right the trees of a text, in place, and return it."""
    for token in text.tokens:
        if _is_noun(token, text):
            irregular = text.lexicon.maps["lemmas.nouns"].get(token.low)
            token.tag = "NN" if irregular is None else "NNS"
            token.lemma = irregular or token.lemma
        if token.tag == "NNP" and text.lexicon.kinds.get(token.low) in (
            "other",
            "state",
            "expression",
        ):
            token.tag = "JJ"
        comma = text.low[token.i + 1 : token.i + 2] == [","] and token.head.i > token.i
        if token.low in text.lexicon.lists["adjectives.shades"] and token.dep in ("attr", "acomp"):
            _shaded(token, text)
        if token.tag == "NN" and token.i + 1 < len(text.tokens):
            _joined(token, text.tokens[token.i + 1], text)
        if text.low[token.i + 1 : token.i + 2] == ["than"]:
            _compares(token, text)
        if token.noun and token.dep == "compound" and text.low[token.i + 1 :][:1] == ["same"]:
            attach(token, token, "ROOT")  # "ladder same height as"
        if token.tag == "VBZ" and token.i and not token.children("nsubj", "nsubjpass"):
            before = text.tokens[token.i - 1]
            if before.head is token and before.noun and before.dep in _INSIDE:
                before.dep = "nsubj"  # "the finch perches atop"
                for each in token.children("det"):
                    attach(each, before, "det")
        if token.low == "can" and token.head.tag in ("VBZ", "VBD") and token.i:
            _canned(token, text.tokens[token.i - 1])
        if comma and token.tag == "JJ" and token.dep == "amod" and _garment(token, text):
            _listed(token)
        elif token.head.noun and not alive(token.head, text) and acting(text, token):
            _acts(token, text)
        elif token.tag == "JJ" and token.dep == "amod" and _have(token):
            _owns(token.head, token.children("aux")[0])
        elif token.tag == "JJ" and token.children("dobj") and _have(token):
            _has(token)
        elif token.noun and _have(token):
            _owns(token, token.children("aux")[0])
        elif token.tag == "VBG" and token.children("dobj") and _led(token):
            _before_noun(token)
        elif _colored(token, text):
            token.tag = "NN" if token.tag == "VBD" else "NNS"
            token.lemma = token.low if token.tag == "NN" else token.lemma
            token.children("nsubj")[0].dep = "amod"
        elif token.noun and comma and token.dep in _INSIDE and token.head.tag in ("JJ", "VBN"):
            _apposed(token)
        listed = token.noun and token.dep == "appos" and token.head.noun
        if listed and token.children("cc") and not alive(token.head, text):
            token.dep = "conj"  # "a toaster, a blender and a kettle"
        if token.noun and token.dep in _INSIDE and token.head.i > token.i + 1:
            _two_nouns(token)
        elif token.noun and token.dep == "compound" and token.head.verb and token.i < token.head.i:
            token.dep = "nsubj"
    for sentence in text.sentences:
        for clause in _clauses(sentence):
            if not any(each.tag in _FINITE for each in clause) and not _inverted(clause, text):
                _verb(clause, text)
    return text


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
        return text.tokens[token.i + 1].tag == "IN"  # "snail on a flowerpot"
    after = text.low[token.i + 1 : token.i + 2]
    if after == [":"] and (not token.i or text.tokens[token.i - 1].sentence != token.sentence):
        return token.lemma not in text.lexicon.lists["nouns.vacuous"]
    led = any(each.dep in ("det", "nummod", "poss") for each in token.below)
    return token.tag == "JJ" and token.dep in _OF_NOUNS and led


def _shaded(shade: Token, text: Text) -> None:
    """ "Is cherry red and gleaming": the color is said, not the cherry."""
    color = next((e for e in shade.below if e.i == shade.i + 1), None)
    if color is None or text.lexicon.kinds.get(color.low) != "color":
        return
    attach(color, shade.head if shade.head is not shade else color, "acomp")
    for each in list(shade.below):
        attach(each, color, each.dep)
    attach(shade, color, "advmod")


def _joined(first: Token, second: Token, text: Text) -> None:
    """ "A fire extinguisher": two nouns without a comma make one name, the last its head."""
    stray = second.dep in ("amod", "npadvmod", "appos", "nmod") and second.noun
    beside = second.sentence == first.sentence and text.words.concrete(second.lemma)
    known = first.low in text.lexicon.kinds or not text.words.concrete(first.lemma)
    if not stray or not beside or known or first.dep in (*_INSIDE, "poss"):
        return
    if (second.dep == "npadvmod" and second.head.i > second.i) or second.head.i > second.i:
        return
    attach(second, first.head if first.head is not first else second, first.dep)
    for each in list(first.below):
        if each is not second:
            attach(each, second, each.dep)
    attach(first, second, "compound")


def _compares(token: Token, text: Text) -> None:
    """ "Pear bigger than lime": two nouns, whatever the parser makes of them."""
    if not token.i or token.low not in text.lexicon.maps["relations.comparatives"]:
        return
    before, than = text.tokens[token.i - 1], text.tokens[token.i + 1]
    after = text.tokens[than.i + 1] if than.i + 1 < len(text.tokens) else than
    known = text.words.concrete
    if before.sentence == token.sentence and (before.noun or known(before.lemma)):
        if before.tag[:1] in ("N", "J"):
            before.tag = before.tag if before.noun else "NN"
            attach(before, before, "ROOT")
            attach(token, before, "acl")
            attach(than, token, "prep")
            for each in list(token.children("nsubj", "npadvmod", "det", "amod", "compound")):
                attach(each, before, "amod" if each.dep == "amod" else "det")
    if after is not than and not after.noun and after.tag == "JJ" and known(after.lemma):
        after.tag = "NN"
        attach(after, than, "pobj")


def _canned(can: Token, before: Token) -> None:
    """ "A trash can stands there": a noun, as no verb in a finite form follows "can"."""
    verb = can.head
    if before.noun and before.head is verb:
        attach(can, verb, before.dep)
        for each in (*before.below, before):
            attach(each, can, "compound" if each is before else each.dep)
        can.tag = "NN"


def _apposed(token: Token) -> None:
    """ "A pig, pink, life-sized": the noun is described, it does not describe."""
    last = token.head
    led = [each for each in last.below if token.i < each.i < last.i and each.dep == "amod"]
    attach(token, last.head if last.head is not last else token, last.dep)
    for each in (*led, last):
        attach(each, token, "appos")


def _garment(token: Token, text: Text) -> bool:
    return "clothes" in (text.words.roles.get(token.low), text.words.roles.get(token.lemma))


def _listed(token: Token) -> None:
    """ "A green scarf, yellow gloves": the first is a noun of its own."""
    next_ = token.head
    led = [each for each in next_.below if each.i < token.i and each.dep in ("det", "amod")]
    top, dep = next_.head, next_.dep
    attach(token, top if top is not next_ else token, dep)
    attach(next_, token, "conj")
    for each in led:
        attach(each, token, each.dep)
    token.tag = "NN"


def acting(text: Text, token: Token) -> bool:
    """Return whether a word after a comma says what somebody does: ", waving"."""
    if not token.low.endswith("ing") or not token.i or text.low[token.i - 1] not in (",", "and"):
        return False
    if text.lexicon.kinds.get(token.low) not in (None, "state", "other"):
        return False
    if token.dep in _INSIDE and token.head.i > token.i:
        return False
    return token.tag == "VBG" or (token.noun and token.dep in ("conj", "appos", "ROOT"))


def _acts(token: Token, text: Text) -> None:
    """ "A boy in a cap, waving": the boy waves, not the cap."""
    at, worn = token.head, False
    while at.head is not at:
        at = at.head
        worn = worn or at.low == "in" or at.lemma in text.lexicon.lists["clothes.wear_verbs"]
        if at.noun and alive(at, text):
            if worn:
                hang_verb(token, at)
            return


def _have(token: Token) -> bool:
    return any(each.lemma == "have" for each in token.children("aux")[:1])


def _owns(noun: Token, verb: Token) -> None:
    """ "The lady has light skin", where the noun was taken for the verb."""
    attach(verb, noun.head if noun.head is not noun else verb, noun.dep)
    for each in noun.children("nsubj"):
        attach(each, verb, "nsubj")
    attach(noun, verb, "dobj")


def _led(token: Token) -> bool:
    """Whether an article leads a word, above it or below."""
    return bool(token.children("det")) or _above(token)


def _above(token: Token) -> bool:
    return token.head.tag == "DT" and token.head.i == token.i - 1


def _before_noun(token: Token) -> None:
    """ "A frowning old man": the participle describes who follows."""
    noun, top = token.children("dobj")[0], token.head if _above(token) else token
    attach(noun, top.head if top.head is not top else noun, top.dep)
    for each in [*token.below, *(top.below if top is not token else ())]:
        if each is not noun and each is not token:
            attach(each, noun, each.dep)
    if top is not token:
        attach(top, noun, "det")
    attach(token, noun, "amod")


def _colored(token: Token, text: Text) -> bool:
    """Whether a noun after a color was read as a verb: "a crimson rose", "two crimson vases"."""
    noun = {"VBD": token.low, "VBZ": token.lemma}.get(token.tag, "")
    after = text.tokens[token.i + 1 : token.i + 2]
    ends = not after or after[0].low in (",", ".", ";", "and") or after[0].tag == "IN"
    if not ends or not text.words.concrete(noun):
        return False
    own = token.children("nsubj")
    return any(e.i == token.i - 1 and text.lexicon.kinds.get(e.low) == "color" for e in own)


def alive(noun: Token, text: Text) -> bool:
    """Return whether a noun names somebody who may act."""
    if noun.lemma in text.lexicon.says or text.has("nouns.animals", noun.lemma):
        return True
    return text.words.role(noun.lemma) in ("person", "animal")


def _has(token: Token) -> None:
    """ "The man has light skin": the verb was taken for an auxiliary."""
    verb, noun = token.children("aux")[0], token.children("dobj")[0]
    if noun.i < token.i:
        return
    attach(verb, token.head if token.head is not token else verb, token.dep)
    for each in list(token.below):
        if each is not noun and each is not verb:
            attach(each, verb, each.dep)
    attach(noun, verb, "dobj")
    attach(token, noun, "amod")
    verb.tag = "VBZ" if verb.tag[:2] != "VB" else verb.tag


def hang_verb(token: Token, noun: Token) -> None:
    """Have somebody do what a word in -ing says."""
    attach(token, noun, "acl")
    token.tag = "VBG"
    if token.lemma == token.low:
        token.lemma = base(token.low)


def _clauses(sentence: list[Token]) -> list[list[Token]]:
    """A sentence between its commas and the like, each piece with what ends it."""
    out: list[list[Token]] = [[]]
    for each in sentence:
        out[-1].append(each)
        if each.low in (",", ";", ":", "while", "where", "who", "which", "as", "when"):
            out.append([])
    return [clause for clause in out if clause]


def attach(token: Token, head: Token, dep: str) -> None:
    """Hang a word on another one; on itself as a root.

    Where the other hangs below it, the other takes its place first: a tree has no circles.
    """
    if head is not token and token in head.up():
        attach(head, token.head if token.head is not token else head, token.dep)
    if token.head is not token:
        token.head.below.remove(token)
    token.head, token.dep = head, dep
    if head is not token:
        head.below.append(token)
        head.below.sort(key=lambda each: each.i)


def _two_nouns(first: Token) -> None:
    """ "A yellow dress and red shoes": the second noun is coordinated, not described."""
    second = first.head
    between = [e for e in (*first.below, *second.below) if first.i < e.i < second.i]
    link = next((e for e in between if e.dep == "cc"), None)
    link = link or next((e for e in between if e.low == "," and e.i == first.i + 1), None)
    if link is None or not second.noun:
        return
    inner = [e for e in first.below if e.dep == "conj" and e.i > link.i]
    led = [e for e in second.below if e.i < first.i]
    if (
        link.low != ","
        and second.i == link.i + 1
        and not any(e.dep == "det" for e in (*led, *first.below))
    ):
        return  # "salt and pepper shaker"
    top, dep = second.head, second.dep
    root = top is second
    attach(first, first, "ROOT")
    if not root:
        attach(first, top, dep)
    attach(second, first, "conj")
    attach(link, first, "punct" if link.low == "," else "cc")
    for each in led:
        attach(each, first, each.dep)
    for each in inner:
        if each.i < second.i:
            attach(each, second, "amod" if not each.noun else "compound")


def _inverted(clause: list[Token], text: Text) -> bool:
    """ "Behind him trots a lad": the verb that was read as a noun, its subject after it."""
    words = clause[1:] if clause[0].tag == "CC" else clause
    if words[0].tag not in ("IN", "TO"):
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
    return noun.dep in _INSIDE and noun.head.i == noun.i + 1


def _verb(sentence: list[Token], text: Text) -> None:
    """ "A cyclist in a helmet rides past": the verb that was read as a noun."""
    verbs = text.lexicon.maps["lemmas.told"]
    for at, token in enumerate(sentence[1:-1], start=1):
        before, after = sentence[at - 1], sentence[at + 1]
        led = any(e.low in ("a", "an") for e in token.below) and token.tag == "NNS"
        thing = led and before.low not in text.lexicon.kinds and text.words.concrete(before.lemma)
        if before.tag == "JJ" and token.noun and (thing or alive(before, text)):
            before.tag = "NN"  # "a finch perches"
        if not token.noun or not (before.noun or before.tag == "PRP"):
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
        if after.head.i < token.i and after.tag in ("IN", "RP", "RB"):
            attach(after, token, "prep" if after.children("pobj") else "advmod")
        return


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
