"""Where a model of transformers stops that thinks aloud: a limit for the thought, one for the
answer."""

from __future__ import annotations

import re
from typing import Any

_OPEN = re.compile(r"<(?:think|thinking|reasoning)>\s*\Z", re.I)
_OPENS = re.compile(r"\s*<(?:think|thinking|reasoning)>", re.I)
_CLOSE = re.compile(r"</(?:think|thinking|reasoning)>", re.I)

#: Tokens in which a tag is looked for: more than any vocabulary cuts one into.
_TAG = 8


class OwnLimits:
    """Ends each row of a batch: a thought after ``reasoning`` tokens, an answer after ``answer``.

    It is called with all tokens so far after each new one, as ``generate`` calls its criteria.

    Attributes
    ----------
    cut
        Row -> its number of new tokens when a limit ended it.
    """

    def __init__(self, tokenizer: Any, answer: int, reasoning: int) -> None:
        self._tokenizer, self._answer, self._reasoning = tokenizer, answer, reasoning
        self.cut: dict[int, int] = {}
        self._start = -1
        self._thinks: dict[int, bool] = {}
        self._ended: dict[int, int] = {}

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        """Which rows end here."""
        import torch

        if self._start < 0:
            self._start = input_ids.shape[1] - 1
        new = input_ids.shape[1] - self._start
        done = [self._is_done(i, row, new) for i, row in enumerate(input_ids.tolist())]
        return torch.tensor(done, dtype=torch.bool, device=input_ids.device)

    def _is_done(self, index: int, row: list[int], new: int) -> bool:
        if index in self.cut:
            return True
        if new <= _TAG and not self._thinks.get(index):
            before, said = row[max(self._start - _TAG, 0) : self._start], row[self._start :]
            self._thinks[index] = bool(
                _OPEN.search(self._text(before)) or _OPENS.match(self._text(said))
            )
        inside = self._thinks[index] and index not in self._ended
        if inside and _CLOSE.search(self._text(row[self._start :][-_TAG:])):
            self._ended[index] = new
        if not self._thinks[index]:
            left = self._answer - new
        elif index in self._ended:
            left = self._answer - (new - self._ended[index])
        else:
            left = self._reasoning - new
        if left <= 0:
            self.cut[index] = new
        return left <= 0

    def _text(self, tokens: list[int]) -> str:
        text: str = self._tokenizer.decode(tokens, skip_special_tokens=False)
        return text
