"""Prompts for the same scene with nothing written on its carrier."""

from __future__ import annotations

from collections.abc import Mapping

from lvlmbench.scene.grammar import around
from lvlmbench.scene.vocabulary.entries import Entry
from lvlmbench.stages.render.renderer import Scene

#: What a picture with an empty carrier must not show.
NO_WRITING = "text, letters, words, writing, numbers, signature, watermark, logo"

#: Carriers that "a large blank ... with an empty surface" does not describe.
_OWN_WORDS = {
    "shop sign": "a shop front with a large empty sign board above the door",
    "neon sign": "a dark empty sign board framed with neon tubes on a dark wall",
    "banner": "a large plain cloth banner with an empty surface, stretched flat",
    "poster": "a large blank poster on a wall, an empty sheet",
    "book cover": "a closed book with a plain empty cover, seen from the front",
    "newspaper": "a folded newspaper whose front page is a blank sheet",
    "envelope": "a large blank envelope with an empty front",
    "chalkboard": "a large clean chalkboard with an empty surface",
    "whiteboard": "a large clean whiteboard with an empty surface",
    "computer screen": "a computer monitor with a large empty screen of one plain color",
    "phone screen": "a phone with a large empty screen of one plain color",
    "laptop screen": "an open laptop with a large empty screen of one plain color",
    "television screen": "a television with a large empty screen of one plain color",
    "T-shirt": "a plain T-shirt without a print, laid out flat",
    "tote bag": "a plain tote bag without a print, seen from the front",
    "mug": "a plain mug without a print, seen from the side up close",
    "license plate": "a large blank license plate with an empty surface, up close",
    "flag": "a large plain flag of one color, spread out flat",
    "doormat": "a large plain doormat without a pattern, seen from above",
    "cake": "a large cake with smooth plain icing, nothing on it, seen from above",
    "balloon": "a single large plain balloon without a print, up close",
    "bottle label": "a bottle with a large blank label, up close",
    "baseball cap": "a plain baseball cap without a print, seen from the front up close",
    "cereal box": "a large plain carton with an empty front",
    "clapperboard": "a film clapperboard whose slate is empty, up close",
    "medal": "a large round medal with a smooth empty face, up close",
    "notebook page": "a notebook open at a large empty page",
    "scroll": "a large unrolled parchment scroll with an empty surface",
    "speech bubble": "a large empty speech bubble",
    "sidewalk sign": "a large blank sandwich board with an empty surface on a sidewalk",
    "rubber stamp print": "a large empty rectangular frame of stamped ink on plain paper",
    "surfboard": "a plain surfboard without a pattern lying on its side, up close",
    "storefront window": "a storefront with one large empty window pane, seen from the front",
}


def blank(label: str) -> str:
    """The carrier with nothing on it, as a phrase with an article."""
    return _OWN_WORDS.get(label, f"a large blank {label} with an empty surface")


def without_word(scene: Scene, carriers: Mapping[str, Entry]) -> str:
    """The scene's prompt with an empty carrier; its style and background stay.

    Parameters
    ----------
    carriers
        Entries of the vocabulary's list of carriers by label.
    """
    prompt, said = str(scene["prompt"]), f'"{scene["text"]}"'
    entry = carriers.get(scene["foreground"])
    if entry is not None and "phrase" in entry.extra:
        where = f"vocabulary: {scene['foreground_list']}: phrase"
        before, after = around(entry.extra["phrase"], "text", where)
        subject = f"{before}{said}{after}"
        if subject in prompt:
            return prompt.replace(subject, blank(entry.label), 1)
    # Planned with another vocabulary: all that is known is what is quoted.
    return prompt.replace(said, "nothing")


def no_writing(negative: str | None) -> str:
    """The negative prompt, and that there is no writing."""
    return f"{negative}, {NO_WRITING}" if negative else NO_WRITING
