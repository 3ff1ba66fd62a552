"""The five abilities and 27 tasks of TouchStone (section 3.1, Figure 1), and how they are judged.

Suites of them differ in their pictures: drawn scenes, or a user's own copy of the released
questions. Figure 1 lists one task more of recognition than section 3.1 counts, and one fewer of
multi-image analysis; its list is taken. Numbers of questions are measured from its ring, +-2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from lvlmbench.config.headline import Beside, Headline

#: Kinds of suites that have these tasks.
KINDS = ("touchstone", "touchstone_bench")

#: Abilities in the paper's order -> their names for readers.
ABILITIES: Mapping[str, str] = {
    "description": "Basic description",
    "recognition": "Visual recognition",
    "comprehension": "Visual comprehension",
    "storytelling": "Visual storytelling",
    "comparing": "Multi-image analysis",
}

#: What heads the results of such a suite, and what stands beside it.
HEADLINE = Headline(
    label="score from 100 to 1,000",
    about="Mean score from 100 to 1,000 that the judge gives answers beside the references, over "
    "the answers that it could judge.",
    table="dialogue",
    measure="score",
    least=100.0,
    most=1000.0,
    beside=(
        Beside("score", "score", "dialogue", by="stratum", among=tuple(ABILITIES), percent=False),
        Beside(
            "hallucination score",
            "hallucination",
            "dialogue",
            percent=False,
            about="How much of descriptions is made up, of 1,000; lower is better.",
        ),
        Beside(
            "win rate",
            "win_rate",
            "dialogue",
            about="Share of answers that score above their reference, a tie counting half.",
        ),
    ),
)

#: What decides how good an answer is: the picture, or taste; ``not drawn``: no scene shows it.
Decided = Literal["seen", "taste", "not drawn"]


@dataclass(frozen=True)
class Task:
    """A task of TouchStone.

    Attributes
    ----------
    ability
        One of :data:`ABILITIES`.
    label
        Its name for readers.
    decided
        What decides how good an answer is.
    published
        How many of the paper's 908 questions are of it, as its Figure 1 has them.
    rated
        Whether judges say how much of an answer is made up (section 4.3).
    """

    ability: str
    label: str
    decided: Decided
    published: int
    rated: bool = False


#: Subtask -> its task, in the order of Figure 1.
TASKS: Mapping[str, Task] = {
    "touchstone_simple": Task("description", "Simple description", "seen", 74, rated=True),
    "touchstone_detailed": Task("description", "Detailed description", "seen", 65, rated=True),
    "touchstone_attributes": Task("recognition", "Attribute question", "seen", 94),
    "touchstone_species": Task("recognition", "Species", "seen", 79),
    "touchstone_celebrity": Task("recognition", "Celebrity", "not drawn", 57),
    "touchstone_text": Task("recognition", "Text", "seen", 46),
    "touchstone_emotion": Task("recognition", "Emotion", "seen", 37),
    "touchstone_film": Task("recognition", "Film and television", "not drawn", 27),
    "touchstone_art": Task("recognition", "Art", "not drawn", 20),
    "touchstone_everyday": Task("recognition", "Everyday life", "not drawn", 17),
    "touchstone_landmark": Task("recognition", "Landmark", "seen", 16),
    "touchstone_brand": Task("recognition", "Brand", "not drawn", 7),
    "touchstone_reasoning": Task("comprehension", "Reasoning", "seen", 85),
    "touchstone_abstract": Task("comprehension", "Abstract art", "not drawn", 48),
    "touchstone_problem": Task("comprehension", "Problem solving", "taste", 45),
    "touchstone_style": Task("comprehension", "Style", "taste", 36),
    "touchstone_chart": Task("comprehension", "Chart", "seen", 24),
    "touchstone_meme": Task("comprehension", "Meme", "not drawn", 24),
    "touchstone_math": Task("comprehension", "Math", "seen", 7),
    "touchstone_story": Task("storytelling", "Story", "taste", 16),
    "touchstone_ideas": Task("storytelling", "Brainstorming", "taste", 16),
    "touchstone_poem": Task("storytelling", "Poem", "taste", 15),
    "touchstone_email": Task("storytelling", "E-mail", "taste", 12),
    "touchstone_advice": Task("storytelling", "Recommendation", "taste", 8),
    "touchstone_products": Task("comparing", "Product comparison", "seen", 18),
    "touchstone_summary": Task("comparing", "Summary", "seen", 9),
    "touchstone_differences": Task("comparing", "Comparison", "seen", 6),
}
