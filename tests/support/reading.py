"""Claims of captions in few words: ``dog``, ``cup on table``, ``not maybe man wears hat, red``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lvlmbench.scene.claims import Claim
from lvlmbench.scene.truth.wordnet import wordnet
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.judge.kinds.lexical.reading import Words, read

_VOCABULARY = Path(__file__).resolve().parents[2] / "data" / "vocabulary"


@cache
def words(vocabulary: bool = True) -> Words:
    """The gazetteer of the packaged vocabulary, or of none."""
    known = load_vocabulary(_VOCABULARY) if vocabulary else None
    return Words.of(known, wordnet().concrete, wordnet().role)


def told(text: str, vocabulary: bool = True) -> list[str]:
    """The claims of a text in few words, sorted."""
    return sorted(map(short, read(text, words(vocabulary))))


def short(claim: Claim) -> str:
    """A claim in few words."""
    said = {
        "object": [claim.subject],
        "garment": [claim.subject, "wears", claim.object],
        "scene": ["scene", claim.relation, claim.value],
        "relation": [claim.subject, claim.relation, claim.object],
    }.get(claim.kind, [claim.subject, claim.relation, claim.value])
    line = " ".join(str(part) for part in said)
    if claim.kind in ("garment", "relation") and claim.value:
        line = f"{line}, {claim.value}"
    return "not " * claim.negated + "maybe " * claim.hedged + line
