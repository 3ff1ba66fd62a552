"""The parameters of a run, checked as far as a DAG needs it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lvlmbench.config import Project, validate_project
from lvlmbench.config.identity import templates_of, vocabulary_dir
from lvlmbench.config.layers import load_layers, merge
from lvlmbench.core.errors import UserError
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.engine.hashing import files_below
from lvlmbench.engine.preflight.engines import check_known
from lvlmbench.engine.preflight.kinds import check_kinds, check_packages
from lvlmbench.engine.preflight.private import check_apart
from lvlmbench.scene.exclusion import check_exclusion
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.figures.check import check_intra_task


def read_project(
    root: Path, config: Mapping[str, Any], files: Iterable[Path] = ()
) -> tuple[Project, str]:
    """Return the parameters of a run, and what the user is told to look at for mistakes in them.

    Parameters
    ----------
    root
        The project, whose params.yaml they are.
    config
        What goes over it.
    files
        Those that ``config`` was read from.

    Raises
    ------
    UserError
        The first mistake.
    """
    files = list(files)
    for file in files:
        read_yaml(file)
    base = read_yaml(root / "params.yaml") or {}
    source = "params.yaml, --configfile or --config" if config else "params.yaml"
    merged = merge(base, dict(config)) if isinstance(base, dict) else base
    try:
        project = validate_project(merged, source)
    except UserError:
        # This names the file with the mistake, if it is in one.
        load_layers([Path(os.path.relpath(root / "params.yaml")), *files])
        project = validate_project(merged, "--config")
    check_packages()
    check_apart(project, base)
    check_given(root, project, source)
    check_known(project, source)
    vocabulary = load_vocabulary(vocabulary_dir(project))
    templates_of(project)
    own = project.vocabulary
    check_exclusion(own.exclude, vocabulary, own.folder, source)
    for name in project.suites:
        params = project.suite(name)
        check_intra_task(params, {*vocabulary.lists, "text"}, source)
        # The DAG asks the kinds of scenarios what they read, and Snakemake takes an input
        # function that fails for a rule that does not apply: old files would pass for new.
        check_kinds(params, source)
    return project, source


def check_given(root: Path, project: Project, source: str) -> None:
    """The folders that a user may put files into, which stages read, are there.

    Raises
    ------
    UserError
        One is missing, or holds nothing: there is then nothing that a stage can depend on.
    """
    given = {
        "validity.rankings": project.validity.rankings,
        "validity.image_sets": project.validity.image_sets,
        "labels.folder": project.labels.folder,
    }
    for key, folder in given.items():
        if not files_below(root / folder):
            raise UserError(
                f"{source}: {key}",
                f"'{folder}' is no folder with files in it",
                "name one that is; a README.md in it is enough",
            )
