"""Which files each item makes and which ones a job reads: published paths, from parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, NamedTuple

from lvlmbench.config import Params, Project
from lvlmbench.stages.stage import Out, Values, declared, filled, holes, lies_in


class _Made(NamedTuple):
    """An out of an item, filled in."""

    path: str
    out: Out
    params: Params
    values: Values

    def files(self, shard: int | None = None) -> list[str]:
        return self.out.files(self.params, self.values, shard)


class Paths:
    """The files of a project's items.

    Parameters
    ----------
    project
        Validated parameters.
    """

    def __init__(self, project: Project) -> None:
        self._suites = list(project.suites)
        self._items: dict[str, list[_Made]] = {}
        for stage in declared().values():
            for values in stage.values(project):
                params = project.suite(values["suite"])
                self._items[stage.item(values)] = [
                    _Made(filled(out.path, values), out, params, values) for out in stage.makes
                ]
        self._below: dict[str, list[_Made]] = {}

    @cached_property
    def _outs(self) -> list[_Made]:
        return [made for outs in self._items.values() for made in outs]

    def of(self, item: str) -> list[str]:
        """Return what the jobs of an item make; for the report its page, which needs the rest.

        Raises
        ------
        KeyError
            There is no such item.
        """
        return [file for made in self._items[item] for file in made.files()]

    def below(self, templates: Iterable[str], values: Values) -> list[str]:
        """Return all files at or below the paths that templates stand for.

        Those of all suites where ``values`` names none. Where it names a ``shard`` of images, of
        each table what is about that shard.
        """
        shard = int(values["shard"]) if "shard" in values else None
        found: list[str] = []
        for template in templates:
            every = "suite" not in values and "suite" in holes(template)
            for suite in self._suites if every else [values.get("suite", "")]:
                path = filled(template, {**values, "suite": suite})
                found += [file for made in self._at(path) for file in made.files(shard)]
        return found

    def elsewhere(self, name: str) -> Callable[[Params, Any], list[str]]:
        """Return what gives the files of another suite that a job of a stage reads, if it does, by
        parameters and wildcards."""
        stage = declared()[name]

        def find(params: Params, wildcards: Any) -> list[str]:
            other = stage.other(params, dict(wildcards.items()))
            return [] if other is None else self.below(stage.elsewhere, other)

        return find

    def _at(self, path: str) -> list[_Made]:
        """The outs at or below a path."""
        if path not in self._below:
            self._below[path] = [made for made in self._outs if lies_in(made.path, path)]
        return self._below[path]
