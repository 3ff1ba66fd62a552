"""A task folder for lmms-eval over the Parquet files of the Hugging Face export."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.stages.exports.bundled import put
from lvlmbench.stages.exports.export import EXPORTS, MANIFEST, Source
from lvlmbench.stages.exports.kinds.huggingface import NAME as DATASET
from lvlmbench.stages.exports.kinds.huggingface.parquet import files_of, split_name
from lvlmbench.stages.exports.kinds.lmms_eval.guide import guide
from lvlmbench.stages.exports.kinds.lmms_eval.tasks import (
    GROUP,
    TEMPLATE,
    group,
    task,
    task_name,
    template,
)
from lvlmbench.stages.exports.run import read_manifest

_LOAD = "lmms-eval --include_path . --tasks lvlmbench --model MODEL"


@EXPORTS.register("lmms_eval", place=4, label="lmms-eval", load=_LOAD, needs=(DATASET,))
def write(source: Source, folder: Path) -> Mapping[str, int]:
    """Write the tasks and what goes with them; the number of rows by scenario.

    Raises
    ------
    UserError
        The Hugging Face export is not beside ``folder``, or lacks a scenario.
    """
    manifest = read_manifest(folder.parent / DATASET / MANIFEST)
    scenarios = source.params.exports.scenarios
    snapshot = source.snapshot_id
    types = source.read(tables.QUESTIONS, ["question_type"])["question_type"]
    _put(folder / TEMPLATE, template(snapshot, "short_answer" in types.unique().to_pylist()))
    for scenario in scenarios:
        text = task(scenario, split_name(scenario), _shards(source, manifest, scenario))
        _put(folder / f"{task_name(scenario)}.yaml", text)
    _put(folder / f"{GROUP}.yaml", group(scenarios))
    put("lmms_utils", folder / "utils.py")
    put("reading", folder / "reading.py")
    put("lmms_to_answers", folder / "to_answers.py")
    rows = {scenario: int(manifest["rows"][scenario]) for scenario in scenarios}
    _put(folder / "README.md", guide(source.params, snapshot, rows))
    return rows


def _put(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _shards(source: Source, manifest: Mapping[str, Any], scenario: str) -> list[str]:
    """Paths of a scenario's Parquet files from the task folder."""
    found = [f"../{DATASET}/{file['path']}" for file in files_of(manifest, scenario)]
    if not found:
        raise UserError(
            f"results/{source.params.suite}/exports/{DATASET}",
            f"holds nothing of the scenario '{scenario}'",
            "write it again: snakemake exports",
        )
    return found
