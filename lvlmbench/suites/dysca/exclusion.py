"""Entries of the vocabulary that a snapshot does without (Dysca, section 3.3, data clean, step 4).

They are taken out where scenes are rendered and not where they are drawn: entries that are no
longer drawn would change all other draws, and with them the other scenes and their questions.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lvlmbench.config import Params
from lvlmbench.core.errors import UserError
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.tables.files import ATTRIBUTES

#: What the reason of each verdict about an excluded entry begins with.
EXCLUDED = "excluded from the vocabulary"

#: Attributes that are entries of a list; ``number`` is not.
_LISTED = tuple(f.name for f in ATTRIBUTES if f.name != "number")


def entries_of(scene: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The entries that a scene, a row of ``tables.SCENES``, shows: pairs of list and label.

    What a background happens to show too (``shows`` in background.yaml) is none of them.
    """
    if scene["foreground_list"] != PERSON:
        yield scene["foreground_list"], scene["foreground"]
    attributes = scene["attributes"] or {}
    about = {name: attributes.get(name) for name in _LISTED}
    for name in ("background", "style", "text"):
        about[name] = scene[name]
    for name, label in about.items():
        if label is not None:
            yield name, label


@dataclass(frozen=True)
class Exclusion:
    """Labels by list; :meth:`reason` says whether a scene shows one."""

    labels: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, params: Params) -> Exclusion:
        """What ``vocabulary.exclude`` lists."""
        wanted = params.vocabulary.exclude.items()
        return cls({name: frozenset(labels) for name, labels in wanted})

    def reason(self, scene: Mapping[str, Any]) -> str | None:
        """Why a scene is left out; None where it shows nothing that is excluded."""
        shown = [
            f"{name} '{label}'"
            for name, label in entries_of(scene)
            if label in self.labels.get(name, ())
        ]
        return f"{EXCLUDED}: {', '.join(shown)}" if shown else None


def _nearest(word: str, known: list[str], otherwise: str) -> str:
    lower = {each.casefold(): each for each in reversed(known)}
    near = difflib.get_close_matches(word.casefold(), list(lower), n=1)
    return f"did you mean '{lower[near[0]]}'?" if near else otherwise


def check_exclusion(params: Params, vocabulary: Vocabulary, source: str) -> None:
    """Each list and label under ``vocabulary.exclude`` is one of the vocabulary.

    Raises
    ------
    UserError
        The first that is not, with the one most like it.
    """
    where = f"{source}: vocabulary.exclude"
    known = {name: list(words.by_label) for name, words in vocabulary.lists.items()}
    known["text"] = list(vocabulary.words)
    for name, labels in params.vocabulary.exclude.items():
        if name not in known:
            names = sorted(known)
            fix = _nearest(name, names, f"use some of: {', '.join(names)}")
            raise UserError(f"{where}.{name}", "is not a list of the vocabulary", fix)
        for label in labels:
            if label not in known[name]:
                place = f"{params.corpus.vocabulary}/{name}.yaml"
                few = f"use some of: {', '.join(known[name])}"
                fix = _nearest(label, known[name], few if len(few) < 80 else f"see {place}")
                raise UserError(f"{where}.{name}", f"'{label}' is not in the vocabulary", fix)
