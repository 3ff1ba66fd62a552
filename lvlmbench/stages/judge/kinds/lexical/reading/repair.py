"""What the parser gets wrong so often that it is put right: lists of two, verbs taken for nouns."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.hung import is_garment
from lvlmbench.stages.judge.kinds.lexical.reading.interrupted import interrupted
from lvlmbench.stages.judge.kinds.lexical.reading.nouns import name_nouns
from lvlmbench.stages.judge.kinds.lexical.reading.painted import painted
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.trees import (
    FINITE,
    INSIDE,
    acting,
    alive,
    attach,
    hang_verb,
)
from lvlmbench.stages.judge.kinds.lexical.reading.verbal import clauses
from lvlmbench.stages.judge.kinds.lexical.reading.verbs import base

_FOR_PEOPLE = frozenset(
    ("one", "other", "another", "former", "latter", "first", "second", "third", "nobody",
     "everybody", "somebody", "everyone")
)  # fmt: skip


def repair(text: Text) -> Text:
    """Put right the trees of a text, in place, and return it."""
    painted(text)
    for token in text.tokens:
        _tag(token, text)
        _neighbors(token, text)
        _head(token, text)
        _list(token, text)
    clauses(text)
    interrupted(text)
    return text


def _tag(token: Token, text: Text) -> None:
    """Put right the part of speech of a word."""
    name_nouns(token, text)
    kind = text.lexicon.kinds.get(token.low)
    led = text.tokens[token.i - 1].tag == "IN" if token.i else False  # "the man in orange skates"
    inside = token.dep in INSIDE and token.head.i > token.i
    painted_name = kind == "color" and inside and (not led or is_garment(text, token.head))
    if token.tag == "NNP" and (kind in ("other", "state", "expression") or painted_name):
        token.tag = "JJ"
    if token.low == "a" and token.noun and any(each.i > token.i for each in token.below):
        token.tag = "DT"  # "- A frowning boy"
    if token.low in ("a", "an") and token.dep == "nsubj" and token.head.i == token.i + 1:
        token.dep = "det"


def _neighbors(token: Token, text: Text) -> None:
    """Put right what a word makes with the one beside it."""
    after = text.low[token.i + 1 : token.i + 2]
    if token.low in text.lexicon.lists["adjectives.shades"] and token.dep in ("attr", "acomp"):
        _shaded(token, text)
    if token.tag == "NN" and after:
        _joined(token, text.tokens[token.i + 1], text)
    if after == ["than"]:
        _compares(token, text)
    if token.noun and after and after[0].endswith("ing") and alive(token, text):
        _acting(token, text.tokens[token.i + 1], text)
    if token.noun and token.dep == "compound" and after == ["same"]:
        attach(token, token, "ROOT")  # "ladder same height as"
    if token.tag == "VBZ" and token.i and not token.children("nsubj", "nsubjpass"):
        before = text.tokens[token.i - 1]
        if before.head is token and before.noun and before.dep in INSIDE:
            before.dep = "nsubj"  # "the finch perches atop"
            for each in token.children("det"):
                attach(each, before, "det")
    if token.tag == "VBZ" and token.dep == "compound" and token.head.noun and token.i:
        _wears(token, text.tokens[token.i - 1])
    if token.low == "'s" and token.tag == "POS" and token.i:
        _is(token, text)
    if token.low == "can" and token.head.tag in ("VBZ", "VBD") and token.i:
        _canned(token, text.tokens[token.i - 1])


def _head(token: Token, text: Text) -> None:
    """Put right what a word hangs on, by the first fault that is found."""
    comma = text.low[token.i + 1 : token.i + 2] == [","] and token.head.i > token.i
    if comma and token.tag == "JJ" and token.dep == "amod" and is_garment(text, token):
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
    elif _goes_on(token) and token.dep == "conj" and token.head.noun:
        verb = next((each for each in token.up() if each.verb), None)
        if verb is not None and not token.children("nsubj", "nsubjpass"):
            attach(token, verb, "conj")  # "wears a hat, shades, and a skirt and holds a broom"
    elif token.noun and comma and token.dep in INSIDE and token.head.tag in ("JJ", "VBN"):
        _apposed(token)


def _goes_on(token: Token) -> bool:
    """Whether a word is a verb that goes on after a list; "a fork and rake" holds none."""
    return token.tag in FINITE or (token.tag == "VB" and bool(token.children("dobj")))


def _list(token: Token, text: Text) -> None:
    """Put right the nouns of a list."""
    if token.noun and token.dep == "nsubj" and token.head.i > token.i:
        first = next(iter(token.head.children("nsubj")), token)
        between = text.tokens[first.i + 1 : token.i]
        listed = any(e.low == "," for e in between) and not any(e.verb for e in between)
        if first.noun and first.i < token.i and listed:
            attach(token, first, "conj")  # "a farmer, a nun and a sailor are sitting"
    listed = token.noun and token.dep == "appos" and token.head.noun
    if listed and token.children("cc") and not alive(token.head, text):
        token.dep = "conj"  # "a toaster, a blender and a kettle"
    if token.noun and token.dep in INSIDE and token.head.i > token.i + 1:
        _two_nouns(token)
    elif token.noun and token.dep == "compound" and token.head.verb and token.i < token.head.i:
        token.dep = "nsubj"


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
    stray = second.dep in ("amod", "npadvmod", "appos", "nmod", "advcl", "dep") and second.noun
    beside = second.sentence == first.sentence and text.words.concrete(second.lemma)
    seen = text.words.concrete(first.lemma) or text.has("nouns.seen", first.lemma)
    known = first.low in text.lexicon.kinds or not seen
    if not stray or not beside or known or first.dep in (*INSIDE, "poss"):
        return
    if (second.dep == "npadvmod" and second.head.i > second.i) or second.head.i > second.i:
        return
    attach(second, first.head if first.head is not first else second, first.dep)
    for each in list(first.below):
        if each is not second:
            attach(each, second, each.dep)
    attach(first, second, "compound")


def _acting(somebody: Token, verb: Token, text: Text) -> None:
    """ "Goalkeeper diving (green jersey)": the noun acts, it does not describe."""
    sentence = text.sentence(somebody)
    verbless = not any(e.tag in FINITE for e in sentence)
    after = verb.i + 1 >= len(text.tokens) or not text.tokens[verb.i + 1].noun
    if verbless and after and somebody.head is verb and somebody.dep in INSIDE:
        attach(somebody, verb.head if verb.head is not verb else somebody, verb.dep)
        for each in list(verb.below):
            if each is not somebody:
                attach(each, somebody, each.dep)
        hang_verb(verb, somebody)


def _compares(token: Token, text: Text) -> None:
    """ "Pear bigger than lime": two nouns, whatever the parser makes of them."""
    if not token.i or token.low not in text.lexicon.maps["relations.comparatives"]:
        return
    before, than = text.tokens[token.i - 1], text.tokens[token.i + 1]
    after = text.tokens[than.i + 1] if than.i + 1 < len(text.tokens) else than
    known = text.words.concrete
    named = before.sentence == token.sentence and (before.noun or known(before.lemma))
    if named and before.tag[:1] in ("N", "J"):
        before.tag = before.tag if before.noun else "NN"
        attach(before, before, "ROOT")
        attach(token, before, "acl")
        attach(than, token, "prep")
        for each in list(token.children("nsubj", "npadvmod", "det", "amod", "compound")):
            attach(each, before, "amod" if each.dep == "amod" else "det")
    if after is not than and not after.noun and after.tag == "JJ" and known(after.lemma):
        after.tag = "NN"
        attach(after, than, "pobj")


def _apposed(token: Token) -> None:
    """ "A pig, pink, life-sized": the noun is described, it does not describe."""
    last = token.head
    led = [each for each in last.below if token.i < each.i < last.i and each.dep == "amod"]
    attach(token, last.head if last.head is not last else token, last.dep)
    for each in (*led, last):
        attach(each, token, "appos")


def _wears(verb: Token, before: Token) -> None:
    """ "Neither wears shoes", where the verb was read as part of the noun."""
    noun = verb.head
    if before.low not in ("neither", "both", "each", "one") or before.head is not noun:
        return
    attach(verb, noun.head if noun.head is not noun else verb, noun.dep)
    attach(noun, verb, "dobj")
    attach(before, verb, "nsubj")


def _is(token: Token, text: Text) -> None:
    """ "The teapot's pewter, the rack chrome": the teapot is of pewter, it has none."""
    noun, said = text.tokens[token.i - 1], list[Token]()
    verb = next(iter(text.tokens[token.i + 1 : token.i + 2]), token)
    if noun.low in _FOR_PEOPLE and verb.low.endswith("ing"):  # "one's juggling"
        attach(verb, verb, "ROOT")
        attach(noun, verb, "nsubj")
        attach(token, verb, "aux")
        verb.tag, verb.lemma, token.tag, token.lemma = "VBG", base(verb.low), "VBZ", "be"
        return
    for each in text.tokens[token.i + 1 :]:
        if text.lexicon.kinds.get(each.low) is None or each.sentence != token.sentence:
            break
        said.append(each)
    after = said[-1].i + 1 if said else 0
    if (
        not said
        or not noun.noun
        or text.low[after : after + 1] not in ([","], ["."], [";"], ["and"])
    ):
        return
    attach(token, token, "ROOT")
    token.tag, token.lemma = "VBZ", "be"
    attach(noun, token, "nsubj")
    for each in said:
        attach(each, token, "acomp")
        if text.lexicon.kinds[each.low] in ("state", "other"):
            each.tag = "JJ"


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


def _canned(can: Token, before: Token) -> None:
    """ "A trash can stands there": a noun, as no verb in a finite form follows "can"."""
    verb = can.head
    if before.noun and before.head is verb:
        attach(can, verb, before.dep)
        for each in (*before.below, before):
            attach(each, can, "compound" if each is before else each.dep)
        can.tag = "NN"


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


def _led(token: Token) -> bool:
    """Whether an article leads a word, above it or below."""
    return bool(token.children("det")) or _above(token)


def _above(token: Token) -> bool:
    return token.head.tag == "DT" and token.head.i == token.i - 1


def _before_noun(token: Token) -> None:
    """ "A frowning old man": the participle describes who follows."""
    noun, top = token.children("dobj")[0], token.head if _above(token) else token
    attach(noun, top.head if top.head is not top else noun, top.dep.replace("csubj", "nsubj"))
    for each in [*token.below, *(top.below if top is not token else ())]:
        if each is not noun and each is not token:
            attach(each, noun, each.dep)
    if top is not token:
        attach(top, noun, "det")
    attach(token, noun, "amod")
    if noun.dep in INSIDE and noun.head.i > noun.i:
        last = noun.head  # "a frowning boy in a cap, wearing boots, yellow mittens"
        attach(noun, last.head if last.head is not last else noun, last.dep)
        attach(last, noun, "appos")
    for verb in noun.children("ccomp"):
        _acts_behind(noun, verb)


def _acts_behind(noun: Token, verb: Token) -> None:
    """ "A frowning boy with pale skin and red hair is sitting": the boy sits, not the hair."""
    part = next(iter(verb.children("nsubj")), None)
    body = [p for e in noun.children("prep") if e.low == "with" for p in e.children("pobj")]
    first = next((e for e in body if any(link.low == "and" for link in e.children("cc"))), None)
    if part is None or first is None or not first.i < part.i < verb.i:
        return
    attach(part, first, "conj")
    attach(verb, noun.head if noun.head is not noun else verb, noun.dep)
    attach(noun, verb, "nsubj")
