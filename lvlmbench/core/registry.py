"""Registries: a new renderer, filter, scenario or model is one new file and no edit elsewhere.

A module registers its class or function with a decorator, and declares beside the name what others
must know of it (:class:`Kind`). The package's own modules are found by walking their folder,
outside packages by the entry point group ``lvlmbench.<registry>``.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import FrameType
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel

from lvlmbench.core.blame import place_of, said_by
from lvlmbench.core.errors import UserError, meant
from lvlmbench.core.exactness import NOTHING, Promise

T = TypeVar("T")
M = TypeVar("M", bound=Callable[..., Any])
K = TypeVar("K", bound="Kind")

#: Public name of each registry -> the module that makes it.
HOMES: Mapping[str, str] = {
    "suites": "lvlmbench.suites.suite",
    "aspects": "lvlmbench.suites.autodavis.family",
    "examiners": "lvlmbench.suites.autodavis.examiner",
    "renderers": "lvlmbench.stages.render.renderer",
    "styles": "lvlmbench.stages.render.kinds.pictograph.styles.registry",
    "backgrounds": "lvlmbench.stages.render.kinds.pictograph.backgrounds.registry",
    "text_engines": "lvlmbench.stages.render.kinds.diffusion.text.engine",
    "ocr_engines": "lvlmbench.stages.filter.ocr.engine",
    "safety_engines": "lvlmbench.stages.filter.safety.engine",
    "filters": "lvlmbench.stages.filter.filter",
    "scenarios": "lvlmbench.stages.scenario.scenario",
    "corruptions": "lvlmbench.stages.scenario.kinds.corruption.kind",
    "models": "lvlmbench.stages.answer.engine",
    "judges": "lvlmbench.stages.judge.judge",
    "prompt_formats": "lvlmbench.stages.answer.local.format",
    "strategies": "lvlmbench.stages.score.strategy",
    "metrics": "lvlmbench.stages.metrics.metric",
    "sheets": "lvlmbench.labelling.sheet",
    "figures": "lvlmbench.stages.figures.figure",
    "sections": "lvlmbench.stages.report.section",
    "exports": "lvlmbench.stages.exports.export",
}

#: Place of a kind that claims none: after all that do.
LAST = 1000


#: Threads of a job that computes on the CPU; Snakemake gives it no more than there are cores.
CPU_THREADS = 16

#: Threads of a job that prepares images for a GPU.
GPU_THREADS = 4

#: Megabytes beside the weights: libraries, a batch, and CUDA's own.
BESIDE_MB = 6000

#: Megabytes where the weights are on a hub, so that their size is not known.
UNKNOWN_MB = 32000


class Resources(NamedTuple):
    """What a job asks of its machine; None asks for nothing.

    Attributes
    ----------
    gpus
        GPUs; None for a job that needs none, so that none is asked for.
    threads
        Threads that it computes with.
    memory_mb
        Megabytes, where the parameters tell; else the stage estimates.
    """

    gpus: int | None = None
    threads: int = 1
    memory_mb: int | None = None


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A registered part and what others must know of it.

    Attributes
    ----------
    name, make
        What it is registered under, and the decorated function or class. A kind is called as
        that is.
    label
        The name as readers see it within a sentence; empty: the name in plain words.
    settings, key
        Model of its section of the parameters, and the section's key where that is not the name.
    place
        Its place among the kinds of its registry, wherever they are listed in an order.
    defaults
        Items that stand in the parameters where none are written, e.g. ``{"name": "clip"}``, by
        their places in the list.
    check
        Called before anything runs with the parameters, the item, and the place to name in a
        message; raises a :class:`~lvlmbench.core.errors.UserError` for what cannot be done.
    asks
        Resources of its jobs, by parameters and item.
    exactness, exact
        Its promises, and which of them holds for parameters and item (the first where None).
    vocabulary
        Whether its jobs read the vocabulary itself. Where it says False, an edit of a word runs
        them again only if the tables that they are given came out otherwise.
    """

    name: str
    make: Callable[..., Any]
    label: str = ""
    settings: type[BaseModel] | None = None
    key: str = ""
    place: int = LAST
    defaults: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    check: Callable[..., None] | None = None
    asks: Callable[..., Resources] | None = None
    exactness: tuple[Promise, ...] = ()
    exact: Callable[..., int] | None = None
    vocabulary: bool = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call what was registered."""
        return self.make(*args, **kwargs)

    @property
    def section(self) -> str:
        """Key of its section of the parameters."""
        return self.key or self.name

    @property
    def words(self) -> str:
        """The kind as readers see it within a sentence."""
        return self.label or self.name.replace("_", " ")

    def resources(self, *about: Any) -> Resources:
        """Return what a job asks of its machine."""
        return Resources() if self.asks is None else self.asks(*about)

    def promise(self, *about: Any) -> Promise:
        """Return the promise that holds."""
        if not self.exactness:
            return NOTHING
        return self.exactness[0 if self.exact is None else self.exact(*about)]


@cache
def _entry_points(path: tuple[str, ...]) -> Any:
    """Return those of all packages on ``path``, which is ``sys.path``; they are read once."""
    return entry_points()


def import_modules(package: str) -> None:
    """Import the modules of a package, so that they register what they hold."""
    root = importlib.import_module(package)
    for module in sorted(m.name for m in pkgutil.iter_modules(root.__path__)):
        importlib.import_module(f"{package}.{module}")


class Registry(Generic[T]):
    """Names of one kind of part and what they stand for.

    Parameters
    ----------
    kind
        Plural name, e.g. ``"renderers"``; also the suffix of the entry point group.
    package
        Package whose modules are imported when the registry is first read.
    """

    def __init__(self, kind: str, package: str) -> None:
        self.kind, self.package = kind, package
        self._items: dict[str, T] = {}
        self._homes: dict[str, str] = {}
        self._loaded = False
        self._broken: UserError | None = None
        self._ours: frozenset[str] = frozenset()
        _MADE[kind] = self

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that registers a part under ``name``; a name is taken once."""
        self._homes[name] = _module_of(inspect.currentframe())

        def add(item: T) -> T:
            if name in self._items and self._items[name] is not item:
                raise ValueError(f"{self.kind}: '{name}' is registered twice")
            self._items[name] = item
            return item

        return add

    @contextmanager
    def temporarily(self, items: Mapping[str, T] | None = None) -> Iterator[None]:
        """Hold ``items`` beside or in place of what is registered; forget them, and whatever is
        registered meanwhile, when the block ends."""
        self._load()
        before, homes = dict(self._items), dict(self._homes)
        self._items |= items or {}
        self._homes = {name: home for name, home in homes.items() if name not in (items or {})}
        try:
            yield
        finally:
            self._items, self._homes = before, homes

    def _load(self) -> None:
        if self._broken is not None:
            raise self._broken
        if self._loaded:
            return
        self._loaded = True
        try:
            import_modules(self.package)
        except UserError:
            raise
        except Exception as error:  # whatever a module that somebody has added runs into
            self._broken = _not_a_kind(self.kind, self.package, error)
            raise self._broken from error
        self._ours = frozenset(self._items)
        points = _entry_points(tuple(sys.path)).select(group=f"lvlmbench.{self.kind}")
        for point in sorted(points, key=lambda p: (p.name, p.value)):
            try:
                point.load()
            except Exception as error:  # whatever the code of another package runs into
                self._broken = _not_imported(point, error)
                raise self._broken from error

    def names(self) -> list[str]:
        """Return the registered names, sorted."""
        self._load()
        return sorted(self._items)

    def ours(self) -> frozenset[str]:
        """Return the names that the package itself registers."""
        self._load()
        return self._ours

    def home(self, name: str) -> str:
        """Return the module whose own lines register a part; empty where a function does."""
        self._load()
        return self._homes.get(name, "")

    def find(self, name: str | None) -> T | None:
        """Return the part called ``name``; None where there is none."""
        self._load()
        return self._items.get(name or "")

    def get(self, name: str, where: str) -> T:
        """Return the part called ``name``; an unknown name is a UserError at ``where``."""
        found = self.find(name)
        if found is None:
            known = ", ".join(self.names())
            fix = f"use one of: {known}" if known else f"this version has no {self.kind}"
            guess = meant(name, self.names(), "")
            raise UserError(where, f"'{name}' is not known", f"{guess} {fix}")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())


