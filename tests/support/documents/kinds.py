"""Python examples that register a kind, run as if they stood in the project."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from lvlmbench.core.registry import HOMES, registry_of
from lvlmbench.scene.subtasks import SUBTASKS
from support.documents.reading import Block


def registers(example: Block) -> bool:
    """Whether a Python example registers a kind."""
    return bool(re.search(r"^@(\w+\.register|figure)\(", example.text, re.M))


def registries() -> dict[str, Any]:
    """All registries by their names."""
    return {name: registry_of(name) for name in HOMES} | {"subtasks": SUBTASKS}


@contextmanager
def registered(examples: Sequence[Block]) -> Iterator[list[str]]:
    """Run examples, and forget what they register when the block ends; gives those kinds' names."""
    with ExitStack() as stack:
        known = registries()
        for registry in known.values():
            stack.enter_context(registry.temporarily())
        before = {name: set(registry) for name, registry in known.items()}
        for each in examples:
            exec(compile(each.text, each.name, "exec"), {"__name__": "example"})
        yield [kind for name, registry in known.items() for kind in {*registry} - before[name]]
