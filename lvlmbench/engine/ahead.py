"""One run for all stages that a command of DVC is going to ask for, in place of one for each.

DVC runs one stage after the other, and a run of Snakemake takes seconds to start. So when DVC asks
for a second stage in the same command, one run makes that and what the command will ask for after
it; :mod:`again` then publishes the others when they are asked for. The first stage runs alone: DVC
may find all that follows in its run cache, as it does where a change is taken back.

What a command will ask for stands in DVC's own note of who is at work (``rwlock``). Where that does
not tell, each stage runs alone. It decides how much is made at a time, and nothing else.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import yaml

from lvlmbench.core.guard import INTERRUPTED
from lvlmbench.engine.again import decided_by, note_down, noted
from lvlmbench.engine.builds import HASHES, MADE, PLAN, remove
from lvlmbench.engine.dvc_file import addresses, axes_of
from lvlmbench.engine.hashing import Hashes, digest
from lvlmbench.engine.paths import Paths
from lvlmbench.engine.plan import Plan
from lvlmbench.engine.preflight.project import read_project
from lvlmbench.engine.process import RUN_LOCK, alone, die_with_parent
from lvlmbench.engine.publish import link_tree
from lvlmbench.engine.seals import Seal, build_of, read_seal
from lvlmbench.engine.stages import SEALS, Item, Makers, Pipeline, lies_in, pipeline
from lvlmbench.stages.stage import declared

#: Environment variable with what a run is to make for DVC, a name a line.
ASKED = "LVLMBENCH_STAGE"
#: DVC's own note of who is at work.
_AT_WORK = (".dvc", "tmp", "rwlock")
#: Options of DVC with which it asks for other stages than the named ones and what they need.
_OTHERS = (
    *("single_item", "interactive", "pipeline", "recursive", "downstream", "glob"),
    *("queue", "run_all", "tmp_dir"),
)
_COMMANDS = ("CmdRepro", "CmdExperimentsRun")


def at_work(root: Path, asked: str) -> list[object] | None:
    """Process and command of the DVC that has started this process; None where none tells."""
    try:
        note = json.loads(root.joinpath(*_AT_WORK).read_text(encoding="utf-8"))
        writing = {path: (int(by["pid"]), str(by["cmd"])) for path, by in note["write"].items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
    ends = tuple(f"/{SEALS}/{asked}{ending}" for ending in (".json", ""))
    found = next((by for path, by in writing.items() if path.endswith(ends)), None)
    return [*found] if found is not None and found[0] == os.getppid() else None


def targets(command: str) -> list[str] | None:
    """The stages that a command of DVC names, none for all; None where that is not to be told."""
    words = command.split()
    first = next((n for n, word in enumerate(words) if word in ("repro", "exp", "experiments")), 0)
    if not first:
        return None
    from dvc.cli.parser import get_main_parser  # takes a moment

    try:
        told = get_main_parser().parse_args(words[first:])
    except (Exception, SystemExit):  # whatever it is, it does not tell
        return None
    if told.func.__name__ not in _COMMANDS or any(getattr(told, o, False) for o in _OTHERS):
        return None
    return [] if told.all_pipelines else [t for t in told.targets if t != "dvc.yaml"]


def to_come(
    items: Pipeline, called: Mapping[str, str], asked: str, named: Collection[str]
) -> list[str] | None:
    """The items that DVC asks for from ``asked`` on, which it has made what is needed for.

    Parameters
    ----------
    called
        How DVC calls the stage of each item.
    named
        Stages that its command names; none: all.

    Returns
    -------
    list or None
        None where a name is not known.
    """
    known = {*called.values(), *(name.partition("@")[0] for name in called.values())}
    if not known.issuperset(named):
        return None
    makers = Makers(items.items)
    above: dict[str, set[str]] = {name: set() for name in called.values()}
    for name, item in items.items.items():
        above[called[name]] |= {called[maker.name] for maker, _ in makers.upstream(item)}

    def with_above(names: Iterable[str]) -> set[str]:
        found, left = set[str](), {*names}
        while left:
            found |= left
            left = set[str]().union(*(above[name] for name in left)) - found
        return found

    wanted = (n for n in above if not named or {n, n.partition("@")[0]} & {*named})
    own = {called[name] for name in items.items if lies_in(name, asked)}
    coming = with_above(wanted) - with_above(own) | own
    return [name for name in items.items if called[name] in coming]


def _run(command: Sequence[str], names: Iterable[str]) -> int:
    """Run Snakemake for items, as a part of this process; returns how it ended.

    Ctrl-C, which both get, ends this process once Snakemake has ended.
    """
    parent, stopped = os.getpid(), list[int]()
    process = subprocess.Popen(
        command,
        env={**os.environ, ASKED: "\n".join(names)},
        preexec_fn=lambda: die_with_parent(parent),
    )
    if (before := signal.getsignal(signal.SIGINT)) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda number, _: stopped.append(number))
    try:
        ended = process.wait()
    finally:
        process.kill()
        signal.signal(signal.SIGINT, before)
    if stopped:
        raise SystemExit(INTERRUPTED)
    return ended


def run_ahead(root: Path, asked: str, command: Sequence[str]) -> bool:
    """Make what DVC asks for and will ask for; says whether all of that is made.

    Where not, what of it was made is found by the runs for the stages one by one.

    Raises
    ------
    UserError
        The parameters are wrong.
    """
    by, note = at_work(root, asked), noted()
    named = None if by is None else targets(str(by[1]))
    if named is None:
        return False
    cut_off = note.get("ahead") == asked  # DVC asks first for what a kill has kept from it
    if not cut_off and (note.get("by") != by or note.get("failed")):
        if note.get("by") != by:
            note_down({**note, "by": by, "ahead": None, "failed": False})
        return False
    project, _ = read_project(root, {})
    items, before = pipeline(project, root), decided_by(root)
    names = to_come(items, addresses(project), asked, named)
    if names is None or all(lies_in(name, asked) for name in names):
        return False
    note_down({"by": by, "ahead": asked})
    if _run(command, names):
        _keep_finished(Plan(root, items, names), Paths(project))
        note_down({"by": by, "failed": True})
        print(f"{asked}: is made alone now, and so is what follows it", file=sys.stderr)
        return False
    sealed = {name: _sealed(items.items[name]) for name in names}
    note_down({"by": by, "decided_by": before, "items": [*items.items], "sealed": sealed})
    return all(sealed[name] for name in names if lies_in(name, asked))


def make_empty(root: Path, asked: str) -> bool:
    """Create the empty output folders of a stage of dvc.yaml that has nothing to do.

    The stage that judges a suite has nothing to do where ``judge.judges`` is empty. Returns whether
    that is so.

    Raises
    ------
    UserError
        The parameters are wrong.
    """
    name, _, suite = asked.partition("/")
    stage = declared().get(name)
    if stage is None or len(axes_of(stage)) == len(stage.axes):
        return False
    project, _ = read_project(root, {})
    if suite not in project.suites or any(lies_in(i, asked) for i in pipeline(project, root).items):
        return False
    for out in yaml.safe_load((root / "dvc.yaml").read_bytes())["stages"][name]["outs"]:
        (root / out.replace("${item.suite}", suite)).mkdir(parents=True, exist_ok=True)
    return True


def _sealed(item: Item) -> Seal | None:
    """The seal of an item that was just made; None where its parameters were edited meanwhile."""
    seal = read_seal(Path(item.seal))
    same = seal is not None and digest(seal["params"]) == digest(dict(item.params))
    return seal if same else None


def _noted_files(build: Path, hashes: Hashes) -> Iterator[str]:
    """What finished jobs have left in a build as it is, relative, and their notes."""
    for note in sorted((build / MADE).glob("*.json")):
        try:
            made = json.loads(note.read_bytes())
        except ValueError:
            continue
        if all(hashes.tree(build / name) == value for name, value in made.items()):
            yield from (*made, str(note.relative_to(build)))


def _keep_finished(plan: Plan, paths: Paths) -> None:
    """Have what a run that failed has finished also where a run for each stage looks for it.

    There a folder is named by the hashes of its inputs, not by the folders that they are built in.
    """
    with alone(RUN_LOCK):
        hashes, whole = Hashes(Path(HASHES)), set[str]()
        for name in plan.stages:
            if not plan.stale(name):
                continue
            above = plan.above(name)
            if any(plan.stale(maker) and maker not in whole for maker in above.values()):
                continue
            build = Path(plan.status[name].build)
            places = {out: plan.made(maker, [out])[0] if plan.stale(maker) else out
                      for out, maker in above.items()}  # fmt: skip
            inputs = {out: hashes.tree(Path(place)) for out, place in places.items()}
            seal: Seal = {**plan.status[name].seal, "inputs": inputs}
            if (other := build_of(name, seal)) != build:
                for file in (PLAN, *_noted_files(build, hashes)):
                    remove(other / file)
                    link_tree(build / file, other / file)
            if all(Path(file).exists() for file in plan.made(name, paths.of(name))):
                whole.add(name)
        hashes.save()