def _module_of(called: FrameType | None) -> str:
    """The module of whose own lines one calls a function; empty where another function does."""
    caller = None if called is None else called.f_back
    at_home = caller is not None and caller.f_code.co_name == "<module>"
    return str(caller.f_globals.get("__name__", "")) if caller is not None and at_home else ""


def _not_a_kind(kind: str, package: str, error: Exception) -> UserError:
    """Return in one line what a module of a folder of kinds ran into."""
    return UserError(
        place_of(error, __file__) or package,
        f"the {kind} cannot be imported ({said_by(error)})",
        "mend the file, or take it out of its folder",
    )


def _not_imported(point: EntryPoint, error: Exception) -> UserError:
    """Return in one line what another package's module ran into."""
    package = point.dist.name if point.dist is not None else point.module.partition(".")[0]
    return UserError(
        f"package {package}: entry point '{point.name}' of {point.group}",
        f"{point.value} cannot be imported ({said_by(error)} at {place_of(error, __file__)})",
        f"mend the package ('import {point.module}' in Python shows where), or uninstall it",
    )


class Kinds(Registry[K]):
    """A registry of :class:`Kind`: what is registered declares more than its name.

    Parameters
    ----------
    made
        Class of its kinds, whose attributes :meth:`kind` takes.
    """

    def __init__(self, kind: str, package: str, made: type[K]) -> None:
        super().__init__(kind, package)
        self._made = made

    def of(self, name: str, make: Callable[..., Any], **declared: Any) -> K:
        """Return a kind without registering it."""
        return self._made(name=name, make=make, **declared)

    def register(self, name: str, **declared: Any) -> Callable[[M], M]:
        """Return a decorator that registers a function or class with what it declares."""

        home = _module_of(inspect.currentframe())

        def add(make: M) -> M:
            super(Kinds, self).register(name)(self.of(name, make, **declared))
            self._homes[name] = home
            return make

        return add

    def ordered(self) -> list[K]:
        """Return the kinds in the order of their places, then of their names."""
        return sorted((self._items[n] for n in self.names()), key=lambda k: (k.place, k.name))

    def first(self) -> K:
        """Return the kind that stands first."""
        return self.ordered()[0]

    def defaults(self) -> list[Mapping[str, Any]]:
        """Return the items that stand in the parameters where none are written, in order."""
        found = {at: item for kind in self.ordered() for at, item in kind.defaults.items()}
        return [found[at] for at in sorted(found)]


