"""Folders of vocabulary lists, one file of which is not as it should be."""

from __future__ import annotations

import copy
import functools
import os
from pathlib import Path
from typing import Any

import yaml

from fuzz import nasty, yaml_files
from fuzz.case import Case, Rng
from fuzz.params import ROOT, small_corpora
from lvlmbench.commands.main import main as cli
from lvlmbench.config.layers import load_layers
from lvlmbench.core.guard import guarded

_GIVEN = ROOT / "data" / "vocabulary"


def _entries(rng: Rng, data: dict[str, Any]) -> str | None:
    """Mistakes that people make in lists; what was done, or None where it does not fit."""
    entries = data.get("entries")
    if not isinstance(entries, list):
        return None
    one, other = rng.sample(entries, 2)
    way = rng.choice(
        ["again", "case", "few", "one", "group", "cycle", "nobody", "template", "shows", "long"]
    )
    if way == "again":
        entries.append(copy.deepcopy(one))
    elif way == "case":
        one["label"] = str(other["label"]).upper()
    elif way in ("few", "one"):
        del entries[rng.choice([2, 3, 5]) if way == "few" else 1 :]
    elif way == "group":
        one["group"] = rng.choice(["nosuch", "a//b", "/", "a/", f"{other['label']}x", "groups"])
    elif way == "cycle":
        one["group"], other["group"] = str(other["label"]), str(one["label"])
    elif way == "nobody":
        for entry in entries:
            entry["renderers"] = rng.choice([["nobody"], [], ["pictograph"], ["diffusion"]])
    elif way == "template":
        key = rng.choice(["prompt", "phrase", "negative_prompt", "sense"])
        field = rng.choice(["subject", "text", "noun", "label"])
        shapes = [
            "{%s} {%s}",
            "{%s!r}",
            "{%s.__class__}{%s}",
            "{%s:>99999999}",
            "{{%s}}",
            "%s",
            "{",
        ]
        one[key] = rng.choice(shapes).replace("%s", field)
    elif way == "shows":
        one["shows"] = rng.choice([["nosuch"], [], "owl", [["owl"]], [1]])
    else:
        one["label"] = rng.choice(["a b " * 300, "x" * 3000, "x\ty", "a " * 5000])
    return f"{way}: {str(one.get('label'))[:40]!r}"


#: What a line may name: a file of the vocabulary, or a setting that its entries do not fit.
_NAMES = ("vocabulary", "text.yaml", "suites.dysca.scenarios.noisy: print_attack")


class Vocabularies:
    """The vocabulary with a mutant among its files."""

    name = "vocabulary"

    def __init__(self, work: Path) -> None:
        self._files = {path.name: path.read_bytes() for path in sorted(_GIVEN.glob("*.yaml"))}
        self._data = {
            name: yaml.load(raw, Loader=yaml.CSafeLoader) for name, raw in self._files.items()
        }
        self._linked = work / "vocabulary"
        self._linked.mkdir()
        for name, raw in self._files.items():
            (self._linked / name).write_bytes(raw)

    def _case(self, folder: Path, said: str, bad: bool = False, drawer: str | None = None) -> Case:
        params = folder / "params.yaml"
        params.write_text(
            yaml.safe_dump(
                {
                    "vocabulary": {"folder": str(folder / "vocabulary")},
                    "suites": {
                        "dysca": {"corpus": {"scenes_per_subtask": 2, "drawable_by": drawer}}
                    },
                }
            )
        )
        return Case(said, functools.partial(self._check, params), (), _NAMES, bad)

    def sound(self, folder: Path) -> Case:
        """The vocabulary as it is."""
        self._link(folder)
        return self._case(folder, "nothing")

    def _link(self, folder: Path, without: str = "") -> None:
        (folder / "vocabulary").mkdir()
        for name in self._files:
            if name != without:
                os.link(self._linked / name, folder / "vocabulary" / name)

    def case(self, rng: Rng, folder: Path) -> Case:
        """One file removed, replaced or changed."""
        name = rng.choice(sorted(self._files))
        drawer = rng.choice([None, "pictograph"])
        self._link(folder, name)
        file = folder / "vocabulary" / name
        chosen = rng.random()
        if chosen < 0.06:
            return self._case(folder, self._gone(rng, file), True, drawer)
        data = copy.deepcopy(self._data[name])
        if chosen < 0.22:
            said, raw = nasty.bytes_(rng, self._files[name])
        elif chosen < 0.5 and (said_ := _entries(rng, data)):
            said = said_
            raw = yaml.dump(data, Dumper=yaml.CSafeDumper, sort_keys=False).encode()
        else:
            said, text = yaml_files.mutate(rng, data)
            raw = text.encode("utf-8", "surrogatepass")
        file.write_bytes(raw)
        return self._case(folder, f"{name}: {said}", drawer=drawer)

    @staticmethod
    def _gone(rng: Rng, file: Path) -> str:
        way = rng.choice(["missing", "a folder", "a broken link", "a loop", "a pipe", "a device"])
        if way == "a folder":
            file.mkdir()
        elif way == "a broken link":
            file.symlink_to("nowhere.yaml")
        elif way == "a loop":
            file.symlink_to(file.name)
        elif way == "a pipe":
            os.mkfifo(file)
        elif way == "a device":
            file.symlink_to("/dev/zero")
        return f"{file.name}: {way}"

    @staticmethod
    def _check(params: Path) -> None:
        cli(["config", "check", "--base", str(params)])
        with guarded():
            small_corpora(load_layers([params]))
