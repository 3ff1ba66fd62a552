"""Features of a scene as a whole: background, style, weather and light."""

from __future__ import annotations

from collections.abc import Collection

from lvlmbench.scene.claims import Feature
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.truth.names import Called, Names

#: Labels of the list ``weather`` that say how light it is.
_LIGHTS = frozenset(("night", "dusk"))


def _feature(
    suffix: str, relation: str, called: Called, optional: bool = False, source: str = "graph"
) -> Feature:
    return Feature(
        *(f"scene.{suffix}", "scene", called.label, relation),
        value=called.label,
        forms=called.forms,
        group=called.group,
        optional=optional,
        source=source,
    )


def whole(graph: Graph, names: Names, hidden: Collection[str]) -> list[Feature]:
    """Return the features of a scene's setting.

    A background that the style hides may be said; so may weather and light that the scene shows
    by itself, as rain on a rainy day.
    """
    setting, found = graph.setting, []
    for relation in ("background", "style"):
        label = getattr(setting, relation)
        if label is not None:
            called = names.of(relation, label)
            found.append(_feature(relation, relation, called, relation in hidden))
    drawn = [label for label in (setting.light, setting.weather) if label is not None]
    for label in drawn:
        relation = "light" if label in _LIGHTS else "weather"
        found.append(_feature(relation, relation, names.of("weather", label)))
    around = {setting.background, *drawn}
    for label, entry in names.entries("weather").items():
        if label not in drawn and around.intersection(entry.extra.get("in_doubt", ())):
            relation = "light" if label in _LIGHTS else "weather"
            called = names.of("weather", label)
            found.append(_feature(f"{relation}.{label}", relation, called, True, "listed"))
    return found
