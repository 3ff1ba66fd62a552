"""What a subtask declares: what its scenes hold, and what is asked of them.

A subtask is one function that returns a :class:`Subtask`, registered in a file of its own or of
its family. Its sentences are data (:mod:`lvlmbench.scene.templates`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from itertools import starmap
from typing import Literal

from lvlmbench.core.blame import place_of, said_by, source_of
from lvlmbench.core.errors import UserError, meant_or
from lvlmbench.core.registry import Registry
from lvlmbench.scene.lists import PERSON

#: In :attr:`Subtask.secondary`: the list that the scene's own foreground comes from.
FOREGROUND = "foreground"

#: Where one is shown whole.
_SHOWN = "docs/extending.md#a-subtask shows one"
#: What Python says of a field that there is not.
_ODD_FIELD = re.compile(r"unexpected keyword argument '(\w+)'")

#: Aspects of a scene as a whole.
SETTING = ("background", "style")


@dataclass(frozen=True)
class Subtask:
    """How the scenes of one subtask are made, and what is asked of them.

    Attributes
    ----------
    name
        What the subtask is about: asked of each of its scenes.
    order
        Where it stands among all subtasks: tables and shards follow it.
    granularity
        ``coarse`` or ``fine`` (Dysca, Table 2).
    foregrounds
        Lists of the foreground; the scene of ordinal i takes ``foregrounds[i % len]``.
    attributes
        What else the foreground has: ``number``, ``color`` or those of a person.
    secondary
        What else is asked, of some scenes.
    has_background
        Whether a background is part of the scene.
    foreground_needs
        Key that an entry must have to be a foreground here.
    suites
        Kinds of suites that it is a subtask of.
    written
        Whether it asks for a word in the picture: none is printed on it by an attack.
    placed
        Whether it asks where things are: what turns a picture makes the answer another.
    wished
        Whether it is there only where parameters name it.
    label
        Its name for readers; empty where ``name`` says it.
    """

    name: str
    order: int
    granularity: Literal["coarse", "fine"]
    foregrounds: tuple[str, ...]
    attributes: tuple[str, ...] = ()
    secondary: tuple[str, ...] = ("background", "style")
    has_background: bool = True
    foreground_needs: str | None = None
    suites: tuple[str, ...] = ("dysca",)
    written: bool = False
    placed: bool = False
    wished: bool = False
    label: str = ""

    def asked(self, variant: int) -> tuple[str, ...]:
        """Return what is asked of scenes of a variant (ordinal modulo foregrounds)."""
        return tuple(
            self.foregrounds[variant] if aspect == FOREGROUND else aspect
            for aspect in (self.name, *self.secondary)
        )

    def aspects(self, variant: int) -> tuple[str, ...]:
        """Return all that a scene of a variant holds."""
        own = () if self.name in SETTING else (self.name,)
        background = ("background",) if self.has_background else ()
        shown = (self.foregrounds[variant], *self.attributes, *own, *background, "style")
        return tuple(dict.fromkeys(shown))

    def visible(self, variant: int) -> frozenset[str]:
        """Return what a picture of a variant must show: its style hides none of it."""
        return frozenset((*self.aspects(variant), FOREGROUND)) - {"style"}


class _Subtasks(Mapping[str, Subtask]):
    """All subtasks by name, in their order; their files are read when they are asked for."""

    def __init__(self) -> None:
        self.registry: Registry[Callable[[], Subtask]] = Registry("subtasks", "lvlmbench.suites")
        self.register = self.registry.register
        self.temporarily = self.registry.temporarily

    def __getitem__(self, name: str) -> Subtask:
        declaration = self.registry.find(name)
        if declaration is None:
            raise KeyError(name)
        return _declared(name, declaration)

    def __iter__(self) -> Iterator[str]:
        names = self.registry.names()
        return iter(_in_order(*zip(names, map(self.registry.find, names), strict=True)))

    def __len__(self) -> int:
        return len(self.registry.names())


@cache
def _declared(name: str, declaration: Callable[[], Subtask]) -> Subtask:
    """What a registered function declares, which whoever has written it may have got wrong."""
    try:
        made: object = declaration()
    except UserError:
        raise
    except Exception as error:  # whatever the code of others runs into
        odd = _ODD_FIELD.search(str(error)) if isinstance(error, TypeError) else None
        known = [each.name for each in fields(Subtask)]
        fix = meant_or(odd[1], known) if odd else _SHOWN
        what = f"the subtask '{name}' cannot be declared ({said_by(error)})"
        raise UserError(place_of(error, __file__) or source_of(declaration), what, fix) from error
    if wrong := _wrong(name, made):
        raise UserError(source_of(declaration), f"the subtask '{name}' {wrong[0]}", wrong[1])
    assert isinstance(made, Subtask)
    return made


def _wrong(name: str, made: object) -> tuple[str, str] | None:
    """What is wrong with what was declared, and what to write."""
    if not isinstance(made, Subtask):
        return f"is {type(made).__name__}, no Subtask", f"return one: {_SHOWN}"
    if made.name != name:
        return f"calls itself '{made.name}'", "write one name in both places"
    if type(made.order) is not int:
        return f"has the order {made.order!r}", "write a whole number"
    if made.granularity not in ("coarse", "fine"):
        known = meant_or(str(made.granularity), ("coarse", "fine"))
        return f"has the granularity {made.granularity!r}", known
    for key in ("foregrounds", "attributes", "secondary", "suites"):
        value = getattr(made, key)
        if not isinstance(value, tuple) or not all(isinstance(each, str) for each in value):
            fix = f"write names in a tuple, one as: {key}=('name',)"
            return f"has {value!r} as {key}", fix
    return None


@cache
def _in_order(*declarations: tuple[str, Callable[[], Subtask]]) -> list[str]:
    found = sorted(starmap(_declared, declarations), key=lambda one: (one.order, one.name))
    return [each.name for each in found]


#: Subtask -> what it declares, in canonical order; ``@SUBTASKS.register(name)`` adds one.
SUBTASKS = _Subtasks()


def subtasks_of(kind: str, wished: bool = False) -> tuple[str, ...]:
    """Return the subtasks of a kind of suite, in their order; with those that are only there where
    parameters name them, if wished."""
    return tuple(n for n, each in SUBTASKS.items() if kind in each.suites and each.wished <= wished)


def is_subtask(name: str) -> bool:
    """Return whether it is one of all subtasks."""
    return SUBTASKS.registry.find(name) is not None


def subtask_order(name: str) -> tuple[int, int, str]:
    """Return what to sort names of subtasks by: as they stand among all, other names behind them.

    It looks up the one that is named: others decide nothing about the order of those in a table.
    """
    declaration = SUBTASKS.registry.find(name)
    return (1, 0, name) if declaration is None else (0, _declared(name, declaration).order, name)


def subtask_label(name: str) -> str:
    """Return the name for readers that a subtask declares; empty where it declares none, and for
    what is no subtask.

    Of the subtasks of other suites, items of a suite that ask for this see such names alone
    (:mod:`lvlmbench.engine.alone`).
    """
    declaration = SUBTASKS.registry.find(name)
    return "" if declaration is None else _declared(name, declaration).label


def registered(made: type[Subtask] = Subtask) -> list[str]:
    """Return the subtasks of a class, for checks of what users write and for messages alone."""
    return [name for name, each in SUBTASKS.items() if isinstance(each, made)]


def subjects() -> dict[str, Subtask]:
    """Return the subtasks whose scenes are about one subject, whatever suite they are of.

    A suite's items see no more of the subtasks of other suites (:mod:`lvlmbench.engine.alone`).
    """
    return {name: each for name, each in SUBTASKS.items() if each.foregrounds or each.secondary}


def aspects() -> tuple[str, ...]:
    """Return all that scenes can hold and templates have words for."""
    found = dict.fromkeys(SUBTASKS)
    for each in SUBTASKS.values():
        found |= dict.fromkeys((*each.foregrounds, *each.attributes, *each.secondary, *SETTING))
    return tuple(name for name in found if name not in (FOREGROUND, PERSON))


def foreground_lists() -> tuple[str, ...]:
    """Return the lists that foregrounds of scenes come from, without the person."""
    found = dict.fromkeys(name for each in subjects().values() for name in each.foregrounds)
    return tuple(name for name in found if name != PERSON)
