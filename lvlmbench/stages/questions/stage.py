"""The stage ``questions``: what is asked about each scene, and of what was drawn."""

from __future__ import annotations

from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.stage import TEMPLATES, Needs, Out, Stage

STAGE = Stage(
    name="questions",
    words="Ask questions about what was drawn",
    artifact="questions, truth, validation",
    reads=(
        "{vocabulary.folder}",
        *TEMPLATES,
        "data/lexicon",
        "data/{suite}/scenes",
        "data/{suite}/layouts/clean",
        "data/{suite}/attempt_checks",
        "data/{suite}/proposals",
    ),
    makes=(
        Out("data/{suite}/questions", split="scenes"),
        Out("data/{suite}/truth", split="scenes"),
        Out("data/{suite}/validation", split="scenes"),
    ),
    params=("snapshot", "render", "suite.kind", "suite.corpus"),
    needs=lambda params, values: Needs(memory_mb=1000, minutes=10),
    promises=(Promise(Exactness.EVERYWHERE, "integer arithmetic and hashes only"),),
)
