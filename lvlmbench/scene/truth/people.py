"""Features of a person: who it is, what it wears, does and holds."""

from __future__ import annotations

from collections.abc import Collection

from lvlmbench.scene.claims import Feature
from lvlmbench.scene.figures import telling
from lvlmbench.scene.figures.labels import BEARDS, GENDERS, PLACES
from lvlmbench.scene.figures.people import figure_of
from lvlmbench.scene.graph import Person
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.truth.names import Names, distinct

#: What figures call genders -> what claims do.
_GENDERS = dict(zip(GENDERS, ("male", "female"), strict=True))
#: What is not worth saying: a man is an adult, and looks like nothing in particular.
_USUAL = frozenset(("adult", "neutral"))

#: What a garment is taken for where its kind cannot be told.
_ALIKE = {
    one: (other,)
    for pair in (("sweater", "jacket"), ("skirt", "shorts"))
    for one, other in (pair, pair[::-1])
}

_AGES = ("child", "teenager", "adult", "elderly")

#: Attribute -> what a figure calls it, and a style that hides it.
_ATTRIBUTES = {"age": "age", "gender": "gender", "expression": "expression", "race": "skin"}


class Somebody:
    """Makes the features of one person.

    Parameters
    ----------
    feature
        Names the person.
    hidden
        What style and weather hide.
    """

    def __init__(self, feature: str, person: Person, names: Names, hidden: Collection[str]) -> None:
        self.feature, self.person, self._names, self._hidden = feature, person, names, hidden
        self.whole = figure_of(person) is not None

    def _told(self, attribute: str) -> str | None:
        """The value of an attribute, where it is drawn and can be told."""
        value: str | None = getattr(self.person, attribute)
        unclear = self.whole and not telling.clear(self.person, _ATTRIBUTES[attribute])
        if value is None or attribute in self._hidden or unclear:
            return None
        return _GENDERS.get(value, value) if attribute == "gender" else value

    @property
    def gender(self) -> str | None:
        """The gender, ``male`` or ``female``, where it can be told."""
        return self._told("gender")

    @property
    def age(self) -> str | None:
        """The age, where it can be told."""
        return self._told("age")

    @property
    def forms(self) -> tuple[str, ...]:
        """Nouns that name this person: of all ages or genders where these cannot be told."""
        ages = [self.age] if self.age in _AGES else _AGES
        genders = [self.gender] if self.gender else _GENDERS.values()
        words = [w for a in ages for g in genders for w in self._names.more(PERSON, f"{g} {a}")]
        return distinct(PERSON, *self._names.more(PERSON, PERSON), *words)

    def features(self) -> list[Feature]:
        """Return all that is so of the person, beside that it is there."""
        found = [self._attribute(name, self._told(name)) for name in _ATTRIBUTES]
        if self.whole:
            found += [self._hair(), self._hair_color(), self._beard(), self._action()]
            found += [*self._garments(), *self._held()]
        return [each for each in found if each is not None]

    def _attribute(self, name: str, value: str | None, suffix: str = "") -> Feature | None:
        if value is None:
            return None
        forms = self._names.of(name, value).forms
        optional = value in _USUAL
        return self._of(
            "attribute", suffix or name, name, value=value, forms=forms, optional=optional
        )

    def _of(
        self,
        kind: str,
        suffix: str,
        relation: str,
        *,
        object: str | None = None,
        value: str | None = None,
        other: str | None = None,
        forms: tuple[str, ...] = (),
        optional: bool = False,
    ) -> Feature:
        return Feature(
            f"{self.feature}.{suffix}",
            kind,
            PERSON,
            relation,
            object,
            value,
            about=self.feature,
            other=other,
            forms=forms,
            optional=optional,
            source="graph",
        )

    def _hair(self) -> Feature | None:
        clear = telling.clear(self.person, "hair")
        return self._attribute("hair", self.person.hair if clear else None)

    def _hair_color(self) -> Feature | None:
        clear = telling.clear(self.person, "hair_color") and "color" not in self._hidden
        return self._attribute("hair", self.person.hair_color if clear else None, "hair_color")

    def _beard(self) -> Feature:
        """Whether there is one can be seen, of which kind it is cannot be asked for."""
        value = self.person.beard or BEARDS[0]
        forms = self._names.of("beard", value).forms
        return self._of("attribute", "beard", "beard", value=value, forms=forms, optional=True)

    def _action(self) -> Feature | None:
        forms = self._names.more("pose", self.person.action or "")
        if not forms:  # standing is no action
            return None
        forms = distinct(*forms, self.person.action or "")
        return self._of("action", "does", "does", value=forms[0], forms=forms)

    def _garments(self) -> list[Feature]:
        """What is worn; what cannot be told beyond doubt may be said, in its color."""
        clear = {kind for kind, _ in telling.outfit(self.person)}
        found = []
        for garment in self.person.garments:
            label = garment.label
            shown = "color" not in self._hidden and telling.colored(self.person, label)
            kinds = [label] if label in clear else [label, *_ALIKE.get(label, ())]
            forms = distinct(*(w for kind in kinds for w in self._names.of("garment", kind).forms))
            suffix = f"wears.{PLACES.get(label, label)}"
            found.append(
                self._of(
                    "garment",
                    suffix,
                    "wears",
                    object=label,
                    value=garment.color if shown else None,
                    forms=forms,
                    optional=label not in clear,
                )
            )
        return found

    def _held(self) -> list[Feature]:
        held, color = self.person.held, self.person.held_color
        if held is None:
            return []
        thing = f"{self.feature}.held"
        forms = self._names.of("held", held).forms
        found = [
            Feature(thing, "object", held, forms=forms, source="graph"),
            self._of("relation", "holds", "holds", object=held, other=thing, forms=forms),
        ]
        if color is not None and "color" not in self._hidden:
            forms = self._names.of("color", color).forms
            shade = f"{thing}.color"
            found.append(
                Feature(
                    *(shade, "attribute", held, "color"),
                    value=color,
                    about=thing,
                    forms=forms,
                    source="graph",
                )
            )
        return found
