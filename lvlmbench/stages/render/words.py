"""Whether pictures follow from the scenes and the entries that they name, or from other words too.

The jobs of most renderers need no other entry (:mod:`lvlmbench.scene.vocabulary.named`): they are
given a vocabulary of these alone, so that nothing else can decide a pixel.
"""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.render import AUTO
from lvlmbench.stages.render.renderer import RENDERERS
from lvlmbench.suites.suite import Suite, suite_of


def looks_words_up(params: Params) -> bool:
    """Return whether drawing needs more of the vocabulary than the entries that scenes name.

    So it is held to be where a suite checks pictures while they are drawn, and where a renderer,
    or a filter of ``render.retries``, does not say otherwise.
    """
    render = params.render
    names = [render.renderer, *([] if render.fallback is None else [render.fallback])]
    if AUTO in names:  # whoever is chosen, on whichever machine
        names = [*names[1:], RENDERERS.first().name]
        names += [kind.name for kind in RENDERERS.ordered() if kind.lacks is not None]
    kinds = [RENDERERS.find(name) for name in names]
    filters = [spec.made_by() for spec in render.retries.filters]
    return (
        type(suite_of(params)).validator is not Suite.validator
        or any(kind is None or kind.looks_words_up(params) for kind in kinds)
        or any(kind is None or kind.vocabulary for kind in filters)
    )
