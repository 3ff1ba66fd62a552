"""Fenced blocks, shell commands and examples of the documents, as a reader would copy them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
#: The pages whose examples are checked, by their paths from the root.
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")),
)


@dataclass(frozen=True)
class Block:
    """A fenced block.

    Attributes
    ----------
    page, heading, language
        Where it stands: the page from the root, the last heading before it, the word at its fence.
    number
        Which block of its language below that heading it is, from 1.
    """

    page: str
    heading: str
    language: str
    number: int
    text: str

    @property
    def name(self) -> str:
        """What tests and lists call it; it changes with the heading, not with other text."""
        return f"{self.page}: {self.heading}: {self.language or 'text'} {self.number}"


def _read(page: str, text: str) -> Iterator[Block]:
    heading, fence, language, lines = "", "", "", list[str]()
    seen: Counter[tuple[str, str]] = Counter()
    for line in text.splitlines(keepends=True):
        opened = re.match(r"(`{3,}|~{3,})(.*)", line)
        if fence and line.rstrip() == fence:
            seen[heading, language] += 1
            yield Block(page, heading, language, seen[heading, language], "".join(lines))
            fence, lines = "", []
        elif fence:
            lines.append(line)
        elif opened:
            fence, language = opened[1], opened[2].strip()
        elif title := re.match(r"#+ (.*)", line):
            heading = title[1]
    if fence:
        raise ValueError(f"{page}: a block below '{heading}' has no end")


@cache
def blocks(page: str, language: str | None = None) -> tuple[Block, ...]:
    """The blocks of a page, or those of a language.

    Raises
    ------
    ValueError
        A block has no end.
    """
    found = _read(page, (ROOT / page).read_text(encoding="utf-8"))
    return tuple(block for block in found if language in (None, block.language))


def all_blocks(*languages: str) -> list[Block]:
    """The blocks of these languages on all pages; of all languages if none is named."""
    found = (block for page in PAGES for block in blocks(page))
    return [block for block in found if not languages or block.language in languages]


def block(name: str) -> Block:
    """The block of a name.

    Raises
    ------
    StopIteration
        There is none.
    """
    return next(each for each in all_blocks() if each.name == name)


def lines(text: str) -> list[str]:
    """Commands of a shell block, one each, without their comments."""
    whole = re.sub(r"\s*\\\n\s*", " ", text).splitlines()
    bare = (re.sub(r"(^|\s+)#.*$", "", line).strip() for line in whole)
    return [line for line in bare if line]


def commands(page: str) -> list[str]:
    """Commands of the shell blocks of a page."""
    return [line for block in blocks(page, "sh") for line in lines(block.text)]


def example(title: str, language: str = "python", number: int = 0) -> str:
    """A block of a language below a heading of docs/extending.md, by default the first.

    Raises
    ------
    ValueError
        There is none.
    """
    for block in blocks("docs/extending.md", language):
        if block.heading == title and block.number == number + 1:
            return block.text
    raise ValueError(f"docs/extending.md has no {language} below '{title}'")
