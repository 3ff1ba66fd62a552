"""Check that a pinned version is what its manifest says, and what its code makes."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError
from lvlmbench.core.exactness import Exactness
from lvlmbench.core.files import linked_below
from lvlmbench.engine.builds import STATE
from lvlmbench.engine.hashing import source_digests
from lvlmbench.engine.publish import link_tree
from lvlmbench.engine.stages import SEALS, lies_in
from lvlmbench.stages.stage import TEMPLATES
from lvlmbench.versions.exactness import stage_exactness
from lvlmbench.versions.facts import file_facts
from lvlmbench.versions.locked import locked_packages
from lvlmbench.versions.manifest import LOCKS, Manifest
from lvlmbench.versions.remaking import Outcome, Remaking, draw, makers, rounds
from lvlmbench.versions.repair import Mend, Objects, mend, write_script
from lvlmbench.versions.soundness import Fault, check_files
from lvlmbench.versions.versions import (
    Version,
    aside,
    cache_folder,
    check_out,
    find_version,
    lay_out,
)

Say = Callable[[str], None]


@dataclass(frozen=True)
class Found:
    """What a verification has found.

    Attributes
    ----------
    elsewhere
        The workspace is at another state, so the version was laid out beside it.
    faults
        Files that are not as pinned, with how to mend them.
    script
        How to mend all of them at once; empty where one command does.
    contradictions
        What the version's own files say otherwise than its manifest, a line each.
    stages
        Stage -> what came of making it again; None where it was not tried.
    own
        Stage -> how exactly it can be made again from the same inputs.
    asked
        The stages that were asked for, whether they can be made again or not.
    packages
        What the version's requirements.lock has for the making of artifacts, by name.
    """

    version: Version
    elsewhere: bool
    faults: tuple[tuple[Fault, Mend | None], ...] = ()
    script: str = ""
    no_remote: bool = False
    contradictions: tuple[str, ...] = ()
    broken: dict[str, str] = field(default_factory=dict)
    stages: dict[str, Outcome | None] = field(default_factory=dict)
    own: dict[str, Exactness] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()
    packages: dict[str, str] = field(default_factory=dict)

    @property
    def sound(self) -> bool:
        """Whether nothing was found to be otherwise than pinned."""
        made = all(o is None or o.state in ("equal", "rows") for o in self.stages.values())
        return made and not (self.faults or self.contradictions or self.broken)


def _made_again(
    remaking: Remaking, manifest: Manifest, targets: Collection[str], say: Say
) -> tuple[dict[str, Outcome | None], dict[str, str]]:
    """What came of each stage, in an order in which they can be made, and which cannot be."""
    broken = remaking.broken()
    outcomes = remaking.remake(targets, broken, say)
    order = [stage for names in rounds(manifest.stages, makers(manifest)) for stage in names]
    stages = {stage: outcomes.get(stage) for stage in order}
    # What was made again says itself in what it differs.
    return stages, {stage: why for stage, why in broken.items() if stages.get(stage) is None}


def verify(
    name: str,
    project: Path,
    *,
    files_only: bool = False,
    only: Sequence[str] = (),
    same_hardware: bool = False,
    sample: int | None = None,
    say: Say,
) -> Found:
    """Verify the version ``name``.

    Parameters
    ----------
    files_only
        Make nothing again.
    only
        Stages to make again, by name, by kind (``score``) or by the start of a name
        (``answer/chance``); all that can be by default.
    same_hardware
        Also make again what is exact on the same hardware only.
    sample
        How many of those stages to draw and make again; None for all.
    say
        Gets a line about each step.

    Raises
    ------
    UserError
        There is no such version or stage, or none of its files is here.
    """
    version = find_version(name, project)
    manifest = version.manifest
    own = own_exactness(manifest)
    targets = _drawn(choose(own, only, same_hardware), manifest, sample, say)
    lock = project / "dvc.lock"
    here = lock.is_file() and file_facts(lock).blake2b == manifest.locks.get("dvc.lock")
    if here and not any((project / path).exists() for path in manifest.files):
        raise UserError(f"'{name}'", "none of its files is here", "run 'dvc pull', then again")
    with aside(project) as folder:
        apart = not here or (version.commit and not files_only)
        tree = lay_out(version, project, folder) if apart else project.resolve()
        base = project.resolve() if here else tree
        if not here:
            say(f"this folder is not at {name}: laying it out beside it")
            check_out(tree, say)
        say(_ahead(manifest, 0 if files_only else len(targets), sample is None and not only))
        faults = check_files(base, manifest)
        if faults:
            return _with_mends(version, project, base, faults)
        contradictions = (*check_pins(tree, manifest), *check_seals(base, manifest))
        if files_only:
            return Found(version, not here, contradictions=contradictions, own=own)
        scratch = _remaking(version, project, tree, base, folder)
        stages, broken = _made_again(scratch, manifest, targets, say)
        return Found(
            version, not here, contradictions=contradictions, broken=broken, stages=stages,
            own=own, packages=_packages(tree),
            asked=frozenset(targets if sample else _meant(own, only)),
        )  # fmt: skip


def _drawn(
    targets: Collection[str], manifest: Manifest, sample: int | None, say: Say
) -> Collection[str]:
    """So many of the targets as were asked for; all where none were."""
    if sample is None:
        return targets
    if sample < 1:
        raise UserError(f"--sample {sample}", "is no number of stages", "give 1 or more")
    found = draw(targets, makers(manifest), sample)
    if len(found) < sample:
        why = "the others are made from these, or these from them"
        say(f"--sample {sample}: {len(found)} drawn; {why}")
    return found


def _remaking(version: Version, project: Path, tree: Path, base: Path, folder: Path) -> Remaking:
    """A scratch folder with the version, and its log, begun anew."""
    bring_given(version.manifest, project, tree)
    log = project / STATE / f"verify-{version.name}.log"
    log.unlink(missing_ok=True)
    return Remaking(version.manifest, tree, base, folder / "again", log)


def _ahead(manifest: Manifest, targets: int, whole: bool) -> str:
    """What is going to be done, and what takes less."""
    size = sum(file.size for file in manifest.files.values()) / 1e6
    reading = f"reading {amount(len(manifest.files), 'file')} ({size:,.1f} MB)"
    if not targets:
        return reading
    making = f"{reading}, then making {targets} of {len(manifest.stages)} stages again"
    if not whole:
        return making
    return (
        f"{making}, which takes about as long as the run that made them "
        "(--files-only: reading alone, seconds; --sample 5: five stages, about a minute)"
    )


def _packages(tree: Path) -> dict[str, str]:
    lock = tree / "requirements.lock"
    text = lock.read_text(encoding="utf-8", errors="replace") if lock.is_file() else ""
    return locked_packages(text, tools=False)


def _with_mends(version: Version, project: Path, base: Path, faults: list[Fault]) -> Found:
    """The faults with the command that mends each."""
    from dvc.repo import Repo

    objects, files = Objects(base, cache_folder(project)), version.manifest.files
    elsewhere = base != project.resolve()
    found: list[tuple[Fault, Mend | None]] = []
    for fault in faults:
        known = fault.kind != "pinned" and not (elsewhere and fault.kind == "surplus")
        found.append((fault, mend(fault, files, objects, project, elsewhere) if known else None))
    mends = [each for _, each in found if each is not None and each.command]
    pulling = any(each.dvc == "pull" for each in mends)
    return Found(
        version,
        elsewhere,
        faults=tuple(found),
        script=write_script(project, version.name, mends) if len(mends) > 1 else "",
        no_remote=pulling and not Repo(str(project)).config["core"].get("remote"),
    )


def own_exactness(manifest: Manifest) -> dict[str, Exactness]:
    """How exactly each stage can be made again from its pinned inputs.

    The manifest says how exactly it can be made from nothing, which is at most that; it counts
    where parameters or stages are of a version that this one does not know.
    """
    from lvlmbench.config import validate_project

    found = {name: facts.exact for name, facts in manifest.stages.items()}
    try:
        project = validate_project(dict(manifest.params), "the manifest")
        return {name: stage_exactness(name, project)[0] for name in found}
    except (UserError, KeyError, ValueError, StopIteration):
        return found


def choose(own: dict[str, Exactness], only: Sequence[str], same_hardware: bool) -> Collection[str]:
    """The stages to make again.

    Raises
    ------
    UserError
        There is no stage of a name.
    """
    for name in only:
        if not any(_named(stage, name) for stage in own):
            kinds = ", ".join(dict.fromkeys(stage.split("/")[0] for stage in own))
            raise UserError(f"--stage {name}", "is no stage of this version", f"use: {kinds}")
    enough = (Exactness.EVERYWHERE, Exactness.HARDWARE) if same_hardware else (
        Exactness.EVERYWHERE,
    )  # fmt: skip
    return [stage for stage in _meant(own, only) if own[stage] in enough]


def _meant(own: Collection[str], only: Sequence[str]) -> list[str]:
    """The stages that are called so; all where no name is given."""
    return [s for s in own if not only or any(_named(s, name) for name in only)]


def _named(stage: str, name: str) -> bool:
    return stage == name or stage.startswith(f"{name.rstrip('/')}/")


def check_pins(tree: Path, manifest: Manifest) -> list[str]:
    """What the files of git say otherwise than the manifest: locks, vocabulary, templates."""
    found = []
    for name in {**dict.fromkeys(LOCKS), **manifest.locks}:
        path = tree / name
        here = file_facts(path).blake2b if path.is_file() else None
        if here != manifest.locks.get(name):
            found.append(f"{name} is not the one that the manifest names")
    read = {n: d for stage in manifest.stages.values() for n, d in stage.code.items()}
    words = {_folder(manifest, "templates"), TEMPLATES[0]} & read.keys()
    told = {name: read[name] for name in sorted(words)}
    for name, digest in {_folder(manifest, "vocabulary"): manifest.vocabulary, **told}.items():
        if source_digests(tree, [name])[name] != digest:
            found.append(f"{name} is not the one that the manifest names")
    return found


def _folder(manifest: Manifest, section: str) -> str:
    """Return the folder that a section of the parameters names."""
    said = manifest.params.get(section)
    named = said.get("folder") if isinstance(said, dict) else None
    return str(named or {"vocabulary": "data/vocabulary", "templates": TEMPLATES[0]}[section])


def check_seals(folder: Path, manifest: Manifest) -> list[str]:
    """What the stages' seals, which are files of the version, say otherwise than the manifest."""
    found = []
    sealed = {
        f[len(SEALS) + 1 :].removesuffix(".json") for f in manifest.files if lies_in(f, SEALS)
    }
    for name in sorted(sealed | {*manifest.stages}):
        facts = manifest.stages.get(name)
        try:
            seal = json.loads((folder / SEALS / f"{name}.json").read_bytes())
            same = facts is not None and all(
                seal[key] == getattr(facts, key) for key in ("code", "inputs", "outs")
            )
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            same = False
        if not same:
            found.append(f"the seal of {name} is not the one that the manifest names")
    return found


def bring_given(manifest: Manifest, project: Path, tree: Path) -> None:
    """Link what stages read and git ignores, such as image sets, into the tree, if it is here."""
    if tree == project.resolve():
        return
    for dep, value in {d: v for s in manifest.stages.values() for d, v in s.code.items()}.items():
        try:
            if source_digests(project, [dep])[dep] != value:
                continue
            if (tree / dep).exists() and source_digests(tree, [dep])[dep] == value:
                continue
        except UserError:  # it is not there
            continue
        for file in filter(Path.is_file, linked_below(project / dep)):
            target = tree / file.relative_to(project)
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                link_tree(file.resolve(), target)
