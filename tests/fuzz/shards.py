"""Shards of tables, as the scripts of the stages and ``lvlmbench hash`` read them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from fuzz import table_files
from fuzz.case import Case, Rng
from fuzz.child import warmed
from fuzz.doors import DOORS, PARAMS, ROOT
from lvlmbench.config import validate
from lvlmbench.config.project import project_of
from lvlmbench.engine.publish import link_tree


class Shards:
    """A small snapshot, made by the scripts themselves, and mutants of its files."""

    name = "shards"

    def __init__(self, work: Path) -> None:
        self._made = work / "made"
        self._made.mkdir()
        params = validate(PARAMS)
        (self._made / "config.json").write_text(project_of(params).model_dump_json())
        shutil.copy(ROOT / "CREDITS.md", self._made)
        for door in DOORS:
            warmed(door, self._made)
            lacking = [name for name in door.makes if not (self._made / name).exists()]
            if lacking:
                raise SystemExit(f"{door.name}: the base is not made: {lacking}")
        (self._made / "cache.sqlite").unlink(missing_ok=True)
        self._doors = [door for door in DOORS for _ in range(door.weight)]
        self._other = {
            str(path.relative_to(self._made)): path.read_bytes()
            for path in sorted(self._made.rglob("*.parquet"))
        }

    def sound(self, folder: Path) -> Case:
        """The filter again."""
        link_tree(self._made, folder)
        door = next(door for door in DOORS if door.name == "filter")
        (folder / door.makes[0]).unlink()
        return Case("nothing", door, [folder / door.makes[0]])

    def case(self, rng: Rng, folder: Path) -> Case:
        """A mutant of one of the files that a script reads."""
        door = rng.choice(self._doors)
        link_tree(self._made, folder)
        makes = [folder / name for name in door.makes]
        for path in makes:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        name = rng.choice(door.reads(folder))
        file = folder / name
        raw = file.read_bytes()
        file.unlink()
        chosen, bad = rng.random(), False
        if chosen < 0.06:
            # Scripts that read whole folders do not know which files should be there.
            said, bad = self._gone(rng, file), name in door.arguments
        elif chosen < 0.12:
            other = rng.choice(sorted(self._other))
            said = f"is {other}"
            file.write_bytes(self._other[other])
        elif file.suffix == ".parquet":
            said, changed = table_files.mutate(rng, raw)
            file.write_bytes(changed)
        else:
            from fuzz import nasty

            said, changed = nasty.bytes_(rng, raw)
            file.write_bytes(changed)
        places = [name, str(Path(name).parent), "--", "verdicts of", "answers of"]
        return Case(f"{door.name}: {name}: {said}", door, makes, places, bad)

    @staticmethod
    def _gone(rng: Rng, file: Path) -> str:
        way = rng.choice(["missing", "a folder", "a loop", "a pipe", "a device"])
        if way == "a folder":
            file.mkdir()
        elif way == "a loop":
            file.symlink_to(file.name)
        elif way == "a pipe":
            os.mkfifo(file)
        elif way == "a device":
            file.symlink_to("/dev/zero")
        return way
