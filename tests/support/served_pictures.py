"""Scenes drawn by the server of support/server/images_server.py."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.stages.filter.retries import retry_filters
from lvlmbench.stages.render.retries.progress import Progress
from lvlmbench.stages.render.retries.shard import Shard, write_shard
from support.answer_tables import SERVER, running_server
from support.retries_sampler import outputs, params, scenes, words

SIDE = 64  # render.size of support/retries_sampler.py


def serving(*arguments: str) -> AbstractContextManager[str]:
    """Base URL of the server in a process of its own."""
    return running_server(*arguments, script=SERVER.with_name("images_server.py"))


def asking(url: str, model: str, render: dict[str, Any] | None = None, **settings: Any) -> Params:
    """Parameters whose pictures the server draws."""
    own = {"base_url": url, "model": model, "api_key_env": None, **settings}
    return params(renderer="openai_images", openai_images=own, **(render or {}))


def prompted(count: int) -> pa.Table:
    """Scenes of different prompts."""
    table = scenes(count)
    prompts = pa.array([f"an owl, number {number}" for number in range(count)])
    return table.set_column(table.schema.get_field_index("prompt"), "prompt", prompts)


def draw(config: Params, folder: Path, count: int) -> dict[str, list[dict[str, Any]]]:
    """Rows of the tables that a shard leaves in ``folder``; may run in a process of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    filters = retry_filters(config)
    shard = Shard(config, words(), prompted(count), None, folder / "kept", Progress(), filters)
    out = outputs(folder)
    write_shard(shard, out, "test")
    found = {
        "images": (out.images, tables.IMAGES),
        "verdicts": (out.verdicts, tables.VERDICTS),
        "attempts": (out.attempts, tables.ATTEMPTS),
        "requests": (out.requests, tables.IMAGE_REQUESTS),
    }
    return {name: tables.read([path], table).to_pylist() for name, (path, table) in found.items()}
