"""Things side by side: "left to right: a lamp, a mug", "to the left of it …, to the right"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.places import beside, of_what_was_named
from lvlmbench.stages.judge.kinds.lexical.reading.ranks import lines
from lvlmbench.stages.judge.kinds.lexical.reading.related import draft, following
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing

_ORDERS = {"left to right": "left_of", "right to left": "right_of"}
#: What may follow such words where a row does.
_LEADS = frozenset({":", ",", "(", "is", "are", "there", "we", "you", "one", "stand", "lie"})


def rows(sight: Sight) -> Iterator[Draft]:
    """Yield how things stand that a row lists, or that are at the other side of what was named."""
    low = sight.text.low
    for token in sight.text.tokens:
        relation = _ORDERS.get(" ".join(low[token.i : token.i + 3]))
        behind = low[token.i + 3 : token.i + 5]
        if relation is not None and behind[:1] and behind[0] in _LEADS and behind[-1] != "and":
            yield from _row(sight, token, relation)
        elif of_what_was_named(sight.text, token.i):
            yield from _other_side(sight, token)


def _row(sight: Sight, token: Token, relation: str) -> Iterator[Draft]:
    """Each thing of a row beside the next one."""
    sentence = [each for each in sight.text.sentence(token) if each.i > token.i + 2]
    things = list(dict.fromkeys(t.root for each in sentence if (t := _listed(sight, each))))
    if len(things) < 2:
        things = lines(sight, sight.text.sentence(token)[-1])
    for one, other in pairwise(things):
        yield draft(one, relation, other, one.first, other.last, False, False)


def _listed(sight: Sight, token: Token) -> Thing | None:
    """The thing that a word names in a list, not one that belongs to another: "with a lid"."""
    thing = sight.things.by_token.get(token.i)
    if thing is None or thing.head is not token or thing.role in (*SETTING, "clothes"):
        return None
    return (
        None if token.dep == "pobj" or (token.dep == "conj" and token.head.dep == "pobj") else thing
    )


def _other_side(sight: Sight, token: Token) -> Iterator[Draft]:
    """What stands at the other side of the thing of which the first side was told."""
    text = sight.text
    at = next((n for n in range(token.i - 1, -1, -1) if beside(text, n, of=True)), None)
    if at is None:
        return
    named = (sight.mentions.resolve(each) for each in sight.after(text.tokens[at + 3], 5))
    others = next(filter(None, named), [])
    for one in following(sight, text.tokens[token.i + 2], direct=True)[:1]:
        for other in others:
            if one is not other:
                side = f"{text.low[token.i + 2]}_of"
                yield draft(one, side, other, token, text.tokens[token.i + 2], False, False)
