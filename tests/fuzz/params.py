"""Parameter files: through ``lvlmbench config check``, and as the Snakefile reads them."""

from __future__ import annotations

import functools
import os
import sys
from pathlib import Path
from typing import Any

import yaml

from fuzz import nasty, yaml_files
from fuzz.case import Case, Rng
from fuzz.child import warmed
from lvlmbench.commands.main import main as cli
from lvlmbench.config import Params, Project
from lvlmbench.config.identity import params_id, vocabulary_dir
from lvlmbench.config.layers import load_layers
from lvlmbench.core.guard import guarded
from lvlmbench.engine.messages import reason_lines
from lvlmbench.engine.setup import Dag
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.suites.suite import build_shard

ROOT = Path(__file__).resolve().parents[2]

#: What the defaults do not have, so that mutations find it.
_MORE: dict[str, Any] = {
    "vocabulary": {"exclude": {"animal": ["owl"], "text": ["time"]}},
    "suites": {
        "dysca": {
            "corpus": {"scenes": {"animal": 3}, "subtasks": ["animal", "color", "text", "age"]}
        }
    },
    "render": {
        "renderer": "pictograph",
        "retries": {"attempts": 2, "filters": [{"name": "integrity"}]},
    },
    "answer": {
        "models": [
            {"name": "chance", "engine": "chance"},
            {
                "name": "served",
                "engine": "openai_chat",
                "endpoint": {
                    "base_url": "http://localhost:8000/v1",
                    "model": "small",
                    "api_key_env": None,
                    "price_per_million": [1.0, 2.0],
                    "budget_usd": 3.0,
                    "requests_per_minute": 60,
                    "sampling": {"temperature": 0.0, "max_tokens": 16, "seed": 1},
                },
            },
        ]
    },
    "statistics": {"resamples": 200},
    "validity": {"names": {"served": "another"}},
    "figures": {"names": ["funnel", "subtask_scores"]},
    "report": {"items": 4},
}


#: Kinds of suites that ask about what was drawn where: without a picture they have no question.
_ASKED_OF_LAYOUTS = {"composed", "autodavis", "valor", "touchstone"}


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    out = dict(below)
    for key, value in above.items():
        both = isinstance(value, dict) and isinstance(out.get(key), dict)
        out[key] = _merged(out[key], value) if both else value
    return out


def small_corpus(params: Params) -> None:
    """A few scenes and questions with these parameters: what validates must work."""
    corpus = params.corpus.model_copy(
        update={"scenes_per_subtask": 4, "scenes": {}, "shard_scenes": 100}
    )
    few = params.model_copy(update={"corpus": corpus})
    vocabulary = load_vocabulary(vocabulary_dir(few))
    scenes, questions = build_shard(few, vocabulary, 0, few.corpus.n_scenes)
    assert scenes.num_rows == few.corpus.n_scenes
    asked_of_layouts = few.kind in _ASKED_OF_LAYOUTS
    assert questions.num_rows or asked_of_layouts or few.corpus.questions_per_scene < 1
    params_id(params)


def small_corpora(project: Project) -> None:
    """The same of every suite."""
    for name in project.suites:
        small_corpus(project.suite(name))


class ParamsFiles:
    """Mutants of params.yaml with every section and most optional keys in it."""

    name = "params"

    def __init__(self, work: Path) -> None:
        given = yaml.safe_load((ROOT / "params.yaml").read_text())
        defaults = Project().model_dump(mode="json")  # type: ignore[call-arg]
        self._data = _merged(_merged(defaults, given), _MORE)
        for suite in self._data["suites"].values():
            scenarios = suite["scenarios"]
            for key, name in (("names", str), ("noisy", lambda spec: spec["name"])):
                scenarios[key] = [each for each in scenarios[key] if name(each) != "adversarial"]
        # A project of links whose params.yaml is the mutant: as the Snakefile sees it.
        self._project = work / "project"
        self._project.mkdir()
        for name in ("dvc.yaml", "rules", "scripts", "lvlmbench", "data", "profiles", "Snakefile"):
            (self._project / name).symlink_to(ROOT / name)
        (self._project / "CREDITS.md").symlink_to(ROOT / "CREDITS.md")
        self._hashes = work / "hashes.json"
        (work / "warm").mkdir()
        warmed(self.sound(work / "warm").action, work / "warm")

    def _text(self, rng: Rng) -> tuple[str, bytes]:
        data = yaml.safe_load(yaml.safe_dump(self._data))
        chosen = rng.random()
        if chosen < 0.04:
            text = nasty.value(rng)
            return f"the whole file: {text[:60]!r}", text.encode("utf-8", "surrogatepass")
        if chosen < 0.2:
            raw = yaml.safe_dump(data, sort_keys=False).encode()
            return nasty.bytes_(rng, raw)
        said, text = yaml_files.mutate(rng, data)
        return said, text.encode("utf-8", "surrogatepass")

    def sound(self, folder: Path) -> Case:
        """The file as it is."""
        file = self._project / "params.yaml"
        file.write_text(yaml.safe_dump(self._data, sort_keys=False))
        return Case("nothing", functools.partial(self._both, file))

    def _both(self, file: Path) -> None:
        self._check(file)
        self._plan(file)

    def case(self, rng: Rng, folder: Path) -> Case:
        """A mutant for one of the two doors."""
        said, raw = self._text(rng)
        if rng.random() < 0.5:
            file = folder / "params.yaml"
            file.write_bytes(raw)
            return Case(
                f"config check: {said}", functools.partial(self._check, file), (), ["params.yaml"]
            )
        file = self._project / "params.yaml"
        file.write_bytes(raw)
        return Case(f"Snakefile: {said}", functools.partial(self._plan, file), (), ["params.yaml"])

    @staticmethod
    def _check(file: Path) -> None:
        cli(["config", "check", "--base", str(file)])
        with guarded():
            small_corpora(load_layers([file]))

    def _plan(self, file: Path) -> None:
        if self._hashes.exists():
            Path(".lvlmbench").mkdir()
            os.link(self._hashes, ".lvlmbench/hashes.json")
        # Snakemake turns exceptions of the Snakefile into its own; ours end it before.
        dag = Dag.open(self._project, {}, None)
        assert reason_lines(dag.plan.status)
        if not self._hashes.exists() and Path(".lvlmbench/hashes.json").exists():
            os.link(".lvlmbench/hashes.json", self._hashes)
        sys.stderr.flush()
        with guarded():
            small_corpora(dag.project)
