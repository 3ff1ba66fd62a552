"""Which task a ``task_name`` of a user's table means.

The released names are written in several ways (singular and plural, with "recognition" behind,
with lines between words), so that a name is read by its words: those of the labels of
:data:`lvlmbench.suites.dialogue.TASKS`, and other words for the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from lvlmbench.suites.dialogue import TASKS

#: What the name of each of our subtasks begins with.
_OURS = "touchstone_"
_WORD = re.compile(r"[a-z0-9]+")

#: Words that tell no task from another.
_EMPTY = frozenset(
    {
        "a", "about", "an", "and", "answering", "appreciation", "based", "by", "creation", "for",
        "from", "image", "in", "of", "on", "or", "photo", "picture", "q", "qa", "question",
        "recognition", "related", "task", "the", "touchstone", "understanding", "visual", "vqa",
        "with", "writing",
    }
)  # fmt: skip

#: Word -> other words, parted by blanks, that it stands for here.
_OTHERS = {
    "attribute": "attr",
    "text": "ocr texts",
    "film": "movy movie cinema tv television series sery",
    "species": "animal plant bird",
    "celebrity": "star celeb",
    "brand": "logo",
    "simple": "brief short concise basic",
    "detailed": "detail",
    "description": "describe describing caption captioning",
    "emotion": "feeling sentiment mood",
    "art": "artwork painting",
    "everyday": "daily",
    "landmark": "place",
    "reasoning": "reason logic logical",
    "abstract": "abstraction",
    "solving": "solve solution",
    "chart": "diagram graph table",
    "math": "mathematic mathematical geometry",
    "meme": "humor humour joke",
    "story": "storytelling tale narrative",
    "brainstorming": "brainstorm idea",
    "poetry": "poem verse poetic",
    "mail": "email emailing letter",
    "recommendation": "recommend suggestion advice advise ad advertisement advertising",
    "product": "goods commodity",
    "comparison": "compare comparing difference differential contrast",
    "summary": "summarizing summarising summarize summarise summarization summarisation",
}
_SAME = {other: word for word, others in _OTHERS.items() for other in others.split()}

#: Subtask -> what its names are made of: of one of these, all words are there. Of several tasks
#: whose words are there, the one with the most of them is meant.
_WORDS: Mapping[str, Sequence[str]] = {
    "touchstone_simple": ("simple", "simple description"),
    "touchstone_detailed": ("detailed", "detailed description"),
    "touchstone_attributes": ("attribute",),
    "touchstone_species": ("species",),
    "touchstone_celebrity": ("celebrity",),
    "touchstone_text": ("text",),
    "touchstone_emotion": ("emotion",),
    "touchstone_film": ("film",),
    "touchstone_art": ("art",),
    "touchstone_everyday": ("everyday", "everyday life", "real life", "life"),
    "touchstone_landmark": ("landmark",),
    "touchstone_brand": ("brand",),
    "touchstone_reasoning": ("reasoning",),
    "touchstone_abstract": ("abstract", "abstract art"),
    "touchstone_problem": ("problem solving", "problem", "solving"),
    "touchstone_style": ("style", "style art"),
    "touchstone_chart": ("chart",),
    "touchstone_meme": ("meme",),
    "touchstone_math": ("math", "math problem", "math problem solving", "math reasoning"),
    "touchstone_story": ("story",),
    "touchstone_ideas": ("brainstorming",),
    "touchstone_poem": ("poetry",),
    "touchstone_email": ("mail", "e mail"),
    "touchstone_advice": ("recommendation", "product recommendation"),
    "touchstone_products": ("product comparison", "product"),
    "touchstone_summary": ("summary",),
    "touchstone_differences": ("comparison",),
}


def words(name: str) -> frozenset[str]:
    """Return the words of a name that tell what it means, each in one form."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    found = {_form(word) for word in _WORD.findall(plain)}
    return frozenset(found - _EMPTY)


def _form(word: str) -> str:
    if word in _SAME:
        return _SAME[word]
    if word.endswith("ies") and len(word) > 4 and word != "species":
        word = f"{word[:-3]}y"
    elif word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is", "species")):
        word = word[:-1]
    return _SAME.get(word, word)


def spelt(name: str) -> str:
    """Return a name as names are compared: lower case, one blank between words."""
    return " ".join(unicodedata.normalize("NFKC", name).split()).casefold()


def tasks_of(name: str, given: Mapping[str, str]) -> tuple[str, ...]:
    """Return the subtasks that a name may mean: one where it is known, none where it is not.

    Parameters
    ----------
    given
        Subtask by name, as the user says; these count before all.
    """
    said = {spelt(each): task for each, task in given.items()}
    if spelt(name) in said:
        return (said[spelt(name)],)
    bare = "_".join(spelt(name).replace("-", " ").split())
    if bare in TASKS or f"{_OURS}{bare}" in TASKS:
        return (bare if bare in TASKS else f"{_OURS}{bare}",)
    there = words(name)
    best: dict[str, int] = {}
    for task, forms in _WORDS.items():
        sizes = [len(each) for form in forms if (each := frozenset(form.split())) <= there]
        if sizes:
            best[task] = max(sizes)
    most = max(best.values(), default=0)
    return tuple(task for task, size in best.items() if size == most)
