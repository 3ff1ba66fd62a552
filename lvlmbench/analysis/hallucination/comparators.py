"""CHAIR and AMBER from the same claims: what benchmarks see that know a closed list of things.

CHAIR: Rohrbach et al., "Object hallucination in image captioning", 2018. AMBER: Wang et al., "An
LLM-free multi-dimensional benchmark for MLLMs hallucination evaluation", 2023. Both look at
objects alone, and of these at a list and its synonyms: here the vocabulary's things and people.
What an answer says that is not on the list, they do not see.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from lvlmbench.analysis.hallucination.told import ALL, Part, Told
from lvlmbench.scene.claims import STATES, WRONG, Claim, Match
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.truth.names import names_of
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.scene.vocabulary.keys import THINGS


@dataclass(frozen=True)
class Closed:
    """Words that are looked for.

    Attributes
    ----------
    labels
        Word, in lower case -> labels of the things that it names.
    """

    labels: Mapping[str, Collection[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, vocabulary: Vocabulary, renderer: str | None = None) -> Closed:
        """Return the list of a vocabulary's things and people with all that they are called."""
        names, found = names_of(vocabulary, renderer), dict[str, set[str]]()
        for word in names.anybody:
            found.setdefault(word, set()).add(PERSON)
        for name in THINGS:
            for label in names.entries(name):
                called = names.of(name, label)
                for word in called.forms:
                    found.setdefault(word, set()).add(called.label)
        return cls(found)

    def knows(self, word: str) -> bool:
        """Return whether a word is on the list."""
        return word in self.labels

    def names(self, word: str, label: str) -> bool:
        """Return whether a word names a thing that is called ``label``."""
        label = label.lower()
        return word == label or label in self.labels.get(word, ())

    def said(self, told: Told) -> list[tuple[Claim, Match]]:
        """Return the objects of the list that an answer says are there, each word once."""
        return [each for each in told.of_kind("object") if self.knows(each[0].subject)]


def comparators(told: Told, closed: Closed, associated: str | None) -> Iterator[Part]:
    """Yield what an answer adds to CHAIR's and AMBER's numbers, where it is to speak of objects.

    Of AMBER those are means over answers, as its equations have it; an answer that names nothing of
    the list has no share of it.

    Parameters
    ----------
    associated
        What people would expect in the picture, and what is not there; None where nothing is known.
    """
    if "object" not in told.scope.kinds:
        return
    said = closed.said(told)
    wrong = [claim for claim, match in said if match.verdict in WRONG]
    yield Part("chair_i", ALL, len(wrong), len(said))
    yield Part("chair_s", ALL, bool(wrong), 1)
    yield Part("amber_hal", ALL, bool(wrong), 1)
    owed = {each.feature: each.subject for each in told.owed("object")}
    known = {word for word in owed.values() if closed.knows(word)}
    if known:
        stated = {
            owed[match.feature]
            for _, match in said
            if match.feature in owed and match.verdict in STATES
        }
        yield Part("amber_cover", ALL, len(stated & known) / len(known), 1)
    if said:
        yield Part("amber_chair", ALL, len(wrong) / len(said), 1)
        if associated is not None:
            cog = sum(closed.names(claim.subject, associated) for claim in wrong)
            yield Part("amber_cog", ALL, cog / len(said), 1)
