"""All that can be checked before anything runs: parameters, vocabulary, names, keys."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from lvlmbench.config.layers import Layers
from lvlmbench.config.models import Model
from lvlmbench.config.render import AUTO
from lvlmbench.config.sections import Params, Shared
from lvlmbench.core.blame import check_call, source_of
from lvlmbench.core.errors import UserError, meant_or
from lvlmbench.core.registry import HOMES, registry_of
from lvlmbench.engine.packages import packages

#: Stages that are not called as who is asked in them.
_ROLES = {"answer": "model", "check": "validator"}


class Asked(NamedTuple):
    """Who is asked in which stage: a model under test, a planner, an examiner, a judge ..."""

    stage: str
    name: str

    def __str__(self) -> str:
        """Return it in words."""
        return f"{_ROLES.get(self.stage, self.stage)} '{self.name}'"


#: Where the parameters list who is asked in a stage.
PLACES = {
    "answer": "answer.models",
    "planner": "examiner.examiners",
    "examiner": "examiner.examiners",
    "check": "validator.validators",
    "judge": "judge.judges",
}


def check_packages() -> None:
    """What other packages add can be imported, so that no job ends at it hours later.

    Raises
    ------
    UserError
        The first that cannot.
    """
    for registry in sorted(set().union(*packages().values()) & HOMES.keys()):
        registry_of(registry).names()


def check_kinds(params: Params, source: str) -> None:
    """Every kind of scenario, figure and export named in the parameters is there and fits.

    Raises
    ------
    UserError
        The first that is not, with those that are.
    """
    from lvlmbench.stages.exports.check import check_exports
    from lvlmbench.stages.figures.figure import FIGURES
    from lvlmbench.stages.scenario.scenario import SCENARIOS, place_of

    for spec in params.scenarios.noisy:
        where = f"{source}: {place_of(params, spec.name)}"
        SCENARIOS.get(spec.registered, where)
    for name in () if params.figures.names == "all" else params.figures.names:
        if FIGURES.find(name) is None:
            fix = f"{meant_or(name, FIGURES.names())} (docs/gallery.md shows them)"
            raise UserError(f"{source}: figures.names", f"'{name}' is not known", fix)
    check_exports(params, source)


def _check_drawers(params: Params, source: str, drawing: bool) -> None:
    from lvlmbench.stages.render.renderer import RENDERERS

    names = {"renderer": params.render.renderer, "fallback": params.render.fallback}
    drawers = {
        name: RENDERERS.get(name, f"{source}: render.{key}") for key, name in names.items() if name
    }
    for drawer in drawers.values() if drawing else ():
        if drawer.check is not None:
            drawer.check(params, source)


def _check_suite(made: Callable[..., Any], where: str) -> None:
    """What is registered is a suite, and has what each one must have."""
    from lvlmbench.suites.suite import Suite

    shown = "docs/extending.md#a-suite shows one"
    if not (isinstance(made, type) and Suite in made.__mro__):
        name = getattr(made, "__name__", repr(made))
        fix = f"write 'class {name}(Suite):'; {shown}"
        raise UserError(f"{where}: {source_of(made)}", f"{name} is no Suite", fix)
    own = ("scenes", "questions", "prompt")
    if lacking := [name for name in own if getattr(made, name) is getattr(Suite, name)]:
        what = f"{made.__name__} has no {', no '.join(lacking)}"
        raise UserError(f"{where}: {source_of(made)}", what, f"add what is missing: {shown}")


def check_plans(params: Params, source: str) -> None:
    """Every suite, renderer, filter, scenario and model in a role that parameters name is known.

    What suites say of themselves fits, too.

    Nothing of the machine is looked at, so a dry run is told as well.

    Raises
    ------
    UserError
        The first that is not, with those that are.
    """
    from lvlmbench.engine.preflight.engines import listed
    from lvlmbench.stages.answer.engine import MODELS
    from lvlmbench.stages.filter.filter import FILTERS
    from lvlmbench.stages.render.renderer import RENDERERS
    from lvlmbench.stages.scenario.scenario import SCENARIOS, place_of
    from lvlmbench.suites.suite import SUITES

    where = f"{source}: suites.{params.suite}: kind"
    suite = SUITES.get(params.kind, where)
    _check_suite(suite.make, where)
    if suite.check is not None:
        suite.check(params, source)
    if not params.corpus.subtasks:
        where = f"{source}: suites.{params.suite}.corpus.subtasks"
        fix = f"declare one with suites=('{params.kind}',)"
        raise UserError(where, f"the kind '{params.kind}' has no subtask", fix)
    render, drawable = params.render, params.corpus.drawable_by
    for key, drawer in (
        ("render.renderer", None if render.renderer == AUTO else render.renderer),
        ("render.fallback", render.fallback),
        (f"suites.{params.suite}.corpus.drawable_by", drawable),
    ):
        if drawer is not None:
            RENDERERS.get(drawer, f"{source}: {key}")
    for each in params.filter.filters:
        FILTERS.get(each.registered, f"{source}: filter.filters: {each.name}")
    for model in params.answer.models:
        where = f"{source}: answer.models: {model.name}: engine"
        check_call(MODELS.get(model.engine, where).make, where, "params", "model", "weights")
    for role, model, place in listed(params):
        role.check(model, f"{source}: {place}")
    for spec in params.scenarios.noisy:
        SCENARIOS.get(spec.registered, f"{source}: {place_of(params, spec.name)}")


def check_names(params: Params, source: str, *, drawing: bool = True) -> None:
    """Every renderer, filter and engine named in the parameters is there and fits.

    Parameters
    ----------
    drawing
        Whether images are still to be drawn, so that weights of renderers must be there.

    Raises
    ------
    UserError
        The first that does not, with what would.
    """
    from lvlmbench.engine.preflight.engines import check_reference, check_roles, check_validity
    from lvlmbench.stages.answer.engine import MODELS
    from lvlmbench.stages.filter.filter import FILTERS
    from lvlmbench.stages.render.choice import resolved
    from lvlmbench.stages.scenario.scenario import SCENARIOS, place_of

    check_plans(params, source)
    params = resolved(params)
    _check_drawers(params, source, drawing)
    filters = [
        (early, f"{source}: {place}: {each.name}", each)
        for early, place, specs in (
            (False, "filter.filters", params.filter.filters),
            (True, "render.retries.filters", params.render.retries.filters),
        )
        for each in specs
    ]
    for _, where, each in filters:
        FILTERS.get(each.registered, where)
    check_reference(params, source)
    for early, where, each in filters:
        judge = FILTERS.get(each.registered, source)
        if judge.check is not None:
            judge.check(params, each, where, early)
    for model in params.answer.models:
        engine = MODELS.get(model.engine, source)
        if engine.check is not None:
            engine.check(params, model, f"{source}: answer.models: {model.name}")
    check_validity(params, f"{source}: validity")
    check_roles(params, source)
    for spec in params.scenarios.noisy:
        where = f"{source}: {place_of(params, spec.name)}"
        kind = SCENARIOS.get(spec.registered, where)
        if kind.check is not None:
            kind.check(params, spec, where)


def lacking(params: Params, source: str, layers: Layers) -> Iterator[str]:
    """Yield what models lack on this machine: a run ends so, a dry run goes on but tells it."""
    from lvlmbench.stages.answer.engine import MODELS

    for model in params.answer.models:
        engine = MODELS.get(model.engine, source)
        try:
            if engine.check is not None:
                engine.check(params, model, f"{source}: answer.models: {model.name}")
        except UserError as error:
            yield f"a run here would end so: {layers.tell(error)}"


def check_keys(params: Shared, source: str) -> None:
    """Every environment variable that holds a server's key is set.

    Raises
    ------
    UserError
        The first that is not.
    """
    for asked, variable in missing_keys(params).items():
        raise UserError(
            f"{source}: {PLACES[asked.stage]}: {asked.name}: endpoint.api_key_env",
            f"the environment variable {variable} is not set",
            f"run 'export {variable}=...', or write null for a server without keys",
        )


def missing_keys(params: Shared) -> dict[Asked, str]:
    """Who is asked with a key -> the variable that should hold it and is not set."""
    return {
        asked: variable
        for asked, variable in keys_of(params).items()
        if not os.environ.get(variable, "").strip()
    }


def models_asked(params: Shared) -> list[tuple[Asked, Model]]:
    """Return who is asked in which stage, each with the model that it is."""
    judges = (
        (Asked("judge", called), model)
        for judge in params.judge.judges
        for called, model in judge.models.items()
    )
    models = ((Asked("answer", m.name), m) for m in params.answer.models)
    by_name = {m.name: m for m in params.examiner.examiners}
    examiners = ((Asked("examiner", m.name), m) for m in params.examiner.examiners)
    validators = ((Asked("check", m.name), m) for m in params.validator.validators)
    planners = ((Asked("planner", n), by_name[n]) for n in params.examiner.planners)
    every = (*models, *planners, *examiners, *validators, *judges)
    return [(asked, model) for asked, model in every if model is not None]


def keys_of(params: Shared) -> dict[Asked, str]:
    """Return who is asked with a key, each with the environment variable that holds it."""
    found = {}
    for asked, model in models_asked(params):
        kind = model.made_by()
        variable = kind.key_of(model) if kind is not None and kind.key_of is not None else None
        if variable is not None:
            found[asked] = variable
    return found
