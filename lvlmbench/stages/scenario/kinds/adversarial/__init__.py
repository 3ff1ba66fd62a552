"""Scenario ``adversarial``: projected gradient descent on a proxy's image encoder.

Madry et al., "Towards Deep Learning Models Resistant to Adversarial Attacks" (2018); Dysca
(section 3.3) attacks InstructBLIP so and shows the images to all models. ``proxies`` and ``blip``
load the encoder, ``pgd`` runs the attack, ``carry`` brings it back to the full-size image,
``scenario`` puts them together. docs/scenarios.md explains.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from lvlmbench.config import Params
from lvlmbench.config.models import Model
from lvlmbench.config.reference import REFERENCE_MODELS
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.scenario.kinds.adversarial.settings import TRANSFORMERS, Adversarial
from lvlmbench.stages.scenario.scenario import SCENARIOS, Scenario, Weights


def access(attack: Adversarial, model: Model | None) -> Literal["white-box", "transfer"]:
    """Tell whether an attack has seen the gradients of the encoder that a model looks with.

    It has where the model is the reference model that was attacked, where it runs the weights that
    the proxy names, or where it says that the attacked encoder is its own (``visual_encoder``).

    Parameters
    ----------
    attack
        Settings of a scenario.
    model
        An item of ``answer.models``; None for one that nothing is known of.
    """
    if model is None:
        return "transfer"
    kind = model.made_by()
    run = kind.runs(model) if kind is not None and kind.runs is not None else None
    place = attack.proxy.removeprefix(TRANSFORMERS) if attack.proxy.startswith(TRANSFORMERS) else ""
    own = model.visual_encoder is not None and _plain(model.visual_encoder) == _plain(
        attack.attacked
    )
    same = run is not None and bool(place) and _same_place(run, place)
    return "white-box" if model.engine == attack.proxy or same or own else "transfer"


def _same_place(first: str, second: str) -> bool:
    """Whether two names of weights mean one folder, or one repository of a hub: a hub's id is as
    good as a path for that."""
    return Path(first).expanduser().resolve() == Path(second).expanduser().resolve()


def _plain(name: str) -> str:
    """An encoder's name without what people write differently."""
    return " ".join(name.split()).casefold()


def check(params: Params, spec: ScenarioSpec, where: str) -> None:
    """Whether the proxy is there and takes images of this size, as far as files tell."""
    from lvlmbench.stages.scenario.kinds.adversarial.checks import check_adversarial

    check_adversarial(params, spec, where)


def weights_of(spec: ScenarioSpec) -> str | None:
    """Return the reference model that is attacked."""
    proxy = spec.own(Adversarial).proxy
    return proxy if proxy in REFERENCE_MODELS else None


def exact(params: Params, spec: ScenarioSpec) -> int:
    """Return the place of the promise that holds."""
    if weights_of(spec):  # reference models compute on the CPU, whatever the machine has
        return 0
    return 1 if spec.own(Adversarial).device == "cpu" else 2


@SCENARIOS.register(
    "adversarial",
    label="adversarial attack",
    settings=Adversarial,
    check=check,
    place=3,
    defaults={
        30: {
            "name": "adversarial",
            "adversarial": {"proxy": REFERENCE_MODELS[0], "objective": "option"},
        }
    },
    faint=True,
    weights=weights_of,
    attack=lambda spec, model: access(spec.own(Adversarial), model),
    about="with a small perturbation computed to mislead a model",
    column="adversarial_attack",
    paper=4,
    exact=exact,
    exactness=(
        Promise(
            Exactness.EVERYWHERE,
            "gradients in 64-bit floats, of which a step takes the sign; what is zero but for "
            "rounding is zero",
            "through a reference model",
        ),
        Promise(
            Exactness.HARDWARE,
            "gradients in 32-bit floats with one thread, one image at a time; a step takes their "
            "sign, which amplifies the last bit",
            "through another proxy, on the CPU",
        ),
        Promise(
            Exactness.ARTIFACT,
            "on a GPU the last bits of gradients depend on the batch, and a step takes their sign",
            ", where `device` allows a GPU",
        ),
    ),
)
def make(params: Params, spec: ScenarioSpec, weights: Weights) -> Scenario:
    """The scenario; loads the proxy's weights."""
    from lvlmbench.stages.scenario.kinds.adversarial.scenario import AdversarialScenario

    return AdversarialScenario(params, spec, weights)
