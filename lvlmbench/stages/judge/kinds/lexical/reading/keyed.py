"""Lists of people under what they wear or do: "Shorts: the sons (blue)", "Eating: the aunt"."""

from __future__ import annotations

from lvlmbench.stages.judge.kinds.lexical.reading.hung import PARTS, is_color
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.trees import FINITE, alive, attach
from lvlmbench.stages.judge.kinds.lexical.reading.verbs import base


def keyed(text: Text, title: list[Token], rest: list[Token]) -> bool:
    """Read such a list, in place; return whether it is one."""
    people = [each for each in rest if each.noun and alive(each, text)]
    others = [e for e in rest if e.noun and e not in people and not is_color(text, e)]
    finite = any(each.tag in FINITE for each in rest)
    if not people or others or finite or len(title) > 3 or any(e.tag == "IN" for e in rest):
        return False
    last = title[-1]
    names = (last.lemma, last.low)
    if any("clothes" in (text.words.role(each), text.words.roles.get(each)) for each in names):
        attach(last, last, "ROOT")
        for who in people:
            attach(who, who, "ROOT")
            colors = _colors(text, title, rest, who)
            text.wears.append((last, who, colors))
            text.apart.update(each.i for each in colors)
        return True
    if title[0].low.endswith("ing") and not alive(title[0], text):
        return _does(title, people)
    return False


def _colors(text: Text, title: list[Token], rest: list[Token], who: Token) -> list[Token]:
    """The colors of what somebody wears: in brackets behind the name, or before the title."""
    own = [each for each in title if is_color(text, each)]
    behind = rest[rest.index(who) + 1 :]
    if not behind or behind[0].low not in ("(", ","):
        return own
    for each in behind[1:]:
        if each.low in PARTS or (each.noun and not is_color(text, each)):
            break
        own += [each] if is_color(text, each) else []
    return own


def _does(title: list[Token], people: list[Token]) -> bool:
    """ "Pouring juice: the aunt"."""
    verb, first = title[0], people[0]
    attach(verb, verb, "ROOT")
    verb.tag, verb.lemma = "VBG", base(verb.low)
    attach(first, verb, "nsubj")
    for each in people[1:]:
        attach(each, first, "conj")
    for each in title[1:]:
        if each.noun:
            attach(each, verb, "dobj")
    return True
