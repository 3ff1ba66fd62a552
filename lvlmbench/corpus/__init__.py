"""From metadata to prompts and questions (Dysca, sections 3.1 to 3.3).

``build_shard`` is loaded on first use, so that planning (:mod:`lvlmbench.corpus.shards`) and the
vocabulary do without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lvlmbench.corpus.build import build_shard as build_shard

__all__ = ["build_shard"]


def __getattr__(name: str) -> Any:
    if name == "build_shard":
        from lvlmbench.corpus.build import build_shard

        return build_shard
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
