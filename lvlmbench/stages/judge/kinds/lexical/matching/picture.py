"""The features of a picture, by what they are of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from lvlmbench.scene.claims import Feature, Truth

#: Ends the name of what somebody may be called beside a name of its own.
_ALSO = ".person"
#: Source of what may be named because a drawing shows it too, at any place, any number of times.
_LISTED = "listed"


class Picture:
    """A truth whose order does not matter: owed features first, then by name.

    Parameters
    ----------
    truth
        What is known.
    """

    def __init__(self, truth: Truth) -> None:
        self.closed, self.geometry = truth.closed, truth.geometry
        self.annotated = truth.annotated
        self.by_kind: dict[str, list[Feature]] = defaultdict(list)
        self._parts: dict[tuple[str, str | None], list[Feature]] = defaultdict(list)
        self.relations: dict[tuple[str | None, str | None, str | None], list[Feature]]
        self.relations = defaultdict(list)
        for each in sorted(truth.features, key=lambda one: (one.optional, one.feature)):
            self.by_kind[each.kind].append(each)
            if each.kind != "object":
                self._parts[each.kind, each.about].append(each)
            if each.kind == "relation":
                self.relations[each.relation, each.about, each.other].append(each)

    def parts(self, kind: str, thing: Feature, relation: str | None = None) -> Iterator[Feature]:
        """Yield the features of a kind that are of a thing."""
        for name in names(thing):
            for each in self._parts.get((kind, name), ()):
                if relation is None or each.relation == relation:
                    yield each

    def alone(self, thing: Feature) -> bool:
        """Return whether a feature stands for one instance, as far as is known."""
        if thing.kind != "object" or thing.source == _LISTED:
            return False
        return all(each.value == "1" for each in self.parts("count", thing))

    def instances(self) -> Iterator[Feature]:
        """Yield the objects that somebody drew or annotated, without what they show beside."""
        return (each for each in self.by_kind["object"] if each.source != _LISTED)


def names(thing: Feature) -> tuple[str, ...]:
    """Return the names of a thing: of what is also called a person, the thing's own too."""
    name = thing.feature
    return (name, name.removesuffix(_ALSO)) if name.endswith(_ALSO) else (name,)
