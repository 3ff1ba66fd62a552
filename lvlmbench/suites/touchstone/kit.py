"""What a task plans a scene and asks about it with."""

from __future__ import annotations

from dataclasses import dataclass

from lvlmbench.scene.truth.names import Names
from lvlmbench.suites.graphs.kit import Kit


@dataclass(frozen=True)
class TaskKit(Kit):
    """Of one scene: also what the entries of the vocabulary are called."""

    names: Names

    def forms(self, list_: str, label: str) -> tuple[str, ...]:
        """Return words that name an entry and no other, the label first."""
        called = self.names.of(list_, label)
        mates = {
            other
            for other, entry in self.names.entries(list_).items()
            if other != label and entry.group == called.group
        }
        return tuple(form for form in called.forms if form not in {m.lower() for m in mates})
