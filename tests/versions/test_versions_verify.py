"""Parts of a verification: files against a manifest, commands that mend, what differs."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import yaml

from lvlmbench import tables
from lvlmbench.commands.main import main
from lvlmbench.core.errors import UserError
from lvlmbench.core.exactness import Exactness
from lvlmbench.versions.comparing import compare, first_row
from lvlmbench.versions.facts import file_facts
from lvlmbench.versions.locked import locked_packages
from lvlmbench.versions.manifest import Manifest
from lvlmbench.versions.remaking import Outcome, Remaking, ancestors, draw, makers, rounds
from lvlmbench.versions.repair import Objects, mend, write_script
from lvlmbench.versions.soundness import Fault, check_files
from lvlmbench.versions.verify_words import environment_notes, fault_lines, stage_words, summary
from lvlmbench.versions.verifying import Found, _drawn, check_seals, choose, own_exactness
from lvlmbench.versions.versions import Version
from support.versions_project import PAGE, PART, TABLE, image, make_project, write_images


@pytest.fixture
def project(tmp_path: Path) -> tuple[Path, Manifest]:
    return make_project(tmp_path)


def test_sound_files(project: tuple[Path, Manifest]) -> None:
    assert check_files(*project) == []


def edit(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("at", [0, 100, -1])
def test_each_kind_of_damage_is_named(project: tuple[Path, Manifest], at: int) -> None:
    folder, manifest = project
    size = (folder / PART).stat().st_size
    edit(folder / PART, at)
    (folder / PAGE).write_text("a,b")
    (folder / "results/figures/two.csv").write_text("")
    (folder / "results/report.html").write_text("beside what the manifest watches")
    (folder / TABLE / "part-00001.parquet").unlink()
    (folder / "data/images/.clean.publish-old").mkdir()
    (folder / "data/images/.clean.publish-old/x").write_text("")
    found = {fault.path: (fault.kind, fault.what) for fault in check_files(folder, manifest)}
    assert found == {
        "data/images/.clean.publish-old/x": ("surplus", "is surplus: the version has no such file"),
        PART: ("damaged", "is damaged: its size is right, its bytes are not"),
        f"{TABLE}/part-00001.parquet": ("missing", "is missing"),
        PAGE: ("damaged", "is truncated: 3 of 8 bytes"),
        "results/figures/two.csv": ("surplus", "is surplus: the version has no such file"),
    }
    with (folder / PART).open("ab") as f:
        f.write(b"12")
    kinds = {fault.path: fault.what for fault in check_files(folder, manifest)}
    assert kinds[PART] == "has 2 bytes too many"
    assert size == manifest.files[PART].size


def test_what_was_submitted_is_no_fault_of_a_version(project: tuple[Path, Manifest]) -> None:
    folder, manifest = project
    for name in ("dysca/metrics.json", "dysca/submissions/mine/metrics.json", "dysca/other.json"):
        file = folder / "results" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}")
    known = "results/dysca/metrics.json"
    files = manifest.files | {known: file_facts(folder / known)}
    faults = check_files(folder, manifest.model_copy(update={"files": files}))
    assert [fault.path for fault in faults] == ["results/dysca/other.json"]


def test_damage_that_was_pinned(project: tuple[Path, Manifest]) -> None:
    """The bytes are those of the manifest, but a page of pictures is damaged: its checksum says."""
    folder, manifest = project
    data = (folder / PART).read_bytes()
    edit(folder / PART, data.index(b"\x28\xb5\x2f\xfd", len(data) // 4) + 12)  # within zstd's data
    files = manifest.files | {PART: file_facts(folder / PART)}
    (fault,) = check_files(folder, manifest.model_copy(update={"files": files}))
    assert fault.kind == "pinned" and fault.path in (PART, TABLE)


def test_rows_that_are_not_those_of_the_manifest(project: tuple[Path, Manifest]) -> None:
    folder, manifest = project
    write_images(folder / PART, image(0), *(image(n) for n in range(1, 5)), image(9))
    files = manifest.files | {PART: file_facts(folder / PART)}
    (fault,) = check_files(folder, manifest.model_copy(update={"files": files}))
    assert (fault.path, fault.kind) == (TABLE, "pinned")
    assert fault.what == "holds other rows than the manifest says"
    write_images(folder / PART, image(0))
    files = manifest.files | {PART: file_facts(folder / PART)}
    (fault,) = check_files(folder, manifest.model_copy(update={"files": files}))
    assert fault.what == "holds 2 rows, the manifest says 7"


@pytest.fixture
def cached(project: tuple[Path, Manifest]) -> tuple[Path, Manifest, Objects, Path]:
    """... with a dvc.lock and a cache whose objects are as DVC lays them out."""
    folder, manifest = project
    cache = folder.resolve() / ".dvc/cache"
    names = {"aa11": PART, "bb22": f"{TABLE}/part-00001.parquet", "cc33": PAGE}
    for md5, path in names.items():
        kept = cache / "files/md5" / md5[:2] / md5[2:]
        kept.parent.mkdir(parents=True)
        kept.write_bytes((folder / path).read_bytes())
    listing = [{"md5": m, "relpath": Path(p).name} for m, p in names.items() if m != "cc33"]
    (cache / "files/md5/dd").mkdir()
    (cache / "files/md5/dd/44.dir").write_text(json.dumps(listing))
    outs = [{"path": TABLE, "md5": "dd44.dir"}, {"path": PAGE, "md5": "cc33"}]
    (folder / "dvc.lock").write_text(yaml.safe_dump({"stages": {"all": {"outs": outs}}}))
    return folder, manifest, Objects(folder, cache), cache / "files/md5"


def test_command_for_each_state_of_the_cache(
    cached: tuple[Path, Manifest, Objects, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, manifest, objects, kept = cached
    monkeypatch.chdir(folder)
    damaged = Fault(PART, "is damaged", "damaged")

    def command(fault: Fault, elsewhere: bool = False) -> str:
        return mend(fault, manifest.files, objects, Path(), elsewhere).command

    assert command(damaged) == f"rm -f {PART} && dvc checkout {PART}"
    edit(kept / "aa/11", 9)
    assert command(damaged) == f"rm -f {PART} .dvc/cache/files/md5/aa/11 && dvc pull {PART}"
    assert command(damaged, elsewhere=True) == "rm -f .dvc/cache/files/md5/aa/11"
    (kept / "aa/11").unlink()
    assert command(damaged) == f"rm -f {PART} && dvc pull {PART}"
    assert command(damaged, elsewhere=True) == ""
    (folder / PART).unlink()
    assert command(Fault(PART, "is missing", "missing")) == f"dvc pull {PART}"
    (folder / PAGE).unlink()
    assert command(Fault(PAGE, "is missing", "missing")) == f"dvc checkout {PAGE}"
    odd = Fault(f"{TABLE}/a b", "is surplus", "surplus")
    assert command(odd) == f"rm -f '{TABLE}/a b'"


def test_damaged_listing_of_a_folder_goes_too(
    cached: tuple[Path, Manifest, Objects, Path],
) -> None:
    folder, manifest, objects, kept = cached
    (kept / "dd/44.dir").write_text("[")
    found = mend(Fault(PART, "is damaged", "damaged"), manifest.files, objects, folder)
    assert found.remove == (PART, ".dvc/cache/files/md5/dd/44.dir") and found.dvc == "pull"
    for text in ("", "[]", "stages: {a: {outs: [x]}}", "{"):
        (folder / "dvc.lock").write_text(text)
        assert Objects(folder, kept).of(PART) == (None, None)


def test_script_mends_all(cached: tuple[Path, Manifest, Objects, Path]) -> None:
    folder, manifest, objects, kept = cached
    edit(kept / "aa/11", 9)
    faults = [Fault(PART, "", "damaged"), Fault(PAGE, "", "damaged"), Fault("x y", "", "surplus")]
    mends = [mend(fault, manifest.files, objects, folder) for fault in faults]
    assert write_script(folder, "v1", mends) == "sh .lvlmbench/mend-v1.sh"
    assert (folder / ".lvlmbench/mend-v1.sh").read_text().splitlines() == [
        "set -e",
        f"rm -f {PART} .dvc/cache/files/md5/aa/11 {PAGE} 'x y'",
        f"dvc checkout {PAGE}",
        f"dvc pull {PART}",
    ]


def test_faults_in_words(cached: tuple[Path, Manifest, Objects, Path]) -> None:
    folder, manifest, objects, _ = cached
    faults = [Fault(f"{TABLE}/\x1b[31m{n:02}", "is surplus", "surplus") for n in range(23)]
    pairs = tuple((f, mend(f, manifest.files, objects, folder)) for f in faults)
    version = Version("v1", manifest, "0" * 40)
    found = Found(version, False, faults=pairs, script="sh x", no_remote=True)
    told = [*fault_lines(found)]
    assert told[0] == "23 files are not as pinned:" and "\x1b" not in "".join(told[1::2])
    assert len([line for line in told if line.startswith("      ")]) == 20
    assert "  and 3 more" in told and "All at once: sh x" in told
    assert "No remote to pull from is set here" in told[-1]
    assert not found.sound and summary(found, True).startswith("v1 DIFFERS: 23")


def test_first_difference_of_tables(tmp_path: Path) -> None:
    a, b = tmp_path / "a.parquet", tmp_path / "b.parquet"
    rows = [image(n % 200) for n in range(600)]
    write_images(a, *rows)
    write_images(b, *rows)
    assert first_row(a, b) is None
    rows[300] = image(300 % 200, width=5)
    write_images(b, *rows)
    assert first_row(a, b) == "row 301, column 'width': None, pinned was 5"
    rows[2] = image(2, image={"bytes": b"12345", "path": "2.png"})
    write_images(b, *rows)
    told = first_row(a, b)
    assert told is not None and told.startswith("row 3, column 'image': {'bytes': '400 bytes'")
    write_images(b, *rows[:2])
    assert first_row(a, b) == "600 rows, 2 were pinned"
    tables.write_rows([], b, tables.VERDICTS, "id")
    assert first_row(a, b) == "made again, it lacks the column 'filter'"


def test_outs_are_compared_by_bytes_then_rows(tmp_path: Path) -> None:
    made, pinned = tmp_path / "made", tmp_path / "pinned"
    for root in (made, pinned):
        write_images(root / PART, image(1), image(2))
        (root / PAGE).parent.mkdir(parents=True)
        (root / PAGE).write_text("a,b\n")
    outs = [TABLE, "results/figures"]
    assert compare(made, pinned, outs) == []
    tables.write_rows([image(1), image(2)], made / PART, tables.IMAGES, "another id")
    (found,) = compare(made, pinned, outs)
    assert found.rows_equal and "equal rows in other bytes" in found.what
    (made / PAGE).write_text("a,c\n")
    (made / TABLE / "part-00001.parquet").write_bytes(b"")
    (pinned / "results/figures/two.csv").write_text("")
    told = {each.path: each.what for each in compare(made, pinned, outs)}
    assert told[PAGE] == "from byte 3 on"
    assert told[f"{TABLE}/part-00001.parquet"] == "was made beside the pinned files"
    assert told["results/figures/two.csv"] == "was not made again"


def test_one_run_makes_all_that_no_other_stage_lies_between(
    project: tuple[Path, Manifest],
) -> None:
    above = {"a": set(), "b": {"a"}, "c": {"b"}, "d": {"a"}, "e": {"c", "d"}}
    assert rounds(["a", "b", "c", "d", "e"], above) == [["a", "b", "d", "c", "e"]]
    assert rounds(["e", "a", "d"], above) == [["a", "d"], ["e"]]  # b and c stay as they are
    assert rounds(["c", "d"], above) == [["d", "c"]]
    assert makers(project[1])["figures"] == {"answer/m/clean"}
    assert makers(project[1])["answer/m/clean"] == {"render", "reference/a"}
    assert ancestors("e", above) == {"a", "b", "c", "d"}


def test_a_sample_that_is_smaller_than_asked_is_told(project: tuple[Path, Manifest]) -> None:
    manifest, said = project[1], list[str]()
    names = sorted(makers(manifest))
    found = _drawn(names, manifest, len(names) + 1, said.append)
    assert 0 < len(found) <= len(names)
    assert said[0].startswith(f"--sample {len(names) + 1}: {len(found)} drawn; the others are")
    assert _drawn(names, manifest, 1, said.append) and len(said) == 1


def test_a_sample_of_files_only_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["verify", "v1", "--files-only", "--sample", "3"])
    assert ended.value.code == 2
    assert "--sample: makes stages again, and --files-only none" in capsys.readouterr().err


def test_elsewhere_than_in_the_project_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["verify", "v1"])
    told = "dvc.yaml: is not in this folder; go to the project's folder first\n"
    assert capsys.readouterr().err == told


def test_drawn_stages_are_not_made_from_each_other() -> None:
    above = {"a": set(), "b": {"a"}, "c": {"b"}, "d": {"a"}, "e": {"c", "d"}}
    drawn = [draw(list(above), above, 3, seed) for seed in range(40)]
    assert {name for names in drawn for name in names} == {*above}
    assert {frozenset(names) for names in drawn if len(names) > 1} == {
        frozenset("bd"), frozenset("cd"),
    }  # fmt: skip
    assert draw(["a", "e"], above, 1, 0) in (["a"], ["e"])


class _Scripted(Remaking):
    """Makes nothing; what comes of a stage is told beforehand, for its first run and its second."""

    def __init__(self, manifest: Manifest, told: dict[str, list[Outcome]]) -> None:
        self.manifest, self._above, self._told = manifest, makers(manifest), told
        self.runs: list[list[str]] = []

    def _make(self, names: list[str], say: object) -> str:
        self.runs.append(names)
        return ""

    def _outcome(self, name: str, said: str) -> Outcome:
        return self._told[name].pop(0)

    def _put_back(self, name: str, outcome: Outcome, always: bool = False) -> bool:
        return outcome.state == "equal" and not always


def test_what_reads_a_stage_that_differs_is_made_once_more(
    project: tuple[Path, Manifest],
) -> None:
    """From the pinned files: a stage's verdict is about this stage alone."""
    manifest, equal, differs = project[1], Outcome("equal"), Outcome("differs")
    everything = ["reference/a", "render", "answer/m/clean", "figures"]
    told = {
        "reference/a": [equal], "render": [differs],
        "answer/m/clean": [differs, equal], "figures": [Outcome("failed"), equal],
    }  # fmt: skip
    remaking = _Scripted(manifest, told)
    found = remaking.remake(everything, {}, lambda line: None)
    assert {name: outcome.state for name, outcome in found.items()} == {
        "reference/a": "equal", "render": "differs", "answer/m/clean": "equal", "figures": "equal",
    }  # fmt: skip
    assert [sorted(names) for names in remaking.runs] == [
        sorted(everything), ["answer/m/clean", "figures"],
    ]  # fmt: skip


