"""Print the table of corruptions of docs/scenarios.md."""

from __future__ import annotations

from lvlmbench.stages.scenario.kinds.corruption.kind import CORRUPTIONS
from lvlmbench.stages.scenario.kinds.corruption.settings import SEVERITIES


def markdown() -> str:
    """Return the table in Markdown: a line for each number of each kind."""
    heads = ["kind", "number", *map(str, SEVERITIES), "what it is", "severity 3 follows"]
    lines = [heads, ["---"] * len(heads)]
    for kind in CORRUPTIONS.ordered():
        for place, column in enumerate(kind.columns):
            values = [f"{row[place]:g}" for row in kind.rows]
            words = ["", ""] if place else [kind.about, kind.published]
            lines.append([f"`{kind.name}`" if place == 0 else "", f"`{column}`", *values, *words])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    print(markdown(), end="")
