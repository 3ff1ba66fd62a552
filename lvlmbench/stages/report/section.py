"""What a section of the report is: a template, what it shows, and where the menu names it.

To add one, write a module in ``kinds`` (or an outside package with an entry point in the group
``lvlmbench.sections``) that registers a function; what it returns is there for all templates::

    @SECTIONS.register("mine", menu="Data", title="My own", template=str(HERE / "mine.html.j2"))
    def values(snapshot: Snapshot, beside: Beside, found: Values) -> Values: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from lvlmbench.core.registry import Kind, Kinds

#: What templates show, by name.
Values: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class SectionKind(Kind):
    """A registered section. What is registered is called with the snapshot, what other stages have
    made, and the values of the page; it returns values of its own.

    Attributes
    ----------
    menu, title
        The menu that names it, and how.
    template
        Its template: a file of templates/, or an absolute path; empty: the file of its name.
    when
        Whether it is shown, by the values of the page; None: always.
    missing
        Why it is not, in words after its title and a colon; with ``when`` alone.
    asked
        Whether it is about questions that were asked and their answers: it is left out where there
        is no answer at all, which the head of the page says.
    """

    menu: str
    title: str
    template: str = ""
    when: Callable[[Values], bool] | None = None
    missing: str = ""
    asked: bool = False

    @property
    def file(self) -> str:
        """Return its template."""
        return self.template or f"{self.name}.html.j2"

    def shown(self, found: Values) -> bool:
        """Return whether a page with these values has it."""
        if self.asked and found["unanswered"]:
            return False
        return self.when is None or self.when(found)


SECTIONS: Kinds[SectionKind] = Kinds("sections", "lvlmbench.stages.report.kinds", SectionKind)


def menu_of(sections: Iterable[SectionKind]) -> dict[str, list[tuple[str, str]]]:
    """Return the menus in the order of their first sections: anchor and title of each."""
    menus: dict[str, list[tuple[str, str]]] = {}
    for section in sections:
        menus.setdefault(section.menu, []).append((section.name, section.title))
    return menus
