"""YAML examples: which file each is, and the parameters that a run with it has."""

from __future__ import annotations

import json
import re
import shutil
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from lvlmbench.config import Project
from lvlmbench.config.layers import merge
from lvlmbench.core.registry import registry_of
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.engine.preflight.project import begin, check_files, read_project
from lvlmbench.engine.stages import Pipeline, pipeline
from lvlmbench.stages.stage import declared
from lvlmbench.suites.dialogue import TASKS
from support import own_copy, own_questions
from support.documents.reading import ROOT, Block, block

#: Blocks that are laid over others, or over a file of the project, as their pages say.
UNDER: Mapping[str, tuple[str, ...]] = {
    "docs/extending.md: A subtask: yaml 1": ("docs/extending.md: A subtask: yaml 2",),
    "docs/extending.md: A family of questions: yaml 2": ("profiles/autodavis.yaml",),
    "docs/gpu.md: Settings: yaml 1": ("docs/gpu.md: In short: yaml 1",),
    "docs/gpu.md: Draw again what is rejected: yaml 1": ("docs/gpu.md: In short: yaml 1",),
}
#: What else a block needs that its reader has: the models that it names.
BESIDE: Mapping[str, Mapping[str, Any]] = {
    "docs/validity.md: Agreement of rankings: yaml 1": {
        "answer": {"models": [{"name": "qwen-local", "engine": "chance"}]}
    },
}

_CHANCE = {"name": "chance", "engine": "chance"}


