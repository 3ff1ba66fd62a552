"""What each key of a vocabulary file may hold; which keys which list has."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from typing import Any

from lvlmbench.core.errors import meant
from lvlmbench.core.registry import kinds_of
from lvlmbench.scene.lists import COUNTABLE, PERSON_ATTRIBUTES
from lvlmbench.scene.subtasks import FOREGROUND, SETTING, SUBTASKS, foreground_lists
from lvlmbench.scene.vocabulary.entries import DRAWN
from lvlmbench.scene.vocabulary.glyphs import glyph_path

#: Says what is wrong with a value and what to write, or None where it is right.
Check = Callable[[Any], tuple[str, str] | None]

#: Lists whose entries may stand beside others in a scene.
THINGS = (*COUNTABLE, "clothes")

#: The largest size class: what is longer than ten meters.
LARGEST = 8

#: Where the drawing of a thing faces, as it is drawn and not mirrored; left or right only of what
#: may be mirrored.
FACINGS = ("left", "right", "viewer")

#: Categories of characters that no label has: controls, halves of pairs, ends of lines.
_NO_TEXT = frozenset({"Cc", "Cs", "Zl", "Zp"})

_HEX = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)


@cache
def known_renderers() -> frozenset[str]:
    """The package's own renderers and those of installed packages."""
    return frozenset(kinds_of("renderers").names())


def text(value: Any) -> tuple[str, str] | None:
    """A string that is not empty."""
    if not isinstance(value, str):
        return f"is {value!r}, not text", "put it in quotes"
    if not value.strip() or value != value.strip():
        return f"is {value!r}", "write text without blanks around it"
    if any(unicodedata.category(each) in _NO_TEXT for each in value):
        return f"is {value!r}", "write text without control characters, on one line"
    return None


def _optional_text(value: Any) -> tuple[str, str] | None:
    return None if value == "" else text(value)


def _holding(field: str) -> Check:
    def check(value: Any) -> tuple[str, str] | None:
        problem = text(value)
        if problem is None and value.count("{" + field + "}") != 1:
            problem = f"lacks {{{field}}}", f"put {{{field}}} once where it belongs"
        return problem

    return check


def _caption(value: Any) -> tuple[str, str] | None:
    problem = _holding("subject")(value)
    if problem is None and value.find(" of {subject}") < 1:
        problem = f"is {value!r}", 'write "a painting of {subject}", in words of its own'
    return problem


def _called(value: Any) -> tuple[str, str] | None:
    if not isinstance(value, dict) or not value:
        return f"is {value!r}", "write {GENDER: NOUN, ...}"
    for noun in value.values():
        problem = text(noun)
        if problem is not None:
            return problem
        if noun.count("{race}") > 1:
            return f"holds {{race}} twice in {noun!r}", "keep one"
    return None


def _article(value: Any) -> tuple[str, str] | None:
    return None if value in ("a", "an", "the", "") else (f"is {value!r}", 'use a, an, the or ""')


def _flag(value: Any) -> tuple[str, str] | None:
    return None if isinstance(value, bool) else (f"is {value!r}", "use true or false")


def _group(value: Any) -> tuple[str, str] | None:
    problem = text(value)
    if problem is None and not all(part.strip() == part != "" for part in value.split("/")):
        problem = f"is {value!r}", "write a path such as feline/cat"
    return problem


def _list(value: Any) -> tuple[str, str] | None:
    if not isinstance(value, list) or not value:
        return f"is {value!r}, not a list", "write [one, another]"
    return None


def _glyphs(value: Any) -> tuple[str, str] | None:
    problem = _list(value)
    if problem is None:
        missing = [c for c in value if not isinstance(c, str) or glyph_path(c) is None]
        if missing:
            fix = "use code points that have a file there, joined by '-'"
            problem = f"{missing[0]!r} is not a glyph of OpenMoji", fix
    return problem


def _members(known: Callable[[], frozenset[str]], empty: bool) -> Check:
    def check(value: Any) -> tuple[str, str] | None:
        if empty and value == []:
            return None
        problem = _list(value)
        if problem is None:
            unknown = [v for v in value if not isinstance(v, str) or v not in known()]
            if unknown:
                problem = f"'{unknown[0]}' is not known", f"use {', '.join(sorted(known()))}"
        return problem

    return check


def _colors(value: Any) -> tuple[str, str] | None:
    problem = _list(value)
    if problem is None:
        wrong = [v for v in value if not isinstance(v, str) or not _HEX.fullmatch(v)]
        if wrong:
            problem = f"{wrong[0]!r} is not a color", 'write "#rrggbb", quoted'
    return problem


def _labels(value: Any) -> tuple[str, str] | None:
    problem = _list(value)
    if problem is None:
        wrong = [v for v in value if text(v) is not None]
        if wrong:
            problem = f"holds {wrong[0]!r}", "write labels of vocabulary lists"
    return problem


def _size(value: Any) -> tuple[str, str] | None:
    if type(value) is int and 1 <= value <= LARGEST:
        return None
    return f"is {value!r}", f"write a size class from 1 to {LARGEST}; see docs/scenes.md"


def _percent(value: Any) -> tuple[str, str] | None:
    if type(value) is int and 1 <= value <= 99:
        return None
    return f"is {value!r}", "write a whole number of percent from 1 to 99"


def _facing(value: Any) -> tuple[str, str] | None:
    right = isinstance(value, str) and value in FACINGS
    return None if right else (f"is {value!r}", f"use {', '.join(FACINGS)}")


