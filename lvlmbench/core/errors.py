"""The one exception that means "the user can mend this"."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

#: Characters of each part of a line; what is longer loses its middle.
_LONGEST = 320
#: Names that are told where any of them may be meant, at most.
_TOLD = 10


def printable(part: str) -> str:
    """Return a part of a line as a terminal may show it: what is not printable is escaped."""
    line = " ".join(part.split())
    if len(line) > _LONGEST:
        half = _LONGEST // 2
        line = f"{line[:half]}...{line[-half:]}"
    if line.isprintable():
        return line
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line)


def meant(name: str, known: Iterable[str], otherwise: str) -> str:
    """Return what to do about a name that is none of ``known``: the one most like it, if any."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean '{near[0]}'?" if near else otherwise


def meant_or(name: str, known: Iterable[str]) -> str:
    """Return what to do about a name that is none of ``known``; these are told, too, or, where
    they are many, those most like it."""
    every = list(known)
    near = difflib.get_close_matches(name, every, _TOLD, 0.0)
    told = every if len(every) <= _TOLD + 2 else [each for each in every if each in near]
    more = f" or {len(every) - len(told)} more" if len(told) < len(every) else ""
    return f"{meant(name, every, '')} use one of: {', '.join(told)}{more}".strip()


def first_line(error: Exception) -> str:
    """Return the first line of what an error says, or its kind where it says nothing."""
    return next(iter(str(error).splitlines()), "") or type(error).__name__


class UserError(Exception):
    """Bad input: shown as one line (where, what, what to do), never as a traceback.

    What a file or a server says may stand in any part: control characters are escaped, blanks
    become single spaces, and what is endless loses its middle.

    Parameters
    ----------
    where
        The place the user should look at, e.g. ``"params.yaml: render.size"`` or
        ``"data/vocabulary/animal.yaml:12"``.
    what
        What is wrong there, with the offending value.
    fix
        What to do about it.
    """

    def __init__(self, where: str, what: str, fix: str) -> None:
        self.where, self.what, self.fix = where, what, fix
        super().__init__(f"{printable(where)}: {printable(what)}; {printable(fix)}".strip())

    def __reduce__(self) -> tuple[type[UserError], tuple[str, str, str]]:
        """Return how to make it again in another process."""
        return type(self), (self.where, self.what, self.fix)


def not_here(file: str) -> UserError:
    """Return what is said of a file that each project has, where a command finds none."""
    return UserError(file, "is not in this folder", "go to the project's folder first")
