"""Whether a model is to be asked on, by what has come of its replies so far."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator

from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.engine import FINAL_STATUSES, Item, Reply
from lvlmbench.stages.requests.budget import Budget, dollars

#: Questions of a shard that fail one after the other before its model is stopped. All that were
#: in flight when the first of them failed count as one: a server that stands still fails them all.
MOST_FAILURES = 20
#: Images about which the server rejects the request itself, having answered nothing, before its
#: model is stopped: one alone may be an image that it does not like.
MOST_REJECTED = 3

#: Words of a rejection -> the parameter that is to be changed, and how.
_CORRECTIONS = {
    "temperature": "endpoint.sampling.temperature: null",
    "seed": "endpoint.sampling.seed: null",
    "max_tokens": "endpoint.sampling.max_tokens, or endpoint.limit_name",
    "max_completion_tokens": "endpoint.sampling.max_tokens, or endpoint.limit_name",
    "logprobs": "endpoint.logprobs: false",
    "detail": "endpoint.image_detail: auto",
}


def _correction(rejection: str) -> str:
    """What to change where a server rejects every request."""
    for word, key in _CORRECTIONS.items():
        if re.search(rf"\b{word}\b", rejection):
            return f"set {key}; then run again"
    return (
        "correct what it names (endpoint.model, endpoint.sampling, a model that takes images) "
        "and run again"
    )


class AskingOn:
    """Judges, reply by reply, whether a model is to be asked on.

    Parameters
    ----------
    label
        Model and scenario.
    total, known
        Questions in all, and those of them that need not be asked.
    """

    def __init__(self, label: str, total: int, known: int, budget: Budget | None) -> None:
        self._label, self._total, self._budget = label, total, budget
        self._answered = known
        self._failed = self._counted = 0  # of those in a row: all, and what counts
        self._failing_since = 0.0
        self._most = max(MOST_FAILURES, total // 2 if known else 0)
        self._rejected: set[str] = set()
        self._rejection: str | None = None
        self._uncounted = False

    def feed(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items, for as long as they may be asked."""
        for item in items:
            if self._uncounted or self._all_rejected(MOST_REJECTED):
                return
            if self._budget is not None and self._budget.reached():
                return
            yield item

    def _all_rejected(self, images: int) -> bool:
        """Whether so many images were rejected, and nothing answered."""
        return not self._answered and len(self._rejected) >= images

    def add(self, item: Item, reply: Reply) -> None:
        """Take note of a reply.

        Raises
        ------
        UserError
            The model is to be asked no more, and not to be waited for either.
        """
        if self._budget is not None:
            self._budget.take(reply.cost_usd)
            counts = self._budget.usd is not None and reply.status in ("answered", "truncated")
            self._uncounted |= counts and reply.cost_usd is None
        if reply.status in FINAL_STATUSES:
            self._answered += 1
            self._failed = self._counted = 0
            return
        now = time.monotonic()
        if not self._failed:
            self._failing_since = now
        self._failed += 1
        self._counted += self._failed == 1 or now - (reply.latency_s or 0) >= self._failing_since
        if reply.rejected:
            self._rejected.add(item.image_sha256 or item.question_id)
            self._rejection = reply.error
        if self._counted >= self._most:
            raise UserError(
                f"model {self._label}",
                f"{self._failed} questions in a row failed, the last with: {reply.error}",
                "see to its server and run again: what was answered is not asked again",
            )

    def check(self, left: int) -> None:
        """Judge what has come when nothing is under way and ``left`` questions have no reply.

        Raises
        ------
        UserError
            The server rejects every request, or the budget is reached or cannot be kept.
        """
        if self._all_rejected(MOST_REJECTED if left else 1):
            raise UserError(
                f"model {self._label}",
                f"its server takes no request as it is sent: {self._rejection}",
                _correction(self._rejection or ""),
            )
        if self._uncounted:
            raise UserError(
                f"model {self._label}",
                "its server does not say how many tokens an answer took, so no budget can be kept",
                "set endpoint.budget_usd to null, or have the server report usage",
            )
        if left and self._budget is not None and self._budget.reached():
            raise UserError(
                f"model {self._label}",
                f"{dollars(self._budget.spent)} of its budget of {dollars(self._budget.usd or 0)} "
                f"are spent, over all runs; of this shard's {self._total:,} questions "
                f"{self._answered:,} are answered and {self._total - self._answered:,} are left",
                "raise endpoint.budget_usd and run again: what was answered is not asked again",
            )