def _nouns(value: Any) -> tuple[str, str] | None:
    problem = _list(value)
    if problem is None:
        wrong = [v for v in value if text(v) is not None]
        if wrong:
            problem = f"holds {wrong[0]!r}", "write plain singular nouns"
        elif len(set(value)) < len(value):
            twice = next(v for i, v in enumerate(value) if v in value[:i])
            problem = f"holds '{twice}' twice", "keep one"
    return problem


def _rgb(value: Any) -> tuple[str, str] | None:
    right = isinstance(value, list) and len(value) == 3
    if right and all(type(v) is int and 0 <= v <= 255 for v in value):
        return None
    return f"is {value!r}", "write [red, green, blue], each 0 to 255"


#: Keys of things that a renderer draws from one glyph, for scenes that show several of them.
TRAITS: dict[str, tuple[Check, bool]] = {
    "size": (_size, False),
    "faces": (_facing, False),
    "tint": (_colors, False),
    "natural": (_labels, False),
    "parts": (_nouns, False),
    "small": (_flag, False),
    "several": (_flag, False),
}

#: Keys that any entry may have.
COMMON: dict[str, Check] = {
    "label": text,
    "article": _article,
    "plural": text,
    "sense": text,
    "group": _group,
    "pictograph": _glyphs,
    "renderers": _members(known_renderers, empty=False),
}

#: Aspects of a scene that something may hide.
_HIDES = _members(lambda: frozenset(SUBTASKS) | {"number", FOREGROUND}, empty=True)

#: What a style may hide of small things.
_SMALL = _members(lambda: frozenset({"shape", "color", "text"}), empty=True)

#: What a style or weather may do to a picture, by its meaning or as one renderer draws it.
_EFFECTS: dict[str, dict[str, Check]] = {
    "style": {"hides": _HIDES, "hides_small": _SMALL, "depicts": _nouns},
    "weather": {"hides": _HIDES, "depicts": _nouns},
}


def _drawn(name: str) -> Check:
    """Check of what single renderers' ways to draw an entry of a list do."""
    effects = _EFFECTS[name]

    def check(value: Any) -> tuple[str, str] | None:
        if not isinstance(value, dict) or not all(isinstance(own, dict) for own in value.values()):
            return f"is {value!r}", "write 'RENDERER: {hides: [...]}'"
        for renderer, own in value.items():
            if renderer not in known_renderers():
                fix = meant(renderer, sorted(known_renderers()), "name a renderer")
                return f"names '{renderer}', which is no renderer", fix
            for key, given in own.items():
                if key not in effects:
                    return f"{renderer}: '{key}' is not known", f"use {', '.join(effects)}"
                problem = effects[key](given)
                if problem is not None:
                    return f"{renderer}: {key} {problem[0]}", problem[1]
        return None

    return check


def _of_drawing(name: str) -> dict[str, tuple[Check, bool]]:
    """Keys of what entries of a list do to a picture."""
    return {
        **{key: (check, False) for key, check in _EFFECTS[name].items()},
        DRAWN: (_drawn(name), False),
    }


#: Keys of single lists: (check, whether an entry must have it).
EXTRA: dict[str, dict[str, tuple[Check, bool]]] = {
    **dict.fromkeys(THINGS, TRAITS),
    "object": {"recolor": (_colors, False), **TRAITS},
    "style": {
        "family": (text, True),
        "realistic": (_flag, True),
        "caption": (_caption, True),
        "prompt": (_holding("subject"), True),
        "negative_prompt": (_optional_text, True),
        **_of_drawing("style"),
    },
    "background": {
        "phrase": (text, True),
        "shows": (_labels, False),
        "depicts": (_nouns, False),
        "sometimes": (_nouns, False),
        "ground": (_percent, False),
        "bare": (_flag, False),
    },
    "weather": {
        "phrase": (text, True),
        **_of_drawing("weather"),
        "suits": (_labels, False),
        "in_doubt": (_labels, False),
        "plain": (_flag, False),
    },
    "color": {"rgb": (_rgb, True)},
    "carrier": {
        "phrase": (_holding("text"), True),
        "pictograph_carrier": (text, False),
        "small": (_flag, False),
    },
    "landmark": {"pictograph_landmark": (text, False)},
    "action": {"phrase": (text, True)},
    "profession": {"phrase": (text, True)},
    "age": {"phrase": (text, True), "called": (_called, True)},
    "gender": {"phrase": (text, True)},
    "expression": {"phrase": (text, True)},
    "race": {"phrase": (text, True)},
}

#: Keys that say what the pictograph renderer draws an entry from.
DRAWN_BY = frozenset({"pictograph", "pictograph_carrier", "pictograph_landmark"})

#: Lists of things with a name: sentences need their article and plural, readers their sense.
NAMED = frozenset({*THINGS, "profession"})

#: Lists that the pictograph renderer draws from glyphs alone.
FROM_GLYPHS = NAMED | {"landmark", "action", *PERSON_ATTRIBUTES}


def required_lists() -> tuple[str, ...]:
    """Return the lists that must be there; another file adds another list, with the common keys."""
    described = (name for each in SUBTASKS.values() for name in (*each.attributes, *SETTING))
    found = dict.fromkeys((*foreground_lists(), *described))
    return tuple(name for name in found if name != "number")


def required_keys(name: str) -> tuple[str, ...]:
    """Keys that each entry of the list must have."""
    countable = ("article", "plural", "sense") if name in NAMED else ()
    return ("label", *countable, *(k for k, (_, must) in EXTRA.get(name, {}).items() if must))


def checks(name: str) -> dict[str, Check]:
    """Key -> check of the list's entries."""
    return COMMON | {key: check for key, (check, _) in EXTRA.get(name, {}).items()}
