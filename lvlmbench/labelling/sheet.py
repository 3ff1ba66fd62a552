"""What a sheet is: items that people label, without a word of what the benchmark holds of them.

To add a kind of sheet, register a function from a snapshot to its items in a module of ``kinds``
(or of another package, by an entry point in the group ``lvlmbench.sheets``)::

    @SHEETS.register("mine", label="what is mine")
    def items(snapshot: Snapshot) -> list[Item]: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import TYPE_CHECKING

from lvlmbench.core.registry import Kind, Kinds
from lvlmbench.core.seeding import digest
from lvlmbench.core.seeding import item_id as hashed

if TYPE_CHECKING:
    from lvlmbench.snapshot.reader import Snapshot

#: Labels that a person can give, in the order of their keys: 1, 2, 3.
RIGHT, WRONG, UNCLEAR = "right", "wrong", "unclear"
LABELS = (RIGHT, WRONG, UNCLEAR)
#: Where a question is answered, its options are labels by their letters, and then this.
CANNOT_TELL = "Cannot tell"


@dataclass(frozen=True)
class Item:
    """One thing to label: an image, and what is said of it.

    Attributes
    ----------
    item_id
        Hash of the image's bytes and of all that is shown beside it, so that a label is never
        taken for one of another image or wording.
    image_id
        The image, in the scenario clean.
    asks
        What the person is asked.
    lines
        What is to be judged.
    group
        What the benchmark did with it, in words. It never stands on a sheet.
    says
        Labels of its own with what they say, where the sheet's do not fit.
    right
        Which of these labels the benchmark holds right. It never stands on a sheet.
    together
        Items of one group or several that share this are drawn together and stand side by side.
    """

    item_id: str
    image_id: str
    asks: str
    lines: tuple[str, ...]
    group: str
    says: tuple[tuple[str, str], ...] = ()
    right: str = ""
    together: str = ""

    @classmethod
    def of(
        cls, image: tuple[str, str], asks: str, lines: Sequence[str], group: str, together: str = ""
    ) -> Item:
        """Return the item about an image, given as its id and the SHA-256 of its bytes."""
        image_id, sha256 = image
        name = hashed("label", sha256, asks, *lines)
        return cls(name, image_id, asks, tuple(lines), group, together=together)

    @classmethod
    def to_answer(
        cls,
        image: tuple[str, str],
        question: str,
        options: Sequence[str],
        right: int,
        group: str,
        together: str = "",
    ) -> Item:
        """Return a question that people answer by one of its options, of which the benchmark holds
        one right."""
        image_id, sha256 = image
        letters = ascii_lowercase[: len(options)]
        pairs = zip(letters, options, strict=True)
        says = [(letter, f"({letter.upper()}) {option}") for letter, option in pairs]
        asks = "What is the answer?"
        return cls(
            hashed("label", sha256, asks, question, *options), image_id, asks, (question,), group,
            (*says, (UNCLEAR, CANNOT_TELL)), letters[right], together,
        )  # fmt: skip

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that a person can give it."""
        return tuple(label for label, _ in self.says) or LABELS

    def judged(self, label: str) -> str:
        """Return what a label comes to: right, wrong or unclear."""
        if not self.right or label == UNCLEAR:
            return label
        return RIGHT if label == self.right else WRONG


#: What the labels say where items are judged one by one.
YES_OR_NO: Mapping[str, str] = {RIGHT: "Yes", WRONG: "No", UNCLEAR: CANNOT_TELL}


def _always(snapshot: Snapshot) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class SheetKind(Kind):
    """A registered sheet. What is registered is called with a snapshot and returns all items that
    a sheet can be drawn from, group by group; its label says within a sentence what is labelled.

    Attributes
    ----------
    says
        What each label says on the page.
    when
        Whether a snapshot has what the sheet is about; reports leave it out elsewhere.
    """

    says: Mapping[str, str] = field(default_factory=lambda: YES_OR_NO)
    when: Callable[[Snapshot], bool] = _always


#: Kinds of sheets by name.
SHEETS: Kinds[SheetKind] = Kinds("sheets", "lvlmbench.labelling.kinds", SheetKind)


def counts(items: Iterable[Item]) -> dict[str, int]:
    """Return how many items each group has, in the order of the groups."""
    found: dict[str, int] = {}
    for item in items:
        found[item.group] = found.get(item.group, 0) + 1
    return found


def drawn(items: Iterable[Item], most: int, seed: int) -> list[Item]:
    """Return at most ``most`` items of each group, chosen and mixed by the snapshot's seed.

    A larger sheet holds all items of a smaller one.
    """

    def by(what: str) -> dict[Item, bytes]:
        return {item: digest(seed, "label", what, item.together or item.item_id) for item in items}

    items = list(items)
    draw, order = by("draw"), by("order")
    kept: list[Item] = []
    for group in counts(items):
        of_group = sorted((i for i in items if i.group == group), key=draw.__getitem__)
        kept += of_group[:most]
    return sorted(kept, key=order.__getitem__)
