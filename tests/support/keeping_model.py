"""A model in a role that keeps what it was sent, and what spoils a reply's text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from lvlmbench.stages.answer.engine import Item, Reply, request_hash


class Keeping:
    """Replies to each item with a value as JSON, and keeps the items."""

    cached = True

    def __init__(self, said: Callable[[Item], Any]) -> None:
        self.sent: list[Item] = []
        self._said = said

    @property
    def parameters(self) -> Mapping[str, object]:
        return {"model": "keeping"}

    def request_sha256(self, item: Item) -> str:
        return request_hash(item.prompt, item.image_sha256, item.attempt)

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        for item in items:
            self.sent.append(item)
            yield item, Reply(text=json.dumps(self._said(item)), status="answered")
