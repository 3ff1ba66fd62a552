"""What the Snakefile asks before it has a DAG: parameters, the plan, how to call a script."""

from __future__ import annotations

import logging
import os
import re
import sys
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from subprocess import Popen
from typing import Any

from lvlmbench.config import Params, Project
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.config.layers import Layers
from lvlmbench.config.loading import load_project
from lvlmbench.config.render import AUTO
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import guarded
from lvlmbench.engine.builds import BUILDS, MADE, STATE, TOPS, remove
from lvlmbench.engine.clocks import bring_all_back
from lvlmbench.engine.expected import Job
from lvlmbench.engine.failures import AWAY, SAID, worth_saying
from lvlmbench.engine.following import followed, lead
from lvlmbench.engine.forced import nothing
from lvlmbench.engine.hashing import digest, source_digests
from lvlmbench.engine.paths import Paths
from lvlmbench.engine.plan import Plan
from lvlmbench.engine.preflight.kinds import check_names, keys_of
from lvlmbench.engine.preflight.private import not_of_private
from lvlmbench.engine.preflight.project import begin, layers_of, read_project
from lvlmbench.engine.preflight.servers import check_servers, key_lines
from lvlmbench.engine.process import begin_run
from lvlmbench.engine.publish import drop_leftovers, give_way
from lvlmbench.engine.stages import Item, lies_in, pipeline
from lvlmbench.engine.storage import HANDED, Storage, check_sources, hand, handed
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.reference.labels import strange_labels
from lvlmbench.stages.render.choice import chosen
from lvlmbench.stages.render.renderer import RENDERERS
from lvlmbench.stages.stage import AXES, declared

#: What a job is told of itself, where its rule has such a wildcard.
_TOLD = (*(axis for axis in AXES if axis != "reference"), "export")


