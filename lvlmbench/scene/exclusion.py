"""Entries of the vocabulary that a snapshot does without (Dysca, section 3.3, data clean, step 4).

They are taken out where scenes are rendered and not where they are drawn: entries that are no
longer drawn would change all other draws, and with them the other scenes and their questions.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from lvlmbench.core.errors import UserError
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.vocabulary import Vocabulary

#: What the reason of each verdict about an excluded entry begins with.
EXCLUDED = "excluded from the vocabulary"


@dataclass(frozen=True)
class Exclusion:
    """Labels by list; :meth:`reason` says whether a scene shows one."""

    labels: Mapping[str, Collection[str]]

    def reason(self, scene: Mapping[str, Any]) -> str | None:
        """Return why a scene is left out; None where it shows nothing that is excluded.

        What a background happens to show too (``shows`` in background.yaml) counts for nothing.
        """
        shown = [
            f"{name} '{label}'"
            for name, label in Graph.of(scene).entries()
            if label in self.labels.get(name, ())
        ]
        return f"{EXCLUDED}: {', '.join(shown)}" if shown else None


def _nearest(word: str, known: list[str], otherwise: str) -> str:
    lower = {each.casefold(): each for each in reversed(known)}
    near = difflib.get_close_matches(word.casefold(), list(lower), n=1)
    return f"did you mean '{lower[near[0]]}'?" if near else otherwise


def check_exclusion(
    exclude: Mapping[str, Collection[str]], vocabulary: Vocabulary, folder: str, source: str
) -> None:
    """Check that each list and label of ``vocabulary.exclude`` is one of the vocabulary.

    Raises
    ------
    UserError
        The first that is not, with the one most like it.
    """
    where = f"{source}: vocabulary.exclude"
    known = {name: list(words.by_label) for name, words in vocabulary.lists.items()}
    known["text"] = list(vocabulary.words)
    for name, labels in exclude.items():
        if name not in known:
            names = sorted(known)
            fix = _nearest(name, names, f"use some of: {', '.join(names)}")
            raise UserError(f"{where}.{name}", "is not a list of the vocabulary", fix)
        for label in labels:
            if label not in known[name]:
                place = f"{folder}/{name}.yaml"
                few = f"use some of: {', '.join(known[name])}"
                fix = _nearest(label, known[name], few if len(few) < 80 else f"see {place}")
                raise UserError(f"{where}.{name}", f"'{label}' is not in the vocabulary", fix)
