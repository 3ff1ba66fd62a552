"""Examples that exports are written from; checks at start; manifests, licences, credits."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import kinds_of
from lvlmbench.engine.preflight.kinds import check_kinds
from lvlmbench.stages.exports.export import EXPORTS, MANIFEST, Source
from lvlmbench.stages.exports.facts import facts
from lvlmbench.stages.exports.markdown import code, table
from lvlmbench.stages.exports.rights import credits_text, license_text, rights
from lvlmbench.stages.exports.run import write, write_index
from lvlmbench.stages.exports.stage import STAGE
from lvlmbench.submissions.export import export_questions
from support.documents.kinds import registered
from support.documents.reading import block
from support.exports_snapshot import SCENARIOS, build, copy, export, hashes, with_exports
from support.submissions_snapshot import params as submissions_params

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return build(tmp_path_factory.mktemp("snapshot"))


def test_examples_are_what_export_questions_writes(source: Source, tmp_path: Path) -> None:
    export_questions(source, tmp_path / "q", SCENARIOS, "jsonl", "files")
    lines = (tmp_path / "q/questions.jsonl").read_text().splitlines()
    asked = [json.loads(line) for line in lines]
    examples = [e for name in SCENARIOS for e in source.examples(name)]
    assert len(asked) == len(examples) > 20
    for row, example in zip(asked, examples, strict=True):
        for name in ("item_id", "scenario", "question_id", "image_id", "prompt", "question"):
            assert row[name] == getattr(example, name)
        assert row["options"] == list(example.options)
        assert hashlib.sha256(example.image).hexdigest() == row["image_sha256"]
        assert (tmp_path / "q" / row["image"]).read_bytes() == example.image


def test_examples_have_their_answers_and_scenes(source: Source) -> None:
    questions = {
        row["question_id"]: row
        for row in tables.read(source.data / "questions", tables.QUESTIONS).to_pylist()
    }
    dropped = tables.read(source.data / "consensus", tables.CONSENSUS)
    dropped = {row["question_id"] for row in dropped.to_pylist() if not row["keep"]}
    seen: dict[str, set[bool]] = {}
    for name in SCENARIOS:
        for e in source.examples(name):
            question = questions[e.question_id]
            assert (e.answer, e.answer_index) == (question["answer"], question["answer_index"])
            assert e.chance == question["chance"]
            assert e.scene["scene_id"] == e.scene_id == question["scene_id"]
            assert e.kept is (e.question_id not in dropped)
            assert (e.perturbation is None) == (name == "clean")
            if e.answer_index is None:
                assert e.options == () and e.question_type == "free_form"
            else:
                assert e.options[e.answer_index] == e.answer
            seen.setdefault(e.question_type, set()).add(e.kept)
    assert set(seen) == {"multiple_choice", "true_false", "free_form"}
    assert seen["free_form"] == {True}


def test_an_image_that_is_not_what_its_hash_says_is_one_line(
    source: Source, tmp_path: Path
) -> None:
    source = copy(source, tmp_path)
    path = sorted((source.data / "images/clean").iterdir())[0]
    rows = tables.read([path], tables.IMAGES).to_pylist()
    for row in rows:
        row["image"]["bytes"] += b"more"
    path.unlink()
    tables.write_rows(rows, path, tables.IMAGES, "0" * 16)
    with pytest.raises(UserError, match="is not what its SHA-256 says"):
        list(source.examples("clean"))


def test_a_scenario_without_images_or_of_no_name_is_one_line(source: Source) -> None:
    with pytest.raises(UserError, match=r"has no scenario .fog.; use some of: clean"):
        list(source.examples("fog"))
    with pytest.raises(UserError, match="asked without an image"):
        list(source.examples("blind"))


def _exports(**changes: Any) -> Any:
    data = submissions_params().model_dump(mode="json")
    return validate(data | {"exports": changes})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"formats": ["parquet"]}, "'parquet' is not known; use one of: croissant"),
        ({"formats": ["croissant"]}, "'croissant' refers to 'huggingface', which is not written"),
        ({"formats": ["lmms_eval"]}, "'lmms_eval' refers to 'huggingface'"),
        ({"scenarios": ["fog"]}, "'fog' is no scenario that models are asked in; use some of"),
        ({"scenarios": ["blind"]}, "'blind' shows no images"),
    ],
)
def test_mistakes_are_told_at_start(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError) as caught:
        check_kinds(_exports(**changes), "params.yaml")
    assert words in str(caught.value)
    assert str(caught.value).startswith("params.yaml: exports.")
    assert "\n" not in str(caught.value)


def test_where_nothing_is_exported_no_scenario_is_asked_for() -> None:
    data = submissions_params().model_dump(mode="json")
    blind = {"names": ["blind"], "noisy": [{"name": "blind"}]}
    check_kinds(validate(data | {"scenarios": blind, "exports": {"formats": []}}), "params.yaml")
    with pytest.raises(UserError, match="'clean' is no scenario that models are asked in"):
        check_kinds(validate(data | {"scenarios": blind}), "params.yaml")


def test_two_scenarios_of_one_split_are_told_at_start() -> None:
    noisy = [{"name": name, "kind": "other_image"} for name in ("a-b", "a.b")]
    data = submissions_params().model_dump(mode="json") | {
        "scenarios": {"names": ["clean", "a-b", "a.b"], "noisy": noisy},
        "exports": {"scenarios": ["a-b", "a.b"]},
    }
    with pytest.raises(UserError, match=r"'a-b' and 'a\.b' would be one split, 'a_b'"):
        check_kinds(validate(data), "params.yaml")


def test_facts_are_counted_from_the_tables(source: Source) -> None:
    counted = facts(source)
    scenes = tables.read(source.data / "scenes", tables.SCENES)
    assert counted.planned == len(scenes) == counted.drawn + sum(counted.undrawn.values())
    assert counted.kept == counted.drawn - sum(counted.removed.values()) > 0
    for name in SCENARIOS:
        examples = list(source.examples(name))
        asked = counted.scenarios[name]
        assert asked.questions == len(examples) == sum(asked.types.values())
        assert asked.images == len({e.image_sha256 for e in examples})
        assert asked.scenes == len({e.scene_id for e in examples})
        assert asked.dropped == sum(not e.kept for e in examples)
        assert sum(asked.subtasks.values()) == asked.questions
    assert counted.questions == sum(a.questions for a in counted.scenarios.values())


def test_licence_follows_from_what_drew_the_pictures(source: Source) -> None:
    counted, project = facts(source), ROOT / "CREDITS.md"
    assert rights(source.params, counted).license == "cc-by-sa-4.0"
    assert "OpenMoji" in license_text(source.params, counted)
    assert "OpenMoji" in credits_text(source.params, counted, project)

    data = source.params.model_dump(mode="json")
    data["render"]["diffusion"]["model"] = "/home/somebody/weights/sdxl"
    params = validate(data)
    for drew in ({"diffusion": 4}, {"pictograph": 1, "diffusion": 4}):
        mixed = type(counted)(**(vars(counted) | {"renderers": drew}))
        held = rights(params, mixed)
        assert (held.license, held.url, held.weights) == ("other", None, ("sdxl",))
        text = license_text(params, mixed) + credits_text(params, mixed, project)
        assert "sdxl" in text and "/home" not in text
        assert ("OpenMoji" in license_text(params, mixed)) == ("pictograph" in drew)
        # Who reads a number of such items is told that nobody measured what they show.
        assert mixed.truth.startswith(f"Truth: description. 4 of {sum(drew.values())} pictures")
    assert counted.truth.startswith("Truth: measured.")


def test_every_form_has_licence_credits_and_a_true_manifest(source: Source, tmp_path: Path) -> None:
    export(source, tmp_path, "documents")
    folder = tmp_path / "documents"
    manifest = json.loads((folder / MANIFEST).read_text())
    found = hashes(folder)
    found.pop(MANIFEST)
    assert {f["path"]: f["sha256"] for f in manifest["files"]} == found
    assert {"LICENSE.txt", "CREDITS.md", "DATASHEET.md"} <= set(found)
    write_index([folder / MANIFEST], tmp_path / "index.json")
    (listed,) = json.loads((tmp_path / "index.json").read_text())["exports"]
    assert listed["n_files"] == len(found)
    assert listed["rows"] == {n: facts(source).scenarios[n].questions for n in SCENARIOS}


def test_the_datasheet_has_every_section_and_the_numbers(source: Source, tmp_path: Path) -> None:
    text = (export(source, tmp_path, "documents") / "documents/DATASHEET.md").read_text()
    assert "Truth: measured." in text
    sections = ("Motivation", "Composition", "Collection", "Preprocessing", "Uses")
    for title in (*sections, "Distribution", "Maintenance"):
        assert f"\n## {title}" in text
    counted = facts(source)
    assert f"{counted.questions:,} questions" in text
    for name, asked in counted.scenarios.items():
        assert f"| `{name}` | {asked.questions} | {asked.images} |" in text
    for name, removed in counted.removed.items():
        assert f"`{name}` removed {removed} of" in text
    assert str(source.data) not in text


def test_facts_count_exported_scenarios_alone(source: Source) -> None:
    few = replace(source, params=with_exports(source.params, ["clean"]))
    assert set(facts(few).scenarios) == {"clean"}


def test_names_are_not_read_as_markdown() -> None:
    assert code("a`b\n|<i>\u202e") == "`a'b \\|<i>`"
    assert code("\t") == "` `"
    assert table(("x",), [(1234,)]).splitlines()[-1] == "| 1,234 |"


def test_the_form_in_the_documentation_works(source: Source, tmp_path: Path) -> None:
    with registered([block("docs/exports.md: Another form: python 1")]):
        folder = export(source, tmp_path, "my_form") / "my_form"
    lines = (folder / "clean.txt").read_text().splitlines()
    assert [line.split()[0] for line in lines] == [e.item_id for e in source.examples("clean")]
    assert json.loads((folder / MANIFEST).read_text())["load"] == "cat questions.txt"


def test_the_forms_are_light_to_import() -> None:
    heavy = {
        "torch",
        "pandas",
        "datasets",
        "mlcroissant",
        "inspect_ai",
        "lmms_eval",
        "PIL",
        "scipy",
    }
    code = (
        "import sys; from lvlmbench.stages.exports.export import EXPORTS; EXPORTS.names();"
        f"print(*sorted({heavy!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_no_export_runs_a_kind_that_its_stage_says_it_does_not(
    source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*_: object, **__: object) -> None:
        raise AssertionError("an export has asked a kind")

    kinds = [kind for name in STAGE.runs_none for kind in kinds_of(name).ordered()]
    assert len(kinds) > 5
    for kind in kinds:
        for field in fields(kind):
            if callable(getattr(kind, field.name)):
                monkeypatch.setitem(vars(kind), field.name, wrong)
    for name in sorted(EXPORTS, key=lambda name: len(EXPORTS.get(name, "a test").needs)):
        write(name, source, tmp_path / name)
        assert (tmp_path / name / MANIFEST).is_file()


def test_truth_of_given_pictures_is_what_their_owner_says(source: Source) -> None:
    counted = replace(facts(source), renderers={tables.GIVEN: 3})
    assert counted.truth.startswith("Truth: given.") and "not drawn" in counted.truth
