"""Turns VLMEvalKit's files of predictions into a file for `lvlmbench score`.

python to_answers.py MODEL_lvlmbench_....xlsx ... > answers.jsonl

Files may be .tsv, .json or .xlsx (what PRED_FORMAT says); .xlsx needs pandas and openpyxl, which
VLMEvalKit installs. The rest needs Python alone.
"""

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
#: How the toolkit marks a request that failed.
FAILED = "Failed to obtain answer"


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file of predictions."""
    if path.suffix == ".tsv":
        csv.field_size_limit(2**31 - 1)
        with path.open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file, delimiter="\t")
    elif path.suffix == ".json":
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
            raise ValueError("it is no list of rows")
        yield from found
    else:
        import pandas

        yield from pandas.read_excel(path, keep_default_na=False).to_dict("records")


def known() -> dict[tuple[str, str], str]:
    """Item ids by dataset and index."""
    with (HERE / "items.csv").open(encoding="utf-8", newline="") as file:
        return {(row["dataset"], row["index"]): row["item_id"] for row in csv.DictReader(file)}


def line(item: str, said: Any) -> dict[str, str]:
    """A line of the file; an empty cell of a table is no text."""
    text = "" if said is None or said != said else str(said)
    if FAILED in text:
        return {"item_id": item, "answer": "", "status": "error", "error": text[:200]}
    return {"item_id": item, "answer": text}


def main() -> None:
    """Write a line for each prediction, the last one where a question was asked again. Other files
    that the toolkit wrote are passed over."""
    if not sys.argv[1:]:
        sys.exit(__doc__)
    items = known()
    datasets = {dataset for dataset, _ in items}
    lines: dict[str, dict[str, str]] = {}
    for path in map(Path, sys.argv[1:]):
        dataset = next((name for name in datasets if path.stem.endswith(f"_{name}")), None)
        if dataset is None:
            print(f"{path}: passed over, no predictions of this folder's datasets", file=sys.stderr)
            continue
        try:
            found = list(rows(path))
        except Exception as error:  # readers of tables raise whatever they run into
            sys.exit(f"{path}: cannot be read: {error}")
        for row in found:
            if "index" not in row or "prediction" not in row:
                sys.exit(f"{path}: has no columns 'index' and 'prediction'")
            item = items.get((dataset, str(row["index"])))
            if item is None:
                sys.exit(f"{path}: items.csv has no index {row['index']!r} of {dataset}")
            lines[item] = line(item, row["prediction"])
    if not lines:
        sys.exit("no file is called MODEL_DATASET with a dataset of items.csv")
    for each in lines.values():
        print(json.dumps(each))
    print(f"{len(lines):,} answers", file=sys.stderr)


if __name__ == "__main__":
    main()
