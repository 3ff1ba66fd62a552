"""``kill -9`` at random moments, over all stages and both doors, several times in a run.

LVLMBENCH_KILLS says how many (3); from 20 on every kind of stage is in it, else the quick ones.
LVLMBENCH_FAULTS_OUT names a file for the summary as JSON; LVLMBENCH_FAULTS_SEED draws others.
"""

from __future__ import annotations

import os
import random
import shutil
import time
from collections import Counter
from pathlib import Path

import pytest

from e2e.clone import EVERYTHING, Clone
from faults import project
from faults.kills import (
    Kill,
    Run,
    cut_file,
    leftovers,
    lost_file,
    of_dvc,
    strike,
    table,
    untrue_seals,
    write_summary,
)

pytestmark = pytest.mark.e2e

KILLS = int(os.environ.get("LVLMBENCH_KILLS", "3"))
#: Whether every kind of stage and both doors are in it.
LONG = KILLS >= 20
SEED = int(os.environ.get("LVLMBENCH_FAULTS_SEED", "8"))
OUT = os.environ.get("LVLMBENCH_FAULTS_OUT")
SNAKEMAKE, REPRO, COMMIT = ("snakemake",), ("dvc", "repro"), ("dvc", "commit", "-f")
UP_TO_DATE = "Data and pipelines are up to date."


