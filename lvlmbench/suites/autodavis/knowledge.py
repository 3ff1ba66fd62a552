"""What is known of things for sure, and how it is asked for: facts.yaml of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import Field, model_validator

from lvlmbench.config.section import Name, Section
from lvlmbench.core.errors import UserError, meant
from lvlmbench.scene.graph import Relation, Setting
from lvlmbench.scene.relations import CONVERSE
from lvlmbench.suites.autodavis.family import ExamKit
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.stock import Kind
from lvlmbench.suites.graphs.wording import SIDES


class Wording(NamedTuple):
    """How a property is asked for.

    Attributes
    ----------
    asked
        Questions for what is so of one thing, which stands for ``{}``.
    says
        What is so, behind "a thing that"; the value stands for ``{}``.
    option
        How a value is written as an option.
    """

    asked: tuple[str, ...]
    says: str
    option: str = "{}"


#: How properties are asked for where an aspect does not say it.
WORDINGS: Mapping[str, Wording] = {
    "used_for": Wording(
        ("What is the purpose of {}?", "Look at {}. What do people use it for?"),
        "is used for {}",
    ),
    "class": Wording(
        ("What is {}?", "Look at {}. Which of these is it?"),
        "is {}",
    ),
    "habitat": Wording(
        ("Where would you expect {} to live?", "Look at {}. Where does it live?"),
        "lives {}",
    ),
    "found_in": Wording(
        (
            "In real life, where would you most likely find {}?",
            "Look at {}. Where would you most likely find it in real life?",
        ),
        "is usually found {}",
    ),
    "worn_on": Wording(
        ("Where on the body is {} worn?", "Look at {}. Where on the body do people wear it?"),
        "is worn {}",
    ),
    "origin": Wording(
        (
            "Where does {} come from?",
            "Look at {}. Which of these is true of this kind of food?",
        ),
        "{}",
        "It {}",
    ),
    "legs": Wording(
        (
            "In real life, how many legs does {} have?",
            "Look at {}. How many legs does this kind of animal have?",
        ),
        "has {}",
    ),
    "covered_with": Wording(
        (
            "What covers the body of {}?",
            "Look at {}. What is its body covered with?",
        ),
        "is covered with {}",
    ),
    "used_by": Wording(
        ("Who works with {}?", "Look at {}. Who works with it?"),
        "is used at work by {}",
    ),
}


class Property(Section):
    """What is asked about things."""

    what: Name = Field(description="Property, as facts.yaml of the catalogue calls it.")
    lists: tuple[str, ...] = Field(
        (), description="Lists of the vocabulary that things come from; by default all."
    )
    asked: tuple[str, ...] = Field(
        (), description="Questions, with {} for the thing; those of known properties are built in."
    )
    says: str = Field(
        "",
        description='What is so, behind "a thing that", with {} for the value; built in likewise.',
    )

    @model_validator(mode="after")
    def _worded(self) -> Property:
        if self.what not in WORDINGS and not (self.asked and self.says):
            raise ValueError(f"'{self.what}' has no wording; give asked and says")
        if any(each.count("{}") != 1 for each in (*self.asked, self.says) if each):
            raise ValueError("asked and says hold {} once each")
        return self

    @property
    def wording(self) -> Wording:
        """How it is asked for."""
        own = WORDINGS.get(self.what, Wording((), ""))
        return own._replace(asked=self.asked or own.asked, says=self.says or own.says)

    def known(self, kit: ExamKit) -> Mapping[str, str]:
        """Return what is so of each label.

        Raises
        ------
        UserError
            The catalogue says nothing about it.
        """
        if self.what not in kit.facts:
            fix = meant(self.what, list(kit.facts), "add it")
            raise UserError("facts.yaml", f"says nothing about '{self.what}'", fix)
        return kit.facts[self.what]

    def called(self, kit: ExamKit, value: str | None = None) -> tuple[str, str]:
        """Return what one thing, and several, are called of which this is known, or the value."""
        known = self.known(kit)
        return kit.words.called(
            kind.label
            for kind in kit.stock.kinds
            if (not self.lists or kind.list in self.lists)
            and (kind.label in known if value is None else known.get(kind.label) == value)
        )

    def pools(self, kit: ExamKit, setting: Setting, least: int) -> dict[str, list[Kind]]:
        """Return the kinds by what is so of them, in the order of values: ``least`` of each."""
        known, found = self.known(kit), dict[str, list[Kind]]()
        for kind in kit.stock.pool(span=kit.level.span[0], barred=kit.barred(setting)):
            if kind.label in known and (not self.lists or kind.list in self.lists):
                found.setdefault(known[kind.label], []).append(kind)
        return {each: found[each] for each in sorted(found) if len(found[each]) >= least}

    def unlike(self, kit: ExamKit, setting: Setting, value: str) -> list[Kind]:
        """Return the kinds that surely are otherwise: known to be, or of lists without any known.

        What nothing is known of beside things that are known could be so as well.
        """
        known, by_label = self.known(kit), kit.stock.by_label
        lists = {by_label[label].list for label in known if label in by_label}
        return [
            kind
            for kind in kit.stock.pool(span=kit.level.span[0], barred=kit.barred(setting))
            if known.get(kind.label, value if kind.list in lists else None) != value
        ]


def apart(kit: Kit, pool: Sequence[Kind], n: int, beside: Sequence[Kind] = ()) -> list[Kind]:
    """Return n kinds of a pool, or fewer, that nobody takes for each other or for those beside."""
    found: list[Kind] = []
    for kind in kit.draws.shuffled(pool):
        if len(found) < n and kit.stock.apart(kind, [*found, *beside]):
            found.append(kind)
    return found


def parted(kit: Kit, n: int, others: int) -> list[Relation]:
    """Return how the first of n things stands to others, which follow them, unlike the next ones.

    To each of those others the first one stands on one side, and one of the n on the other side,
    by turns across and down.
    """
    axes = kit.draws.shuffled((SIDES[:2], SIDES[2:]))
    found: list[Relation] = []
    for at in range(min(n - 1, others)):
        side = kit.draws.pick(axes[at % 2])
        found.append(Relation("o1", side, f"o{n + at + 1}"))
        found.append(Relation(f"o{at + 2}", CONVERSE[side], f"o{n + at + 1}"))
    return found
