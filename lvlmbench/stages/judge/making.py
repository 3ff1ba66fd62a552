"""Makes the judges that the parameters name."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from lvlmbench.config import Params
from lvlmbench.config.judging import Judge as JudgeParams
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.judge.judge import FREE_TEXT, JUDGES, Judge
from lvlmbench.stages.judge.served.judge import Served
from lvlmbench.stages.roles.making import Role

#: A model that judges, in place of a judge that comes with the code.
JUDGE = Role(
    "judge",
    "judge.judges",
    "answers questions about pictures and can judge nothing",
    "name a judge, or a model that follows instructions",
)


def judge_of(params: Params, name: str, cache: Path | None = None) -> Judge:
    """Return the judge of this name.

    Parameters
    ----------
    cache
        File of the answer cache, by default the one of all runs.

    Raises
    ------
    UserError
        There is no such judge, or it cannot judge.
    """
    chosen = next((judge for judge in params.judge.judges if judge.name == name), None)
    where = "params.yaml: judge.judges"
    if chosen is None:
        names = ", ".join(judge.name for judge in params.judge.judges) or "none"
        raise UserError(where, f"there is no judge '{name}'", f"use one of: {names}")
    check(chosen, f"{where}: {name}")
    embedded = JUDGES.find(chosen.engine)
    if embedded is not None:
        made: Judge = embedded(params, chosen)
        return made
    assert chosen.model is not None
    askers = [
        JUDGE.asker_of(params, model, params.judge.repairs, cache)
        for model in (chosen.model, chosen.extractor)
        if model is not None
    ]
    return Served(askers[0], params.judge.prompts, *askers[1:])


def reads(judge: JudgeParams) -> tuple[str, ...]:
    """Return the types of questions whose answers a judge of the parameters judges."""
    kind = JUDGES.find(judge.engine)
    return FREE_TEXT if kind is None else kind.reads


def check(judge: JudgeParams, where: str) -> None:
    """Make sure that a judge is there and can judge.

    Raises
    ------
    UserError
        It is not known, or cannot follow what it is asked.
    """
    judge.kinds().get(judge.engine, f"{where}: engine")
    if judge.model is not None:
        JUDGE.check_follows(judge.model, where)
    if judge.extractor is not None:
        JUDGE.check(judge.extractor, f"{where}: extractor")


def same_model(
    one: ModelParams, other: ModelParams, served: tuple[Collection[str], Collection[str]] = ((), ())
) -> bool:
    """Return whether two items of the parameters ask the same model: the same weights, or the
    same name at the same server.

    Parameters
    ----------
    served
        Models that the servers of the two say have answered: one in common is the same model,
        whatever it is asked for as.
    """
    if not set(served[0]).isdisjoint(served[1]):
        return True
    kinds = one.made_by(), other.made_by()
    if None in kinds or one.engine != other.engine:
        return False
    asked = [(kind.runs and kind.runs(m), kind.called and kind.called(m), _server(m))
             for kind, m in zip(kinds, (one, other), strict=True)]  # fmt: skip
    return asked[0] == asked[1]


def _server(model: ModelParams) -> str | None:
    endpoint = model.find(Endpoint)
    return None if endpoint is None else str(endpoint.base_url).rstrip("/")
