"""The stage ``planner``: a model thinks of aspects, and describes what no rules plan."""

from __future__ import annotations

from lvlmbench.stages.replies.data import REPLIES
from lvlmbench.stages.roles.declaring import PROMISES, Asking
from lvlmbench.stages.stage import Out, Stage

_ASKING = Asking("planner", lambda params: params.examiner.examiners, memory_mb=1500, minutes=240)

STAGE = Stage(
    name="planner",
    words="Have a model think of aspects and describe pictures",
    artifact="planned aspects, planned descriptions",
    axes=("suite", "planner"),
    reads=("{vocabulary.folder}", REPLIES, "data/prompts/default", "{examiner.prompts}"),
    makes=(
        Out("data/{suite}/planned_aspects/{planner}", split="one"),
        Out("data/{suite}/planned_descriptions/{planner}", split="one"),
        Out("data/{suite}/plan_requests/{planner}", split="one"),
    ),
    params=("snapshot", "suite.kind", "suite.corpus", "examiner", "vocabulary"),
    needs=_ASKING.needs,
    promises=PROMISES,
    exact=_ASKING.exact,
)
