"""Which command brings a damaged file of a version back.

DVC links files to its cache, so bytes that are damaged in place are damaged in the cache as well,
and ``dvc checkout`` would bring the damaged ones back. DVC also remembers files by inode, size and
time, and takes a file that it remembers for right. So the file goes first, and where the cache is
damaged the object in it, too.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from lvlmbench.core.files import atomic_bytes
from lvlmbench.engine.builds import STATE
from lvlmbench.versions.facts import file_facts
from lvlmbench.versions.manifest import FileFacts
from lvlmbench.versions.soundness import Fault

#: Paths in one line of a script, well below what a shell takes.
_AT_ONCE = 400


@dataclass(frozen=True)
class Mend:
    """How to bring one file back: what to remove first, then which command of DVC, if any."""

    path: str
    remove: tuple[str, ...]
    dvc: str | None

    @property
    def command(self) -> str:
        """One line for a shell."""
        steps = [shlex.join(["rm", "-f", *self.remove])] if self.remove else []
        if self.dvc:
            steps.append(shlex.join(["dvc", self.dvc, self.path]))
        return " && ".join(steps)


class Objects:
    """Where DVC's cache keeps the files of a project at the state of its dvc.lock.

    Parameters
    ----------
    project
        Holds dvc.lock.
    cache
        DVC's cache.
    """

    def __init__(self, project: Path, cache: Path) -> None:
        self._cache, self._folders = cache, dict[str, dict[str, str] | None]()
        try:
            lock = yaml.safe_load((project / "dvc.lock").read_text(encoding="utf-8"))
            outs = [out for stage in lock["stages"].values() for out in stage.get("outs", [])]
            self._outs = {str(out["path"]): str(out["md5"]) for out in outs}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, yaml.YAMLError):
            self._outs = {}

    def _at(self, md5: str) -> Path:
        return self._cache / "files" / "md5" / md5[:2] / md5[2:]

    def _listing(self, md5: str) -> dict[str, str] | None:
        """Objects of a folder's files by relative path; None where that cannot be read."""
        if md5 not in self._folders:
            try:
                listed = json.loads(self._at(md5).read_bytes())
                self._folders[md5] = {str(f["relpath"]): str(f["md5"]) for f in listed}
            except (OSError, ValueError, KeyError, TypeError):
                self._folders[md5] = None
        return self._folders[md5]

    def of(self, path: str) -> tuple[Path | None, Path | None]:
        """The object of a file, and that of the listing of its folder where it is in one.

        The first is None where it is not known.
        """
        if path in self._outs:
            return self._at(self._outs[path]), None
        for parent in Path(path).parents:
            if (md5 := self._outs.get(str(parent))) is not None:
                listing = self._listing(md5)
                name = str(Path(path).relative_to(parent))
                found = listing.get(name) if listing is not None else None
                return (self._at(found) if found else None), self._at(md5)
        return None, None


def mend(
    fault: Fault,
    facts: Mapping[str, FileFacts],
    objects: Objects,
    project: Path,
    elsewhere: bool = False,
) -> Mend:
    """How to mend a fault of a file of the project.

    Parameters
    ----------
    elsewhere
        The file is of a version that was only laid out for a while: it comes from the cache anew
        each time, so all that can be mended is the cache.
    """
    if fault.kind == "surplus":
        return Mend(fault.path, (fault.path,), None)
    path = project / fault.path
    gone = [fault.path] if not elsewhere and (path.exists() or path.is_symlink()) else []
    kept, listing = objects.of(fault.path)
    if kept is None:
        if listing is not None and listing.exists():
            gone.append(_shown(listing, project))
    elif kept.is_file():
        if file_facts(kept) == facts[fault.path]:
            return Mend(fault.path, tuple(gone), "checkout")
        gone.append(_shown(kept, project))
    return Mend(fault.path, tuple(gone), None if elsewhere else "pull")


def _shown(path: Path, project: Path) -> str:
    """A path as one would type it in the project."""
    resolved = project.resolve()
    return str(path.relative_to(resolved) if path.is_relative_to(resolved) else path)


def write_script(project: Path, name: str, mends: Sequence[Mend]) -> str:
    """Write all commands as one script, which asks DVC few times; returns how to run it."""
    lines = ["set -e"]
    for steps, words in (
        ([gone for mend in mends for gone in mend.remove], ["rm", "-f"]),
        ([mend.path for mend in mends if mend.dvc == "checkout"], ["dvc", "checkout"]),
        ([mend.path for mend in mends if mend.dvc == "pull"], ["dvc", "pull"]),
    ):
        for first in range(0, len(steps), _AT_ONCE):
            lines.append(shlex.join([*words, *steps[first : first + _AT_ONCE]]))
    path = Path(STATE, f"mend-{name}.sh")
    atomic_bytes(project / path, ("\n".join(lines) + "\n").encode())
    return shlex.join(["sh", str(path)])
