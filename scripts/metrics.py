"""Rule ``metrics``: the scores of all models and scenarios become the metrics table."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.cli_support import main_guard
from lvlmbench.config import load_params
from lvlmbench.config.identity import snapshot_id
from lvlmbench.scoring.metrics import metric_rows
from lvlmbench.scoring.table import CONSENSUS, nested


@main_guard
def main() -> None:
    """Read scores, the chance of each question and which questions the consensus drops; write
    metrics as Parquet and JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--scores", type=Path, nargs="+", required=True)
    parser.add_argument("--consensus", type=Path, nargs="+", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--out-parquet", type=Path, required=True)
    parser.add_argument("--out-json", type=Path, required=True)
    args = parser.parse_args()

    params = load_params(args.config)
    out = tables.read(
        args.consensus, tables.CONSENSUS, ["question_id", "keep"], where=~pc.field("keep")
    )
    questions = tables.read(args.questions, tables.QUESTIONS, ["question_id", "chance"])
    dropped = out["question_id"].to_pylist()
    rows: list[dict[str, object]] = []
    for model, files in _by_model(args.scores).items():
        scores = tables.read(files, tables.SCORES, where=pc.field("model") == model)
        rows += metric_rows(scores, dropped, questions)
    rows.sort(key=lambda row: row["questions"] == CONSENSUS)
    text = json.dumps(nested(rows), indent=2, ensure_ascii=False) + "\n"
    tables.atomic_bytes(args.out_json, text.encode())
    tables.write_rows(rows, args.out_parquet, tables.METRICS, snapshot_id(params))


def _by_model(scores: list[Path]) -> dict[str, list[Path]]:
    """Model, by name -> the files with scores of it. All at once may not fit in memory."""
    found: dict[str, list[Path]] = {}
    for path in scores:
        for model in tables.read([path], tables.SCORES, ["model"])["model"].unique().to_pylist():
            found.setdefault(model, []).append(path)
    return dict(sorted(found.items()))


if __name__ == "__main__":
    main()
