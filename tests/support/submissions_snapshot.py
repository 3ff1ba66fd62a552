"""A small finished snapshot to ask questions of and to submit models to, and files of answers."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lvlmbench import tables
from lvlmbench.commands.main import main
from lvlmbench.config import Params, validate
from lvlmbench.engine.publish import link_tree
from lvlmbench.stages.answer.asked import Asked, item_id
from lvlmbench.stages.answer.engine import Item, Reply, request_hash
from support import report_snapshot
from support.report_snapshot import HOSTILE

Row = dict[str, Any]

CURVE = {"every": True, "kinds": ["gaussian_noise"], "severities": [1, 5]}
SCENARIOS = ["clean", "print_attack", "blind", "corruption_curve"]

#: Answers that break a careless reader of files.
NASTY = [
    *HOSTILE,
    '=cmd|"/c calc"!A1',
    'quotes " and "" and \' and ,;\t',
    "lines\nand\r\nmore\rlines",
    "NUL \x00 in the middle",
    "  spaces around  ",
    "\ufeffbyte order mark inside",
    "(A)",
]


def params() -> Params:
    """Few scenes; one scenario of each way in which images and questions belong together."""
    noisy: list[Row] = [
        {"name": "print_attack"},
        {"name": "blind"},
        {"name": "corruption_curve", "kind": "corruption", "corruption": CURVE},
    ]
    return report_snapshot.params(
        corpus={"scenes_per_subtask": 2, "subtasks": ["animal", "color", "text", "object"]},
        scenarios={"names": SCENARIOS, "noisy": noisy},
        statistics={"resamples": 100},
        figures={"names": ["subtask_scores", "funnel"]},
        report={"items": 2, "thumbnail_size": 64},
        judge={"judges": []},
    )


def build(root: Path, p: Params | None = None) -> Path:
    """The snapshot, with params.yaml, in ``root``."""
    report_snapshot.build(root, p or params(), shard=3)
    (root / "config.json").rename(root / "params.yaml")
    return root


def build_clean(root: Path) -> Path:
    """The same with the clean scenario alone."""
    data = params().model_dump(mode="json")
    data["scenarios"] = {"names": ["clean"], "noisy": []}
    return build(root, validate(data))


def copy(made: Path, root: Path) -> Asked:
    """A copy to change, by hard links."""
    link_tree(made, root)
    return Asked.open(root)


def home(finished: Asked) -> Path:
    """The folder that holds params.yaml, data and results."""
    return finished.data.parents[1]


def asked(finished: Asked, *scenarios: str) -> list[Row]:
    """What is asked, with the right answers beside it, which no export has."""
    from lvlmbench import tables

    table = tables.read(finished.parts(tables.QUESTIONS), tables.QUESTIONS)
    right = {row["question_id"]: row for row in table.to_pylist()}
    return [
        {
            "item_id": item_id(scenario, item),
            "scenario": scenario,
            "question_id": item.question_id,
            "image_id": item.image_id,
            "options": list(item.options),
            "right": right[item.question_id]["answer_index"],
            "reference": right[item.question_id]["answer"],
        }
        for scenario in scenarios or ("clean",)
        for item in finished.items(scenario)
    ]


def perfect(row: Row) -> str:
    """The right answer."""
    return row["reference"] if row["right"] is None else f"({'ABCD'[row['right']]})"


def wrong(row: Row) -> str:
    """Another option than the right one; a caption of nothing."""
    if row["right"] is None:
        return "Quarterly earnings."
    return f"({'ABCD'[(row['right'] + 1) % len(row['options'])]})"


def write(path: Path, rows: Sequence[Row]) -> Path:
    """A file of answers in the format that its name says."""
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            names = list(dict.fromkeys(name for row in rows for name in row))
            out = csv.DictWriter(file, names)
            out.writeheader()
            out.writerows(rows)
    else:
        pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def files_below(root: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def answers(path: Path, rows: list[Row], rule: Any) -> Path:
    return write(path, [{"item_id": row["item_id"], "answer": rule(row)} for row in rows])


def values(folder: Path, metric: str, kind: str = "all") -> dict[tuple[str, str], float | None]:
    """Metric of all questions by model and scenario."""
    table = tables.read([folder / "metrics.parquet"], tables.METRICS)
    return {
        (r["model"], r["scenario"]): r["value"]
        for r in table.to_pylist()
        if (r["questions"], r["metric"], r["question_type"]) == ("all", metric, kind)
        and {r[c] for c in ("subtask", "style", "perturbation", "severity")} == {"all"}
    }


class Toy:
    """A model of ours that answers by the rule of the example runner in tests."""

    cached = False
    parameters: Mapping[str, object] = {}

    def request_sha256(self, item: Item) -> str:
        return request_hash("toy", item.prompt, item.image_sha256)

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        for item in items:
            digest = hashlib.sha256(item.prompt.encode() + (item.image or b"")).digest()
            yield item, Reply(text=f"({'ABCD'[sum(digest) % 4]})", status="answered")


def score(finished: Asked, answers: Path, model: str, *more: str) -> None:
    """Submit a file of answers."""
    where = ["--snapshot", str(home(finished))]
    main(["score", *where, "--answers", str(answers), "--model", model, *more])
