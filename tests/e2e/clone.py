"""A small clone of the project to run both doors in, and what they say there."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from lvlmbench import tables
from lvlmbench.config.layers import merge

ROOT = Path(__file__).resolve().parents[2]

#: Set where Snakemake is to find its plugins for clusters and buckets, which a start waits for.
CLUSTERS = "LVLMBENCH_TEST_CLUSTERS"
WITHOUT_CLUSTERS = str(ROOT / "tests" / "support" / "without_clusters")

#: What a run needs. dvc.lock is left out: it is about the default parameters.
_PROJECT = (
    *("Snakefile", "dvc.yaml", "params.yaml", "rules", "scripts", "lvlmbench", "profiles", "envs"),
    *(
        ".gitignore",
        ".dvcignore",
        ".dvc/config",
        ".dvc/plots",
        "CREDITS.md",
        "LICENSE",
        "requirements.lock",
        "data/vocabulary",
        "data/pinned",
        "data/published",
        "data/labels",
        "data/rankings",
        "data/lexicon",
        "data/natural",
        "data/replies",
        "data/aspects",
        "data/association",
        "data/drawings",
        "data/guessed",
        "data/prompts",
        "data/templates",
        "data/world",
        "data/image_sets",
    ),
)

#: Folders below data that git keeps.
_GIVEN = {
    "labels",
    "lexicon",
    "aspects",
    "association",
    "drawings",
    "guessed",
    "prompts",
    "vocabulary",
    "pinned",
    "templates",
    "world",
    "published",
    "rankings",
    "image_sets",
    "snapshots",
}

#: A few scenes, two corpus shards, two image shards, no captions (their encoder takes seconds), no
#: reference model (torch takes seconds to load).
_SMALL: dict[str, dict[str, Any]] = {
    "snapshot": {"name": "e2e", "seed": 7},
    "suites": {
        "dysca": {
            "corpus": {
                "subtasks": ["animal", "color", "celebrity"],
                "scenes_per_subtask": 4,
                "type_proportions": {"multiple_choice": 0.5, "true_false": 0.5, "free_form": 0.0},
                "dysca": {"restyled": {"scenes_per_subtask": 0}},
                "shard_scenes": 7,
            },
            "scenarios": {
                "names": ["clean", "other"],
                "noisy": [{"name": "other", "kind": "other_image"}],
            },
        }
    },
    "render": {"size": 64, "shard_images": 6},
    "reference": {
        "models": [],
        "weights": "trained",
        "false_rejections": 0.02,
        "scenes": {"training": 64, "validation": 64, "pixels": 32, "shard_scenes": 64},
        "training": {"steps": 6, "word_steps": 5, "batch_size": 16, "checkpoint_every": 2},
    },
    "filter": {"filters": [{"name": "integrity"}]},
    "answer": {"models": [{"name": "chance", "engine": "chance"}]},
    "judge": {"exam": 0},
    "validity": {"kmmd": {"encoder": None}},
    "figures": {"names": ["funnel", "subtask_scores"]},
    "exports": {"formats": ["huggingface"]},
    "report": {"items": 4, "thumbnail_size": 64},
}

#: Jobs of each rule in a run that makes everything.
EVERYTHING = {
    **{"scenes": 2, "render": 2, "questions": 2, "reference_scenes": 2, "filter": 2},
    **{"scenario": 4, "answer": 4, "judge": 2, "examine": 1},
    **{"score": 2, "consensus": 1, "audit": 1, "metrics": 1, "comparisons": 1},
    **{"hallucination": 1, "dialogue": 1},
    **{"validity": 1, "distances": 1, "figure": 1, "export": 1, "exports_index": 1, "report": 1},
}

TABLES = {
    "data/dysca/scenes": tables.SCENES,
    "data/dysca/questions": tables.QUESTIONS,
    "data/reference/scenes": tables.REFERENCE_SCENES,
    "data/dysca/rendered": tables.IMAGES,
    "data/dysca/images/clean": tables.IMAGES,
    "data/dysca/images/other": tables.IMAGES,
    "data/dysca/attempts": tables.ATTEMPTS,
    "data/dysca/image_requests": tables.IMAGE_REQUESTS,
    "data/dysca/verdicts/render": tables.VERDICTS,
    "data/dysca/verdicts/integrity": tables.VERDICTS,
    "data/dysca/answers/chance/clean": tables.ANSWERS,
    "data/dysca/answers/chance/other": tables.ANSWERS,
    "data/dysca/scores/chance/clean": tables.SCORES,
    "data/dysca/scores/chance/other": tables.SCORES,
    "data/dysca/consensus": tables.CONSENSUS,
    "data/dysca/layouts/clean": tables.LAYOUTS,
    "data/dysca/truth": tables.TRUTH,
}


class Clone:
    """A clone of the project in a folder of its own.

    Attributes
    ----------
    path
        The folder.
    """

    def __init__(self, path: Path, home: Path) -> None:
        self.path, self.home = path, home

    @classmethod
    def origin(cls, path: Path, home: Path) -> Clone:
        """The working tree as it is now with small parameters, committed to git."""
        for name in _PROJECT:
            source, target = ROOT / name, path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, target)
        clone = cls(path, home)
        clone.compile()
        clone.make_small()
        clone.run("git", "init", "-q")
        clone.commit("the project")
        return clone

    def make_small(self) -> None:
        """Write small parameters of one suite into params.yaml."""
        self.leave_out("composed", "autodavis", "valor", "touchstone")
        for section, values in _SMALL.items():
            self.set(section, **values)

    def fresh(self, path: Path) -> Clone:
        """A fresh git clone of it."""
        self.run("git", "clone", "-q", ".", str(path))
        clone = Clone(path, self.home)
        clone.compile()
        return clone

    def compile(self) -> None:
        """Compile the code once: jobs write no bytecode, and each would compile it for itself.

        Whether a compiled file is up to date is told by its source's content, as tests edit code.
        """
        mode = ("--invalidation-mode", "checked-hash")
        self.run("python", "-m", "compileall", "-q", *mode, "lvlmbench", "scripts")

    def copy(self, path: Path) -> Clone:
        """The same clone, all files included, elsewhere; what was one file there is one here."""
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-a", str(self.path), str(path)], check=True)
        return Clone(path, self.home)

    def leave_out(self, *suites: str) -> None:
        """Take suites out of params.yaml."""
        file = self.path / "params.yaml"
        params = yaml.safe_load(file.read_text())
        for suite in suites:
            del params["suites"][suite]
        file.write_text(yaml.safe_dump(params, sort_keys=False))

    def set(self, section: str, **values: Any) -> None:
        """Write values into a section of params.yaml, or of its suite."""
        file = self.path / "params.yaml"
        params = yaml.safe_load(file.read_text())
        own = params["suites"]["dysca"]
        place = own if section in own else params
        place[section] = merge(place[section], values)
        file.write_text(yaml.safe_dump(params, sort_keys=False))

    @property
    def environment(self) -> dict[str, str]:
        """As in an activated environment, apart from the user's own DVC and git settings."""
        own = {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "DVC_NO_ANALYTICS": "1",
            "DVC_GLOBAL_CONFIG_DIR": str(self.home / "dvc"),
            "DVC_SYSTEM_CONFIG_DIR": str(self.home / "dvc"),
            "DVC_SITE_CACHE_DIR": str(self.home / "dvc-site"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            **{f"GIT_{who}_NAME": "test" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "test@example.org" for who in ("AUTHOR", "COMMITTER")},
        }
        if not os.environ.get(CLUSTERS):
            own["PYTHONPATH"] = WITHOUT_CLUSTERS
        dropped = ("PYTHONPATH", "SNAKEMAKE_PROFILE", "LVLMBENCH_STAGE")
        return {k: v for k, v in os.environ.items() if k not in dropped} | own

    def start(self, *command: str) -> subprocess.Popen[str]:
        """Start a command in the clone, its output to be read with ``communicate``.

        Ctrl-C reaches it also where these tests run behind a shell that takes none.
        """
        return subprocess.Popen(
            command,
            cwd=self.path,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def run(self, *command: str, code: int = 0, timeout_s: float = 1800) -> str:
        """Run a command in the clone; returns what it wrote, on whichever channel."""
        process = self.start(*command)
        try:
            said, _ = process.communicate(timeout=timeout_s)
        finally:
            if process.poll() is None:  # else it would go on beside the tests that follow
                os.killpg(process.pid, signal.SIGKILL)
        assert process.returncode == code, f"{' '.join(command)}: {process.returncode}\n{said}"
        return said

    def commit(self, message: str) -> None:
        """Commit everything to git."""
        self.run("git", "add", "-A")
        self.run("git", "commit", "-q", "--allow-empty", "-m", message)

    def snakemake(self, *arguments: str, code: int = 0) -> dict[str, int]:
        """Run Snakemake; returns how many jobs of each rule it ran, or would run with -n."""
        return jobs(self.run("snakemake", *arguments, code=code))

    def dvc_repro(self, *arguments: str) -> dict[str, int]:
        """Run ``dvc repro``; returns how many jobs of each rule Snakemake ran for it."""
        return jobs(self.run("dvc", "repro", *arguments))

    def built(self, pattern: str) -> set[Path]:
        """What is there in build folders."""
        return set(self.path.glob(f".lvlmbench/build/*/{pattern}"))

    def started(self) -> set[str]:
        """Rules of which a job has begun, in whichever run."""
        return {re.split(r"[-.]", log.name)[0] for log in self.built("log/*.log")}

    def killed(self, *command: str, once: Callable[[], bool]) -> bool:
        """``kill -9`` the command once something holds, which is asked often.

        Nothing of it may live on. False if the command ended well before.
        """
        process = self.start(*command)
        deadline = time.monotonic() + 300
        while not once():
            if process.poll() == 0:
                return False
            assert process.poll() is None, process.communicate()[0]
            assert time.monotonic() < deadline, "what was waited for did not come"
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        deadline = time.monotonic() + 10
        while alive := self._processes():
            assert time.monotonic() < deadline, alive
            time.sleep(0.05)
        return True

    def _processes(self) -> list[str]:
        """Command lines of running processes that name the clone."""
        found = []
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if f"{self.path}/" in line:
                found.append(line)
        return found

    def artifacts(self) -> dict[str, str]:
        """Hash of each artifact; where and when it was made stands beside them and is left out."""
        files = [f for top in ("data", "results") for f in (self.path / top).rglob("*")]
        return {
            str(f.relative_to(self.path)): hashlib.sha256(f.read_bytes()).hexdigest()
            for f in files
            if f.is_file()
            and f.name not in ("provenance.json", "run.html")
            and not _GIVEN & set(f.parts)
        }

    def rows(self) -> dict[str, str]:
        """Hash of each table's rows, whatever the shards, of the metrics and the comparisons."""
        found = {
            name: tables.hash_batches([tables.read(self.path / name, schema)])[0]
            for name, schema in TABLES.items()
        }
        for name in ("metrics.json", "comparisons.parquet"):
            found[name] = hashlib.sha256(
                (self.path / "results/dysca" / name).read_bytes()
            ).hexdigest()
        return found


def collects(rule: str) -> bool:
    """Whether a rule makes nothing that the jobs of other rules have not made."""
    by_name = rule in ("all", "asked", "total", "figures_unpacked")
    return by_name or rule.startswith("publish") or rule.endswith("_tables")


def jobs(said: str) -> dict[str, int]:
    """Jobs by rule in Snakemake's tables, the rules that only collect left out."""
    found: dict[str, int] = {}
    # A dry run prints its table twice, the second one last.
    runs = re.split(r"^Building DAG of jobs", said, flags=re.M)[1:]
    quiet = ("didn't change, skipping", "is cached - skipping run")
    assert runs or any(words in said for words in quiet), said
    for run in runs:
        table = run.split("Job stats:")[-1] if "Job stats:" in run else ""
        for rule, count in re.findall(r"^([a-z_]+) +(\d+)$", table, flags=re.M):
            if not collects(rule):
                found[rule] = found.get(rule, 0) + int(count)
    return found
