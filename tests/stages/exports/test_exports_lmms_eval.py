"""The task folder for lmms-eval, loaded and run by lmms-eval itself, offline."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image

from lvlmbench.core.errors import UserError
from lvlmbench.stages.exports.export import Example, Source
from lvlmbench.stages.exports.kinds.lmms_eval import _shards
from support.exports_made import ROOT, SCENARIOS, build, files, run, written

FORMS = ("huggingface", "lmms_eval")
Row = dict[str, Any]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return build(tmp_path_factory.mktemp("snapshot"))


@pytest.fixture(scope="module")
def folder(source: Source, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(source, tmp_path_factory.mktemp("exports"), *FORMS)


def asked(source: Source, scenario: str) -> list[Example]:
    return list(source.examples(scenario))


def says(examples: list[Example]) -> list[str]:
    """In turn: the right letter, a wrong one, a refusal, nothing; or a description."""
    answers = []
    for n, example in enumerate(examples):
        if example.answer_index is None:
            answers.append('A fox.\n\n"In the snow"\u2028\t')
        elif n % 4 > 1:
            answers.append((" ", "I'm sorry, but I can't help with that.")[n % 4 - 2])
        else:
            letter = "ABCD"[(example.answer_index + n % 4) % len(example.options)]
            answers.append((f"({letter})", f"The answer is ({letter}).")[n % 4])
    return answers


@pytest.fixture(scope="module")
def ran(source: Source, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What lmms-eval made of the tasks, and where it logged samples."""
    place = tmp_path_factory.mktemp("run")
    moved = place / "elsewhere"  # where they were written plays no part
    shutil.copytree(folder.parent, moved)
    answers = {
        f"lvlmbench_{scenario}/{n}": text
        for scenario in SCENARIOS
        for n, text in enumerate(says(asked(source, scenario)))
    }
    (place / "answers.json").write_text(json.dumps(answers))
    lines = run(
        ROOT / "tests/support/lmms_eval_run.py", moved / "lmms_eval", place / "answers.json",
        place / "logs", home=place / "home",
    )  # fmt: skip
    found: dict[str, Any] = {"logs": place / "logs", "requests": []}
    for line in lines:
        found["requests"] += [line["request"]] if "request" in line else []
        found |= {key: line[key] for key in ("tasks", "results") if key in line}
    return found


def test_every_question_is_asked_as_in_the_snapshot(source: Source, ran: dict[str, Any]) -> None:
    assert set(ran["tasks"]) == {"lvlmbench", *(f"lvlmbench_{s}" for s in SCENARIOS)}
    for scenario in SCENARIOS:
        requests = [r for r in ran["requests"] if r["task"] == f"lvlmbench_{scenario}"]
        examples = asked(source, scenario)
        assert len(requests) == len(examples) > 10
        for request in requests:
            example = examples[request["number"]]
            image = Image.open(io.BytesIO(example.image)).convert("RGB")
            assert request["prompt"] == example.prompt
            assert request["pixels"] == hashlib.sha256(image.tobytes()).hexdigest()
            assert request["settings"]["until"] == [] and request["settings"]["temperature"] == 0


def expected(examples: list[Example]) -> dict[str, float]:
    """The metrics, reckoned anew from what was said."""
    said = {e.item_id: text for e, text in zip(examples, says(examples), strict=True)}
    closed = [e for e in examples if e.options]
    scored = [e for e in closed if "(" in said[e.item_id]]

    def mean(of: list[Example]) -> float:
        right = [said[e.item_id] == f"({'ABCD'[e.answer_index or 0]})" for e in of]
        return sum(right) / len(right)

    return {
        "accuracy": mean(scored),
        "multiple_choice": mean([e for e in scored if e.question_type == "multiple_choice"]),
        "true_false": mean([e for e in scored if e.question_type == "true_false"]),
        "accuracy_kept": mean([e for e in scored if e.kept]),
        "scored": len(scored),
        "unscored": len(closed) - len(scored),
        "refused": sum("sorry" in said[e.item_id] for e in closed),
        "captions": len(examples) - len(closed),
    }


def test_metrics_leave_out_what_cannot_be_scored_and_count_it(
    source: Source, ran: dict[str, Any]
) -> None:
    for scenario in SCENARIOS:
        found = ran["results"][f"lvlmbench_{scenario}"]
        examples = asked(source, scenario)
        wanted = expected(examples)
        assert {name: found[f"{name},none"] for name in wanted} == pytest.approx(wanted)
        assert 0 < wanted["accuracy"] < 1 and wanted["unscored"] > wanted["refused"] > 0
        assert wanted["scored"] + wanted["unscored"] + wanted["captions"] == len(examples)
        assert found["accuracy_stderr_clustered,none"] > 0
        assert {key.split(",")[0] for key in found if "_stderr" not in key} - {"alias"} == {*wanted}


def test_logged_samples_become_answers(source: Source, folder: Path, ran: dict[str, Any]) -> None:
    """Each question once, by its id, and word for word what was said."""
    rows = run(folder / "to_answers.py", ran["logs"], home=ran["logs"].parent / "home")
    given = {
        example.item_id: text
        for scenario in SCENARIOS
        for example, text in zip(
            asked(source, scenario), says(asked(source, scenario)), strict=True
        )
    }
    assert len(rows) == len(given)
    assert {row["item_id"]: row["answer"] for row in rows} == given


def test_other_forms_are_beside_it_and_named_from_it(folder: Path) -> None:
    for scenario in SCENARIOS:
        task = yaml.safe_load((folder / f"lvlmbench_{scenario}.yaml").read_text())
        (shards,) = task["dataset_kwargs"]["data_files"].values()
        assert shards and all((folder / shard).is_file() for shard in shards)
        assert not any(Path(shard).is_absolute() for shard in shards)
    assert (folder / "LICENSE.txt").stat().st_size and (folder / "CREDITS.md").stat().st_size


def test_names_that_begin_alike_do_not_mix(source: Source) -> None:
    names = ["data/a-00000-of-00001.parquet", "data/a-b-00000-of-00001.parquet", "README.md"]
    manifest = {"files": [{"path": name} for name in names]}
    shards = [_shards(source, manifest, scenario) for scenario in ("a", "a-b")]
    assert shards == [[f"../huggingface/{name}"] for name in names[:2]]
    with pytest.raises(UserError, match="scenario 'b'"):
        _shards(source, manifest, "b")


def test_without_the_dataset_it_is_one_line(source: Source, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"huggingface/manifest\.json: is missing"):
        written(source, tmp_path, "lmms_eval")


def test_shards_change_no_byte(folder: Path, tmp_path: Path) -> None:
    again = build(tmp_path / "snapshot", shard=11)
    assert files(written(again, tmp_path, *FORMS)) == files(folder)
