"""All that can be checked before anything runs: parameters, vocabulary, names, keys."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lvlmbench.config.identity import snapshot_id, vocabulary_dir
from lvlmbench.config.layers import load_layers
from lvlmbench.config.render import AUTO
from lvlmbench.config.scenarios import Scenarios
from lvlmbench.config.sections import Params
from lvlmbench.core.errors import UserError
from lvlmbench.core.yaml_file import read_yaml


def check_kinds(params: Params, source: str) -> None:
    """Every kind of scenario, figure and export named in the parameters is there and fits.

    Raises
    ------
    UserError
        The first that is not, with those that are.
    """
    from lvlmbench.stages.exports.check import check_exports
    from lvlmbench.stages.figures.figure import FIGURES
    from lvlmbench.stages.scenario.scenario import SCENARIOS

    for spec in params.scenarios.noisy:
        SCENARIOS.get(spec.registered, f"{source}: scenarios.noisy: {spec.name}")
    for name in () if params.figures.names == "all" else params.figures.names:
        FIGURES.get(name, f"{source}: figures.names")
    check_exports(params, source)


def check_scenarios(base: Mapping[str, Any], source: str) -> None:
    """``params.yaml`` describes no scenario that it does not ask for.

    DVC reads this file as it stands, and would wait for the images of such a scenario, which
    nothing makes. In a file that is laid over it, ``names`` alone is enough.

    Raises
    ------
    UserError
        The first that it describes and does not ask for.
    """
    section = base.get("scenarios")
    noisy = section.get("noisy") if isinstance(section, dict) else None
    if not isinstance(section, dict) or not isinstance(noisy, list):
        return
    usual = Scenarios.model_fields["names"].get_default(call_default_factory=True)
    names = section.get("names", usual)
    if not isinstance(names, (list, tuple)):  # a mistake that a file over this one has mended
        return
    for spec in noisy:
        name = spec.get("name") if isinstance(spec, dict) else None
        if name is not None and name not in names:
            raise UserError(
                f"{source}: scenarios.noisy: {name}",
                "is not among scenarios.names; DVC would wait for its images, which nothing makes",
                "add it there, or take it out of scenarios.noisy (for none: 'noisy: []')",
            )


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
    from lvlmbench.engine.preflight.engines import check_reference, check_validity
    from lvlmbench.stages.answer.engine import MODELS
    from lvlmbench.stages.filter.filter import FILTERS
    from lvlmbench.stages.render.choice import resolved
    from lvlmbench.stages.render.renderer import RENDERERS
    from lvlmbench.stages.scenario.scenario import SCENARIOS

    params = resolved(params)
    names = {"renderer": params.render.renderer, "fallback": params.render.fallback}
    drawers = {
        name: RENDERERS.get(name, f"{source}: render.{key}") for key, name in names.items() if name
    }
    for drawer in drawers.values() if drawing else ():
        if drawer.check is not None:
            drawer.check(params, source)
    if params.corpus.drawable_by is not None:
        RENDERERS.get(params.corpus.drawable_by, f"{source}: corpus.drawable_by")
    for place, specs in (
        ("filter.filters", params.filter.filters),
        ("render.rework.filters", params.render.rework.filters),
    ):
        for each in specs:
            FILTERS.get(each.registered, f"{source}: {place}: {each.name}")
    for model in params.answer.models:
        MODELS.get(model.engine, f"{source}: answer.models: {model.name}: engine")
    check_reference(params, source)
    for early, place, specs in (
        (False, "filter.filters", params.filter.filters),
        (True, "render.rework.filters", params.render.rework.filters),
    ):
        for each in specs:
            judge = FILTERS.get(each.registered, source)
            if judge.check is not None:
                judge.check(params, each, f"{source}: {place}: {each.name}", early)
    for model in params.answer.models:
        engine = MODELS.get(model.engine, source)
        if engine.check is not None:
            engine.check(params, model, f"{source}: answer.models: {model.name}")
    check_validity(params, f"{source}: validity")
    for spec in params.scenarios.noisy:
        where = f"{source}: scenarios.noisy: {spec.name}"
        kind = SCENARIOS.get(spec.registered, where)
        if kind.check is not None:
            kind.check(params, spec, where)


def check_keys(params: Params, source: str) -> None:
    """Every environment variable that holds a server's key is set.

    Raises
    ------
    UserError
        The first that is not.
    """
    for name, variable in missing_keys(params).items():
        raise UserError(
            f"{source}: answer.models: {name}: endpoint.api_key_env",
            f"the environment variable {variable} is not set",
            f"run 'export {variable}=...', or write null for a server without keys",
        )


def missing_keys(params: Params) -> dict[str, str]:
    """Models with a key -> the environment variable that should hold it and is not set."""
    return {
        name: variable
        for name, variable in keys_of(params).items()
        if not os.environ.get(variable, "").strip()
    }


def keys_of(params: Params) -> dict[str, str]:
    """Return the models with a key, each with the environment variable that holds it."""
    kinds = ((model, model.made_by()) for model in params.answer.models)
    found = {m.name: k.key_of(m) for m, k in kinds if k is not None and k.key_of is not None}
    return {name: variable for name, variable in found.items() if variable is not None}


def check_files(files: Sequence[Path]) -> str:
    """Check the files laid over each other; returns the line that says what they ask for.

    Raises
    ------
    UserError
        The first mistake.
    """
    from lvlmbench.scene.vocabulary import load_vocabulary
    from lvlmbench.stages.figures.check import check_intra_task
    from lvlmbench.stages.render.choice import chosen
    from lvlmbench.suites.dysca.exclusion import check_exclusion

    params = load_layers(files)
    source = str(files[-1])
    if isinstance(base := read_yaml(files[0]), dict):
        check_scenarios(base, str(files[0]))
    folder = vocabulary_dir(params)
    check_kinds(params, source)
    check_names(params, source)
    check_keys(params, source)
    vocabulary = load_vocabulary(folder)
    check_exclusion(params, vocabulary, source)
    check_intra_task(params, {*vocabulary.lists, "text"}, source)
    drawer = params.render.renderer
    if drawer == AUTO:
        choice = chosen(params)
        drawer = f"{choice.renderer} ({AUTO}: {choice.why})"
    entries = sum(len(words.entries) for words in vocabulary.lists.values())
    models = ", ".join(model.name for model in params.answer.models)
    return (
        f"{source}: good: snapshot {params.snapshot.name} ({snapshot_id(params)}), "
        f"{params.corpus.n_scenes} scenes of {len(params.corpus.subtasks)} subtasks from "
        f"{entries} vocabulary entries, drawn by {drawer} at "
        f"{params.render.size} px, asked of: {models}, "
        f"in the scenarios: {', '.join(params.scenarios.names)}"
    )
