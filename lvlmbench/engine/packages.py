"""Other packages that add kinds: their code decides what stages make, as the project's does."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path

from lvlmbench.core.registry import HOMES
from lvlmbench.engine.asking import PACKAGE
from lvlmbench.engine.hashing import source_digests


def packages() -> dict[str, set[str]]:
    """Return the registries that packages with entry points add kinds to, by package."""
    found: dict[str, set[str]] = {}
    for point in (point for each in distributions() for point in each.entry_points):
        package, _, registry = point.group.partition(".")
        if package == PACKAGE and registry:
            found.setdefault(point.module.split(".")[0], set()).add(registry)
    return found


def code_of_package(name: str) -> str | None:
    """Return a hash of a package's files, wherever it lies; None of one that is not there."""
    spec = find_spec(name)
    places: list[str | None] = []
    if spec is not None:
        places = [*(spec.submodule_search_locations or [])] or [spec.origin]
    digests: dict[str, str] = {}
    for place in (Path(each) for each in places if each):
        digests |= source_digests(place.parent, [place.name])
    return "/".join(digests[name] for name in sorted(digests)) or None


def run_by(deps: Iterable[str], known: dict[str, set[str]]) -> list[str]:
    """Return the packages whose kinds a stage may run, by the code that it depends on.

    A registry that is read with the parameters belongs to every stage.
    """
    code = tuple(deps)

    def runs(registry: str) -> bool:
        home = HOMES.get(registry, "").replace(".", "/")
        return not home or any(f"{home}.py".startswith(dep) for dep in code)

    return sorted(name for name, registries in known.items() if any(map(runs, registries)))