class _Either(Kinds[Any]):
    """Two registries as one: what the first does not know is looked for in the second."""

    def __init__(self, first: Kinds[Any], second: Kinds[Any]) -> None:
        self.kind, self.package = first.kind, first.package
        self._first, self._second = first, second

    def names(self) -> list[str]:
        return sorted({*self._first, *self._second})

    def ours(self) -> frozenset[str]:
        return self._first.ours() | self._second.ours()

    def find(self, name: str | None) -> Any:
        found = self._first.find(name)
        return self._second.find(name) if found is None else found

    def ordered(self) -> list[Any]:
        mine = self._first.ordered()
        known = {kind.name for kind in mine}
        return mine + [kind for kind in self._second.ordered() if kind.name not in known]


_MADE: dict[str, Registry[Any]] = {}


def registry_of(name: str) -> Registry[Any]:
    """Return the registry of this public name."""
    importlib.import_module(HOMES[name])
    return _MADE[name]


def kinds_of(name: str) -> Kinds[Any]:
    """Return the registry of this public name, whose kinds declare themselves."""
    found = registry_of(name)
    if not isinstance(found, Kinds):
        raise TypeError(f"the {name} declare nothing beside their names")
    return found


def either(first: str, second: str) -> Kinds[Any]:
    """Return two registries as one, by their public names; kinds of the first go first."""
    return _Either(kinds_of(first), kinds_of(second))
