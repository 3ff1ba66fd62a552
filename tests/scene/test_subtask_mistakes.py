"""A subtask that somebody has declared wrongly is one line, with its file and what to write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.scene.subtasks import SUBTASKS, Subtask

GOOD = Subtask("sight", 90, "fine", foregrounds=("animal",))
SHOWN = "docs/extending.md#a-subtask shows one"


def misspelt() -> Subtask:
    return Subtask(name="sight", ordr=90, granularity="fine", foregrounds=("animal",))  # type: ignore[call-arg]


def lacking() -> Subtask:
    return Subtask(name="sight", granularity="fine", foregrounds=("animal",))  # type: ignore[call-arg]


def raising() -> Subtask:
    raise KeyError("animal")


def returning(value: Any) -> Callable[[], Any]:
    return lambda: value


def with_(**more: Any) -> Callable[[], Any]:
    return returning(replace(GOOD, **more))


@pytest.mark.parametrize(
    ("declaration", "told"),
    [
        (misspelt, "unexpected keyword argument 'ordr'); did you mean 'order'? use one of"),
        (lacking, f"missing 1 required positional argument: 'order'); {SHOWN}"),
        (raising, f"cannot be declared (KeyError: 'animal'); {SHOWN}"),
        (returning(None), f"'sight' is NoneType, no Subtask; return one: {SHOWN}"),
        (with_(name="sigth"), "'sight' calls itself 'sigth'; write one name in both places"),
        (with_(order="90"), "'sight' has the order '90'; write a whole number"),
        (with_(granularity="fin"), "the granularity 'fin'; did you mean 'fine'?"),
        (
            with_(foregrounds="animal"),
            "'animal' as foregrounds; write names in a tuple, one as: fo",
        ),
        (with_(suites=["dysca"]), "has ['dysca'] as suites; write names in a tuple"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_it_is_one_line_with_its_file(declaration: Callable[[], Subtask], told: str) -> None:
    with SUBTASKS.temporarily({"sight": declaration}):
        for look in (lambda: SUBTASKS["sight"], lambda: list(SUBTASKS)):
            with pytest.raises(UserError) as caught:
                look()
            assert told in str(caught.value) and "\n" not in str(caught.value)
            assert str(caught.value).startswith(f"{Path(__file__)}:")
