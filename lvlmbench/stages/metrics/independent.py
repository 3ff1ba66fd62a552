"""Which examiners are of a model's own family, so that their questions do not count for it."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.suites.suite import suite_of


def own_examiners(params: Params) -> dict[str, tuple[str, ...]]:
    """Return model -> examiners of its family; models whose family asks nothing are left out.

    A family is what ``answer.models[].family`` and the examiner say.

    Raises
    ------
    UserError
        An examiner is not registered.
    """
    asking = suite_of(params).examiners(params)
    found = {
        model.name: tuple(name for name, family in asking.items() if family == model.family)
        for model in params.answer.models
        if model.family is not None
    }
    return {name: own for name, own in found.items() if own}