def test_what_reads_a_broken_seal_is_left_alone(project: tuple[Path, Manifest]) -> None:
    manifest, equal = project[1], Outcome("equal")
    told = {"figures": [equal], "answer/m/clean": [equal]}
    found = _Scripted(manifest, told).remake(
        ["figures", "answer/m/clean"], {"render": "x changed"}, lambda line: None
    )
    assert {o.why for o in found.values()} == {"the seal of render does not hold"}
    healed = _Scripted(manifest, told | {"render": [equal]}).remake(
        ["figures", "answer/m/clean", "render"], {"render": "x changed"}, lambda line: None
    )
    assert {o.state for o in healed.values()} == {"equal"}


def test_which_stages_are_made_again(project: tuple[Path, Manifest]) -> None:
    own = own_exactness(project[1])  # parameters that this version does not accept
    assert choose(own, [], False) == ["render"]
    assert choose(own, [], True) == ["render", "reference/a", "figures"]
    assert choose(own, ["reference"], True) == ["reference/a"]
    assert choose(own, ["reference/a", "figures"], False) == []
    with pytest.raises(UserError, match="is no stage of this version; use: render, reference, "):
        choose(own, ["rend"], False)


def test_outcomes_in_words() -> None:
    everywhere, hardware, artifact = Exactness
    assert stage_words(Outcome("equal"), everywhere, None) == "made again, equal"
    assert stage_words(None, hardware, None).endswith("exact on the same hardware only")
    assert stage_words(None, artifact, None).endswith("only pulling brings these bytes")
    assert stage_words(None, hardware, "x changed").startswith("DIFFERS: its seal does not hold")
    assert "could not be made again: why" in stage_words(
        Outcome("failed", why="why"), hardware, None
    )


