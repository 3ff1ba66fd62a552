"""What each kind of stage promises: the table of docs/reproducibility.md, and which row applies.

``python -m lvlmbench.versions.promises`` prints the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from lvlmbench.config import Params
from lvlmbench.config.adversarial import Adversarial
from lvlmbench.config.cleaning import Clip, FilterSpec
from lvlmbench.config.documentation import markdown_table
from lvlmbench.config.render import AUTO
from lvlmbench.stages.reference.folder import NAMES
from lvlmbench.versions.exactness import Exactness

_EVERYWHERE, _HARDWARE, _ARTIFACT = Exactness


class Promise(NamedTuple):
    """A row of the table."""

    stage: str
    artifact: str
    exact: Exactness
    why: str


_NETWORK = "a neural network in its own precision; scores are rounded to six decimals"

#: Key -> row, in the order of the table.
PROMISES: dict[str, Promise] = {
    "corpus": Promise(
        "corpus", "scenes, questions", _EVERYWHERE, "integer arithmetic and hashes only"
    ),
    "render/pictograph": Promise(
        "render (`pictograph`)",
        "images, verdicts, attempts",
        _EVERYWHERE,
        "vector art rasterized by one pinned library; integer and correctly rounded arithmetic",
    ),
    "render/exact": Promise(
        "render (`diffusion`, `exact: true`)",
        "images, verdicts, attempts",
        _HARDWARE,
        "one generator an image, one image at a time, no kernel chosen by measuring, on a CPU one "
        "thread; other hardware adds in another order",
    ),
    "render/batches": Promise(
        "render (`diffusion`, `exact: false`)",
        "images, verdicts, attempts",
        _ARTIFACT,
        "sums depend on the batch, and the batch on the memory that is free",
    ),
    "render/auto": Promise(
        "render (`auto`)",
        "images, verdicts, attempts",
        _HARDWARE,
        "who draws depends on what the machine has; as `diffusion` where that is weaker",
    ),
    "reference_scenes": Promise(
        "reference_scenes", "scenes, small images", _EVERYWHERE, "as corpus and pictographs"
    ),
    "reference/pinned": Promise(
        "reference (`weights: pinned`)",
        "weights, thresholds, loss",
        _EVERYWHERE,
        "files that are kept with the code, held against the hashes on their card",
    ),
    "reference": Promise(
        "reference (`weights: trained`)",
        "weights, thresholds, loss",
        _HARDWARE,
        "training in 16- and 32-bit floats with one thread; another processor's kernels add in "
        "another order, and steps amplify it",
    ),
    "filter/integrity": Promise(
        "filter (`integrity`)", "verdicts", _EVERYWHERE, "compares and counts"
    ),
    "filter/clip/reference": Promise(
        "filter (`clip` with a reference model)",
        "verdicts",
        _EVERYWHERE,
        "64-bit floats; scores are rounded to six decimals before they are compared and stored",
    ),
    "filter/clip": Promise("filter (`clip` with another model)", "verdicts", _HARDWARE, _NETWORK),
    "filter/ocr": Promise(
        "filter (`ocr`)",
        "verdicts",
        _HARDWARE,
        "a neural network in 32-bit floats whose kernels cannot be chosen; only the text that it "
        "reads counts, so a verdict differs only where a letter does",
    ),
    "filter/safety": Promise("filter (`safety`)", "verdicts", _HARDWARE, _NETWORK),
    "scenario/blind": Promise("scenario (`blind`)", "images", _EVERYWHERE, "leaves them out"),
    "scenario/other_image": Promise(
        "scenario (`other_image`)", "images", _EVERYWHERE, "chooses and copies"
    ),
    "scenario/print_attack": Promise(
        "scenario (`print_attack`)",
        "images",
        _EVERYWHERE,
        "letters by one pinned library, then integer arithmetic",
    ),
    "scenario/corruption": Promise(
        "scenario (`corruption`)",
        "images",
        _EVERYWHERE,
        "whole numbers, and 64-bit floats in steps that IEEE 754 rounds in one way",
    ),
    "scenario/adversarial/reference": Promise(
        "scenario (`adversarial` through a reference model)",
        "images",
        _EVERYWHERE,
        "gradients in 64-bit floats, of which a step takes the sign; what is zero but for "
        "rounding is zero",
    ),
    "scenario/adversarial": Promise(
        "scenario (`adversarial` through another proxy, on the CPU)",
        "images",
        _HARDWARE,
        "gradients in 32-bit floats with one thread, one image at a time; a step takes their "
        "sign, which amplifies the last bit",
    ),
    "scenario/adversarial/gpu": Promise(
        "scenario (`adversarial`, where `device` allows a GPU)",
        "images",
        _ARTIFACT,
        "on a GPU the last bits of gradients depend on the batch, and a step takes their sign",
    ),
    "answer/chance": Promise(
        "answer (`chance`)", "answers", _EVERYWHERE, "draws from the question's id"
    ),
    "answer/reference": Promise(
        "answer (`reference_a`, `reference_b`)",
        "answers",
        _EVERYWHERE,
        "64-bit floats; scores are rounded to six decimals before they are compared",
    ),
    "answer/transformers_vlm": Promise(
        "answer (`transformers_vlm`)",
        "answers",
        _ARTIFACT,
        "logits depend on the batch in their last bits; only the same hardware, `batch_size`, "
        "shards and threads, uninterrupted, gave the same again",
    ),
    "answer/openai_chat": Promise(
        "answer (`openai_chat`)",
        "answers",
        _ARTIFACT,
        "the server decides; even at temperature 0 few repeat themselves",
    ),
    "score/choices": Promise(
        "score, without captions",
        "parsed options",
        _EVERYWHERE,
        "text rules and integer distances",
    ),
    "score/captions": Promise(
        "score, with captions",
        "parsed options, similarities",
        _EVERYWHERE,
        "a neural sentence encoder in 64-bit floats wherever 32 bits leave open how the second "
        "decimal is rounded",
    ),
    "consensus": Promise("consensus", "questions kept", _EVERYWHERE, "compares and counts"),
    "audit": Promise("audit", "rejection rates", _EVERYWHERE, "compares and counts"),
    "metrics": Promise(
        "metrics",
        "numbers, charts' data",
        _EVERYWHERE,
        "sums in whole numbers or 64-bit floats, rounded to six decimals",
    ),
    "validity": Promise(
        "validity", "correlations", _EVERYWHERE, "64-bit floats, rounded to nine decimals"
    ),
    "distances/reference": Promise(
        "distances (by a reference model, or none)",
        "distances",
        _EVERYWHERE,
        "64-bit floats, rounded to nine decimals",
    ),
    "distances": Promise("distances (by another model)", "distances", _HARDWARE, _NETWORK),
    "figures": Promise(
        "figures", "figures, tables", _EVERYWHERE, "drawn by one code from rounded numbers"
    ),
    "exports": Promise("exports", "files for other tools", _EVERYWHERE, "choose and copy"),
    "report": Promise("report", "the page", _EVERYWHERE, "shows what the other stages have made"),
    "outside": Promise(
        "renderers, filters, scenarios, models of other packages",
        "all",
        _ARTIFACT,
        "another package makes it and has promised nothing",
    ),
}

_WORDS = {
    _EVERYWHERE: "everywhere",
    _HARDWARE: "on the same hardware",
    _ARTIFACT: "only by pulling",
}


def markdown() -> str:
    """The table of docs/reproducibility.md."""
    rows = [[p.stage, p.artifact, _WORDS[p.exact], p.why] for p in PROMISES.values()]
    return markdown_table(["stage", "artifact", "exact", "why"], rows)


def _weakest(keys: Iterable[str]) -> Promise:
    """The weakest row of some, the first where several are."""
    return max((PROMISES[key] for key in keys), key=lambda found: found.exact.rank)


def _known(key: str) -> str:
    """``key`` if it is ours."""
    return key if key in PROMISES else "outside"


def _filter(spec: FilterSpec) -> str:
    if spec.registered == "clip":
        engine = (spec.clip or Clip()).engine  # type: ignore[call-arg]
        return "filter/clip/reference" if engine in NAMES else "filter/clip"
    return _known(f"filter/{spec.registered}")


def _renderer(name: str, params: Params) -> list[str]:
    """Rows that apply to a renderer by the name in the parameters."""
    diffusion = "render/exact" if params.render.diffusion.exact else "render/batches"
    if name == AUTO:
        return ["render/auto", diffusion]
    return [{"pictograph": "render/pictograph", "diffusion": diffusion}.get(name, "outside")]


def _render(params: Params, _: str) -> Promise:
    render = params.render
    keys = _renderer(render.renderer, params)
    if render.fallback is not None:
        keys += _renderer(render.fallback, params)
    if render.rework.attempts:  # a score near a threshold decides which attempt is kept
        keys += [_filter(spec) for spec in render.rework.filters]
    return _weakest(keys)


def _reference(params: Params, _: str) -> Promise:
    pinned = params.reference.weights == "pinned"
    return PROMISES["reference/pinned" if pinned else "reference"]


def _filters(params: Params, item: str) -> Promise:
    return PROMISES[_filter(next(f for f in params.filter.filters if f.name == item))]


def _scenario(params: Params, item: str) -> Promise:
    spec = params.scenarios.spec(item)
    key = _known(f"scenario/{spec.registered}")
    attack = spec.adversarial
    if key == "scenario/adversarial":
        attack = attack or Adversarial()  # type: ignore[call-arg]
        # Reference models compute on the CPU, whatever the machine has.
        if attack.proxy in NAMES:
            key = "scenario/adversarial/reference"
        elif attack.device != "cpu":
            key = "scenario/adversarial/gpu"
    return PROMISES[key]


def _answer(params: Params, item: str) -> Promise:
    model = next(m for m in params.answer.models if m.name == item.split("/")[0])
    return PROMISES[
        "answer/reference" if model.engine in NAMES else _known(f"answer/{model.engine}")
    ]


def _score(params: Params, _: str) -> Promise:
    captions = params.corpus.type_proportions.free_form > 0
    return PROMISES["score/captions" if captions else "score/choices"]


def _distances(params: Params, _: str) -> Promise:
    encoder = params.validity.kmmd.encoder
    known = encoder is None or encoder in NAMES
    return PROMISES["distances/reference" if known else "distances"]


#: Kind of stage -> the row for its item. The other kinds have one row each.
_ITEMS: dict[str, Callable[[Params, str], Promise]] = {
    "render": _render,
    "reference": _reference,
    "filter": _filters,
    "scenario": _scenario,
    "answer": _answer,
    "score": _score,
    "distances": _distances,
}


def promise(stage: str, params: Params) -> Promise:
    """The row that applies to a stage; see :func:`lvlmbench.versions.exactness.stage_exactness`.

    Raises
    ------
    KeyError
        There is no such kind of stage.
    """
    kind, _, item = stage.partition("/")
    choose = _ITEMS.get(kind)
    return PROMISES[kind] if choose is None else choose(params, item)


if __name__ == "__main__":
    print(markdown())
