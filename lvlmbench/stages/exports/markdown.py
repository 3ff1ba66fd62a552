"""Text in Markdown: names that come from outside, numbers, tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

#: For folders whose files a reader may want to edit. DVC keeps hard links where it can.
COPY_FIRST = """\
**Copy before you edit.** Do not write into this folder or its files. A file may be a hard link of
DVC's cache: what DVC keeps changes with it, and `dvc checkout` brings the changed bytes back."""


def code(text: str) -> str:
    """Text as inline code on one line: nothing in it is read as Markdown or HTML."""
    shown = "".join(c if c.isprintable() else " " for c in text).replace("`", "'")
    return f"`{shown.strip() or ' '}`".replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; cells are numbers or text that is Markdown already."""
    lines = [
        "| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in cells)
        + " |"
        for cells in rows
    ]  # fmt: skip
    return "\n".join(
        ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head), *lines]
    )  # fmt: skip


def counts(by_name: Mapping[str, int]) -> str:
    """Names with their numbers in one sentence part: ```a` (3), `b` (1)``."""
    return ", ".join(f"{code(name)} ({count:,})" for name, count in by_name.items()) or "none"
