"""The scripts that go with exports tell of a user's mistake in one line, and write nothing then."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log
from inspect_ai.model import ModelOutput

from lvlmbench.stages.exports.bundled import put

DATASET = "lvlmbench_01234567_clean_mcq"


def ran(tool: str, folder: Path, *names: str) -> subprocess.CompletedProcess[str]:
    """What the script of a tool makes of files in ``folder``."""
    put(f"{tool}_to_answers", folder / "to_answers.py")
    command = [sys.executable, "to_answers.py", *names]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.long
@pytest.mark.parametrize(
    ("tool", "name", "text", "told"),
    [
        ("vlmevalkit", f"m_{DATASET}.tsv", None, "No such file"),
        ("vlmevalkit", f"m_{DATASET}.tsv", "index\tprediction\n1\tA\n7\tB\n", "no index '7'"),
        ("vlmevalkit", f"m_{DATASET}.tsv", "index\n1\n", "no columns"),
        ("vlmevalkit", f"m_{DATASET}.json", '{"index": [1]}', "no list of rows"),
        ("vlmevalkit", "other.tsv", "index\tprediction\n1\tA\n", "no file is called"),
        ("lmms", "samples_x.jsonl", None, "No such file"),
        ("lmms", "samples_x.jsonl", '{"scored": {"item_id": "a"}, "resps": "A"}\n{', "be read"),
        ("lmms", "samples_x.jsonl", '{"resps": "A"}\n', "no samples of lvlmbench"),
        ("inspect", "log.json", None, "No such file"),
        ("inspect", "log.json", "{", "cannot be read"),
    ],
)
def test_mistakes_are_one_line(
    tmp_path: Path, tool: str, name: str, text: str | None, told: str
) -> None:
    (tmp_path / "items.csv").write_text(f"dataset,index,item_id\n{DATASET},1,a\n")
    if text is not None:
        (tmp_path / name).write_text(text)
    done = ran(tool, tmp_path, name)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert told in done.stderr.splitlines()[-1]


def found(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    assert done.returncode == 0, done.stderr
    rows = map(json.loads, done.stdout.splitlines())
    return {row["item_id"]: row["answer"] for row in rows}


def test_a_zero_is_an_answer(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text(
        f"dataset,index,item_id\n{DATASET},1,a\n{DATASET},2,b\n{DATASET},3,c\n"
    )
    rows: list[dict[str, object]] = [{"index": 1, "prediction": "A"}, {"index": 2, "prediction": 0}]
    rows += [{"index": 3, "prediction": float("nan")}, {"index": 1, "prediction": "B"}]
    (tmp_path / f"m_{DATASET}.json").write_text(json.dumps(rows))
    done = ran("vlmevalkit", tmp_path, f"m_{DATASET}.json")
    assert found(done) == {"a": "B", "b": "0", "c": ""}


#: Logs by tool: (model, run) -> answers by item.
Logs = dict[tuple[str, str], dict[str, str]]


def write_vlmevalkit(folder: Path, logs: Logs) -> None:
    items = sorted({item for answers in logs.values() for item in answers})
    rows = [f"{DATASET},{n},{item}\n" for n, item in enumerate(items)]
    (folder / "items.csv").write_text("dataset,index,item_id\n" + "".join(rows))
    for (model, run), answers in logs.items():
        place = folder / "logs" / model / run
        place.mkdir(parents=True)
        said = [{"index": items.index(i), "prediction": text} for i, text in answers.items()]
        (place / f"{model}_{DATASET}.json").write_text(json.dumps(said))
        link = place.parent / f"{model}_{DATASET}.json"  # as the toolkit leaves it
        link.unlink(missing_ok=True)
        link.symlink_to(f"{run}/{model}_{DATASET}.json")


def write_lmms(folder: Path, logs: Logs) -> None:
    for (model, run), answers in logs.items():
        place = folder / "logs" / model
        place.mkdir(parents=True, exist_ok=True)
        said = [{"scored": {"item_id": i}, "resps": [[text]]} for i, text in answers.items()]
        lines = "".join(json.dumps(row) + "\n" for row in said)
        (place / f"{run}_samples_lvlmbench_clean.jsonl").write_text(lines)


def write_inspect(folder: Path, logs: Logs) -> None:
    (folder / "logs").mkdir()
    for n, ((model, run), answers) in enumerate(logs.items()):
        spec = EvalSpec(
            run_id=run, model=model, task="t", created=f"2026-01-01T00:00:{n:02d}+00:00",
            dataset=EvalDataset(), config=EvalConfig(),
        )  # fmt: skip
        samples = [
            EvalSample(
                id=item, epoch=1, input="?", target="A", metadata={"question_id": "q"},
                output=ModelOutput.from_content(model, text),
            )
            for item, text in answers.items()
        ]  # fmt: skip
        log = EvalLog(eval=spec, samples=samples, status="success")
        write_eval_log(log, str(folder / "logs" / f"{n}.json"))


WRITERS = {"vlmevalkit": write_vlmevalkit, "lmms": write_lmms, "inspect": write_inspect}
LOGS: Logs = {
    ("seer", "run-1"): {"a": "right", "b": "right"},
    ("seer", "run-2"): {"c": "right"},
    ("seer", "run-3"): {"a": "random"},
    ("blind", "run-4"): {"a": "wrong", "b": "wrong"},
}


@pytest.mark.long
@pytest.mark.parametrize("tool", WRITERS)
def test_models_and_runs_are_not_mixed(tmp_path: Path, tool: str) -> None:
    """A later run of anything beside a perfect one changes nothing unseen."""
    WRITERS[tool](tmp_path, LOGS)
    for arguments, names in (
        ([], ("seer", "blind", "run-1", "run-4", "--model NAME")),
        (["--model", "seer"], ("run-1", "run-3", "--run NAME")),
        (["--model", "nobody"], ("no such model", "seer", "blind")),
        (["--model", "blind", "--run", "run-1"], ("no such model or run", "run-4")),
    ):
        done = ran(tool, tmp_path, "logs", *arguments)
        assert done.returncode == 1 and done.stdout == "" and "Traceback" not in done.stderr
        assert all(name in done.stderr.splitlines()[-1] for name in names), done.stderr
    one = found(ran(tool, tmp_path, "logs", "--model", "seer", "--run", "run-1"))
    assert one == {"a": "right", "b": "right"}
    assert found(ran(tool, tmp_path, "logs", "--model", "blind")) == {"a": "wrong", "b": "wrong"}


@pytest.mark.parametrize("tool", WRITERS)
def test_runs_over_other_questions_are_put_together_and_named(tmp_path: Path, tool: str) -> None:
    WRITERS[tool](tmp_path, {key: LOGS[key] for key in list(LOGS)[:2]})
    done = ran(tool, tmp_path, "logs")
    assert found(done) == {"a": "right", "b": "right", "c": "right"}
    assert "'run-1'" in done.stderr and "'run-2'" in done.stderr


@pytest.mark.parametrize("tool", WRITERS)
def test_logs_in_a_linked_folder_are_found_once(tmp_path: Path, tool: str) -> None:
    WRITERS[tool](tmp_path, {key: LOGS[key] for key in list(LOGS)[:1]})
    (tmp_path / "logs").rename(tmp_path / "far")
    for name in ("link", "latest"):
        (tmp_path / "logs" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "logs" / name).symlink_to(tmp_path / "far")
    assert found(ran(tool, tmp_path, "logs")) == {"a": "right", "b": "right"}
