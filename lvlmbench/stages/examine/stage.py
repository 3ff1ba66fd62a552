"""The stage ``examine``: how good the judges are, on answers whose truth was planted."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.core.registry import Resources
from lvlmbench.stages.replies.data import REPLIES
from lvlmbench.stages.stage import Needs, Out, Stage, Values, promise_of

_NOBODY = Promise(Exactness.EVERYWHERE, "there is no judge, or no exam", "without judges")
_JUDGES = Promise(Exactness.ARTIFACT, "as exact as the judges are", "with judges")


def _exact(params: Params, values: Values) -> Promise:
    judges = params.judge.judges if params.judge.exam else ()
    found = [promise_of(judge.model or judge, params) for judge in judges]
    return max(found, key=lambda promise: promise.exact.rank, default=_NOBODY)


def _needs(params: Params, values: Values) -> Needs:
    """What the judge needs that needs most: one job examines all of them."""
    asked: list[Resources] = [
        kind.resources(params, judge.model or judge)
        for judge in params.judge.judges
        if params.judge.exam and (kind := judge.made_by()) is not None
    ]
    memory = max((each.memory_mb or 0 for each in asked), default=0)
    threads = max((each.threads for each in asked), default=1)
    gpus = max((each.gpus or 0 for each in asked), default=0)
    return Needs(max(2000, memory), 240, threads, gpus or None)


STAGE = Stage(
    name="examine",
    words="Examine the judges on answers whose truth is planted",
    artifact="errors of judges",
    all_of=("judge",),
    reads=(
        "{vocabulary.folder}",
        "data/lexicon",
        "data/natural",
        REPLIES,
        "data/prompts/default",
        "{judge.prompts}",
        "data/{suite}/scenes",
        "data/{suite}/layouts/clean",
        "data/{suite}/truth",
    ),
    makes=(Out("data/{suite}/judge_exam", split="one"),),
    params=("snapshot", "suite.kind", "render", "judge"),
    needs=_needs,
    promises=(_NOBODY, _JUDGES),
    exact=_exact,
)
