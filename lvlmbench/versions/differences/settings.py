"""What decides a version: parameters, vocabulary, packages, code. Nothing here is validated.

An old version may have parameters and lists that this one would not accept; they can be compared.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lvlmbench.core.errors import UserError
from lvlmbench.engine.hashing import source_digests
from lvlmbench.engine.stages import SEALS
from lvlmbench.snapshot.place import Place
from lvlmbench.versions.locked import locked_packages
from lvlmbench.versions.manifest import manifest_at

Json = dict[str, Any]


def leaves(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted keys and values of nested parameters; items of a list by name where all have one."""
    if isinstance(value, Mapping) and value:
        for name, each in value.items():
            yield from leaves(each, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list) and (names := _names(value)) is not None:
        for name, each in zip(names, value, strict=True):
            yield from leaves({k: v for k, v in each.items() if k != "name"}, f"{key}[{name}]")
    else:
        yield key, value


def _names(items: list[Any]) -> list[str] | None:
    """Names of a list of named things; None where it is something else."""
    if not items or not all(isinstance(item, Mapping) and "name" in item for item in items):
        return None
    names = [str(item["name"]) for item in items]
    return names if len(set(names)) == len(names) else None


def params_changes(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[Json]:
    """Keys that differ, with ``old`` and ``new``, of which one is absent where the key is."""
    old, new = dict(leaves(a)), dict(leaves(b))
    found = []
    for key in sorted({*old, *new}):
        sides = {side: each[key] for side, each in (("old", old), ("new", new)) if key in each}
        if len(sides) < 2 or json.dumps(sides["old"], default=str) != json.dumps(
            sides["new"], default=str
        ):
            found.append({"key": key, **sides})
    return found


@dataclass(frozen=True)
class Sealed:
    """What the seals of a version say: hash of each source and each out, and who reads a source.

    Attributes
    ----------
    code, outs
        Path -> hash.
    readers
        Source -> stages that declare it.
    """

    code: dict[str, str]
    outs: dict[str, str | None]
    readers: dict[str, list[str]]

    @classmethod
    def read(cls, view: Place) -> Sealed:
        """From the manifest, or else from the seals; empty where nothing was ever made."""
        found = cls({}, {}, {})
        stages: dict[str, tuple[dict[str, str], dict[str, str | None]]] = {}
        if (manifest := manifest_at(view)) is not None:
            stages = {name: (stage.code, stage.outs) for name, stage in manifest.stages.items()}
        else:
            for path in view.files(SEALS):
                try:
                    name = path.removeprefix(f"{SEALS}/").removesuffix(".json")
                    seal = json.loads(view.read(path))
                    stages[name] = dict(seal["code"]), dict(seal["outs"])
                except (ValueError, TypeError, KeyError, RecursionError):
                    raise UserError(
                        f"{view.name}: {path}", "is no seal", "'lvlmbench verify' says how to mend"
                    ) from None
        for name, (code, outs) in stages.items():
            found.code.update(code)
            found.outs.update(outs)
            for source in code:
                found.readers.setdefault(source, []).append(name)
        return found


class Side:
    """One of the two that are compared."""

    def __init__(self, view: Place) -> None:
        self.view = view

    @cached_property
    def sealed(self) -> Sealed:
        """See :class:`Sealed`."""
        return Sealed.read(self.view)

    def code(self, sources: Iterable[str]) -> dict[str, str]:
        """Hash of each of these sources that is there.

        In a folder, of what lies there now, which may have been edited since the data was made.
        """
        sealed = self.sealed.code
        if self.view.folder is None:
            return {name: sealed[name] for name in sources if name in sealed}
        found: dict[str, str] = {}
        for name in sources:
            if (self.view.folder / name).exists():
                with suppress(UserError):
                    found |= source_digests(self.view.folder, [name])
            elif name in sealed:
                found[name] = sealed[name]
        return found

    @cached_property
    def vocabulary_folder(self) -> str:
        """Where the parameters say that the vocabulary lies."""
        section = self.view.params.get("vocabulary")
        named = section.get("folder") if isinstance(section, Mapping) else None
        return str(named) if named else "data/vocabulary"

    def vocabulary(self) -> dict[str, dict[str, str]]:
        """List -> label of an entry -> all of it as text; what has no entries has one, ``""``."""
        found: dict[str, dict[str, str]] = {}
        for path in self.view.files(self.vocabulary_folder):
            if not path.endswith(".yaml"):
                continue
            name = path.rpartition("/")[2].removesuffix(".yaml")
            told = self.view.yaml(path)
            lists = told if isinstance(told, Mapping) else {}
            entries = lists.get("entries")
            items = entries if isinstance(entries, list) else []
            rest = {key: value for key, value in lists.items() if key != "entries"}
            found[name] = {
                "": json.dumps(rest, sort_keys=True, default=str),
                **{
                    str(item.get("label") if isinstance(item, Mapping) else item): json.dumps(
                        item, sort_keys=True, default=str
                    )
                    for item in items
                },
            }
        return found

    def packages(self) -> dict[str, str]:
        """Package -> version, of requirements.lock."""
        if not self.view.exists("requirements.lock"):
            return {}
        return locked_packages(self.view.read("requirements.lock").decode(errors="replace"))


def vocabulary_changes(a: Side, b: Side) -> Json:
    """List -> labels added, removed and changed; ``settings`` where something else of it is."""
    old, new = a.vocabulary(), b.vocabulary()
    found = {}
    for name in sorted({*old, *new}):
        was, now = old.get(name, {}), new.get(name, {})
        changed = sorted(label for label in was if label in now and was[label] != now[label])
        told: Json = {
            "added": [label for label in now if label and label not in was],
            "removed": [label for label in was if label and label not in now],
            "changed": [label for label in changed if label],
        }
        if name not in old or name not in new:
            told["list"] = "added" if name not in old else "removed"
        elif "" in changed:
            told["settings"] = True
        if any(told.values()):
            found[name] = told
    return found


def package_changes(a: Side, b: Side) -> Json:
    """Package -> its ``old`` and ``new`` version, of which one is absent where the package is."""
    old, new = a.packages(), b.packages()
    return {
        name: {s: each[name] for s, each in (("old", old), ("new", new)) if name in each}
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    }


def code_changes(a: Side, b: Side) -> list[Json]:
    """Declared sources with other content: which files, and how many stages read them.

    Where nothing was ever made, so that no source is declared, those of the other side count.
    """
    declared = [{*side.sealed.readers} for side in (a, b)]
    either = declared[0] | declared[1]
    old, new = a.code(either), b.code(either)
    found = []
    for source in sorted(either):
        if source in (a.vocabulary_folder, b.vocabulary_folder):
            continue  # told entry by entry
        if old.get(source) == new.get(source):
            continue
        files = _changed_files(a.view, b.view, source)
        alone = not all(declared)
        if alone and not files:
            continue
        readers = {name for side in (a, b) for name in side.sealed.readers.get(source, [])}
        told: Json = {
            "source": source,
            "files": files,
            "stages": dict(Counter(reader.split("/")[0] for reader in sorted(readers))),
        }
        if not alone and (source not in declared[0] or source not in declared[1]):
            told["declared"] = "removed" if source in declared[0] else "added"
        found.append(told)
    return found


def _changed_files(a: Place, b: Place, source: str) -> list[str]:
    """Files of a source that differ; none where one side holds results without code."""
    old, new = ({f for f in v.files(source) if "__pycache__" not in f} for v in (a, b))
    if not old or not new:
        return []
    return sorted(
        path
        for path in old | new
        if path not in old or path not in new or a.read(path) != b.read(path)
    )


def artifact_changes(a: Side, b: Side) -> Json:
    """Outs with other bytes, and those that only one side has."""
    old, new = a.sealed.outs, b.sealed.outs
    return {
        "changed": sorted(out for out in old if out in new and old[out] != new[out]),
        "added": sorted(out for out in new if out not in old),
        "removed": sorted(out for out in old if out not in new),
    }
