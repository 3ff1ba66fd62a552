"""What a task plans a scene and asks about it with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from lvlmbench.scene.truth.names import Names
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.graphs.kit import Kit

T = TypeVar("T")


@dataclass(frozen=True)
class TaskKit(Kit):
    """Of one scene.

    Attributes
    ----------
    names
        What the entries of the vocabulary are called.
    turned
        Whether the scene is to be asked about in several turns, where that can be.
    seed
        Of the snapshot.
    task
        Name of the task.
    """

    names: Names
    turned: bool = False
    seed: int = 0
    task: str = ""

    def in_turn(self, items: Sequence[T], ordinal: int) -> T:
        """Return which of several kinds of scenes this one is of: each once before one comes again,
        in an order that each seed and round shuffles anew."""
        round_, at = divmod(ordinal, len(items))
        order = Draws(self.seed, "touchstone order", f"{self.task}:{len(items)}:{round_}")
        return order.shuffled(items)[at]

    def forms(self, name: str, label: str) -> tuple[str, ...]:
        """Return words that name an entry of a list and no other one, the label first."""
        others = self.names.entries(name).keys() - {label}
        taken = {word for other in others for word in (other.lower(), *self._own(name, other))}
        own = (word for word in self._own(name, label) if word not in taken)
        return tuple(dict.fromkeys((label, *own)))

    def _own(self, name: str, label: str) -> tuple[str, ...]:
        """What an entry is called, without the labels of those that people take for it."""
        entries = self.names.entries(name)
        mine = entries[label].group if label in entries else label
        mates = {o.lower() for o, entry in entries.items() if entry.group == mine and o != label}
        return tuple(
            w for w in self.names.of(name, label).forms if w not in {*mates, label.lower()}
        )
