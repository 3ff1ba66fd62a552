"""Shell examples, taken apart: statements, their commands, and what their words stand for."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: What parts commands in a line.
_PARTS = ("&&", "||", ";", "|", "&", "(", ")")
_REDIRECTED = (">", ">>", "<", "<<")
_ASSIGNED = re.compile(r"([A-Za-z_]\w*)=(.*)", re.S)


@dataclass(frozen=True)
class Command:
    """A simple command.

    Attributes
    ----------
    words
        Program and arguments.
    settings
        Variables that stand before it, or that it alone sets.
    out
        The file that its output goes to; empty if to none.
    """

    words: tuple[str, ...]
    settings: tuple[tuple[str, str], ...] = ()
    out: str = ""

    @property
    def program(self) -> str:
        """Its first word; empty where it only sets variables."""
        return self.words[0] if self.words else ""


def statements(text: str) -> Iterator[str]:
    """Yield a block's lines without comments, continued ones in one, with here-documents."""
    lines = iter(re.sub(r"\s*\\\n\s*", " ", text).splitlines())
    for line in lines:
        whole = re.sub(r"(^|\s+)#.*$", "", line).strip()
        if mark := re.search(r"<<'?(\w+)'?", whole):
            for more in lines:
                whole += f"\n{more}"
                if more == mark[1]:
                    break
            else:
                raise ValueError(f"'{line}': its here-document has no end")
        if whole:
            yield whole


def commands(statement: str, known: dict[str, str] | None = None) -> Iterator[Command]:
    """Yield the commands of a statement; ``known`` holds variables by name, and gets new ones."""
    known = {} if known is None else known
    lexer = shlex.shlex(statement.split("\n", 1)[0], posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    words: list[str] = []
    for word in [*lexer, ";"]:
        if word not in _PARTS:
            words.append(word)
        elif words:
            yield _command(words, known)
            words = []


def _command(words: list[str], known: dict[str, str]) -> Command:
    settings, plain, out = [], list[str](), ""
    rest = iter(words)
    for word in rest:
        if word in _REDIRECTED:
            target = next(rest)
            out = target if word in (">", ">>") else out
        elif not plain and (found := _ASSIGNED.fullmatch(word)):
            settings.append((found[1], found[2]))
        elif word.startswith("$") and word[1:] in known:
            plain += known[word[1:]].split()
        else:
            plain.append(word)
    if not plain:
        known.update(settings)
    return Command(tuple(plain), tuple(settings), out)


def syntax(text: str) -> str:
    """What bash says of the syntax of a script, which it does not run; empty where it is good."""
    asked = ["bash", "-n", "-c", text]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stderr


def type_in(folder: Path, statement: str) -> None:
    """Run a statement of file commands in a folder.

    Raises
    ------
    CalledProcessError
        It fails.
    """
    asked = ["bash", "-e", "-o", "pipefail", "-c", statement]
    subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=True)
