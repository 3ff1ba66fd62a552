"""How the attributes of figures are called in a sentence about a person."""

from __future__ import annotations

from lvlmbench.scene.figures.figure import Figure

_PLURAL = frozenset(
    ("trousers", "shorts", "boots", "sneakers", "headphones", "glasses", "sunglasses", "gloves")
)
#: Garments that are called otherwise in a sentence.
_CALLED = {"trousers": "pants"}

#: After "a person ..." or "the person is ...".
ACTIONS = {
    "standing": "standing still",
    "waving": "waving",
    "arms raised": "raising both arms",
    "arms stretched out": "stretching both arms out to the sides",
    "hands on hips": "standing with hands on hips",
    "arms crossed": "standing with arms crossed",
    "running": "running",
    "sitting": "sitting on a stool",
    "kneeling": "kneeling",
    "standing on one leg": "standing on one leg",
}

#: Actions during which a person also stands: "standing" alone is no wrong answer there.
ALSO_STANDING = frozenset(
    (
        "waving", "arms raised", "arms stretched out", "hands on hips", "arms crossed",
        "standing on one leg",
    )
)  # fmt: skip


def an(words: str) -> str:
    """Return the words with their indefinite article."""
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def is_plural(kind: str) -> bool:
    """Return whether the name of a garment is a plural: "boots", but not "belt"."""
    return kind in _PLURAL


def garment(kind: str, color: str | None = None) -> str:
    """Return e.g. "a red scarf", "blue pants", "a cap"."""
    words = f"{color} {called(kind)}" if color else called(kind)
    return words if is_plural(kind) else an(words)


def called(kind: str) -> str:
    """Return what a garment is called: "pants" for trousers."""
    return _CALLED.get(kind, kind)


def wearing(kind: str, color: str | None = None) -> str:
    """Return e.g. "wearing a red scarf"."""
    return f"wearing {garment(kind, color)}"


def holding(thing: str, color: str | None = None) -> str:
    """Return e.g. "holding an orange umbrella"."""
    return f"holding {an(f'{color} {thing}' if color else thing)}"


def someone(figure: Figure) -> str:
    """Return who the figure is, e.g. "a child", "an elderly woman", "a man"."""
    if figure.age == "child":
        return "a child"
    return f"an elderly {figure.gender}" if figure.age == "elderly" else f"a {figure.gender}"
