"""What a renderer's way to draw a style hides of a scene that was planned for another renderer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.vocabulary import Vocabulary


class Hiding:
    """Looks scenes up among the styles of a vocabulary as one renderer draws them."""

    def __init__(self, vocabulary: Vocabulary, renderer: str) -> None:
        styles = vocabulary.lists["style"].for_renderer(renderer).entries
        self._renderer = renderer
        self._hidden = {style.label: style.hidden for style in styles}
        self._hidden_small = {style.label: style.hidden_small for style in styles}

    def reason(self, scene: Mapping[str, Any]) -> str | None:
        """Return why a row of :data:`lvlmbench.tables.SCENES` cannot be asked about once drawn."""
        recipe, main = SUBTASKS.get(scene["subtask"]), scene["foreground_list"]
        if recipe is None or main not in recipe.foregrounds:
            return None
        shown = recipe.visible(recipe.foregrounds.index(main))
        hidden = self._hidden
        if any(thing["span"] is not None for thing in scene["objects"]):
            shown, hidden = shown | {"shape"}, self._hidden_small
        lost = shown & hidden.get(scene["style"], frozenset())
        if not lost:
            return None
        return f"{self._renderer}'s '{scene['style']}' hides {', '.join(sorted(lost))}"
