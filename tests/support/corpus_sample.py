"""A small vocabulary for the corpus' tests, which does not change when the real one grows."""

from __future__ import annotations

from functools import cache
from typing import Any

from lvlmbench.config import Params, validate
from lvlmbench.core.seeding import digest
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.scene.vocabulary.entries import Entry, VocabularyList

BOTH = frozenset({"diffusion", "pictograph"})

#: List -> "article label[: group]"; an article "-" stands for none.
THINGS = {
    "animal": "a red fox: canine/fox|a fox: canine/fox|a dog: canine|an owl|a mouse|an ant|a sheep",
    "object": "an umbrella|a sofa: seat|a couch: seat|a chair: chair|a book|- scissors|a ball",
    "plant": "a tulip: tulip|a red tulip: tulip|a rose|an oak|a cactus|- moss",
    "food": "an apple|a pizza|- rice|- bread|an onion|a burger",
    "clothes": "a scarf|a top hat: hat|a hat: hat|- jeans|a skirt|a sock",
    "landmark": "the Eiffel Tower|the Kaaba|- Mount Fuji|- Big Ben|the Sphinx",
    "celebrity": "- Ada Alpha|- Ben Beta|- Cem Gamma|- Dee Delta|- Eve Epsilon",
    "movie": "- The Long Road|- Red Dawn Rising|- Blue|- Two Rivers|- Night Bus",
    "anime": "- Sky Ninja|- Moon Cat|- Iron Garden|- Paper Sea",
    "tv_show": "- The Bureau|- Five Friends|- Hospital Hill|- Chalk",
    "color": "- red|- orange|- yellow|- green|- blue",
    "gender": "- female|- male",
    "expression": "- happy|- sad|- angry",
    "background": "a sandy beach: beach|a pebble beach: beach|a brick wall|a forest|a night sky",
}

#: Style -> (aspects it hides, prompt).
STYLES: dict[str, tuple[tuple[str, ...], str]] = {
    "watercolor": ((), "a watercolor of {subject}, soft washes"),
    "pixel art": (("text",), "{subject} as pixel art"),
    "sepia photograph": (("color", "race"), "a sepia photograph of {subject}"),
    "mosaic": (("text", "expression"), "a mosaic that shows {subject}"),
    "woodcut": (("color", "race", "background"), "a woodcut of {subject}"),
    "flat style": ((), "{subject}, flat shapes"),
    "oil painting": ((), "an oil painting of {subject}"),
    "crowded poster": (("number",), "a poster with {subject}"),
    "line sketch": (("color", "race"), "a line sketch of {subject}"),
}

#: What captions say of a style where its label will not do.
CAPTIONS = {
    "pixel art": "pixel art of {subject}",
    "flat style": "a flat illustration of {subject}",
    "oil painting": "an oil painting of {subject}",
    "mosaic": "a picture of {subject} made of tiles",
}

WORDS = tuple(
    "cat cot coat boat goat tiger liger table cable stable garden harden yellow mellow window "  # noqa: SIM905
    "winter summer planet lantern pattern picture mixture fixture stone drone crane plane".split()
)


def _entry(label: str, article: str = "", group: str = "", **extra: Any) -> Entry:
    renderers = extra.pop("renderers", BOTH)
    plural = extra.pop("plural", f"{label}s" if article else label)
    return Entry(label, article, plural, "", group or label, (), renderers, extra, 1)


def _ages() -> list[Entry]:
    found = []
    for label, phrase, female, male in (
        ("child", "child", "girl", "boy"),
        ("teenager", "teenager", "teenage girl", "teenage boy"),
        ("adult", "adult", "woman", "man"),
        ("elderly", "elderly person", "elderly {race} woman", "elderly {race} man"),
    ):
        renderers = frozenset({"diffusion"}) if label == "teenager" else BOTH
        called = {"female": female, "male": male}
        found.append(_entry(label, phrase=phrase, called=called, renderers=renderers))
    return found


def _things(name: str) -> list[Entry]:
    entries = []
    for item in THINGS[name].split("|"):
        named, _, group = item.partition(": ")
        article, label = named.split(" ", 1)
        extra: dict[str, Any] = {}
        if name == "background":
            extra["phrase"] = f"in front of {article} {label}"
        if name in ("gender", "expression"):
            extra["phrase"] = label
        if name == "object" and label != "couch":
            extra["recolor"] = ["#ffffff"]
        if label == "sheep":
            extra["plural"] = label
        entries.append(_entry(label, article.strip("-"), group, **extra))
    return entries


@cache
def sample_vocabulary() -> Vocabulary:
    """Every list, with synonyms, nested groups, things without article and renderers."""
    only_diffusion, only_pictograph = frozenset({"diffusion"}), frozenset({"pictograph"})
    lists = {name: _things(name) for name in THINGS}
    lists["age"] = _ages()
    lists["race"] = [
        *(_entry(r, phrase=r, renderers=only_diffusion) for r in ("Black", "White", "East Asian")),
        *(
            _entry(tone, phrase=f"{tone}-skinned", renderers=only_pictograph)
            for tone in ("light", "medium", "medium-dark", "dark")
        ),
    ]
    lists["action"] = [
        _entry(doing, phrase=f"a person {doing}")
        for doing in ("surfing", "running", "juggling", "playing chess")
    ]
    lists["profession"] = [
        _entry(job, article, phrase=f"{article} {job}")
        for article, job in (("a", "farmer"), ("an", "astronaut"), ("a", "judge"), ("a", "chef"))
    ]
    lists["carrier"] = [
        _entry("road sign", phrase="a road sign that says {text}"),
        _entry("T-shirt", phrase="a T-shirt with the word {text} on it"),
    ]
    lists["style"] = [
        _entry(
            label,
            family="any",
            realistic="photo" in label,
            caption=CAPTIONS.get(label, f"a {label} of {{subject}}"),
            prompt=prompt,
            negative_prompt=f"not {label}",
            hides=list(hides),
        )
        for label, (hides, prompt) in STYLES.items()
    ]
    nouns: dict[str, dict[str, str]] = {
        "race": {"default": "race", "pictograph": "skin tone"},
        "style": {"default": "visual style"},
        "clothes": {"default": "piece of clothing"},
        "tv_show": {"default": "TV show"},
    }
    made = {
        name: VocabularyList(name, nouns.get(name, {"default": name}), tuple(entries))
        for name, entries in lists.items()
    }
    return Vocabulary(made, WORDS, digest("sample", repr(lists), *WORDS).hex())


def with_list(name: str, entries: list[Entry]) -> Vocabulary:
    """The sample with another list in one place."""
    base = sample_vocabulary()
    lists = dict(base.lists)
    lists[name] = VocabularyList(name, lists[name].noun, tuple(entries))
    return Vocabulary(lists, base.words, digest(base.digest, name, repr(entries)).hex())


def params_for(seed: int = 1, **corpus: Any) -> Params:
    """Parameters with these values under ``corpus``."""
    return validate({"snapshot": {"seed": seed}, "corpus": corpus})
