"""How much a run would make, told before it is planned: a plan of very many jobs takes hours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lvlmbench.config import Params, Project
from lvlmbench.config.shards import image_shards
from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError
from lvlmbench.engine import expected
from lvlmbench.engine.expected import Job
from lvlmbench.engine.messages import rough_room, rough_time
from lvlmbench.stages.stage import SPLITS, declared

#: Jobs that are planned at most, and from how many on it is said how much they make. Snakemake
#: plans some 200 a second; what is proposed stays below the most.
_MOST, _MANY, _PROPOSED = 20_000, 3_000, 18_000
#: Scenes a shard that are proposed at most: a job holds the pictures of one.
_SHARD = 4_000
#: Rules whose stages are called otherwise.
_RULES = {"figures": "figure", "exports": "export"}


class _Size(NamedTuple):
    """What a run from nothing would do: jobs, seconds of one core, bytes."""

    jobs: int
    seconds: float
    room: int

    def __str__(self) -> str:
        """Return it in words."""
        return (
            f"about {amount(self.jobs, 'job')}, {rough_time(self.seconds)} of one core "
            f"and {rough_room(self.room)} of disk, were all made anew"
        )


def _jobs(project: Project) -> Iterator[tuple[str, Params, int]]:
    """Yield for each item of each stage its stage, the suite and how many jobs make it."""
    for stage in declared().values():
        for values in stage.values(project):
            params = project.suite(values["suite"])
            split = {out.split for out in stage.makes} - {""}
            yield stage.name, params, max((len(SPLITS[s](params, None)) for s in split), default=1)


def size_of(project: Project) -> _Size:
    """Return what a run from nothing would do, roughly."""
    jobs, seconds = 0, 0.0
    for stage, params, parts in _jobs(project):
        job = Job(0, _RULES.get(stage, stage), f"{stage}-{params.suite}", "")
        jobs, seconds = jobs + parts, seconds + parts * expected.seconds(project, [job])[0]
    rules = ("render", "scenario", "export")
    return _Size(jobs, seconds, expected.room(project, rules))


def check_size(project: Project, source: str) -> str:
    """Check that a run is not too large to be planned; return what it would make if that is much.

    Raises
    ------
    UserError
        It has more jobs than can be planned in some minutes.
    """
    size = size_of(project)
    scenes = sum(project.suite(name).corpus.n_scenes for name in project.suites)
    told = f"{amount(scenes, 'scene')}: {size}"
    if size.jobs <= _MOST:
        return f"large: {told}; planning alone takes minutes" if size.jobs > _MANY else ""
    largest = max(project.suites, key=lambda name: image_shards(project.suite(name)))
    shard = -(-project.render.shard_images * size.jobs // _PROPOSED // 100) * 100
    fix = f"plan {max(1, scenes * _PROPOSED // size.jobs):,} scenes at most"
    if shard <= _SHARD:
        fix += f", or write 'render: {{shard_images: {shard}}}'"
    where = f"{source}: suites.{largest}.corpus.scenes_per_subtask"
    raise UserError(where, f"{told}: more than {_MOST:,} jobs are not planned", fix)
