"""What each kind of stage promises: the table of docs/reproducibility.md, and which row applies.

``python -m lvlmbench.versions.promises`` prints the table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from lvlmbench.config import Params
from lvlmbench.config.documentation import markdown_table
from lvlmbench.config.render import AUTO
from lvlmbench.core import exactness as core
from lvlmbench.core.exactness import Exactness
from lvlmbench.core.registry import Kind, kinds_of
from lvlmbench.stages.reference.folder import NAMES

_EVERYWHERE, _HARDWARE, _ARTIFACT = Exactness


class Promise(NamedTuple):
    """A row of the table."""

    stage: str
    artifact: str
    exact: Exactness
    why: str


#: Key -> row, in the order of the table.
PROMISES: dict[str, Promise] = {
    "corpus": Promise(
        "corpus", "scenes, questions", _EVERYWHERE, "integer arithmetic and hashes only"
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
    "distances": Promise("distances (by another model)", "distances", _HARDWARE, core.NETWORK),
    "figures": Promise(
        "figures", "figures, tables", _EVERYWHERE, "drawn by one code from rounded numbers"
    ),
    "exports": Promise("exports", "files for other tools", _EVERYWHERE, "choose and copy"),
    "report": Promise("report", "the page", _EVERYWHERE, "shows what the other stages have made"),
}

_WORDS = {
    _EVERYWHERE: "everywhere",
    _HARDWARE: "on the same hardware",
    _ARTIFACT: "only by pulling",
}


#: Stage -> registry of its kinds and what they make; their rows follow the row named last.
_OF_KINDS = {
    "render": ("renderers", "images, verdicts, attempts", "corpus"),
    "filter": ("filters", "verdicts", "reference"),
    "scenario": ("scenarios", "images", "reference"),
    "answer": ("models", "answers", "reference"),
}


def _of_kind(stage: str, kind: Kind, promise: core.Promise) -> Promise:
    joined = promise.when if promise.when.startswith(",") else f" {promise.when}".rstrip()
    name = f"{stage} (`{kind.name}`{joined})"
    return Promise(name, _OF_KINDS[stage][1], promise.exact, promise.why)


def rows() -> list[Promise]:
    """Return the rows of the table: of each stage, and of each kind that the package brings."""
    found: list[Promise] = []
    for key, row in PROMISES.items():
        found.append(row)
        for stage, (registry, _, after) in _OF_KINDS.items():
            if after == key:
                kinds = kinds_of(registry)
                ours = [kind for kind in kinds.ordered() if kind.name in kinds.ours()]
                found += [_of_kind(stage, k, p) for k in ours for p in k.exactness]
    outside = "renderers, filters, scenarios, models of other packages"
    return [*found, Promise(outside, "all", *core.NOTHING[:2])]


def markdown() -> str:
    """Return the table of docs/reproducibility.md."""
    lines = [[p.stage, p.artifact, _WORDS[p.exact], p.why] for p in rows()]
    return markdown_table(["stage", "artifact", "exact", "why"], lines)


def _made(stage: str, name: str, *about: Any) -> Promise:
    """Return what a kind promises; nothing where it is not installed."""
    kind = kinds_of(_OF_KINDS[stage][0]).find(name)
    if kind is None:
        return Promise(stage, _OF_KINDS[stage][1], *core.NOTHING[:2])
    return _of_kind(stage, kind, kind.promise(*about))


def _renderer(name: str, params: Params) -> list[Promise]:
    """Return the rows that apply to a renderer by the name in the parameters."""
    if name == AUTO:
        able = [kind for kind in kinds_of("renderers").ordered() if kind.lacks is not None]
        return [PROMISES["render/auto"], *(_made("render", kind.name, params) for kind in able)]
    return [_made("render", name, params)]


def _render(params: Params, _: str) -> Promise:
    render = params.render
    found = _renderer(render.renderer, params)
    if render.fallback is not None:
        found += _renderer(render.fallback, params)
    if render.rework.attempts:  # a score near a threshold decides which attempt is kept
        found += [_made("filter", f.registered, params, f) for f in render.rework.filters]
    return max(found, key=lambda promise: promise.exact.rank)


def _reference(params: Params, _: str) -> Promise:
    pinned = params.reference.weights == "pinned"
    return PROMISES["reference/pinned" if pinned else "reference"]


def _filters(params: Params, item: str) -> Promise:
    spec = next(f for f in params.filter.filters if f.name == item)
    return _made("filter", spec.registered, params, spec)


def _scenario(params: Params, item: str) -> Promise:
    spec = params.scenarios.spec(item)
    return _made("scenario", spec.registered, params, spec)


def _answer(params: Params, item: str) -> Promise:
    model = next(m for m in params.answer.models if m.name == item.split("/")[0])
    return _made("answer", model.registered, params, model)


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
