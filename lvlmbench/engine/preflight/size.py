"""How much a run would make, told before it is planned: a plan of very many jobs takes hours."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from lvlmbench.config import Project
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
#: Whether so changed parameters can be planned.
_Fits: TypeAlias = Callable[[Project], bool]
#: Rules whose stages are called otherwise.
_RULES = {"figures": "figure", "exports": "export"}


class _Items(NamedTuple):
    """The items of a stage in a suite: how many, how their tables are split, and of a model each.

    They do not depend on how many scenes are planned, nor on the size of shards.
    """

    stage: str
    suite: str
    n: int
    split: frozenset[str]
    of_models: bool


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


def _items(project: Project) -> list[_Items]:
    """The items of all stages."""
    found = []
    for stage in declared().values():
        split = frozenset(out.split for out in stage.makes) - {""}
        counted = Counter(values["suite"] for values in stage.values(project))
        found += [
            _Items(stage.name, suite, n, split, "model" in stage.axes)
            for suite, n in counted.items()
        ]
    return found


def _jobs(project: Project, items: Sequence[_Items]) -> list[int]:
    """How many jobs make the items of each stage and suite."""
    suites = {name: project.suite(name) for name in project.suites}
    return [
        each.n * max((len(SPLITS[s](suites[each.suite], None)) for s in each.split), default=1)
        for each in items
    ]


def size_of(project: Project) -> _Size:
    """Return what a run from nothing would do, roughly."""
    items = _items(project)
    return _size(project, items, _jobs(project, items))


def _size(project: Project, items: Sequence[_Items], jobs: Sequence[int]) -> _Size:
    one = [
        Job(at, _RULES.get(each.stage, each.stage), f"{each.stage}-{each.suite}", "")
        for at, each in enumerate(items)
    ]
    seconds = expected.seconds(project, one)
    total = sum(n * seconds[at] for at, n in enumerate(jobs))
    return _Size(sum(jobs), total, expected.room(project, ("render", "scenario", "export")))


def _scenes(project: Project) -> int:
    return sum(project.suite(name).corpus.n_scenes for name in project.suites)


def _with_shards(project: Project, images: int) -> Project:
    render = project.render.model_copy(update={"shard_images": images})
    return project.model_copy(update={"render": render})


def _with_scenes(project: Project, share: float) -> Project:
    """The same with a share of the scenes of each subtask, one at least."""
    suites = {}
    for name, suite in project.suites.items():
        each = max(1, int(suite.corpus.scenes_per_subtask * share))
        own = {subtask: max(1, int(n * share)) for subtask, n in suite.corpus.scenes.items()}
        corpus = suite.corpus.model_copy(update={"scenes_per_subtask": each, "scenes": own})
        suites[name] = suite.model_copy(update={"corpus": corpus})
    return project.model_copy(update={"suites": suites})


def _first(possible: Sequence[int], make: Callable[[int], Project], fits: _Fits) -> int | None:
    """The first number of which the run can be planned, where all behind it can be, too."""
    at = bisect_left(possible, True, key=lambda number: fits(make(number)))
    return possible[at] if at < len(possible) else None


def _fix(project: Project, fits: _Fits) -> str:
    """What would do, each proposal tried: fewer scenes, or larger shards; empty if neither does."""
    found, scenes = [], _scenes(project)

    def fewer(left_out: int) -> Project:
        return _with_scenes(project, 1 - left_out / scenes)

    if (left_out := _first(range(scenes), fewer, fits)) is not None:
        several = " of all suites together, fewer of each" if len(project.suites) > 1 else ""
        found.append(f"plan {_scenes(fewer(left_out)):,} scenes at most{several}")
    larger = range((project.render.shard_images // 100 + 1) * 100, _SHARD + 1, 100)
    shard = _first(larger, lambda images: _with_shards(project, images), fits)
    if shard is not None:
        found.append(f"write 'render: {{shard_images: {shard}}}'")
    return ", or ".join(found)


def _too_many_items(project: Project, items: Sequence[_Items], source: str) -> UserError:
    """What to say where fewer scenes do not help."""
    suites = [project.suite(name) for name in project.suites]
    models, least = len(project.answer.models), sum(each.n for each in items)
    shown = sum(len(params.scenarios.names) for params in suites)
    what = (
        f"{amount(models, 'model')} in {amount(shown, 'scenario')} of "
        f"{amount(len(suites), 'suite')} make {amount(least, 'job')}, however few scenes there "
        f"are: more than {_MOST:,} jobs are not planned"
    )
    asking = sum(each.n for each in items if each.of_models)
    most = (_PROPOSED - least + asking) * models // max(1, asking)
    fix = f"list {amount(most, 'model')} at most, or fewer" if most > 0 else "list fewer models,"
    return UserError(f"{source}: answer.models", what, f"{fix} scenarios, judges or suites")


def check_size(project: Project, source: str) -> str:
    """Check that a run is not too large to be planned; return what it would make if that is much.

    Raises
    ------
    UserError
        It has more jobs than can be planned in some minutes.
    """
    items = _items(project)
    jobs = _jobs(project, items)
    if sum(jobs) <= _MANY:
        return ""
    least = sum(each.n for each in items)
    if least > _MOST:
        raise _too_many_items(project, items, source)
    told = f"{amount(_scenes(project), 'scene')}: {_size(project, items, jobs)}"
    if sum(jobs) <= _MOST:
        return f"large: {told}; planning alone takes minutes"
    most = max(_PROPOSED, least)

    def fits(changed: Project) -> bool:
        return sum(_jobs(changed, items)) <= most

    fix = _fix(project, fits)
    if not fix:  # scenes are few in a shard, and yet many
        fix = _fix(_with_shards(project, _SHARD), fits)
        fix = f"write 'render: {{shard_images: {_SHARD}}}', and {fix or 'plan fewer scenes'}"
    of_suite: Counter[str] = Counter()
    for each, n in zip(items, jobs, strict=True):
        of_suite[each.suite] += n
    where = f"{source}: suites.{of_suite.most_common(1)[0][0]}.corpus.scenes_per_subtask"
    raise UserError(where, f"{told}: more than {_MOST:,} jobs are not planned", fix)
