"""Shell commands, examples and tables of the documents, as a reader would copy them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def blocks(document: str, language: str) -> list[str]:
    """The blocks of a language in a document."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def commands(document: str) -> list[str]:
    """Commands of the shell blocks of a document, one each, without their comments."""
    found = []
    for block in blocks(document, "sh"):
        for line in re.sub(r"\s*\\\n\s*", " ", block).splitlines():
            command = re.sub(r"\s+#.*$", "", line).strip()
            found += [command] if command else []
    return found


def example(title: str, language: str = "python", number: int = 0) -> str:
    """A block of a language below a heading of docs/extending.md, by default the first.

    Raises
    ------
    ValueError
        There is none.
    """
    text = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
    for part in re.split(r"^##+ ", text, flags=re.M):
        if part.split("\n")[0] == title:
            found = re.findall(rf"^```{language}\n(.*?)^```", part, re.M | re.S)
            if len(found) > number:
                return str(found[number])
    raise ValueError(f"docs/extending.md has no {language} below '{title}'")
