"""Names of suites: their tables lie in folders of these names."""

from __future__ import annotations

from pathlib import Path

import pytest

from lvlmbench.config import SUBTASKS, validate_project
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.project import check_files, read_project
from lvlmbench.engine.stages import pipeline
from lvlmbench.scene.subtasks import Subtask
from lvlmbench.suites.suite import SUITES, Suite


@pytest.mark.parametrize("name", ["association", "prompts", "templates", "vocabulary"])
def test_a_suite_is_not_named_like_a_folder_that_is_read(root: Path, name: str) -> None:
    with pytest.raises(UserError, match=rf"suites\.{name}: stages read the folder 'data/{name}'"):
        pipeline(validate_project({"suites": {name: {"kind": "valor"}}}), root)


def test_no_kind_of_suites_has_such_a_name(root: Path) -> None:
    kinds = [name for name in SUITES.names() if not SUITES.get(name, "")().private]
    pipeline(validate_project({"suites": {name: {"kind": name} for name in kinds}}), root)


def test_what_a_suite_reads_is_known_where_it_says_nothing_of_itself(root: Path) -> None:
    of = {"suites": {"exam": {"kind": "autodavis", "corpus": {"drawable_by": "pictograph"}}}}
    assert "data/aspects" in pipeline(validate_project(of), root).items["scenes/exam"].deps


@pytest.mark.parametrize("key", ["reference.pinned", "validity.rankings", "judge.prompts"])
def test_a_folder_that_is_missing_is_told_by_its_key(root: Path, tmp_path: Path, key: str) -> None:
    section, name = key.split(".")
    file = tmp_path / "mine.yaml"
    file.write_text(f"{section}: {{{name}: nosuch}}\n")
    with pytest.raises(UserError, match=rf"mine\.yaml: {key}: 'nosuch' is no folder; name one"):
        check_files([root / "params.yaml", file])
    with pytest.raises(UserError, match=rf"mine\.yaml: {key}: 'nosuch' is no folder; name one"):
        read_project(root, {section: {name: "nosuch"}}, [file])


def test_a_check_says_which_servers_it_did_not_try(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "answer: {models: [{name: mine, engine: openai_chat, endpoint: {model: m, "
        "base_url: 'http://localhost:1/v1', api_key_env: null}}]}\n"
    )
    said = check_files([root / "params.yaml", file])
    assert said.splitlines()[-1].startswith("not tried: the servers of ") and "mine" in said
    assert "not tried" not in check_files([root / "params.yaml"])


def test_a_suite_that_is_left_out_is_one_that_there_is(root: Path, tmp_path: Path) -> None:
    base, file = tmp_path / "params.yaml", tmp_path / "mine.yaml"
    base.write_text("suites: {dysca: {}, own: {kind: composed}}\n")
    file.write_text("suites: {own: null, valor: null}\n")  # as a profile has it: no suite of ours
    assert "suite dysca" in check_files([base, file]) and "own" not in check_files([base, file])
    file.write_text("suites: {owm: null}\n")
    slip = r"mine\.yaml: suites\.owm: is null, and there is no such suite .*did you mean 'own'\?"
    with pytest.raises(UserError, match=slip):
        check_files([base, file])
    file.write_text("suites: {valour: null}\n")
    with pytest.raises(UserError, match="did you mean 'valor'"):
        read_project(root, {"suites": {"valour": None}}, [file])
    base.write_text("suites: {dysca: {}, valor: null}\n")
    with pytest.raises(UserError, match=r"suites\.valor: is null, and DVC cannot leave out"):
        check_files([base])


def test_a_subtask_without_words_is_told_before_anything_runs(root: Path, tmp_path: Path) -> None:
    task = Subtask("sight", 90, "fine", foregrounds=("animal",))
    own = tmp_path / "own.yaml"
    own.write_text("suites: {dysca: {corpus: {subtasks: [animal, sight]}}}\n")
    with (
        SUBTASKS.temporarily({"sight": lambda: task}),
        pytest.raises(UserError, match="has no words for 'sight'; add 'sight:' to a file"),
    ):
        check_files([root / "params.yaml", own])


@pytest.mark.parametrize(
    ("bases", "members", "told"),
    [
        ((), ("scenes", "questions", "prompt"), "Sights is no Suite; write 'class Sights(Suite):'"),
        ((Suite,), ("scenes", "questions"), "Sights has no prompt; add what is missing: docs/ext"),
        ((Suite,), (), "Sights has no scenes, no questions, no prompt; add what is missing"),
    ],
    ids=["no base", "no prompt", "nothing"],
)
def test_a_suite_that_is_none_is_told_before_anything_runs(
    root: Path, tmp_path: Path, bases: tuple[type, ...], members: tuple[str, ...], told: str
) -> None:
    made = type("Sights", bases, {name: lambda self: None for name in members})
    own = tmp_path / "own.yaml"
    own.write_text("suites: {sights: {kind: sights, corpus: {subtasks: [animal]}}}\n")
    task = Subtask("animal", 1, "fine", foregrounds=("animal",), suites=("dysca", "sights"))
    with (
        SUITES.temporarily({"sights": SUITES.of("sights", made)}),
        SUBTASKS.temporarily({"animal": lambda: task}),
        pytest.raises(UserError) as caught,
    ):
        check_files([root / "params.yaml", own])
    assert told in str(caught.value) and "own.yaml: suites.sights: kind: " in str(caught.value)


def test_an_encoder_that_is_not_packaged_is_told_before_anything_runs(
    root: Path, tmp_path: Path
) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("score: {caption_encoder: packaged:all-MiniLM-L6-v3}\n")
    with pytest.raises(UserError, match="caption_encoder: 'packaged:all-MiniLM-L6-v3' is not"):
        check_files([root / "params.yaml", own])
    own.write_text("score: {caption_encoder: models/enc}\n")
    told = check_files([root / "params.yaml", own])
    assert "score.caption_encoder: 'models/enc' is no folder here, so it is looked for on" in told


def test_a_brace_in_the_path_is_told(tmp_path: Path) -> None:
    """Snakemake takes it for a wildcard, and ends in a traceback."""
    with pytest.raises(UserError, match=r"\{x\}: has a brace in its path, .*rename the folder"):
        read_project(tmp_path / "{x}", {})


@pytest.mark.parametrize("target", ["data/seals/render/dysca.json", "results/dysca/metrics.json"])
def test_a_target_behind_configfile_is_told(root: Path, tmp_path: Path, target: str) -> None:
    """Snakemake takes it for a file of parameters, which it may well be able to read."""
    own = tmp_path / "own.yaml"
    own.write_text("snapshot: {seed: 5}\n")
    with pytest.raises(UserError, match=rf"{target}: is made by .*'snakemake {target} --config"):
        read_project(root, {"snapshot": {"seed": 5}}, [own, root / target])
