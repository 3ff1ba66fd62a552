"""The stage ``check``: models behind endpoints answer the checks of drawn pictures."""

from __future__ import annotations

from lvlmbench.stages.replies.data import REPLIES
from lvlmbench.stages.roles.declaring import PROMISES, Asking
from lvlmbench.stages.stage import Out, Stage

_ASKING = Asking(
    "validator", lambda params: params.validator.validators, memory_mb=3000, minutes=720
)

STAGE = Stage(
    name="check",
    words="Have models check what was drawn",
    artifact="answers to checks",
    axes=("suite", "validator"),
    reads=(
        "{vocabulary.folder}",
        REPLIES,
        "data/prompts/default",
        "{validator.prompts}",
        "data/{suite}/scenes",
        "data/{suite}/layouts/clean",
        "data/{suite}/attempt_checks",
        "data/{suite}/rendered",
    ),
    makes=(
        Out("data/{suite}/check_answers/{validator}", split="one"),
        Out("data/{suite}/check_requests/{validator}", split="one"),
    ),
    params=("snapshot", "render", "suite.kind", "suite.corpus", "validator"),
    needs=_ASKING.needs,
    promises=PROMISES,
    exact=_ASKING.exact,
)
