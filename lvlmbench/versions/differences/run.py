"""All that changed between two versions, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.engine.stages import lies_in
from lvlmbench.snapshot.place import Place
from lvlmbench.tables.declaration import Table
from lvlmbench.versions.differences import items, scores, settings
from lvlmbench.versions.differences.settings import Side
from lvlmbench.versions.manifest import OldManifest

Json = dict[str, Any]


def _names(place: Place, section: str, key: str) -> list[str]:
    """Names that a list of the parameters gives; none where it is of another form."""
    inside = (place.params | place.own).get(section)
    entries = inside.get(key) if isinstance(inside, Mapping) else None
    told = entries if isinstance(entries, list) else []
    return [str(each.get("name") if isinstance(each, Mapping) else each) for each in told]


def _named(a: Place, b: Place, section: str, key: str) -> Json:
    old, new = (_names(view, section, key) for view in (a, b))
    return {
        "added": [name for name in new if name not in old],
        "removed": [name for name in old if name not in new],
    }


def _outs(side: Side) -> list[str]:
    """Outs that a version has, by its seals; none where they cannot be read."""
    try:
        return [*side.sealed.outs]
    except UserError:
        return []


class _Parts:
    """Parts of a comparison, one after the other, and notes of those that could not be made."""

    def __init__(self, a: Place, b: Place) -> None:
        self.views = a, b
        self.unchanged: set[str] = set()
        self.notes: list[str] = []

    def part(self, name: str, make: Callable[[], Any], default: Any) -> Any:
        """Return what ``make`` returns; the default, and a note, where it cannot be read."""
        try:
            return make()
        except OldManifest:
            raise
        except UserError as error:
            self.notes.append(f"{name}: not compared: {error}")
            return default

    def table(self, name: str, declared: Table, make: Callable[[], Any], default: Any) -> Any:
        """Return what changed in a table, which is read only where its bytes changed."""
        where = [view.where(declared) for view in self.views]
        if {*where} <= self.unchanged:
            return default
        pairs = zip(self.views, where, strict=True)
        lacking = [(v.name, f) for v, f in pairs if not self.part(name, partial(v.files, f), [1])]
        if lacking:
            who = " and ".join(name for name, _ in lacking)
            self.notes.append(f"{name}: not compared: {who}: no {lacking[0][1]}")
            return default
        return self.part(name, make, default)


def _others(a: Place, b: Place) -> set[str]:
    """The suites beside the one that is asked about; none where none is named."""
    if a.suite is None:
        return set()
    suites = [place.params.get("suites") for place in (a, b)]
    return {str(n) for own in suites if isinstance(own, Mapping) for n in own} - {a.suite}


def _of_others(path: str, own: str | None, others: set[str]) -> bool:
    """Whether a path or a dotted key is about other suites, e.g. ``data/composed/scenes``."""
    parts = path.replace(".", "/").split("/")[1:3]
    return own not in parts[:1] and not others.isdisjoint(parts)


def differences(a: Place, b: Place) -> Json:
    """What changed from ``a`` to ``b``.

    What lies in tables is read only where its bytes changed. A part that one of the two does not
    have, or that cannot be read there, is told under ``notes``, and the others are compared.

    Raises
    ------
    OldManifest
        One of them was pinned before projects held suites.
    """
    sides = Side(a), Side(b)
    parts = _Parts(a, b)
    part, table = parts.part, parts.table
    none: Json = {"changed": [], "added": [], "removed": []}
    artifacts = part("artifacts", lambda: settings.artifact_changes(*sides), none)
    moved, others = {*artifacts["changed"]}, _others(a, b)
    artifacts = {
        word: [out for out in outs if not _of_others(out, a.suite, others)]
        for word, outs in artifacts.items()
    }
    unchanged = {*_outs(sides[0])} & {*_outs(sides[1])} - moved
    parts.unchanged = unchanged

    verdicts = {
        out for s in sides for out in _outs(s) if lies_in(out, s.view.where(tables.VERDICTS))
    }
    found = {
        "a": a.name,
        "b": b.name,
        "params": [
            each
            for each in part("parameters", lambda: settings.params_changes(a.params, b.params), [])
            if not (each["key"].startswith("suites.") and _of_others(each["key"], a.suite, others))
        ],
        "code": part("code", lambda: settings.code_changes(*sides), []),
        "vocabulary": part("vocabulary", lambda: settings.vocabulary_changes(*sides), {}),
        "packages": part("packages", lambda: settings.package_changes(*sides), {}),
        "models": part("models", lambda: _named(a, b, "answer", "models"), {}),
        "examiners": part("examiners", lambda: _named(a, b, "examiner", "examiners"), {}),
        "scenarios": part("scenarios", lambda: _named(a, b, "scenarios", "names"), {}),
        "scenes": table("scenes", tables.SCENES, lambda: items.scene_changes(a, b), {}),
        "questions": table("questions", tables.QUESTIONS, lambda: items.question_changes(a, b), {}),
        "images": table("images", tables.IMAGES, lambda: items.image_changes(a, b, unchanged), {}),
        "kept": {}
        if verdicts and verdicts <= unchanged
        else table("filters", tables.VERDICTS, lambda: items.kept_changes(a, b), {}),
        "scores": table("scores", tables.METRICS, lambda: scores.score_changes(a, b), []),
        "artifacts": artifacts,
        "notes": list(dict.fromkeys(parts.notes)),
    }
    return {**found, "same": same(found)}


def _moved(changes: Json) -> bool:
    """Whether rows were added, removed or changed."""
    return any(changes.get(word) for word in ("added", "removed", "changed"))


def same(found: Json) -> bool:
    """Whether nothing changed, as far as all could be compared."""
    plain = ("params", "code", "vocabulary", "packages", "scores", "notes")
    groups = ("models", "examiners", "scenarios", "scenes", "questions", "artifacts")
    kept = found["kept"]
    return not (
        any(found[name] for name in plain)
        or any(_moved(found[name]) for name in groups)
        or any(_moved(each) for each in found["images"].values())
        or (kept and (kept["newly_kept"] or kept["newly_dropped"] or kept["old"] != kept["new"]))
    )
