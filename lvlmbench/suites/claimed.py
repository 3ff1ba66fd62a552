"""The five subsets of VALOR-Eval (section 3.1.1), and what answers about each are to speak of.

Suites of them differ in their pictures: drawn scenes, or a user's own copy of VALOR-Bench. The
subsets themselves are subtasks that are registered with the drawn scenes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lvlmbench.config.headline import Beside, Headline
from lvlmbench.scene.claims import RELATIONS, Scope

OBJECTS, ATTRIBUTES, PEOPLE = "valor_objects", "valor_attributes", "valor_people"
POSITIONS, SIZES = "valor_positions", "valor_sizes"

#: Kinds of suites that have these subsets.
KINDS = ("valor", "valor_bench")

#: Relations that compare sizes; all others say where things are.
_SIZES = ("larger", "smaller", "same_size")
PLACES = tuple(name for name in RELATIONS if name not in _SIZES)

#: Subset -> what of a picture counts in answers to it.
SCOPES: Mapping[str, Scope] = {
    OBJECTS: Scope(("object",)),
    ATTRIBUTES: Scope(("attribute",)),
    PEOPLE: Scope(("attribute", "garment", "action")),
    POSITIONS: Scope(("relation", "place"), (*PLACES, "at")),
    SIZES: Scope(("rank", "relation"), ("rank", *_SIZES)),
}

#: What heads the results of such a suite where descriptions are free text, and what stands beside
#: it.
HEADLINE = Headline(
    label="F1 of faithfulness and coverage",
    about="Harmonic mean of faithfulness (claims that are true) and coverage (what is to be said "
    "and is), mean over the subsets.",
    table="hallucination",
    measure="f1",
    beside=(
        Beside(
            "faithfulness", "faithfulness", "hallucination", about="Share of claims that are true."
        ),
        Beside(
            "coverage", "coverage", "hallucination", about="Share of what is to be said that is."
        ),
        Beside(
            "answers with an invented thing",
            "chair_s",
            "hallucination",
            about="Share of answers about objects that name a thing which is not there (CHAIRs); "
            "lower is better.",
        ),
        Beside("F1", "f1", "hallucination", by="subtask", among=tuple(SCOPES)),
    ),
)

#: The same of structured descriptions, which are scored exactly; F1 of free text stands beside it.
STRUCTURED = replace(
    HEADLINE,
    label="F1 of structured descriptions",
    about="Harmonic mean of faithfulness (what the form states and is true) and coverage (what is "
    "to be said and is), mean over the subsets; scored exactly.",
    answered=("structured",),
    beside=(
        *HEADLINE.beside[:2],
        *(
            replace(
                each,
                label=f"{each.label}, free text",
                judge=1,
                about=f"{each.about} Of free text, as the first judge of the parameters reads it.",
            )
            for each in (
                Beside("F1", "f1", "hallucination", about="F1 of descriptions in the model's own "
                       "words, the measure of VALOR-Eval."),
                *HEADLINE.beside[:3],
            )
        ),
        HEADLINE.beside[3],
    ),
)  # fmt: skip
