"""What holds of whole lists: which things can be counted, and what describes a person."""

from __future__ import annotations

#: Lists of things that a scene can show once, twice or three times.
COUNTABLE = ("animal", "object", "plant", "food")

#: The foreground that comes from no list: its attributes describe it.
PERSON = "person"

#: Lists of what describes a person, in the order that a person's phrase takes them up.
PERSON_ATTRIBUTES = ("age", "gender", "race", "expression")
