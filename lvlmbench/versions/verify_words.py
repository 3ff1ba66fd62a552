"""What a verification has found, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lvlmbench.core.exactness import Exactness
from lvlmbench.versions.environment import environment
from lvlmbench.versions.manifest import Environment, Manifest
from lvlmbench.versions.remaking import Outcome
from lvlmbench.versions.verifying import Found

#: Faults and differences that are listed; the rest is counted.
LISTED = 20
#: Packages that are named; the rest is counted.
_NAMED = 5

_NOT_MADE = {
    Exactness.HARDWARE: "not made again: exact on the same hardware only",
    Exactness.ARTIFACT: "not made again: only pulling brings these bytes",
}


def printable(text: str) -> str:
    """Text of a file, as a terminal may show it."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def heading(manifest: Manifest) -> Iterator[str]:
    """Which version it is, and in what the packages here differ from its own."""
    facts, pinned = manifest.snapshot, manifest.environment
    yield (
        f"Version {manifest.name} of the snapshot '{facts.name}' (seed {facts.seed}, id {facts.id})"
    )
    yield f"pinned with {pinned.python} on {pinned.platform}, {pinned.processor}"


def _some(names: Sequence[str]) -> str:
    """The first few, and how many more."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def environment_notes(pinned: Environment, used: Mapping[str, str]) -> Iterator[str]:
    """In what this machine differs from where the version was pinned; ``used``: locked packages."""
    here = environment()
    pairs = {name: version for name, version in pinned.packages.items() if name in used}
    changed = [
        f"{name} {version} (here {here.packages[name]})"
        for name, version in pairs.items()
        if here.packages.get(name, version) != version
    ]
    if changed:
        yield (
            f"Other packages here than it was pinned with: {_some(changed)}. "
            "Differences may come from them: install its requirements.lock (make install)."
        )
    if away := [f"{name} {pairs[name]}" for name in pairs if name not in here.packages]:
        yield (
            f"Not here, of the packages it was pinned with: {_some(away)}. Where a stage needs "
            "one, its optional group is to be installed (make install-all takes all of them)."
        )
    if here.processor != pinned.processor:
        yield f"Another processor here: {here.processor}."


def fault_lines(found: Found) -> Iterator[str]:
    """Each file that is not as pinned, with the command that mends it."""
    name = found.version.name
    count = len(found.faults)
    yield f"{count} {'file is' if count == 1 else 'files are'} not as pinned:"
    for fault, mend in found.faults[:LISTED]:
        yield f"  {printable(fault.path)} {printable(fault.what)}"
        if mend is None:
            yield "      no command mends this: the version itself is damaged or was altered"
        elif not found.elsewhere:
            yield f"      {mend.command}"
        elif mend.remove:
            yield f"      {mend.command} && lvlmbench verify {name}"
        else:
            yield "      neither the cache nor the remote has it"
    if len(found.faults) > LISTED:
        yield f"  and {len(found.faults) - LISTED} more"
    if found.script and found.elsewhere:
        yield f"All at once: {found.script} && lvlmbench verify {name}"
    elif found.script:
        yield f"All at once: {found.script}"
    if found.no_remote:
        yield (
            "No remote to pull from is set here: dvc remote add --default NAME URL. If none has "
            "the version, run what stands before 'dvc', then 'snakemake', which makes the files "
            "again."
        )


def stage_words(outcome: Outcome | None, own: Exactness, broken: str | None) -> str:
    """What came of one stage."""
    if broken is not None:
        return f"DIFFERS: its seal does not hold: {broken}"
    if outcome is None:
        return _NOT_MADE.get(own, "not made again: not asked for")
    if outcome.state == "equal":
        return "made again, equal"
    if outcome.state == "rows":
        files = len(outcome.differences)
        return (
            f"made again, equal rows ({files} {'file' if files == 1 else 'files'} in other bytes)"
        )
    if outcome.state == "blocked":
        return f"not made again: {outcome.why}"
    if outcome.state == "failed":
        return f"FAILED: could not be made again: {outcome.why}"
    return "DIFFERS:"


def stage_lines(found: Found) -> Iterator[str]:
    """A line a stage, and what differs below it; none where it was not asked for."""
    width = max(map(len, found.stages), default=0)
    for name, outcome in found.stages.items():
        if outcome is None and name not in found.asked and name not in found.broken:
            continue
        words = stage_words(outcome, found.own[name], found.broken.get(name))
        differs = outcome.differences if outcome and outcome.state == "differs" else ()
        if len(differs) == 1:
            words += f" {differs[0].path}: {differs[0].what}"
        yield printable(f"  {name:{width}}  {words}")
        if len(differs) > 1:
            for each in differs[:LISTED]:
                yield printable(f"  {'':{width}}    {each.path}: {each.what}")
            if len(differs) > LISTED:
                yield f"  {'':{width}}    and {len(differs) - LISTED} more"


def summary(found: Found, files_only: bool) -> str:
    """The last line."""
    name, manifest = found.version.name, found.version.manifest
    size = sum(file.size for file in manifest.files.values())
    files = f"all {len(manifest.files):,} files ({size / 1e6:,.1f} MB) have its bytes"
    if found.faults:
        wrong = f"{len(found.faults)} of its files are not as pinned"
        return f"{name} DIFFERS: {wrong}; nothing was made again."
    made = [o for o in found.stages.values() if o is not None]
    equal = sum(o.state in ("equal", "rows") for o in made)
    if not found.sound:
        bad = len(made) - equal + len(found.broken) + len(found.contradictions)
        return f"{name} DIFFERS: {files}, but {bad} of the checks above failed."
    if files_only:
        return f"{name} is as pinned: {files}."
    left = [found.own[s] for s, o in found.stages.items() if o is None]
    rest = [
        f"{count} {words}"
        for words, count in (
            ("exact on the same hardware only", left.count(Exactness.HARDWARE)),
            ("only by pulling", left.count(Exactness.ARTIFACT)),
            ("not asked for", left.count(Exactness.EVERYWHERE)),
        )
        if count
    ]
    return (
        f"{name} is as pinned: {files}; {equal} of {len(found.stages)} stages made again and equal"
        f"{''.join(f', {r}' for r in rest)}."
    )
