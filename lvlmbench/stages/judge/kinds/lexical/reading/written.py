"""What is written on things."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.text import QUOTED
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing

_SAYS = frozenset((
    "say", "read", "spell", "display", "show", "bear", "state", "announce", "label", "mark",
    "title", "name", "call", "write", "print",
))  # fmt: skip
_QUOTED = QUOTED.lower()


def written(sight: Sight) -> Iterator[Draft]:
    """Yield the words that stand on things, as attributes ``text``."""
    quotes = iter(sight.text.flat.quotes)
    for token in sight.text.tokens:
        if _QUOTED not in token.low:
            continue
        quote = next(quotes, None)
        if quote is None:
            return
        thing = _carrier(sight, token)
        if thing is not None:
            yield Draft(
                "attribute", thing, token, token, "text", None, quote[0],
                negated=thing.negated, hedged=thing.hedged,
            )  # fmt: skip


def _carrier(sight: Sight, token: Token) -> Thing | None:
    """What the words are on: what says them, the thing after "on", else the last one named."""
    for above in token.up():
        if above.verb and above.lemma in _SAYS:
            found = [t for t in sight.frames.subjects(above) if t.role not in (*SETTING, "person")]
            if found:
                return found[0]
    for each in sight.after(token, 8):
        if each.low in ("on", "across", "onto") and each.dep == "prep":
            for pobj in each.children("pobj"):
                found = [t for t in sight.mentions.resolve(pobj) if t.role not in SETTING]
                if found:
                    return found[0]
        if each.low in (".", ";"):
            break
    for each in reversed(sight.text.tokens[: token.i]):
        if each.sentence < token.sentence - 1:
            break
        thing = sight.things.by_token.get(each.i)
        if thing is not None and thing.role not in (*SETTING, "person"):
            return thing.root
    for each in sight.after(token, 10):
        thing = sight.things.by_token.get(each.i)
        if thing is not None and thing.role not in (*SETTING, "person"):
            return thing.root
    return None