class Campaign:
    """Kills in one clone after the other, and what an undisturbed run made.

    Attributes
    ----------
    kills
        All of them so far.
    expected_jobs
        Jobs of an undisturbed run, by rule.
    jobs_again
        Jobs that ran more often than in an undisturbed run, by rule: what the kills cost.
    """

    def __init__(
        self, origin: Clone, undisturbed: Clone, span_s: float, jobs: Counter[str], folder: Path
    ) -> None:
        self.origin, self.folder, self.span_s = origin, folder, span_s
        self.expected_jobs = jobs
        self.artifacts, self.rows = undisturbed.artifacts(), project.rows(undisturbed)
        self.kills: list[Kill] = []
        self.jobs_again: Counter[str] = Counter()
        self.moments = random.Random(SEED)

    def hits(self) -> int:
        return sum(kill.hit for kill in self.kills)

    def _moments(self, command: tuple[str, ...], kills: int) -> list[str]:
        """When to kill, in the order of a run: what is published comes last."""
        kinds = {"time": 30, "rule": 25, "unfinished file": 15, "publishing": 30}
        if command == COMMIT:
            kinds = {"file of DVC": 3, "time": 1}
        found = self.moments.choices(list(kinds), list(kinds.values()), k=kills)
        if command != REPRO:
            return sorted(found, key=lambda moment: moment == "publishing")
        return [m if self.moments.random() > 0.25 else "file of DVC" for m in found]

    def _kill(self, number: int, clone: Clone, command: tuple[str, ...], moment: str) -> Run:
        """One kill and what must hold after it."""
        victim = self.moments.choices(["main", "worker", "group"], [40, 35, 25])[0]
        kill = Kill(number, " ".join(command), moment, victim)
        span = 12.0 if command == COMMIT else max(8.0, self.span_s / 4)
        run = strike(kill, clone, command, self.moments, span)
        kill.wrong = untrue_seals(clone, self.artifacts)
        if not kill.hit and run.process.returncode and self._mended(clone, run.said):
            pass
        elif not kill.hit and run.process.returncode:
            kill.wrong.append(f"failed without a kill: {run.said[-2000:]}")
        elif "Traceback" in run.said:
            kill.wrong.append(f"traceback: {run.said[-2000:]}")
        self.kills.append(kill)
        print(f"  {kill}", flush=True)
        return run

    def _mended(self, clone: Clone, said: str) -> bool:
        """Type what docs/running.md says where DVC names a file; whether it does so."""
        if name := cut_file(said):
            typed = f"rm {name}"
            (clone.path / name).unlink()
        elif name := lost_file(said):
            typed = " ".join(SNAKEMAKE)
            assert not (clone.path / name).exists()
            clone.run(*SNAKEMAKE)
        else:
            return False
        print(f"  DVC names {name}: {typed}")
        [k for k in self.kills if k.hit][-1].typed = typed
        return True

    def _undisturbed(self, clone: Clone, command: tuple[str, ...]) -> Counter[str]:
        """The same command, now let alone, with nothing else typed; returns the jobs."""
        for _ in range(3):
            run = Run(clone, command)
            if run.wait() == 0:
                return run.finished()
            assert self._mended(clone, run.said), f"{command}: {run.said}"
        raise AssertionError(run.said)

    def clone(self, number: int, command: tuple[str, ...], kills: int) -> None:
        """A fresh clone, killed this often, then let finish; and the same for ``dvc commit``."""
        clone = self.origin.fresh(self.folder / f"clone-{number}")
        before = len(self.kills)
        try:
            wrong = self._through(number, clone, command, kills)
        except AssertionError as error:
            wrong = [str(error)[-4000:]]
        self.kills[-1].wrong += wrong
        print(f"  clone {number}: {len(self.kills) - before} kills, wrong: {wrong}", flush=True)
        if not any(kill.wrong for kill in self.kills[before:]):
            shutil.rmtree(clone.path)

    def _through(
        self, number: int, clone: Clone, command: tuple[str, ...], kills: int
    ) -> list[str]:
        done: Counter[str] = Counter()
        for moment in self._moments(command, kills):
            run = self._kill(number, clone, command, moment)
            done += run.finished()
            if run.process.returncode == 0:  # all is made
                break
        done += self._undisturbed(clone, command)
        if command == SNAKEMAKE:
            for moment in self._moments(COMMIT, max(1, kills // 5)):
                self._kill(number, clone, COMMIT, moment)
            self._undisturbed(clone, COMMIT)
        self.jobs_again += done - self.expected_jobs
        wrong = untrue_seals(clone, self.artifacts) + leftovers(clone)
        made = {name: digest for name, digest in clone.artifacts().items() if not of_dvc(name)}
        differ = {n for n in {*made, *self.artifacts} if made.get(n) != self.artifacts.get(n)}
        wrong += [f"{name}: differs in the end" for name in sorted(differ)]
        if project.rows(clone) != self.rows:
            wrong.append("rows differ")
        if again := clone.snakemake("-n"):
            wrong.append(f"snakemake -n: {again}")
        if (status := clone.run("dvc", "status").strip()) != UP_TO_DATE:
            wrong.append(f"dvc status: {status}")
        return wrong


@pytest.fixture
def campaign(request: pytest.FixtureRequest, tmp_path: Path) -> Campaign:
    """The quick stages, whose undisturbed run is that of the other tests, or every kind."""
    if not LONG:
        origin, made = (request.getfixturevalue(name) for name in ("origin", "made"))
        return Campaign(origin, made, 20.0, Counter(EVERYTHING), tmp_path)
    (tmp_path / "home").mkdir()
    origin = project.origin(tmp_path / "origin", tmp_path / "home", every_kind=True)
    undisturbed = origin.fresh(tmp_path / "undisturbed")
    began = time.monotonic()
    run = Run(undisturbed, SNAKEMAKE)
    assert run.wait() == 0, run.said
    return Campaign(origin, undisturbed, time.monotonic() - began, run.finished(), tmp_path)


@pytest.mark.long
def test_kills_lose_nothing_and_have_nothing_wrong_accepted(campaign: Campaign) -> None:
    jobs = sum(campaign.expected_jobs.values())
    print(f"\n  undisturbed: {campaign.span_s:.0f} s, {jobs} jobs", flush=True)
    number = 0
    while (left := KILLS - campaign.hits()) > 0 and (LONG or len(campaign.kills) < KILLS):
        command = REPRO if LONG and number % 5 in (1, 3) else SNAKEMAKE
        campaign.clone(number, command, min(max(left, 2), 16))
        number += 1
        if OUT:
            about = {
                "asked_for": KILLS,
                "seed": SEED,
                "hits": campaign.hits(),
                "clones": number,
                "undisturbed_s": round(campaign.span_s, 1),
                "jobs_of_a_run": jobs,
                "jobs_again": dict(campaign.jobs_again),
                "typed": sum(k.typed is not None for k in campaign.kills),
                "wrong": sum(bool(k.wrong) for k in campaign.kills),
            }
            write_summary(Path(OUT), campaign.kills, about)
    print(table(campaign.kills))
    print(f"  jobs that ran again: {dict(campaign.jobs_again)}")
    assert campaign.hits() >= (KILLS if LONG else 1)
    assert not [kill for kill in campaign.kills if kill.wrong]