class Dag:
    """The plan of a run and the paths that rules take from it.

    Parameters
    ----------
    root
        The project.
    project
        Validated parameters.
    source
        What the user is told to look at for a mistake in them.
    only
        What DVC asks for, if it does: items, or all whose names begin so.
    storage
        Through which files pass between machines that share no disk, if they do.
    force
        Tells which stages are to be made anew though they are up to date.
    """

    def __init__(
        self,
        root: Path,
        project: Project,
        source: str,
        only: Collection[str] | None,
        storage: Storage | None = None,
        force: Callable[[Item], bool] = nothing,
    ) -> None:
        self.root, self.source, self.storage = root, source, storage
        self.project, self.suites = project, {name: project.suite(name) for name in project.suites}
        plain = project.model_dump(mode="json")
        self.config = f"{STATE}/config-{digest(plain, size=8)}.json"
        config, text = Path(self.config), project.model_dump_json(indent=1).encode()
        if not config.is_file() or config.read_bytes() != text:  # or damaged
            atomic_bytes(config, text)
        self._told = handed() if storage is not None and storage.away else None
        self._run = followed() if storage is None else None
        items, self.paths = pipeline(project, root), Paths(project)
        if self._run is not None:
            os.environ[AWAY] = "1"
            self.plan = Plan.kept(root, items, self._run["stages"])
        else:
            told = None if self._told is None else self._told["plan"]
            self.plan = Plan(root, items, only, told, force)
            self.plan.write()
        if storage is not None:
            storage.link()
        self._nonces: dict[str, str] = {}
        #: Stages whose jobs this run looks at.
        self._at_work: set[str] = set()
        #: Names the file of a mistake in the parameters.
        self.layers = Layers()
        #: Interpreter of the scripts; the Snakefile changes it where rules have environments.
        self.python = sys.executable
        #: Jobs of the run that has begun.
        self.begun: list[Job] = []
        #: The process that jobs may ask, where the run has started one.
        self.warmed: Popen[bytes] | None = None
        #: Marks a path whose time stamp does not count; the Snakefile puts Snakemake's own here.
        self.timeless: Callable[[str], str] = str
        #: Names what the contact sheets are made from, which no stage depends on.
        self.sheets: str = self._sheets(plain) if self._run is None else self._run["sheets"]

    def _sheets(self, plain: Mapping[str, Any]) -> str:
        """Hash of what the contact sheets are made from."""
        drawn = [self.project.vocabulary.folder, "lvlmbench/suites", "lvlmbench/stages/render"]
        drawn += ["rules/contact_sheets.smk", "scripts/contact_sheets.py"]
        sheets = {"render": plain["render"], "code": source_digests(self.root, drawn)}
        return digest(sheets, size=8)

    @classmethod
    def open(
        cls,
        root: Path,
        config: Mapping[str, Any],
        only: Collection[str] | None,
        storage: Callable[[], Storage | None] = lambda: None,
        files: Iterable[Path] = (),
        force: Callable[[Item], bool] = nothing,
    ) -> Dag:
        """Read and validate the parameters, then see how it stands with each stage.

        ``config`` holds what ``--configfile`` and ``--config`` say; it goes over params.yaml.
        ``storage`` finds the storage of the run, if any. ``files`` are those of ``--configfile``:
        Snakemake, which reads them, takes the last of two equal keys in silence.

        Raises
        ------
        SystemExit
            After one line on stderr about what the user can mend.
        """
        with guarded():
            begin_run()
            if (run := followed()) is not None:  # a job of a run, which has looked at all of this
                project = load_project(Path(run["config"]))  # params.yaml may have been edited
                return cls(root, project, run["config"], only, storage())
            project, source = read_project(root, config, files := [*files])
            with (layers := layers_of(root, config, files)).named():
                if only is None:
                    begin(project, source)
                dag = cls(root, project, source, only, not_of_private(project, storage()), force)
            dag.layers = layers
            return dag

    @property
    def params(self) -> Params:
        """Parameters of the first suite, which hold those that all share."""
        return next(iter(self.suites.values()))

    def start(self, here: bool = True) -> None:
        """Begin a run: what it needs must be there, and no other be under way in this directory.

        A dry run does not come here: what cannot run here can still be planned.

        Parameters
        ----------
        here
            Whether jobs run on this machine, so that servers and keys must be found from it.

        Raises
        ------
        SystemExit
            After one line, if it cannot begin.
        """
        with guarded(), self.layers.named():
            for params in self.suites.values():
                check_names(params, self.source, drawing=self._draws())
            logging.getLogger("snakemake.logging").addFilter(worth_saying)
            self.plan.begin()
            bring_all_back((*TOPS, BUILDS))
            stages = self.plan.stages.values()
            drop_leftovers(path for stage in stages for path in (*stage.outs, stage.seal))
            remove(Path(SAID))
            if self.storage is not None:
                self.storage.keep()
                self._leave_to_storage()
            kept = {"config": self.config, "stages": self.plan.keep(), "sheets": self.sheets}
            lead({**kept, "renderer": chosen(self.params).renderer})
            look = check_servers if here else key_lines
            found = look(self.project, self.asking(), self.source)
            for line in (*self.who_draws(), *found, *self.unlearned()):
                print(line, file=sys.stderr)

    def _leave_to_storage(self) -> None:
        """Remove what was built here, with its notes: what lies in the storage counts.

        A note about a file from here would call another of that name, which is fetched, damaged.
        """
        for name, status in self.plan.status.items():
            if self.plan.stale(name) and not self._at_home(name):
                for folder in (MADE, "data", "results"):
                    remove(Path(status.build, folder))

    def follow(self) -> None:
        """In a job on another machine: who draws is whom the run chose, whatever is found there."""
        told = self._run or self._told
        if self.project.render.renderer == AUTO and told is not None:
            render = self.project.render.model_copy(update={"renderer": told["renderer"]})
            own = self.suites.items()
            self.suites = {name: p.model_copy(update={"render": render}) for name, p in own}

    @staticmethod
    def _at_home(name: str) -> bool:
        """Whether the jobs of an item run where the run was started."""
        return declared()[name.partition("/")[0]].at_home

    def _unfinished(self, item: str) -> bool:
        """Whether jobs of an item that this run looks at have something left to make."""
        return not all(Path(f).exists() for f in self.plan.made(item, self.paths.of(item)))

    def _draws(self) -> bool:
        """Whether this run draws images."""
        return any(item.startswith("render/") and self._unfinished(item) for item in self._at_work)

    def who_draws(self) -> list[str]:
        """A line about what ``render.renderer: auto`` stands for, where this run draws."""
        if self.params.render.renderer != AUTO or not self._draws():
            return []
        choice = chosen(self.params)
        kind = RENDERERS.get(choice.renderer, "render.renderer")
        who = f"{choice.renderer} draws"
        if kind.models is not None:
            who += f" with {kind.models(self.params)[0]}"
        return [f"render.renderer: {AUTO}: {who}: {choice.why}"]

    def unlearned(self) -> list[str]:
        """A line about labels that reference models do not know, where this run filters by them."""
        if not any(i.startswith("filter/") and self._unfinished(i) for i in self._at_work):
            return []
        lines = strange_labels(self.project, load_vocabulary(vocabulary_dir(self.project)))
        return [f"note: {line}; there is nothing to do about it" for line in lines]

    def asking(self) -> set[tuple[str, str]]:
        """Stages and names of who may be asked in this run."""
        mine = [i.split("/") for i in self._at_work if self._unfinished(i)]
        return {(parts[0], parts[2]) for parts in mine if len(parts) > 2}

    def job(self, script: str) -> list[str]:
        """Start of a job's command; build folder, log and the arguments of the script follow."""
        below = [] if self.storage is None else ["--below", self.storage.folder]
        return [self.python, "-S", str(self.root / "scripts/job.py"), *below, script]

    def script(self, name: str) -> list[str]:
        """Start of a command that runs a script."""
        return [self.python, str(self.root / "scripts" / f"{name}.py")]

    @staticmethod
    def one_of(names: Iterable[str]) -> str:
        """Regular expression that matches these names alone."""
        return "|".join(re.escape(name) for name in names) or "(?!)"

    def about(self, wildcards: Any) -> list[str]:
        """What a job is told of itself: parameters, suite, and what its wildcards say."""
        own = dict(wildcards.items())
        told = ["--config", self.config, "--suite", own.get("suite", self.params.suite)]
        return [*told, *(t for key in _TOLD if key in own for t in (f"--{key}", own[key]))]

    def needs(self, stage: str, what: str) -> Callable[[Any], Any]:
        """What the jobs of a stage ask of their machine, as a function of wildcards."""

        def find(wildcards: Any) -> Any:
            params, own = self._params(wildcards), dict(wildcards.items())
            return getattr(declared()[stage].needs(params, own), what)

        return find

    def _params(self, wildcards: Any) -> Params:
        return self.suites.get(dict(wildcards.items()).get("suite", ""), self.params)

    def reads(self, stage: str, *templates: str) -> Callable[[Any], list[str]]:
        """Inputs of a stage's jobs, of which it declares the templates, as a function of wildcards.

        A job about a shard of images reads what tables hold about that shard, others read all.
        """
        return self.of(stage, lambda params, w: self.paths.below(templates, dict(w.items())))

    def of(
        self, stage: str, paths: Callable[[Params, Any], list[str]]
    ) -> Callable[[Any], list[str]]:
        """:meth:`reads` for published paths that parameters and wildcards give."""

        def find(wildcards: Any) -> list[str]:
            item = declared()[stage].item(dict(wildcards.items()))
            return self.given(item, paths(self._params(wildcards), wildcards))

        return find

    def weights(self, stage: str) -> Callable[[Any], list[str]]:
        """Files of the reference model that a job reads, if it does, as a function of wildcards."""

        def paths(params: Params, wildcards: Any) -> list[str]:
            name = declared()[stage].weights(params, dict(wildcards.items()))
            known = name in params.reference.models
            return self.paths.below([f"data/reference/{name}"], {}) if known else []

        return self.of(stage, paths)

    def given(self, item: str, *paths: str | list[str]) -> list[str]:
        """Where the inputs of an item's jobs lie: see :meth:`Plan.given`.

        The name of the build folder stands for what published files hold, so their time stamps,
        which checking out changes, are not to be looked at.
        """
        self._at_work.add(item)
        flat = [p for path in paths for p in ([path] if isinstance(path, str) else path)]
        offered = self.storage is not None and not self._at_home(item)
        found = self.plan.given(item, flat, offered=offered)
        marked = []
        for p in found:
            if lies_in(p, BUILDS):
                marked.append(self.home(p) if any(lies_in(p, b) for b in self._stays) else p)
            else:
                marked.append(self.timeless(p if offered else self.home(p)))
        return marked

    @cached_property
    def _stays(self) -> list[str]:
        """Build folders of items whose jobs run where the run was started."""
        return [s.build for name, s in self.plan.status.items() if self._at_home(name)]

    def tables(self, stage: str, wildcards: Any) -> list[str]:
        """All that a stage declares to read of tables, for jobs of which each reads all of it.

        That is a mark that they are there. Where files pass through a storage a job gets what it
        names, so it names them all.
        """
        if self.storage is not None:
            return self.all_tables(stage)(wildcards)
        self._at_work.add(declared()[stage].item(dict(wildcards.items())))
        return [f"{wildcards.build}/{stage}-{wildcards.suite}.done"]

    def all_tables(self, stage: str) -> Callable[[Any], list[str]]:
        """Those tables, as a function of wildcards."""
        tables = [read for read in declared()[stage].reads if read.startswith("data/{suite}/")]
        return self.reads(stage, *tables)

    def home(self, path: str) -> str:
        """A path on the machine that starts the run, not in its storage."""
        return path if self.storage is None else self.storage.local(path)

    def hand_over(self) -> list[str]:
        """Leave what jobs elsewhere need in the environment; returns which variables to hand on.

        Raises
        ------
        SystemExit
            After one line, if such jobs cannot be had.
        """
        if self.storage is None:
            return []
        with guarded():
            if self.plan.only is not None:
                where = f"stage '{' '.join(self.plan.only)}'"
                fix = "run Snakemake with this profile yourself, then 'dvc commit -f'"
                raise UserError(where, "DVC asks for its seal alone", fix)
            self.storage.check()
            check_sources(self.root, self.plan.sources())
            hand({"plan": self.plan.facts(), "renderer": chosen(self.params).renderer})
        keys = set(keys_of(self.project).values())
        return [HANDED, *sorted(key for key in keys if os.environ.get(key))]

    def to_publish(self, stage: str) -> list[str]:
        """Inputs of the publishing of a stage: all files of the stages it publishes.

        Nothing where the stage is up to date. Otherwise a file that is new each time is among
        them, as the published files may be newer than the built ones and yet not be those.
        """
        if not (stages := self.plan.ancestors(stage)) or self._run is not None:  # no job publishes
            return []
        files = [
            self.home(file) if self._at_home(each.name) else file
            for each in stages
            for file in self.plan.made(each.name, self.paths.of(each.name))
        ]
        if stage not in self._nonces:
            with guarded():  # else Snakemake's words, which tell no next step, would be the last
                give_way((self.plan.stages[stage].seal, *self.plan.stages[stage].outs))
            nonce = Path(STATE, "stale", stage)
            atomic_bytes(nonce, uuid.uuid4().hex.encode())
            self._nonces[stage] = str(nonce)
        return [*files, self.home(self._nonces[stage])]

    def seals_asked(self) -> list[str]:
        """Seals of what DVC asks for, if it does; what others of that read comes with these."""
        return [] if self.plan.only is None else [item.seal for item in self.plan.last()]

    def build(self, stage: str) -> str:
        """Build folder of a stage; empty for one that is not looked at."""
        return self.plan.status[stage].build if stage in self.plan.status else ""
