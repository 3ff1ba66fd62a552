"""What a figure may be: the labels of each attribute, and the fills they are drawn with."""

from __future__ import annotations

from lvlmbench.scene.palette import COLORS as COLORS

#: Skin tone modifiers, light to dark (Unicode emoji modifiers, Fitzpatrick types 1-2 to 6).
SKIN_TONES = ("1F3FB", "1F3FC", "1F3FD", "1F3FE", "1F3FF")

#: Fills of the five skin tones, light to dark, as OpenMoji uses them.
SKIN = dict(zip(SKIN_TONES, ("#fadcbc", "#debb90", "#c19a65", "#a57939", "#6a462f"), strict=True))

AGES = ("child", "adult", "elderly")

GENDERS = ("man", "woman")
EXPRESSIONS = ("neutral", "happy", "sad", "angry")

#: The three skin tones that can be told without one beside the other -> what they are called.
SKIN_LABELS = {SKIN_TONES[0]: "light", SKIN_TONES[2]: "medium", SKIN_TONES[4]: "dark"}

HAIR_STYLES = (
    "bald", "short", "long", "bob", "curly", "bun", "ponytail", "pigtails", "mohawk",
)  # fmt: skip

#: Hair by which a child is taken for a girl or a boy at a glance, as beards tell grown men.
CHILD_HAIR = {
    "man": ("bald", "short", "mohawk"),
    "woman": ("long", "bob", "bun", "ponytail", "pigtails"),
}
#: What makes people take a child for a girl.
GIRLISH = frozenset(("dress", "skirt"))

#: Fills of hair. Gray belongs to elderly people, and they have no other.
HAIR_COLORS = {
    "black": "#23201f",
    "brown": "#7c4a22",
    "blond": "#f2cf5b",
    "red": "#cf4d17",
    "gray": "#cfd2d6",
}

#: Facial hair of grown men; women and children have none. Where it is left to chance, grown men
#: have some: with neither clothes nor the length of hair to go by, it tells them at a glance.
BEARDS = ("none", "mustache", "full beard")

TOPS = ("T-shirt", "sweater", "jacket", "coat", "dress")
BOTTOMS = ("trousers", "shorts", "skirt")

#: What is worn besides, by the place where it is worn: at most one of each place.
ACCESSORIES = {
    "feet": ("boots", "sneakers"),
    "head": ("top hat", "cap", "beanie", "headphones"),
    "eyes": ("glasses", "sunglasses"),
    "neck": ("scarf", "tie", "bow tie"),
    "hands": ("gloves",),
    "waist": ("belt",),
    "chest": ("vest",),
    "back": ("backpack", "cape"),
}

#: Kind of garment -> place.
PLACES = {kind: place for place, kinds in ACCESSORIES.items() for kind in kinds} | {
    **dict.fromkeys(TOPS, "top"),
    **dict.fromkeys(BOTTOMS, "legs"),
}
GARMENTS = tuple(PLACES)

#: Attributes that a careful reader tells at a glance where adults are 190 pixels high and more.
ASKED = (
    "age", "gender", "skin", "expression", "hair", "hair_color", "garments", "action", "held",
)  # fmt: skip

ACTIONS = (
    "standing", "waving", "arms raised", "arms stretched out", "hands on hips", "arms crossed",
    "running", "sitting", "kneeling", "standing on one leg",
)  # fmt: skip

#: Actions that leave a hand free for a thing.
ONE_HANDED = ("standing", "waving", "running", "sitting", "kneeling", "standing on one leg")

THINGS = (
    "balloon", "umbrella", "book", "mug", "flag", "flower", "ball", "suitcase", "bucket", "broom",
)  # fmt: skip

#: Headwear that hides hair, and the styles of which nothing shows below it.
HATS = frozenset(("top hat", "cap", "beanie"))
UNDER_A_HAT = frozenset(("bald", "short", "bun", "mohawk"))
