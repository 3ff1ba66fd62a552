"""How likely a model finds each option's letter where its answer names the first one."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

#: What tokenizers write for a space or a new line in front of a word.
_BLANKS = str.maketrans({"Ġ": " ", "▁": " ", "Ċ": "\n"})

#: A token that is a letter, with or without signs around it: ``A``, `` A``, ``(A``, ``A)``.
_LETTER = re.compile(r"[(\[*]*([A-Z])[)\].:,*]*")

#: A token behind which the letter is still to come: ``(``, ``**``, or nothing but blanks.
_OPENING = re.compile(r"[(\[*]*")

#: Tokens that are looked at: more signs than in ``**(`` stand before no letter.
_LOOKED_AT = 3

#: Decimals that are kept; those behind them depend on what else is in the batch.
_DECIMALS = 4


@dataclass(frozen=True)
class Letters:
    """Which tokens of a vocabulary are letters, and which stand before one.

    Attributes
    ----------
    ids
        Tokens that are a letter, sorted.
    columns
        Letter -> places in ``ids`` of the tokens that are it.
    openings
        Tokens behind which a letter is still to come.
    """

    ids: tuple[int, ...]
    columns: Mapping[str, tuple[int, ...]]
    openings: frozenset[int]

    @classmethod
    def of(cls, tokenizer: Any) -> Letters:
        """Look through a tokenizer's vocabulary."""
        vocabulary: dict[str, int] = tokenizer.get_vocab()
        special = set(tokenizer.all_special_ids)
        found: dict[int, str] = {}
        openings = set()
        for token, index in vocabulary.items():
            text = token.translate(_BLANKS).strip()
            if index in special:
                continue
            if letter := _LETTER.fullmatch(text):
                found[index] = letter[1]
            elif _OPENING.fullmatch(text):
                openings.add(index)
        ids = tuple(sorted(found))
        columns = {
            letter: tuple(i for i, index in enumerate(ids) if found[index] == letter)
            for letter in sorted(set(found.values()))
        }
        return cls(ids, columns, frozenset(openings))


class Watch:
    """A logits processor that changes nothing and remembers the letters of the first tokens."""

    def __init__(self, letters: Letters) -> None:
        self._letters = letters
        self._seen: list[torch.Tensor] = []  # a token each: (items of the batch, letters.ids)

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Take the logits of a token, shape (items, vocabulary); returned as they are."""
        import torch

        if len(self._seen) < _LOOKED_AT:
            likely = torch.log_softmax(scores.float(), dim=-1)
            ids = torch.tensor(self._letters.ids, device=scores.device)
            self._seen.append(likely[:, ids].cpu())
        return scores

    def of(self, place: int, answer: Sequence[int], options: int) -> tuple[float | None, ...]:
        """Return log-probability of each option's letter: that of all tokens that are it.

        Parameters
        ----------
        place
            Which item of the batch.
        answer
            The tokens that it was answered with.
        options
            How many options it has.
        """
        import torch

        token = 0
        while token + 1 < len(self._seen) and answer[token : token + 1]:
            if answer[token] not in self._letters.openings:
                break
            token += 1
        row = self._seen[token][place]
        found: list[float | None] = []
        for letter in string.ascii_uppercase[:options]:
            columns = self._letters.columns.get(letter)
            if columns is None:
                found.append(None)
            else:
                found.append(round(float(torch.logsumexp(row[list(columns)], 0)), _DECIMALS))
        return tuple(found)
