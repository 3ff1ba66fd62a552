"""What the Snakefile asks before it has a DAG: parameters, the plan, how to call a script."""

from __future__ import annotations

import logging
import re
import sys
import uuid
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from lvlmbench.cli_support import guarded
from lvlmbench.config import Params, validate
from lvlmbench.config.checking import check_kinds, check_names, missing_keys
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.config.layers import merge
from lvlmbench.config.loading import read_yaml
from lvlmbench.config.render import AUTO
from lvlmbench.corpus.exclusion import check_exclusion
from lvlmbench.corpus.vocabulary import load_vocabulary
from lvlmbench.dag import parts
from lvlmbench.dag.builds import BUILDS, STATE, remove
from lvlmbench.dag.hashing import digest, files_below, source_digests
from lvlmbench.dag.job import SAID
from lvlmbench.dag.plan import Plan
from lvlmbench.dag.process import begin_run, take_lock
from lvlmbench.dag.publish import drop_leftovers
from lvlmbench.dag.stages import lies_in
from lvlmbench.errors import UserError
from lvlmbench.figures.check import check_intra_task
from lvlmbench.render.choice import chosen
from lvlmbench.tables import atomic_bytes


def _worth_saying(record: logging.LogRecord) -> bool:
    """False for the shell command of a failed job: the job has said in one line what is wrong."""
    return not (
        getattr(record, "exception", None) == "RuleException"
        and "CalledProcessError" in record.getMessage()
    )


def check_given(root: Path, params: Params, source: str) -> None:
    """The folders that the stages ``validity`` and ``distances`` read are there.

    Raises
    ------
    UserError
        One is missing, or holds nothing: there is then nothing that a stage can depend on.
    """
    for key in ("rankings", "image_sets"):
        folder = getattr(params.validity, key)
        if not files_below(root / folder):
            raise UserError(
                f"{source}: validity.{key}",
                f"'{folder}' is no folder with files in it",
                "name one that is; a README.md in it is enough",
            )


