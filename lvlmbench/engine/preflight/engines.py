"""Whether reference models, examiners, validators, judges, and what embeds images are there."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.config.models import Model
from lvlmbench.config.project import Project
from lvlmbench.config.sections import Params
from lvlmbench.core.errors import UserError, meant
from lvlmbench.core.weights import check_folder
from lvlmbench.stages.reference.folder import NAMES, check_trained
from lvlmbench.stages.reference.loading import LOCAL
from lvlmbench.stages.roles.making import Role


def check_reference(params: Params, source: str) -> None:
    """Check that reference models are known.

    Raises
    ------
    UserError
        The first engine that cannot do what is asked of it.
    """
    for name in params.reference.models:
        if name not in NAMES:
            raise UserError(
                f"{source}: reference.models",
                f"there is no reference model '{name}'",
                f"use some of: {', '.join(NAMES)}",
            )


def check_known(project: Project, source: str) -> None:
    """Check that suites whose answers models know are suites of the run.

    Raises
    ------
    UserError
        The first that is none.
    """
    for model in project.answer.models:
        kind = model.made_by()
        suite = None if kind is None or kind.knows is None else kind.knows(model)
        if suite is not None and suite not in project.suites:
            where = f"{source}: answer.models: {model.name}: {kind.section}"
            fix = meant(suite, project.suites, f"use one of: {', '.join(project.suites)}")
            raise UserError(where, f"'{suite}' is no suite of this run", fix)


def check_validity(params: Params, where: str) -> None:
    """What embeds images is there, and the models that are held against others' are asked."""
    engine = params.validity.kmmd.encoder
    if engine is not None:
        if engine in NAMES and engine not in params.reference.models:
            fix = f"add {engine} to reference.models, or write null to measure no distances"
            raise UserError(f"{where}.kmmd.encoder", f"'{engine}' is not in reference.models", fix)
        check_trained(params, engine, f"{where}.kmmd.encoder")
        if engine.startswith(LOCAL):
            check_folder(engine.removeprefix(LOCAL), f"{where}.kmmd.encoder")
    asked = [model.name for model in params.answer.models]
    for name in params.validity.names:
        if name not in asked:
            fix = f"use names of answer.models: {', '.join(asked)}"
            raise UserError(f"{where}.names", f"there is no model '{name}'", fix)


def listed(params: Params) -> Iterator[tuple[Role, Model, str]]:
    """Yield each model that is listed for a role, with the key that lists it and its name."""
    from lvlmbench.stages.check.making import VALIDATOR
    from lvlmbench.stages.examiner.making import EXAMINER

    for role, models in (
        (EXAMINER, params.examiner.examiners),
        (VALIDATOR, params.validator.validators),
    ):
        for model in models:
            yield role, model, f"{role.listed}: {model.name}"


def check_roles(params: Params, source: str) -> None:
    """Every examiner, planner, validator and judge is there and can do what it is to do.

    So are the prompts that they are asked with.

    Raises
    ------
    UserError
        The first that cannot.
    """
    from lvlmbench.stages.check.checking import check_prompts as check_validators
    from lvlmbench.stages.examiner.proposing import check_prompts as check_examiners
    from lvlmbench.stages.planner.planning import check_prompts as check_planners

    for role, model, place in listed(params):
        role.check(model, f"{source}: {place}")
        kind = model.made_by()
        if kind.check is not None:
            kind.check(params, model, f"{source}: {place}")
    if params.examiner.examiners:
        check_examiners(params.examiner.prompts)
    if params.examiner.planners:
        check_planners(params.examiner.prompts)
    if params.validator.validators:
        check_validators(params.validator.prompts)
    check_judges(params, f"{source}: judge.judges")


def check_judges(params: Params, where: str) -> None:
    """Every judge is there and can judge, and so are the prompts that models judge with.

    Raises
    ------
    UserError
        The first that cannot.
    """
    from lvlmbench.stages.judge.making import check
    from lvlmbench.stages.judge.served.judge import check_prompts

    for judge in params.judge.judges:
        check(judge, f"{where}: {judge.name}")
        kind = judge.made_by()
        if kind.check is not None:
            kind.check(params, judge.model or judge, f"{where}: {judge.name}")
        if judge.extractor is not None and (own := judge.extractor.made_by()).check is not None:
            own.check(params, judge.extractor, f"{where}: {judge.name}: extractor")
    if any(judge.model is not None for judge in params.judge.judges):
        check_prompts(params.judge.prompts)
