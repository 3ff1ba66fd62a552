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
        yield from json.loads(path.read_text(encoding="utf-8"))
    else:
        import pandas

        yield from pandas.read_excel(path, keep_default_na=False).to_dict("records")


def known() -> dict[tuple[str, str], str]:
    """Item ids by dataset and index."""
    with (HERE / "items.csv").open(encoding="utf-8", newline="") as file:
        return {(row["dataset"], row["index"]): row["item_id"] for row in csv.DictReader(file)}


def main() -> None:
    """Write a line for each prediction. Other files that the toolkit wrote are passed over."""
    if not sys.argv[1:]:
        sys.exit(__doc__)
    items, count = known(), 0
    datasets = {dataset for dataset, _ in items}
    for path in map(Path, sys.argv[1:]):
        dataset = next((name for name in datasets if path.stem.endswith(f"_{name}")), None)
        if dataset is None:
            print(f"{path}: passed over, no predictions of this folder's datasets", file=sys.stderr)
            continue
        for row in rows(path):
            said = str(row["prediction"] or "")
            line = {"item_id": items[dataset, str(row["index"])], "answer": said}
            if FAILED in said:
                line |= {"answer": "", "status": "error", "error": said[:200]}
            print(json.dumps(line))
            count += 1
    print(f"{count:,} answers", file=sys.stderr)
    if not count:
        sys.exit("no file is called MODEL_DATASET with a dataset of items.csv")


if __name__ == "__main__":
    main()
