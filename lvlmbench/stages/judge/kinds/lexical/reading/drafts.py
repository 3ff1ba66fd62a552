"""Claims in the making: parts are things and words of the text, not yet numbers and characters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lvlmbench.stages.judge.kinds.lexical.reading.sight import Sight, Who
from lvlmbench.stages.judge.kinds.lexical.reading.things import Page, Thing


@dataclass(eq=False, slots=True)
class Draft:
    """A claim with its parts as things; words from ``first`` up to ``last`` of a page say it."""

    kind: str
    subject: Thing
    page: Page
    first: int
    last: int
    relation: str | None = None
    object: Thing | str | None = None
    value: str | None = None
    negated: bool = False
    hedged: bool = False
    sure: bool = True


@dataclass
class Sheet:
    """What was found in an answer so far.

    Attributes
    ----------
    used
        Page and word of what says something.
    """

    sight: Sight
    said: list[Draft] = field(default_factory=list)
    used: set[tuple[int, int]] = field(default_factory=set)

    def use(self, page: Page, first: int, last: int | None = None) -> None:
        """Note that words say something."""
        self.used |= {(page.number, i) for i in range(first, (first if last is None else last) + 1)}

    def free(self, page: Page, i: int) -> bool:
        """Whether nothing was made of a word yet."""
        return (page.number, i) not in self.used

    def say(
        self,
        kind: str,
        who: Who,
        page: Page,
        first: int,
        last: int,
        relation: str | None = None,
        object: Thing | str | None = None,
        value: str | None = None,
        at: int | None = None,
    ) -> None:
        """Say something of each of some things."""
        self.use(page, first, last)
        token = page.doc[last if at is None else at]
        denied, hedged = self.sight.denied(page, token), self.sight.hedged(page, token)
        for thing in who.things:
            self.said.append(
                Draft(kind, thing, page, first, last, relation, object, value,
                      denied or thing.negated, hedged, who.sure)
            )  # fmt: skip

    def of(self, *kinds: str) -> Iterator[Draft]:
        """Yield what was said of some kinds."""
        return (draft for draft in self.said if draft.kind in kinds)
