"""How near a wanted text is to what was read."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from rapidfuzz.distance import Levenshtein


def plain(text: str) -> str:
    """The letters and digits of a text in NFKC, case folded: what is compared."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(character for character in folded if character.isalnum())


def tokens(texts: Iterable[str]) -> list[str]:
    """The tokens of all texts in their order, as :func:`plain` writes them, empty ones left out."""
    parts = (plain(part) for text in texts for part in text.split())
    return [part for part in parts if part]


def distance(word: str, texts: Iterable[str]) -> float:
    """The smallest normalized edit distance between ``word`` and anything that was read.

    What counts as read: each token (what stands between blanks), and each run of neighboring tokens
    written together, over the borders of boxes, because a word is sometimes found as two. A token
    is taken whole. Were a part of one enough, "sunflowers" would pass for "sunflower", and whoever
    asks what the picture says would have a wrong answer on record.

    Letters to insert, delete or substitute, divided by the length of the longer of the two: 0
    where the word was read, 1 where nothing that is like it was. Six decimals.
    """
    wanted, read = plain(word), tokens(texts)
    best = 1.0
    for start in range(len(read)):
        run = ""
        for token in read[start:]:
            run += token
            best = min(best, Levenshtein.normalized_distance(wanted, run, score_cutoff=best))
            if len(run) - len(wanted) >= best * len(run):  # longer ones are no nearer
                break
    return round(best, 6)