class Dag:
    """The plan of a run and the paths that rules take from it.

    Parameters
    ----------
    root
        The project.
    params
        Validated parameters.
    source
        What the user is told to look at for a mistake in them.
    only
        The one stage that DVC asks for, if it does.
    """

    def __init__(self, root: Path, params: Params, source: str, only: str | None) -> None:
        self.root, self.params, self._source = root, params, source
        plain = params.model_dump(mode="json")
        self.config = f"{STATE}/config-{digest(plain, size=8)}.json"
        config = Path(self.config)
        if config.is_file() and config.read_bytes() != params.model_dump_json(indent=1).encode():
            config.unlink()  # damaged
        if not Path(self.config).is_file():
            atomic_bytes(Path(self.config), params.model_dump_json(indent=1).encode())
        self.plan = Plan(root, plain, only)
        self.plan.write()
        self._nonces: dict[str, str] = {}
        #: Stages whose jobs this run looks at.
        self._at_work: set[str] = set()
        #: Interpreter of the scripts; the Snakefile changes it where rules have environments.
        self.python = sys.executable
        #: Marks a path whose time stamp does not count; the Snakefile puts Snakemake's own here.
        self.timeless: Callable[[str], str] = str
        drawn = [params.corpus.vocabulary, "lvlmbench/corpus", "lvlmbench/render"]
        drawn += ["rules/contact_sheets.smk", "scripts/contact_sheets.py"]
        sheets = {"render": plain["render"], "code": source_digests(root, drawn)}
        #: Names what the contact sheets are made from, which no stage depends on.
        self.sheets = digest(sheets, size=8)

    @classmethod
    def open(cls, root: Path, config: Mapping[str, Any], only: str | None) -> Dag:
        """Read and validate the parameters, then see how it stands with each stage.

        ``config`` holds what ``--configfile`` and ``--config`` say; it goes over params.yaml.

        Raises
        ------
        SystemExit
            After one line on stderr about what the user can mend.
        """
        with guarded():
            begin_run()
            base = read_yaml(root / "params.yaml") or {}
            source = "params.yaml, --configfile or --config" if config else "params.yaml"
            params = validate(merge(base, dict(config)) if isinstance(base, dict) else base, source)
            vocabulary = load_vocabulary(vocabulary_dir(params))
            check_exclusion(params, vocabulary, source)  # mistakes end before there is a DAG
            check_intra_task(params, {*vocabulary.lists, "text"}, source)
            # The DAG asks the kinds of scenarios what they read, and Snakemake takes an input
            # function that fails for a rule that does not apply: old files would pass for new.
            check_kinds(params, source)
            check_given(root, params, source)
            return cls(root, params, source, only)

    def start(self) -> None:
        """Begin a run: what it needs must be there, and no other be under way in this directory.

        A dry run does not come here: what cannot run here can still be planned.

        Raises
        ------
        SystemExit
            After one line, if it cannot begin.
        """
        with guarded():
            check_names(self.params, self._source, drawing=self._draws())
            logging.getLogger("snakemake.logging").addFilter(_worth_saying)
            take_lock(Path(STATE, "run.lock"))
            stages = self.plan.stages.values()
            drop_leftovers(path for stage in stages for path in (*stage.outs, stage.seal))
            remove(Path(SAID))
            atomic_bytes(self._drawer(), chosen(self.params).renderer.encode())
            for line in (*self.who_draws(), *self.missing_keys()):
                print(line, file=sys.stderr)

    def follow(self) -> None:
        """In a job on another machine: who draws is whom the run chose, whatever is found there."""
        if self.params.render.renderer == AUTO and self._drawer().is_file():
            name = self._drawer().read_text(encoding="utf-8")
            render = self.params.render.model_copy(update={"renderer": name})
            self.params = self.params.model_copy(update={"render": render})

    def _drawer(self) -> Path:
        """File with the name of the renderer that a run of these parameters chose."""
        return Path(self.config).with_suffix(".renderer")

    def _unfinished(self, stage: str) -> bool:
        """Whether jobs of a stage that this run looks at have something left to make."""
        files = self.plan.made(stage, parts.stage_files(self.params, stage))
        return not all(Path(file).exists() for file in files)

    def _draws(self) -> bool:
        """Whether this run draws images."""
        return "render" in self._at_work and self._unfinished("render")

    def who_draws(self) -> list[str]:
        """A line about what ``render.renderer: auto`` stands for, where this run draws."""
        if self.params.render.renderer != AUTO or not self._draws():
            return []
        choice = chosen(self.params)
        model = self.params.render.diffusion.model
        who = f"{model} draws" if choice.renderer == "diffusion" else "pictographs are drawn"
        return [f"render.renderer: {AUTO}: {who}: {choice.why}"]

    def missing_keys(self) -> list[str]:
        """A line for each model that this run may ask and whose key is not set here.

        No more than a line: a model whose answers are all known needs no key, and where jobs run
        on other machines the key may be there alone. But who starts a run that renders for hours
        before it asks is to know at once.
        """
        asked = {
            stage.split("/")[1]
            for stage in self._at_work
            if stage.startswith("answer/") and self._unfinished(stage)
        }
        return [
            f"model '{name}': the environment variable {variable} is not set; unless all its "
            "answers are known, the run will end once it is asked"
            for name, variable in missing_keys(self.params).items()
            if name in asked
        ]

    def reasons(self) -> list[str]:
        """Which stages changed themselves, not only through the stages before them, and how."""
        same: dict[tuple[str, ...], list[str]] = {}
        for name, status in self.plan.status.items():
            if status.why:
                same.setdefault(status.why, []).append(name)
        return [
            f"to do: {', '.join(names)} ({', '.join(why[:4])}{', ...' if len(why) > 4 else ''})"
            for why, names in same.items()
        ]

    def job(self, script: str) -> list[str]:
        """Start of a job's command; build folder, log and the arguments of the script follow."""
        return [*self.script("job"), script]

    def script(self, name: str) -> list[str]:
        """Start of a command that runs a script."""
        return [self.python, str(self.root / "scripts" / f"{name}.py")]

    @staticmethod
    def one_of(names: Iterable[str]) -> str:
        """Regular expression that matches these names alone."""
        return "|".join(re.escape(name) for name in names) or "(?!)"

    def given(self, stage: str, *paths: str | list[str]) -> list[str]:
        """Where the inputs of a stage's jobs lie: see :meth:`Plan.given`.

        The name of the build folder stands for what published files hold, so their time stamps,
        which checking out changes, are not to be looked at.
        """
        self._at_work.add(stage)
        flat = [p for path in paths for p in ([path] if isinstance(path, str) else path)]
        found = self.plan.given(stage, flat)
        return [p if lies_in(p, BUILDS) else self.timeless(p) for p in found]

    def to_publish(self, stage: str) -> list[str]:
        """Inputs of the publishing of a stage: all files of the stages it publishes.

        Nothing where the stage is up to date. Otherwise a file that is new each time is among
        them, as the published files may be newer than the built ones and yet not be those.
        """
        stages = self.plan.ancestors(stage)
        if not stages:
            return []
        files = [
            file
            for each in stages
            for file in self.plan.made(each.name, parts.stage_files(self.params, each.name))
        ]
        if stage not in self._nonces:
            nonce = Path(STATE, "stale", stage)
            atomic_bytes(nonce, uuid.uuid4().hex.encode())
            self._nonces[stage] = str(nonce)
        return [*files, self._nonces[stage]]

    def build(self, stage: str) -> str:
        """Build folder of a stage; empty for one that is not looked at."""
        return self.plan.status[stage].build if stage in self.plan.status else ""
