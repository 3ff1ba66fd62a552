"""Pictures of a user's folder, found by what annotation calls them."""

from __future__ import annotations

import filecmp
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from lvlmbench.core.errors import UserError
from lvlmbench.core.files import linked_below
from lvlmbench.suites.given.told import Told, shown

#: Suffixes of pictures; where equal files have one name, the first counts.
SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")


def plain(name: str) -> str:
    """Return a name as names are compared: without blanks at its ends or doubled, lower case."""
    return " ".join(name.split()).casefold()


class Pictures:
    """The pictures below a folder.

    Parameters
    ----------
    top
        Folder that messages leave out of paths.

    Raises
    ------
    UserError
        The folder is not there.
    """

    def __init__(self, folder: Path, top: Path) -> None:
        if not folder.is_dir():
            fix = f"put the pictures there, as {', '.join(SUFFIXES)}"
            raise UserError(shown(folder, top), "is not a folder", fix)
        self.folder, self._top = folder, top
        self._files: dict[str, list[Path]] = defaultdict(list)
        named = (path for path in linked_below(folder) if path.suffix.lower() in SUFFIXES)
        # A link to nowhere is kept: who reads it tells of that, and not that there is no picture.
        files = (path for path in named if path.is_file() or not path.exists())
        for path in sorted(files, key=self._place):
            self._files[plain(path.stem)].append(path)

    def _place(self, path: Path) -> tuple[int, int, str]:
        """Those of better suffixes first, then those that lie less deep."""
        parts = path.relative_to(self.folder).parts
        return SUFFIXES.index(path.suffix.lower()), len(parts), "/".join(parts)

    def __len__(self) -> int:
        """Return how many names there are."""
        return len(self._files)

    def find(self, name: str, file: str, line: int, told: Told) -> Path | None:
        """Return the picture that annotation calls so; None, with a mistake, where there is none.

        Of several, one in a folder that is called as the file of annotation goes before; if others
        are left that are not the same byte by byte, nobody knows which is meant: a mistake.

        Parameters
        ----------
        name
            With or without suffix.
        file, line
            Where the name stands.
        """
        stem, suffix = _parted(name)
        found = self._files.get(plain(stem)) or self._files.get(plain(name)) or []
        if not found:
            what = f"there is no picture '{name.strip()}' in {shown(self.folder, self._top)}"
            told.mistake(file, line, what, f"put it there ({', '.join(SUFFIXES)})")
            return None
        exact = [path for path in found if path.suffix.lower() == suffix]
        meant = self._beside(exact or found, file)
        other = next((path for path in meant[1:] if not _equal(meant[0], path)), None)
        if other is not None:
            both = " or ".join(shown(path, self._top) for path in (meant[0], other))
            fix = f"keep one of them, or put each into a folder '{Path(file).stem}' and so on"
            told.mistake(file, line, f"'{name.strip()}' may be {both}, which differ", fix)
            return None
        if suffix and not exact:
            what = f"'{name.strip()}' is taken for {meant[0].name}"
            told.slip(file, line, "pictures with another suffix", what)
        elif len(meant) > 1:
            others = ", ".join(shown(path, self._top) for path in meant[:3])
            what = f"'{name.strip()}' may be any of {others}, which are the same"
            told.slip(file, line, "names that several pictures have", what)
        return meant[0]

    def _beside(self, paths: Sequence[Path], file: str) -> Sequence[Path]:
        """Those in a folder that is called as a file of annotation; all where none is."""
        stem = Path(file).stem
        own = [p for p in paths if stem in p.relative_to(self.folder).parent.parts]
        return own or paths


def _equal(one: Path, other: Path) -> bool:
    try:
        return filecmp.cmp(one, other, shallow=False)
    except OSError:  # which :func:`unreadable` tells of
        return False


def _parted(name: str) -> tuple[str, str]:
    """A name without its suffix, and the suffix, where that is one of pictures."""
    bare = name.strip()
    for suffix in SUFFIXES:
        if bare.lower().endswith(suffix):
            return bare[: -len(suffix)], suffix
    return bare, ""


def unreadable(paths: Sequence[Path], top: Path) -> list[UserError]:
    """Return a line about each picture that would end a run."""
    from lvlmbench.core.decoding import given_picture

    found = []
    for path in paths:
        try:
            given_picture(path, shown(path, top))
        except UserError as error:
            found.append(error)
    return found
