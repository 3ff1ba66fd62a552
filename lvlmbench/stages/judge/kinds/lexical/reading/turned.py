"""Relations that name one of the two by a pronoun: "B, with A to its right"."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.related import Found, draft, following, worn
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing


def turned(sight: Sight, found: Found) -> Iterator[Draft]:
    """Yield the relation of "B, with A to its right": the nearest thing before to "its"."""
    if sight.frames.abstract(found.first.head):
        return
    pronoun = next(
        (
            t
            for t in sight.text.tokens[found.first.i : found.last.i + 1]
            if t.tag in ("PRP$", "PRP")
        ),
        None,
    )
    leads = found.first.i == 0 or sight.text.tokens[found.first.i - 1].low in (
        ",",
        "and",
        ".",
        ";",
    )
    after = following(sight, found.last, direct=True) if leads else []
    verb = found.first.head
    while verb.tag in ("IN", "RB") and verb.head is not verb:
        verb = verb.head
    own = [e for e in verb.children("nsubj") if e.i < found.first.i - 2] if verb.verb else []
    if own and pronoun is not None and not leads:
        subjects = sight.mentions.resolve_all(own[0])
        for other in sight.mentions.resolve(pronoun):
            for one in subjects:
                if other not in subjects and not worn(one, other):
                    yield draft(one, found.relation, other, found.first, found.last, False, False)
        return
    before = next((t for t in _named_before(sight, found.first)), None)
    subjects = after or ([before] if before is not None else [])
    subjects = sight.mentions.resolve_all(subjects[0].head) if subjects and not after else subjects
    if after:
        others = (
            sight.mentions.resolve(pronoun) if pronoun is not None else [before] if before else []
        )
    elif pronoun is not None:
        others = [t for t in sight.mentions.resolve(pronoun) if t not in subjects] or [
            t for t in _named_before(sight, found.first) if t not in subjects
        ][:1]
    else:
        others = [t for t in _named_before(sight, found.first) if t not in subjects][:1]
    for one in subjects:
        for other in others:
            if one is not other and not worn(one, other):
                yield draft(one, found.relation, other, found.first, found.last, False, False)


def _named_before(sight: Sight, token: Token) -> Iterator[Thing]:
    for thing in reversed(sight.things.all):
        if thing.last.i < token.i and thing.role not in SETTING and thing.wearer is None:
            yield thing.root
