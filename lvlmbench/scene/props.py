"""What things can be on or inside of in a scene, beside the things that it is about."""

from __future__ import annotations

#: List that objects of a graph have which are such props.
PROP = "prop"

#: Label of a prop -> how a thing stands to it.
WAYS = {
    "table": "on",
    "bed": "on",
    "rug": "on",
    "picture frame": "inside",
    "box": "inside",
    "jar": "inside",
}

#: Props that stand before things and hide a part of them; no list has such things.
SCREENS = ("wooden fence", "wooden crate")
