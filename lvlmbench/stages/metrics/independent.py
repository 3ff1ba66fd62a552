"""Which examiners are of a model's own family, so that their questions do not count for it."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.models import Model
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


def dependent(params: Params) -> dict[str, tuple[str, ...]]:
    """Return model -> examiners whose questions do not count as independent for it.

    They are those of its own family (:func:`own_examiners`). Where a validator decides which
    pictures stay, it keeps those that models of its family can read; where a model plans, it thinks
    of what models of its family would: of such a model they are all that ask.

    Raises
    ------
    UserError
        An examiner is not registered.
    """
    suite, own = suite_of(params), own_examiners(params)
    by: list[Model] = []
    if suite.posing(params, 0):
        deciding = suite.deciding(params)
        by += [model for model in params.validator.validators if model.name in deciding]
    if suite.planning(params):
        by += [m for m in params.examiner.examiners if m.name in params.examiner.planners]
    families = {model.family for model in by} - {None}
    touched = [model for model in params.answer.models if model.family in families]
    return own | {model.name: tuple(suite.examiners(params)) for model in touched}
