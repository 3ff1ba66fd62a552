"""The made-up snapshot, asked once more with other options in another order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import Params
from support import report_snapshot
from support.report_snapshot import build, params

#: The scenario that offers others.
FIRST = "first"


def params_of() -> Params:
    """Parameters of a snapshot that is asked in clean, and with options before adjusting."""
    noisy = [{"name": FIRST, "kind": "unadjusted"}]
    return params(scenarios={"names": ["clean", FIRST], "noisy": noisy})


def build_with_drafts(root: Path) -> Params:
    """Write such a snapshot; wrong options of its questions took the place of others."""
    made = report_snapshot._questions

    def adjusted(scenes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for row in made(scenes):
            right = row["answer_index"]
            old = [
                None if i == right or row["question_type"] == "true_false" else f"an old {each}"
                for i, each in enumerate(row["options"])
            ]
            yield {**row, "replaced": old if any(old) else None}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report_snapshot, "_questions", adjusted)
        return build(root, params_of())


def letter_of(text: str) -> str | None:
    """The letter of an answer that is one: "(B)"."""
    return text[1] if len(text) == 3 and text[0] == "(" and text[2] == ")" else None
