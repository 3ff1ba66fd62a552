"""The stage ``answer``: what models say."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.core.exactness import NOTHING, Exactness, Promise
from lvlmbench.stages.answer.resources import answer_gpus, answer_memory_mb, answer_threads
from lvlmbench.stages.reference.folder import NAMES
from lvlmbench.stages.stage import Needs, Out, Stage, Values

_REFERENCE = Promise(
    Exactness.EVERYWHERE,
    "64-bit floats; scores are rounded to six decimals before they are compared",
    "`reference_a`, `reference_b`",
)
_ENGINES = {
    "chance": Promise(Exactness.EVERYWHERE, "draws from the question's id", "`chance`"),
    "transformers_vlm": Promise(
        Exactness.ARTIFACT,
        "logits depend on the batch in their last bits; only the same hardware, `batch_size`, "
        "shards and threads, uninterrupted, gave the same again",
        "`transformers_vlm`",
    ),
    "openai_chat": Promise(
        Exactness.ARTIFACT,
        "the server decides; even at temperature 0 few repeat themselves",
        "`openai_chat`",
    ),
}


def _exact(params: Params, values: Values) -> Promise:
    model = next(m for m in params.answer.models if m.name == values["model"])
    return _REFERENCE if model.engine in NAMES else _ENGINES.get(model.engine, NOTHING)


def _needs(params: Params, values: Values) -> Needs:
    model = values["model"]
    return Needs(
        answer_memory_mb(params, model, values["scenario"]),
        240,
        answer_threads(params, model),
        answer_gpus(params, model),
    )


def _weights(params: Params, values: Values) -> str | None:
    return next(m.engine for m in params.answer.models if m.name == values["model"])


STAGE = Stage(
    name="answer",
    words="Ask the models",
    artifact="answers",
    axes=("suite", "model", "scenario"),
    reads=(
        "{vocabulary.folder}",
        "data/{suite}/questions",
        "data/{suite}/images/{scenario}",
        "data/{suite}/verdicts",
        "data/reference",
    ),
    makes=(Out("data/{suite}/answers/{model}/{scenario}", split="images"),),
    params=("snapshot", "filter", "reference.models", "item.model"),
    needs=_needs,
    promises=(_ENGINES["chance"], _REFERENCE, *list(_ENGINES.values())[1:]),
    exact=_exact,
    weights=_weights,
)
