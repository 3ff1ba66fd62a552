"""Reading answers, one or many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from lvlmbench.scene.claims import Claim
from lvlmbench.stages.judge.kinds.lexical.reading.claims import claims
from lvlmbench.stages.judge.kinds.lexical.reading.labelled import labelled
from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.model import parser
from lvlmbench.stages.judge.kinds.lexical.reading.pairing import paired
from lvlmbench.stages.judge.kinds.lexical.reading.parse import parsed
from lvlmbench.stages.judge.kinds.lexical.reading.repair import repair
from lvlmbench.stages.judge.kinds.lexical.reading.text import Flat, flatten
from lvlmbench.stages.judge.kinds.lexical.reading.titles import titles
from lvlmbench.stages.judge.kinds.lexical.reading.words import Words

if TYPE_CHECKING:
    from spacy.tokens import Doc

#: Texts that the parser takes at once; the claims are the same for any number.
_BATCH = 32

#: Words after which a sentence ends at the latest, so that the time to read one is bounded.
_LONGEST = 150
_ENDS = frozenset(".!?")


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

    def prepared() -> Iterator[tuple[Doc, tuple[Flat, list[Claim]]]]:
        for text in texts:
            flat = flatten(text, words.names)
            told = labelled(flat)
            yield _begun(language.make_doc(flat.text), flat), (flat, told)

    for doc, (flat, told) in language.pipe(prepared(), as_tuples=True, batch_size=_BATCH):
        said = claims(paired(titles(repair(parsed(doc, flat, words, lists)))))
        yield [*told, *(_moved(claim, len(told)) for claim in said)]


def _begun(doc: Doc, flat: Flat) -> Doc:
    """Tell the parser which words begin a line, and so a sentence; none is endless."""
    begun = 0
    for token in doc:
        if token.is_space:
            continue
        if flat.places[token.idx] in flat.lines or token.i - begun >= _LONGEST:
            token.is_sent_start = True
            begun = token.i
        elif token.text in _ENDS:
            begun = token.i
    return doc


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
