"""Whether reference models, examiners, validators, judges, and what embeds images are there."""

from __future__ import annotations

from lvlmbench.config.project import Project
from lvlmbench.config.sections import Params
from lvlmbench.core.errors import UserError, meant
from lvlmbench.core.weights import check_folder
from lvlmbench.stages.reference.folder import NAMES, check_trained
from lvlmbench.stages.reference.loading import LOCAL


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


def check_roles(params: Params, source: str) -> None:
    """Every examiner, validator and judge is there and can do what it is to do.

    Raises
    ------
    UserError
        The first that cannot.
    """
    check_examiners(params, f"{source}: examiner.examiners")
    check_validators(params, f"{source}: validator.validators")
    check_judges(params, f"{source}: judge.judges")


def check_examiners(params: Params, where: str) -> None:
    """Every examiner is there and can write questions, and so are the prompts it is asked with.

    Raises
    ------
    UserError
        The first that cannot.
    """
    from lvlmbench.stages.examiner.making import EXAMINER
    from lvlmbench.stages.examiner.proposing import check_prompts
    from lvlmbench.stages.planner.planning import check_prompts as check_planners

    for model in params.examiner.examiners:
        EXAMINER.check(model, f"{where}: {model.name}")
        kind = model.made_by()
        if kind.check is not None:
            kind.check(params, model, f"{where}: {model.name}")
    if params.examiner.examiners:
        check_prompts(params.examiner.prompts)
    if params.examiner.planners:
        check_planners(params.examiner.prompts)


def check_validators(params: Params, where: str) -> None:
    """Every validator is there and can answer checks, and so is the prompt it is asked with.

    Raises
    ------
    UserError
        The first that cannot.
    """
    from lvlmbench.stages.check.checking import check_prompts
    from lvlmbench.stages.check.making import VALIDATOR

    for model in params.validator.validators:
        VALIDATOR.check(model, f"{where}: {model.name}")
        kind = model.made_by()
        if kind.check is not None:
            kind.check(params, model, f"{where}: {model.name}")
    if params.validator.validators:
        check_prompts(params.validator.prompts)


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
    if any(judge.model is not None for judge in params.judge.judges):
        check_prompts(params.judge.prompts)
