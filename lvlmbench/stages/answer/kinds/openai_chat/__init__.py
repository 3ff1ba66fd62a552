"""Engine ``openai_chat``: any server that speaks the OpenAI chat-completions protocol."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import MODELS, Model, Weights


@MODELS.register(
    "openai_chat",
    vocabulary=False,
    settings=Endpoint,
    key="endpoint",
    place=2,
    called=lambda model: str(model.own(Endpoint).model),
    key_of=lambda model: model.own(Endpoint).api_key_env,
    server=lambda model: model.own(Endpoint).base_url,
    served=True,
    priced=lambda model: model.own(Endpoint).price_per_million is not None,
    limit="endpoint.sampling",
    exactness=(
        Promise(
            Exactness.ARTIFACT,
            "the server decides; even at temperature 0 few repeat themselves",
        ),
    ),
)
def make(params: Params, model: ModelParams, weights: Weights) -> Model:
    """Engine ``openai_chat``: needs ``endpoint``."""
    from lvlmbench.stages.answer.kinds.openai_chat.asking import OpenAIChat

    return OpenAIChat(model.name, model.own(Endpoint))
