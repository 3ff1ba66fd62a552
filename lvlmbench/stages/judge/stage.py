"""The stage ``judge``: what free answers say, and what of it is true."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.judging import Judge
from lvlmbench.core.exactness import Promise
from lvlmbench.core.registry import Resources
from lvlmbench.stages.replies.data import REPLIES
from lvlmbench.stages.stage import VOCABULARY, Needs, Out, Stage, Values, promise_of, wordless


def _judge(params: Params, values: Values) -> Judge:
    return next(judge for judge in params.judge.judges if judge.name == values["judge"])


def _needs(params: Params, values: Values) -> Needs:
    judge = _judge(params, values)
    kind = judge.made_by()
    asked = Resources() if kind is None else kind.resources(params, judge.model or judge)
    return Needs(max(1500, asked.memory_mb or 0), 240, asked.threads, asked.gpus)


def _exact(params: Params, values: Values) -> Promise:
    judge = _judge(params, values)
    return promise_of(judge.model or judge, params)


def _spares(params: Params, values: Values) -> tuple[str, ...]:
    judge = _judge(params, values)
    return wordless(judge.model or judge)


_TABLES = ("claims", "matches", "judgements", "pairwise", "requests")

STAGE = Stage(
    name="judge",
    words="Judge free answers: what they say, and what of it is true",
    artifact="claims, verdicts",
    axes=("suite", "judge", "model", "scenario"),
    reads=(
        VOCABULARY,
        "data/lexicon",
        REPLIES,
        "data/prompts/default",
        "{judge.prompts}",
        "data/{suite}/answers/{model}/{scenario}",
        "data/{suite}/questions",
        "data/{suite}/scenes",
        "data/{suite}/layouts/clean",
        "data/{suite}/truth",
    ),
    spares=_spares,
    makes=tuple(
        Out(f"data/{{suite}}/{name}/{{judge}}/{{model}}/{{scenario}}", split="one")
        for name in _TABLES
    ),
    params=("render", "suite.kind", "suite.corpus", "item.judge", "judge.repairs", "judge.pairs"),
    needs=_needs,
    kinds="judges",
    exact=_exact,
)
