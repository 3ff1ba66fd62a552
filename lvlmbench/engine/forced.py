"""What the command line of Snakemake asks for: targets that are there, a dry run, and what is made
anew though it is up to date.

``--forceall`` has all stages made again, ``-R`` those of the rules that it names, and ``-f`` those
of its targets. Snakemake removes the outputs of a job that is forced before it runs, and what an
up-to-date stage was built of may be long gone: so the plan must know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from lvlmbench.core.errors import UserError, meant_or
from lvlmbench.core.guard import guarded
from lvlmbench.engine.stages import SEALS, Item, lies_in
from lvlmbench.stages.stage import declared

#: What is said of a stage that is made again for no other reason.
ASKED = "to be made anew, as the command says"
#: What Snakemake makes where no target is named.
_USUAL = "results/report.html"
#: An option that may be one of these, alone or with others in one word.
_FORCES = re.compile(r"-[A-Za-z]*[fFR]|--f")
#: An option that may ask for a dry run.
_DRY = re.compile(r"-[A-Za-z]*n|--d")


def nothing(_: Item) -> bool:
    """No stage is forced."""
    return False


def forced(command: Sequence[str]) -> Callable[[Item], bool]:
    """Return what tells whether a stage is to be made anew.

    Snakemake has read its command line by then, but tells nobody what it says until it has a DAG.

    Parameters
    ----------
    command
        Program and arguments; of one that is not Snakemake's nothing is taken.
    """
    if not _is_snakemake(command) or not any(map(_FORCES.match, command[1:])):
        return nothing
    from snakemake.cli import get_argument_parser

    options = get_argument_parser().parse_args([*command[1:]])
    if options.forceall:
        return lambda _: True
    named = {str(name) for name in options.forcerun or ()}
    if options.force:
        named |= {*map(str, options.targets or ())} or {"all"}
    if "publish" in named:
        return lambda _: True
    if "all" in named:
        named.add(_USUAL)
    of = {_stage_of(name) for name in named}

    def asked(item: Item) -> bool:
        stage = item.name.partition("/")[0]
        if not of.isdisjoint((stage, stage.removesuffix("s"))) or item.seal in named:
            return True
        return any(lies_in(name, out) for name in named for out in item.outs)

    return asked


def dry_run(command: Sequence[str]) -> bool:
    """Return whether a command line asks Snakemake for a dry run, before Snakemake tells; profiles
    are not read."""
    if not _is_snakemake(command) or not any(map(_DRY.match, command[1:])):
        return False
    from snakemake.cli import get_argument_parser

    return bool(get_argument_parser().parse_args([*command[1:]]).dryrun)


def _is_snakemake(command: Sequence[str]) -> bool:
    return any("snakemake" in part for part in Path(command[0]).parts[-2:])


def check_targets(command: Sequence[str], items: Iterable[str]) -> None:
    """Check that the seals that a command line names are those of ``items``: Snakemake would take
    any for one that has nothing to do.

    Raises
    ------
    SystemExit
        One is not, after one line on stderr.
    """
    known = [*items]
    with guarded():
        for word in command[1:]:
            name = word.removeprefix(f"{SEALS}/").removesuffix(".json")
            if word == f"{SEALS}/{name}.json" and name not in known:
                near = get_close_matches(name, known, n=1)
                fix = "'snakemake -n' tells which stages there are"
                fix = f"did you mean '{SEALS}/{near[0]}.json'?" if near else fix
                raise UserError(word, "is the seal of no stage here", fix)


def meant_lines(command: Sequence[str], items: Iterable[Item]) -> Iterator[str]:
    """Say what may be meant by targets that nothing makes, of which Snakemake says no more."""
    if not _is_snakemake(command):
        return
    from snakemake.cli import get_argument_parser

    options = get_argument_parser().parse_args([*command[1:]])
    files = [_USUAL, *(file for item in items for file in (item.seal, *item.outs))]
    stages = [*declared()]
    called = {file: file for file in files} | {Path(_USUAL).stem: _USUAL}
    for word in (str(each) for each in options.targets or ()):
        if word not in files and not any(lies_in(word, file) for file in files):
            near = get_close_matches(word, called, n=1)
            fix = f"did you mean '{called[near[0]]}'?" if near else f"'{_USUAL}' is all of it"
            yield f"{word}: is nothing that a run makes; {fix}"
    for word in (str(each) for each in options.forcerun or ()):
        if word not in stages:
            yield f"{word}: is no stage; {meant_or(word, stages)}"


def _stage_of(rule: str) -> str:
    """The stage that a rule is of, as the stage's name is, or without its last letter."""
    name = rule.removeprefix("publish_")
    own = (each.name for each in declared().values() if name in each.scripts)
    return next(own, re.sub(r"_(tables|index|unpacked)$", "", name))
