"""What a scene of each subtask is made of and what is asked about it (Dysca, sections 3.1, 3.2).

A recipe is data. A new subtask is a line in ``config/subtasks.py``, a recipe here, templates in
``templates.py`` and a vocabulary list; docs/scenes.md goes through it.
"""

from __future__ import annotations

from dataclasses import dataclass

#: In ``secondary``: the list that the scene's own foreground comes from.
FOREGROUND = "foreground"

#: Foregrounds that are not drawn from a list but stand for themselves.
PERSON = "person"

#: Lists whose foreground is one thing that can be shown once, twice or three times.
COUNTABLE = ("animal", "object", "plant", "food")

#: Attributes that describe a person, in the order that their phrase takes them up.
PERSON_ATTRIBUTES = ("age", "gender", "race", "expression")


@dataclass(frozen=True)
class Recipe:
    """How the scenes of one subtask are made.

    Attributes
    ----------
    primary
        What the subtask is about: asked about each scene as multiple choice and true-or-false.
    foregrounds
        Lists of the foreground; the scene of ordinal i takes ``foregrounds[i % len]``.
    attributes
        What else the foreground has: ``number``, ``color`` or those of a person.
    secondary
        What else is asked, of some scenes.
    has_background
        Whether a background is part of the metadata.
    foreground_needs
        Key that an entry must have to be this recipe's foreground.
    """

    primary: str
    foregrounds: tuple[str, ...]
    attributes: tuple[str, ...] = ()
    secondary: tuple[str, ...] = ("background", "style")
    has_background: bool = True
    foreground_needs: str | None = None

    def asked(self, variant: int) -> tuple[str, ...]:
        """What is asked about scenes of a variant (ordinal modulo foregrounds), primary first."""
        return tuple(
            self.foregrounds[variant] if aspect == FOREGROUND else aspect
            for aspect in (self.primary, *self.secondary)
        )

    def aspects(self, variant: int) -> tuple[str, ...]:
        """All that a scene's metadata says: what a style must leave visible."""
        background = ("background",) if self.has_background else ()
        text = ("text",) if self.primary == "text" else ()
        shown = (self.foregrounds[variant], *self.attributes, *text, *background, "style")
        return tuple(dict.fromkeys(shown))


def _countable(name: str) -> Recipe:
    return Recipe(primary=name, foregrounds=(name,), attributes=("number",))


def _person(primary: str) -> Recipe:
    # Most styles change skin tones. So race is part of its own scenes only, lest all scenes with
    # a person be left with the few styles that do not.
    attributes = tuple(a for a in PERSON_ATTRIBUTES if a != "race" or primary == "race")
    others = tuple(a for a in attributes if a != primary)
    return Recipe(
        primary=primary,
        foregrounds=(PERSON,),
        attributes=attributes,
        secondary=(*others, "background", "style"),
    )


def _title(name: str) -> Recipe:
    # A film's own scenery is its background: none is drawn for it, so none is asked.
    return Recipe(primary=name, foregrounds=(name,), secondary=("style",), has_background=False)


def _plain(name: str) -> Recipe:
    return Recipe(primary=name, foregrounds=(name,))


RECIPES: dict[str, Recipe] = {
    "style": Recipe(primary="style", foregrounds=COUNTABLE, secondary=(FOREGROUND,)),
    "background": Recipe(
        primary="background", foregrounds=COUNTABLE, secondary=(FOREGROUND, "style")
    ),
    "color": Recipe(
        primary="color",
        foregrounds=("object",),
        attributes=("color",),
        secondary=(FOREGROUND, "background", "style"),
        foreground_needs="recolor",
    ),
    "animal": _countable("animal"),
    "object": _countable("object"),
    "plant": _countable("plant"),
    "food": _countable("food"),
    "age": _person("age"),
    "gender": _person("gender"),
    "expression": _person("expression"),
    "race": _person("race"),
    "celebrity": _plain("celebrity"),
    "action": _plain("action"),
    "text": Recipe(
        primary="text", foregrounds=("carrier",), secondary=("style",), has_background=False
    ),
    "clothes": _plain("clothes"),
    "movie": _title("movie"),
    "anime": _title("anime"),
    # A landmark brings its surroundings with it.
    "landmark": Recipe(
        primary="landmark", foregrounds=("landmark",), secondary=("style",), has_background=False
    ),
    "profession": _plain("profession"),
    "tv_show": _title("tv_show"),
}
