"""Log-probabilities of the options' letters, from a chat completion's ``logprobs``.

The letter that a model has chosen is a token of its own in all common vocabularies, with or without
a space or a bracket before it. Where it stands, the server names the likeliest tokens; those that
spell the same letter are added up.
"""

from __future__ import annotations

import math
import string
from collections.abc import Sequence

#: What may stand around a letter within its token, marks of tokenizers for a space among it.
_AROUND = string.whitespace + string.punctuation + "▁ĠĊ\uff08\uff09\uff1a"  # and wide ( ) :


def option_logprobs(content: object, n_options: int) -> tuple[float | None, ...] | None:
    """Return log-probability of each option's letter where the reply states its letter.

    Parameters
    ----------
    content
        ``choices[0].logprobs.content``: the generated tokens, each with its likeliest rivals.
    n_options
        Options of the question, lettered from A.

    Returns
    -------
    tuple or None
        One entry an option, None for letters that are not among the likeliest there; all None
        where no token is a letter. None as a whole where there are no options, or where the
        server gave no log-probabilities.
    """
    if not n_options or not isinstance(content, list):
        return None
    tokens = [entry for entry in content if isinstance(entry, dict)]
    if not tokens:
        return None
    letters = string.ascii_uppercase[:n_options]
    position = _stated([_text(t) or "" for t in tokens], letters)
    if position is None:
        return (None,) * n_options
    chosen = tokens[position]
    rivals = chosen.get("top_logprobs")
    found: dict[str, list[float]] = {}
    seen: set[str] = set()
    for entry in (*(rivals if isinstance(rivals, list) else ()), chosen):
        text, value = _text(entry), _value(entry)
        if text is None or value is None or text in seen:
            continue
        seen.add(text)
        if (letter := text.strip(_AROUND)) and letter in letters and len(letter) == 1:
            found.setdefault(letter, []).append(value)
    return tuple(_log_sum(found[letter]) if letter in found else None for letter in letters)


def _stated(texts: Sequence[str], letters: str) -> int | None:
    """Position of the first token that is an option's letter, not an article or a pronoun.

    "A" and "I" begin sentences: followed by a word, they are none ("A cat").
    """
    for position, text in enumerate(texts):
        letter = text.strip(_AROUND)
        if len(letter) != 1 or letter not in letters:
            continue
        after = "".join(texts[position + 1 : position + 3])
        bare = text[-1:] == letter
        if letter in "AI" and bare and after[:1] in (" ", "▁", "Ġ") and after[1:2].islower():
            continue
        if (bare and after[:1].isalpha()) or after[:1] == "'":  # the beginning of a word
            continue
        return position
    return None


def _text(entry: object) -> str | None:
    text = entry.get("token") if isinstance(entry, dict) else None
    return text if isinstance(text, str) else None


def _value(entry: object) -> float | None:
    value = entry.get("logprob") if isinstance(entry, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and value <= 1e-3 else None


def _log_sum(values: Sequence[float]) -> float:
    """Logarithm of the sum of probabilities; never above 0."""
    top = max(values)
    return min(0.0, top + math.log(sum(math.exp(v - top) for v in values)))