def test_packages_and_processor_that_differ_are_told(project: tuple[Path, Manifest]) -> None:
    lock = locked_packages(
        "# group: core -- x\nNumPy==1\naway==2\n# group: dev -- y\nruff==1\n", tools=False
    )
    assert lock == {"numpy": "1", "away": "2"}
    pinned = project[1].environment
    pinned = pinned.model_copy(update={"packages": {**pinned.packages, "away": "2"}})
    told = [*environment_notes(pinned, lock)]
    assert "numpy 1 (here " in told[0] and "ruff" not in told[0] and "away" not in told[0]
    assert told[0].endswith("install its requirements.lock (make install).")
    assert told[1].startswith("Not here, of the packages it was pinned with: away 2. Where a stage")
    assert told[2].startswith("Another processor here: ")


def test_manifest_that_says_otherwise_than_the_seals(project: tuple[Path, Manifest]) -> None:
    folder, manifest = project
    for name, facts in manifest.stages.items():
        path = folder / "data/seals" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(facts.model_dump_json())
    assert check_seals(folder, manifest) == []
    (folder / "data/seals/render.json").write_text('{"code": {"x": "1"}, "inputs": {}, "outs": {}}')
    told = "the seal of render is not the one that the manifest names"
    assert check_seals(folder, manifest) == [told]
    files = {"data/seals/render.json": manifest.files[PAGE]}
    empty = manifest.model_copy(update={"stages": {}, "files": files})
    assert check_seals(folder, empty) == [told]


def test_table_that_has_no_shard(project: tuple[Path, Manifest]) -> None:
    folder, manifest = project
    odd = {**manifest.tables, "data/none": manifest.tables[TABLE]}
    (fault,) = check_files(folder, manifest.model_copy(update={"tables": odd}))
    assert (fault.path, fault.kind) == ("data/none", "pinned")


def test_same_size_other_bytes_are_read_afresh(project: tuple[Path, Manifest]) -> None:
    """Same inode, size and time: what remembers hashes by these would pass it."""
    folder, manifest = project
    before = (folder / PAGE).stat()
    with (folder / PAGE).open("r+b") as f:
        f.write(b"b")
    os.utime(folder / PAGE, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = (folder / PAGE).stat()
    assert (before.st_ino, before.st_size, before.st_mtime_ns) == (
        after.st_ino, after.st_size, after.st_mtime_ns,
    )  # fmt: skip
    assert [fault.path for fault in check_files(folder, manifest)] == [PAGE]
