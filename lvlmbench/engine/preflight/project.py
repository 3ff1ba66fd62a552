"""The parameters of a run, checked as far as a DAG needs it, or as far as anything can be."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.config import Params, Project, validate_project
from lvlmbench.config.identity import PROJECT_ROOT, params_id, templates_of, vocabulary_dir
from lvlmbench.config.layers import BASE, ONE_OF, Layers, load_layers, merge
from lvlmbench.config.render import AUTO
from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError, meant_or
from lvlmbench.core.files import linked_below
from lvlmbench.core.registry import registry_of
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.engine.asking import SUITES
from lvlmbench.engine.preflight.engines import check_known
from lvlmbench.engine.preflight.kinds import (
    check_keys,
    check_kinds,
    check_names,
    check_packages,
    check_plans,
    models_asked,
)
from lvlmbench.engine.preflight.private import check_apart, notices, private_suites
from lvlmbench.engine.preflight.size import check_size
from lvlmbench.engine.stages import SEALS, lies_in
from lvlmbench.scene.exclusion import check_exclusion
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.stages.figures.check import check_beside, check_intra_task
from lvlmbench.stages.render.choice import chosen
from lvlmbench.stages.replies.data import check_lists
from lvlmbench.stages.score.encoder import check_encoder
from lvlmbench.stages.stage import declared, holes


def layers_of(root: Path, config: Mapping[str, Any], files: Iterable[Path]) -> Layers:
    """Return what names the file of a mistake in the parameters of a run.

    Parameters
    ----------
    root
        The project, whose params.yaml they are.
    config
        What goes over it.
    files
        Those that ``config`` was read from.
    """
    return Layers([Path(os.path.relpath(root / BASE)), *files], config)


def read_project(
    root: Path, config: Mapping[str, Any], files: Iterable[Path] = ()
) -> tuple[Project, str]:
    """Return the parameters of a run, and what the user is told to look at for mistakes in them.

    Parameters
    ----------
    root, config, files
        As :func:`layers_of` takes them.

    Raises
    ------
    UserError
        The first mistake.
    """
    if not {*"{}"}.isdisjoint(str(root)):
        what = "has a brace in its path, which Snakemake takes for a wildcard"
        raise UserError(str(root), what, "rename the folder, or clone elsewhere")
    files = list(files)
    _check_no_target(files, root)
    over = [(str(file), read_yaml(file)) for file in files]
    base = read_yaml(root / BASE) or {}
    source = ONE_OF if config else BASE
    merged = merge(base, dict(config)) if isinstance(base, dict) else base
    try:
        project = validate_project(merged, source)
    except UserError:
        # This names the file with the mistake, if it is in one.
        load_layers([Path(os.path.relpath(root / BASE)), *files])
        project = validate_project(merged, "--config")
    check_packages()
    check_apart(project, base)
    _check_left_out([(BASE, base), *over])
    with layers_of(root, config, files).named():
        _check(root, project, source)
    return project, source


def _check_no_target(files: Iterable[Path], root: Path) -> None:
    """Check that no file is one that a run makes: who writes targets behind ``--configfile`` has
    Snakemake take them for parameters."""
    for file in files:
        for place in (Path(), root):
            name = os.path.relpath(file, place)
            if lies_in(name, SEALS) or lies_in(name, tables.RESULTS):
                what = "is made by a run, and read as parameters, as it follows --configfile"
                fix = f"write targets first: 'snakemake {name} --configfile FILE'"
                raise UserError(name, what, fix)


def _check_left_out(layers: Sequence[tuple[str, object]]) -> None:
    """Check that params.yaml leaves no suite out with null, and other files one that there is.

    Parameters
    ----------
    layers
        What files say, by their names, params.yaml first.

    Raises
    ------
    UserError
        params.yaml does: DVC would make it, and miss its parameters. Or another file has a name
        there that is none: a slip, and the suite that was meant would be made.
    """
    known = [*registry_of(SUITES).names()]
    for at, (file, said) in enumerate(layers):
        suites = said.get("suites") if isinstance(said, Mapping) else None
        for name, suite in suites.items() if isinstance(suites, Mapping) else ():
            if suite is None and not at:
                what = "is null, and DVC cannot leave out what params.yaml names"
                raise UserError(f"{file}: suites.{name}", what, "take this key out of the file")
            if suite is None and name not in known:
                what = "is null, and there is no such suite to leave out"
                raise UserError(f"{file}: suites.{name}", what, meant_or(name, known))
            known += [] if name in known else [name]


def begin(project: Project, source: str) -> None:
    """Check what suites plan, and say what a run that looks at all of them says as it begins.

    Raises
    ------
    UserError
        The first mistake.
    """
    suites = [project.suite(name) for name in project.suites]
    for params in suites:
        check_plans(params, source)
    notes = [line for params in suites for line in notices(params)]
    for line in filter(None, (*notes, _encoder(project, source), check_size(project, source))):
        print(line, file=sys.stderr)


def _encoder(project: Project, source: str) -> str | None:
    """What is said of the encoder of captions."""
    return check_encoder(project.score.caption_encoder, f"{source}: score.caption_encoder")


def _check(root: Path, project: Project, source: str) -> Vocabulary:
    """Check what parameters name, as far as a DAG needs it; returns the vocabulary."""
    check_known(project, source)
    vocabulary = load_vocabulary(vocabulary_dir(project))
    templates_of(project)
    check_given(root, project, source)
    check_lists()
    _encoder(project, source)
    own = project.vocabulary
    check_exclusion(own.exclude, vocabulary, own.folder, source)
    check_beside(project, source)
    for name in project.suites:
        params = project.suite(name)
        check_intra_task(params, {*vocabulary.lists, "text"}, source)
        # The DAG asks the kinds of scenarios what they read, and Snakemake takes an input
        # function that fails for a rule that does not apply: old files would pass for new.
        check_kinds(params, source)
    return vocabulary


def check_given(root: Path, project: Project, source: str) -> None:
    """The folders that a user may name, which stages read, are there.

    Raises
    ------
    UserError
        One is missing, or holds nothing: there is then nothing that a stage can depend on.
    """
    reads = (hole for stage in declared().values() for read in stage.reads for hole in holes(read))
    for key in sorted({hole for hole in reads if "." in hole}):
        section, name = key.split(".")
        own = getattr(project, section)
        folder, usual = getattr(own, name), type(own).model_fields[name].default
        if not linked_below(root / folder):
            if (root / folder).is_dir():
                what, fix = f"'{folder}' holds no file", "put one into it, if only a README.md"
            else:
                what, fix = (
                    f"'{folder}' is no folder",
                    f"name one, as '{usual}' is",
                )
            raise UserError(f"{source}: {key}", what, fix)


def check_files(files: Sequence[Path]) -> str:
    """Check the files laid over each other; returns what they ask for in words.

    Raises
    ------
    UserError
        The first mistake.
    """
    project = load_layers(files)
    check_packages()
    _check_left_out([(str(file), read_yaml(file)) for file in files])
    with Layers(files).named():
        vocabulary = _check(PROJECT_ROOT, project, ONE_OF)
        for name in project.suites:
            check_names(project.suite(name), ONE_OF)
        check_keys(project, ONE_OF)
        more = [*filter(None, (_encoder(project, ONE_OF), check_size(project, ONE_OF)))]
    drawer = project.render.renderer
    if drawer == AUTO:
        choice = chosen(project.suite(name))
        drawer = f"{choice.renderer} ({AUTO}: {choice.why})"
    entries = sum(len(words.entries) for words in vocabulary.lists.values())
    models = ", ".join(model.name for model in project.answer.models)
    made = f"from {entries} vocabulary entries, drawn by {drawer} at {project.render.size} px"
    if len(private_suites(project)) == len(project.suites):
        made = "of a user's own pictures"
    return (
        f"{files[-1]}: good: snapshot {project.snapshot.name} {made}, asked of: {models}"
        + "".join(f"\n{_suite_in_words(project.suite(name))}" for name in project.suites)
        + "".join(f"\n{line}" for line in more)
        + _untried(project)
    )


def _untried(project: Project) -> str:
    """A line about servers, which nobody asks without a run; empty where there are none."""
    kinds = {str(asked): model.made_by() for asked, model in models_asked(project)}
    served = [name for name, kind in kinds.items() if kind is not None and kind.served]
    if not served:
        return ""
    who = ", ".join(served)
    return f"\nnot tried: the servers of {who}: a run looks for them before it computes anything"


def _suite_in_words(params: Params) -> str:
    """What a suite plans, e.g. for ``lvlmbench config check``."""
    scenes = amount(params.corpus.n_scenes, "scene")
    subtasks = amount(len(params.corpus.subtasks), "subtask")
    return (
        f"suite {params.suite} (parameters {params_id(params)}): {scenes} of {subtasks} "
        f"in the scenarios: {', '.join(params.scenarios.names)}"
    )
