"""The stage ``examiner``: models behind endpoints write questions about what was drawn."""

from __future__ import annotations

from lvlmbench.stages.replies.data import REPLIES
from lvlmbench.stages.roles.declaring import PROMISES, Asking
from lvlmbench.stages.stage import Out, Stage

_ASKING = Asking("examiner", lambda params: params.examiner.examiners, memory_mb=1500, minutes=240)

STAGE = Stage(
    name="examiner",
    words="Have models write questions about what was drawn",
    artifact="proposed questions",
    axes=("suite", "examiner"),
    reads=(
        "{vocabulary.folder}",
        REPLIES,
        "data/prompts/default",
        "{examiner.prompts}",
        "data/{suite}/planned_aspects",
        "data/{suite}/scenes",
        "data/{suite}/layouts/clean",
        "data/{suite}/attempt_checks",
    ),
    makes=(
        Out("data/{suite}/proposals/{examiner}", split="one"),
        Out("data/{suite}/exam_requests/{examiner}", split="one"),
    ),
    params=("snapshot", "render", "suite.kind", "suite.corpus", "examiner"),
    needs=_ASKING.needs,
    promises=PROMISES,
    exact=_ASKING.exact,
)
