"""Reading answers, one or many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from lvlmbench.scene.claims import Claim
from lvlmbench.stages.judge.kinds.lexical.reading.claims import claims
from lvlmbench.stages.judge.kinds.lexical.reading.labelled import labelled
from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.model import parser
from lvlmbench.stages.judge.kinds.lexical.reading.parse import parsed
from lvlmbench.stages.judge.kinds.lexical.reading.text import Flat, flatten
from lvlmbench.stages.judge.kinds.lexical.reading.words import Words

#: Texts that the parser takes at once; the claims are the same for any number.
_BATCH = 32


def read(text: str, words: Words) -> list[Claim]:
    """Return the claims of an answer, numbered in its order; none where it says nothing.

    Raises
    ------
    UserError
        The parser is not installed, or is another one.
    """
    return next(read_many([text], words))


def read_many(texts: Iterable[str], words: Words) -> Iterator[list[Claim]]:
    """Yield the claims of each answer, in order; the same for each, whatever stands beside it."""
    language, lists = parser(), lexicon()

    def prepared() -> Iterator[tuple[str, tuple[Flat, list[Claim]]]]:
        for text in texts:
            flat = flatten(text, words.names)
            told = labelled(flat)
            yield flat.text, (flat, told)

    for doc, (flat, told) in language.pipe(prepared(), as_tuples=True, batch_size=_BATCH):
        said = claims(parsed(doc, flat, words, lists))
        yield [*told, *(_moved(claim, len(told)) for claim in said)]


def _moved(claim: Claim, by: int) -> Claim:
    """The claim with its numbers behind those of others."""
    if not by:
        return claim
    return replace(
        claim,
        number=claim.number + by,
        about=None if claim.about is None else claim.about + by,
        other=None if claim.other is None else claim.other + by,
    )
