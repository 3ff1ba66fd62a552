"""What an embedded examiner is: it chooses among what can surely be asked (AutoDavis, section 2.4).

An examiner is one file in ``examiners/`` (or an entry point in the group ``lvlmbench.examiners``)
that registers a class under its name; the first by place is the one that asks by default::

    @EXAMINERS.register("mine")
    class Mine: ...

What is asked, and that one option is true and the others are false, is for families and their
programs to say. So no examiner can ask what is not sure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import Kind, Kinds
from lvlmbench.suites.autodavis.settings import Examining
from lvlmbench.suites.graphs.ask import Ask

if TYPE_CHECKING:
    from lvlmbench.config import Params


class Examiner(Protocol):
    """Chooses among possible questions, and among their wrong options."""

    def steps(self, hops: int) -> Sequence[int]:
        """Return from how many steps away a thing is named at a level with so many.

        They are tried one after the other, until something can be asked.
        """
        ...

    def shown(self, least: int, most: int) -> int:
        """Return how many wrong options the picture shows, where so many can be."""
        ...

    def ranked(self, asks: Sequence[Ask]) -> list[Ask]:
        """Return what can be asked, the best first, with the phrasings of which one is drawn.

        It is given in random order; what ranks alike stays in that order.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class ExaminerKind(Kind):
    """A registered examiner.

    Attributes
    ----------
    family
        Returns the family of models that it belongs to, by the parameters; None where it is no
        model. Its questions do not count in ``accuracy_independent`` of models of that family.
    """

    family: Callable[[Params], str | None] = lambda params: None


#: Examiners by name.
EXAMINERS: Kinds[ExaminerKind] = Kinds(
    "examiners", "lvlmbench.suites.autodavis.examiners", ExaminerKind
)


def examiner_kinds(params: Params, where: str) -> dict[str, ExaminerKind]:
    """Return the examiners that parameters name, in order.

    Raises
    ------
    UserError
        One is not registered, or a model behind an endpoint is called like one; ``where`` is the
        section that names them.
    """
    for each in params.examiner.examiners:
        if each.name in EXAMINERS.names():
            what = f"'{each.name}' is the name of an embedded examiner"
            raise UserError(f"examiner.examiners: {each.name}", what, "call the model otherwise")
    names = params.corpus.own(Examining).examiners
    return {name: EXAMINERS.get(name, f"{where}.examiners") for name in names}


def scope(ask: Ask) -> int:
    """Return how many parts a question's program has: what must be looked at to answer it."""

    def parts(program: object) -> int:
        return 1 + sum(map(parts, program)) if isinstance(program, list | tuple) else 0

    return parts(ask.program)
