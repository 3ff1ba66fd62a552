"""A model whose replies are good, careless or broken; some fail, some are refused or cut off."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lvlmbench.stages.answer.engine import Item, Reply, request_hash
from support.broken_replies import reply, way_of

_COST = {"prompt_tokens": 100, "completion_tokens": 10, "cost_usd": 0.001}


@dataclass
class Broken:
    """Replies by a hash of the request; ``mends`` makes every later turn good."""

    mends: bool = False
    fails: bool = True
    cached: bool = True
    asked: Counter[str] = field(default_factory=Counter)
    prompts: list[str] = field(default_factory=list)

    @property
    def parameters(self) -> Mapping[str, object]:
        return {"model": "broken", "mends": self.mends}

    def request_sha256(self, item: Item) -> str:
        return request_hash("broken", self.mends, item.prompt, *(item.schema or ()), item.attempt)

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        for item in items:
            request = self.request_sha256(item)
            self.asked[request] += 1
            self.prompts.append(item.prompt)
            yield item, self._reply(item, request)

    def _reply(self, item: Item, request: str) -> Reply:
        later = item.attempt > 0 or "Your reply to this was:" in item.prompt
        way = "valid" if self.mends and later else way_of(request)
        luck = hashlib.sha256(f"luck {request}".encode()).digest()[0]
        if self.fails and luck < 12:
            kind = ("error", "timeout", "refused")[luck % 3]
            return Reply("", kind, error=f"it was {kind}", **(_COST if luck % 3 == 2 else {}))
        text = reply(item.subtask, item.prompt, way)
        if way == "truncated":
            return Reply(text, "answered", finish_reason="length", **_COST)
        return Reply(text, "answered", served_model="broken-1", structured="json_schema", **_COST)
