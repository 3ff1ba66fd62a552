"""What is told of a user's files: slips that are passed over, and mistakes that are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lvlmbench.core.errors import UserError, printable

#: Slips of one kind in one file that are told one by one.
_SHOWN = 8


@dataclass(frozen=True)
class Slip:
    """Something wrong that does no harm, as it is clear what is meant.

    Attributes
    ----------
    file, line
        Where it stands; line 0 for what no line has.
    kind
        What such slips have in common, in words that can follow "and 3 more:".
    what
        What is wrong, and what it is taken for.
    """

    file: str
    line: int
    kind: str
    what: str

    @property
    def place(self) -> str:
        """E.g. ``people.json:12``."""
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass
class Told:
    """What has been noticed so far.

    Attributes
    ----------
    slips
        In the order in which they were met.
    mistakes
        What makes an entry or a file of no use, each in one line.
    """

    slips: list[Slip] = field(default_factory=list)
    mistakes: list[UserError] = field(default_factory=list)

    def slip(self, file: str, line: int, kind: str, what: str) -> None:
        """Note a slip."""
        self.slips.append(Slip(file, line, kind, what))

    def mistake(self, file: str, line: int, what: str, fix: str) -> None:
        """Note a mistake."""
        self.mistakes.append(UserError(f"{file}:{line}" if line else file, what, fix))

    def lines(self) -> Iterator[str]:
        """Yield a line a slip; of many of one kind in a file the first, and how many more.

        Whatever is not printable is escaped.
        """
        left = Counter((each.file, each.kind) for each in self.slips)
        shown: Counter[tuple[str, str]] = Counter()
        for each in self.slips:
            key = (each.file, each.kind)
            shown[key] += 1
            if shown[key] <= _SHOWN:
                yield printable(f"{each.place}: {each.what}")
            elif shown[key] == left[key]:
                yield f"{each.file}: {left[key] - _SHOWN} more: {each.kind}"


def shown(path: Path, top: Path) -> str:
    """Return a path as messages have it: from the folder that the user named, where it lies in."""
    return path.relative_to(top).as_posix() if path.is_relative_to(top) else str(path)