def _write(path: Path, held: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = held if isinstance(held, str) else yaml.safe_dump(held, sort_keys=False)
    path.write_text(text, encoding="utf-8")
    return path


def _aspects(folder: Path) -> Path:
    text = block("docs/extending.md: A family of questions: yaml 1").text
    return _write(folder / "spatial.yaml", text).parent


def _templates(folder: Path) -> Path:
    return _write(folder / "own.yaml", block("docs/scenes.md: Templates: yaml 2").text).parent


def _weights(folder: Path) -> Path:
    _write(folder / "config.json", "{}")
    return _write(folder / "model.safetensors", "").parent


def _questions(path: Path) -> Path:
    """A table with all tasks, of which the look-alike has some."""
    names = [task.label for task in TASKS.values()] * 5
    row = own_questions.rows(1)[0]
    rows = [row | {"index": str(at), "task_name": name} for at, name in enumerate(names)]
    return own_questions.write(path, rows)


#: Files of the reader's own that examples name, and what makes one like it at a path.
OWN: Mapping[str, Callable[[Path], Path]] = {
    "my-aspects": _aspects,
    "my/templates": _templates,
    "/models/my-vision-model": _weights,
    "data/private/touchstone.tsv": _questions,
    "data/private/valor_bench": own_copy.write,
}


def with_own_files(text: str, folder: Path) -> str:
    """A text that names the reader's own files, with files like them in their places."""
    for name, make in OWN.items():
        if name in text:
            place = folder / "own" / name.lstrip("/")
            text = text.replace(name, str(place if place.exists() else make(place)))
    return re.sub(r"\b(valor_[a-z]+): \d+", r"\1: 2", text)  # as many as the look-alike has


# Which file a block is, by its shape.


def _entry(shown: Sequence[Mapping[str, Any]], folder: Path) -> dict[str, Any]:
    """Entries of a list of the vocabulary, each in place of that of its label, if there is one."""
    vocabulary = folder / "vocabulary"
    shutil.copytree(ROOT / "data/vocabulary", vocabulary, dirs_exist_ok=True)
    for entry in shown:
        words = f"label: {entry['label']}\n"
        file = next((f for f in vocabulary.glob("*.yaml") if words in f.read_text()), None)
        file = file or vocabulary / "animal.yaml"
        held: Any = read_yaml(file)
        old = next((e for e in held["entries"] if e["label"] == entry["label"]), None)
        held["entries"] = [e for e in held["entries"] if e is not old] + [{**(old or {}), **entry}]
        group = entry.get("group", "").partition("/")[0]
        held["groups"] = sorted({*held["groups"], group} - {""})
        _write(file, held)
    return {"vocabulary": {"folder": str(vocabulary)}}


def _list(shown: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """A list of the vocabulary, with the templates that its page shows above it."""
    vocabulary, templates = folder / "vocabulary", folder / "templates"
    shutil.copytree(ROOT / "data/vocabulary", vocabulary, dirs_exist_ok=True)
    _write(vocabulary / f"{shown['list']}.yaml", dict(shown))
    _write(templates / "own.yaml", block("docs/extending.md: A subtask: yaml 1").text)
    return {"vocabulary": {"folder": str(vocabulary)}, "templates": {"folder": str(templates)}}


def _sentences(shown: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    return {"templates": {"folder": str(_write(folder / "shown/own.yaml", dict(shown)).parent)}}


def _request(shown: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    aspects = _write(folder / "aspects/own.yaml", dict(shown)).parent
    own = {"aspects": str(aspects), "general": 1, "fine": 1}
    corpus = {"subtasks": [shown["request"]], "scenes_per_subtask": 6, "autodavis": own}
    return {"suites": {"autodavis": {"corpus": corpus}}}


def _parameters_of(shown: Any, folder: Path) -> dict[str, Any] | None:
    """The parameters that a block is, or that name the file which it is; None if none are known."""
    if isinstance(shown, list) and all(isinstance(each, dict) for each in shown):
        if all("engine" in each for each in shown):
            return {"answer": {"models": [_CHANCE, *shown]}}
        if all("label" in each for each in shown):
            return _entry(shown, folder)
        if all(each.get("kind", each.get("name")) in registry_of("filters") for each in shown):
            return {"filter": {"filters": [{"name": "integrity"}, *shown]}}
    if not isinstance(shown, dict) or not shown:
        return None
    keys = {*shown}
    if keys <= {*Project.model_fields}:
        return shown
    if keys <= {*registry_of("suites")}:
        return {"suites": {kind: {"corpus": {kind: own}} for kind, own in shown.items()}}
    if {"list", "entries"} <= keys:
        return _list(shown, folder)
    if {"request", "general"} <= keys:
        return _request(shown, folder)
    described = ("questions", "statements", "closed", "open")
    if all(isinstance(each, dict) and not {*described}.isdisjoint(each) for each in shown.values()):
        return _sentences(shown, folder)
    return None


def layers(example: Block, folder: Path) -> list[Path]:
    """The files that are laid over params.yaml for an example, the last of which it is.

    Raises
    ------
    ValueError
        It is of no shape that is known here.
    """
    below: list[Path] = []
    for name in UNDER.get(example.name, ()):
        below += [ROOT / name] if (ROOT / name).is_file() else layers(block(name), folder)
    if example.name in BESIDE:
        below.append(_write(folder / "beside.yaml", dict(BESIDE[example.name])))
    text = with_own_files(textwrap.dedent(example.text), folder)
    number = len([*folder.glob("shown-*.yaml")])
    file = _write(folder / f"shown-{number}.yaml", text)
    shown = read_yaml(file)
    found = _parameters_of(shown, folder)
    if found is None:
        raise ValueError(f"{example.name}: no rule of {Path(__file__).name} knows such a file")
    return [*below, file if found is shown else _write(file, found)]


def plan(files: Iterable[Path], more: Mapping[str, Any] | None = None) -> Pipeline:
    """Plan a run with these files over params.yaml; ``more`` is what ``--config`` says besides.

    Does what the Snakefile does before there is a DAG, and asks what each job needs. Returns what
    is made for the suites that are named there, or for the first: all of them take a second.
    """
    config: dict[str, Any] = {}
    for file in files:
        held: Any = read_yaml(file)
        config = merge(config, held)
    return _planned(json.dumps(merge(config, dict(more or {}))))


@cache
def _planned(told: str) -> Pipeline:
    config = json.loads(told)
    project, source = read_project(ROOT, config)
    begin(project, source)
    suites = {name: project.suite(name) for name in project.suites}
    for stage in declared().values():
        for values in stage.values(project):
            stage.needs(suites[values["suite"]], values)
            stage.promise(suites[values["suite"]], values)
    named = [name for name in config.get("suites", ()) if name in suites] or [*suites][:1]
    own = {name: project.suites[name] for name in named}
    return pipeline(project.model_copy(update={"suites": own}), ROOT)


def checked(example: Block, folder: Path) -> str:
    """What ``lvlmbench config check`` says of an example, which then is planned."""
    files = layers(example, folder)
    said = check_files([ROOT / "params.yaml", *files])
    assert plan(files).items
    return said
