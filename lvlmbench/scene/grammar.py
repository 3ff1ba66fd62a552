"""The little English that templates need: articles, plurals, capitals, enumerations."""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench.core.errors import UserError
from lvlmbench.scene.vocabulary.entries import Entry

NUMBERS = {2: "two", 3: "three"}

#: Beginnings whose sound is not that of their letter.
_CONSONANT_SOUND = ("uni", "use", "usu", "uti", "eu", "one", "once", "ukulele")
_VOWEL_SOUND = ("hour", "honest", "honor", "heir", "x-ray")


def indefinite(phrase: str) -> str:
    """The phrase with ``a`` or ``an`` before it."""
    start = phrase.casefold()
    vowel = start.startswith(("a", "e", "i", "o", "u")) and not start.startswith(_CONSONANT_SOUND)
    return f"{'an' if vowel or start.startswith(_VOWEL_SOUND) else 'a'} {phrase}"


def singular(entry: Entry) -> str:
    """The entry with its article: "a red fox", "the Eiffel Tower", "jeans"."""
    return f"{entry.article} {entry.label}".strip()


def is_countable(entry: Entry) -> bool:
    """Whether "two" can stand before the plural."""
    return bool(entry.article) or entry.plural != entry.label


def counted(entry: Entry, number: int) -> str:
    """That many of the entry: "a red fox", "two red foxes"."""
    if number == 1 or not is_countable(entry):
        return singular(entry)
    return f"{NUMBERS[number]} {entry.plural}"


def capitalized(text: str) -> str:
    """The text with its first letter large; the rest stays."""
    return text[:1].upper() + text[1:]


def enumeration(items: Sequence[str]) -> str:
    """ "one", "one and two", "one, two, and three"."""
    if len(items) < 3:
        return " and ".join(items)
    return f"{', '.join(items[:-1])}, and {items[-1]}"


def around(template: str, hole: str, where: str) -> tuple[str, str]:
    """Return what stands before and behind ``{hole}`` in a vocabulary phrase.

    Raises
    ------
    UserError
        The hole is not there exactly once.
    """
    parts = template.split(f"{{{hole}}}")
    if len(parts) != 2:
        raise UserError(where, f"'{template}' does not hold {{{hole}}} once", "write it once")
    return parts[0], parts[1]
