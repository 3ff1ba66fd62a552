"""Folders as users' own copies of VALOR-Bench, one file of which is not as it should be."""

from __future__ import annotations

import functools
import json
import os
import shutil
from pathlib import Path
from typing import Any

from fuzz import nasty
from fuzz.answers import JSON
from fuzz.case import Case, Rng
from fuzz.child import warmed
from lvlmbench import tables
from lvlmbench.core.guard import guarded
from lvlmbench.suites.suite import SUITES, suite_of
from lvlmbench.tables import LAYOUTS
from support import own_copy
from support.corpus_sample import sample_vocabulary


def _through(folder: Path) -> None:
    """Look at a copy, and make the tables that a run makes of it; the first mistake ends it."""
    with guarded():
        found = SUITES.get("valor_bench", "")().look(folder)
        if found is None:
            raise AssertionError("a copy is known by the names of its files")
        assert all(line.isprintable() for line in found.lines), found.lines
        for mistake in found.mistakes:
            raise mistake
        params = own_copy.params(folder)
        suite, vocabulary = suite_of(params), sample_vocabulary()
        SUITES.get("valor_bench", "").check(params, "params.yaml")  # type: ignore[misc]
        scenes = suite.scenes(params, vocabulary, 0, params.corpus.n_scenes)
        about = (params, vocabulary, scenes, LAYOUTS.empty_table())
        out = folder.parent / "out"
        tables.write(suite.truth(*about), out / "truth.parquet", tables.TRUTH, "s")
        tables.write(suite.questions(*about), out / "questions.parquet", tables.QUESTIONS, "s")


class OwnCopies:
    """Mutants of a look-alike of a user's copy."""

    name = "own copies"

    def __init__(self, work: Path) -> None:
        self._made = own_copy.write(work / "mine")
        (work / "warm").mkdir()
        warmed(self.sound(work / "warm").action, work / "warm")

    def _case(self, folder: Path, said: str, file: str = "", bad: bool = False) -> Case:
        names = [Path(file).name, "images", "human_annotation", "corpus.scenes"]
        return Case(
            said, functools.partial(_through, folder / "mine"),
            [folder / "out/truth.parquet"], names, bad,
        )  # fmt: skip

    def sound(self, folder: Path) -> Case:
        """The folder as it is."""
        shutil.copytree(self._made, folder / "mine")
        return self._case(folder, "nothing")

    def case(self, rng: Rng, folder: Path) -> Case:
        """A copy with one bad file."""
        copy = shutil.copytree(self._made, folder / "mine")
        files = sorted(path for path in copy.rglob("*") if path.is_file())
        annotation = [path for path in files if path.parent.name == "human_annotation"]
        chosen = rng.random()
        if chosen < 0.15:
            path = rng.choice(files)
            return self._case(folder, self._odd(rng, path), path.name)
        if chosen < 0.4:
            path = rng.choice(files)
            said, raw = nasty.bytes_(rng, path.read_bytes())
            path.write_bytes(raw)
            return self._case(folder, f"{path.name}: {said}", path.name)
        path = rng.choice(annotation)
        text = rng.choice([*JSON, json.dumps(rng.choice(nasty.TEXTS))])
        lines = path.suffix == ".jsonl"
        held = [json.loads(line) for line in path.read_text().splitlines()] if lines else [
            json.loads(path.read_text())
        ]  # fmt: skip
        said = _put(rng, rng.choice(held))
        raw = ("\n" if lines else "").join(json.dumps(each) for each in held)
        path.write_text(raw.replace('"@@"', text), encoding="utf-8", errors="surrogatepass")
        return self._case(folder, f"{path.name}: {said} = {text[:40]!r}", path.name)

    @staticmethod
    def _odd(rng: Rng, path: Path) -> str:
        """Something else in a file's place."""
        way = rng.choice(["gone", "folder", "pipe", "device", "empty"])
        path.unlink()
        if way == "folder":
            path.mkdir()
        elif way == "pipe":
            os.mkfifo(path)
        elif way == "device":
            path.symlink_to("/dev/zero")
        elif way == "empty":
            path.write_bytes(b"")
        return f"{path.name}: {way}"


def _put(rng: Rng, held: Any) -> str:
    """Put a mark in the place of some value, or of a key, of JSON; says where."""
    where = []
    while True:
        keys = sorted(held) if isinstance(held, dict) else list(range(len(held)))
        if not keys:
            return "nothing"
        key = rng.choice(keys)
        where.append(str(key))
        inner = held[key]
        if isinstance(inner, dict | list) and inner and rng.random() < 0.75:
            held = inner
            continue
        if isinstance(held, dict) and rng.random() < 0.3:
            held["@@"] = held.pop(key)
            return f"key {'.'.join(where)}"
        held[key] = "@@"
        return ".".join(where)
