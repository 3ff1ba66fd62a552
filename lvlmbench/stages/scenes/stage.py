"""The stage ``scenes``: what is to be drawn, and the prompts."""

from __future__ import annotations

from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.stage import TEMPLATES, Needs, Out, Stage

STAGE = Stage(
    name="scenes",
    words="Plan scenes and write their prompts",
    artifact="scenes, entries, descriptions, designs",
    reads=(
        "{vocabulary.folder}",
        *TEMPLATES,
        "data/lexicon",
        "data/{suite}/planned_aspects",
        "data/{suite}/planned_descriptions",
    ),
    makes=(
        Out("data/{suite}/scenes", split="scenes"),
        Out("data/{suite}/entries", split="scenes"),
        Out("data/{suite}/descriptions", split="scenes"),
        Out("data/{suite}/designs", split="scenes"),
    ),
    params=("snapshot", "render", "suite.kind", "suite.corpus"),
    needs=lambda params, values: Needs(memory_mb=1000, minutes=10),
    promises=(Promise(Exactness.EVERYWHERE, "integer arithmetic and hashes only"),),
)
