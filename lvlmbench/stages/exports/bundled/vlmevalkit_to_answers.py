"""Turns VLMEvalKit's files of predictions into a file for `lvlmbench score`.

python to_answers.py FOLDER_OF_A_RUN_OR_FILE ... > answers.jsonl

The toolkit writes a file MODEL_DATASET into outputs/MODEL/RUN/. Files may be .tsv, .json or .xlsx
(what PRED_FORMAT says); .xlsx needs pandas and openpyxl, which VLMEvalKit installs. The rest needs
Python, and runs.py and items.csv beside this file. Answers of several models are not put together,
nor two runs over the same questions: choose with --model and --run.
"""

import csv
import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from runs import Answer, arguments, chosen, files, write

HERE = Path(__file__).resolve().parent

#: How the toolkit marks a request that failed.
FAILED = "Failed to obtain answer"
#: What a cell of .xlsx holds; the rest is cut off.
LONGEST_CELL = 32_767
ENDINGS = (".tsv", ".json", ".xlsx")


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


def dataset_of(path: Path, datasets: set[str]) -> str | None:
    """The dataset that a file of predictions is about; None for other files of the toolkit."""
    if path.suffix not in ENDINGS:
        return None
    return next((name for name in datasets if path.stem.endswith(f"_{name}")), None)


def answers(path: Path, dataset: str, items: Mapping[tuple[str, str], str]) -> Iterator[Answer]:
    """The answers of a file of predictions."""
    try:
        found = list(rows(path))
    except Exception as error:  # readers of tables raise whatever they run into
        sys.exit(f"{path}: cannot be read: {error}")
    model, run = path.stem.removesuffix(f"_{dataset}"), path.resolve().parent.name
    for row in found:
        if "index" not in row or "prediction" not in row:
            sys.exit(f"{path}: has no columns 'index' and 'prediction'")
        item = items.get((dataset, str(row["index"])))
        if item is None:
            sys.exit(f"{path}: items.csv has no index {row['index']!r} of {dataset}")
        yield Answer(model, run, item, line(item, row["prediction"]))
    tell(path, dataset, [str(row["prediction"]) for row in found])


def tell(path: Path, dataset: str, said: list[str]) -> None:
    """Say what the toolkit's own score, or its table, does not."""
    cut = sum(len(text) >= LONGEST_CELL for text in said) if path.suffix == ".xlsx" else 0
    if cut:
        print(
            f"{path}: {cut:,} answers fill a cell of .xlsx ({LONGEST_CELL:,} characters) and may be"
            " cut; ask again with PRED_FORMAT=tsv",
            file=sys.stderr,
        )
    if dataset.endswith("_yorn"):
        plain = [set(re.findall(r"[^\W_]+", text.lower())) for text in said]
        odd = sum(("yes" in words) == ("no" in words) for words in plain)
        if odd:
            print(
                f"{path}: {odd:,} answers say neither yes nor no, or both: the toolkit counts them"
                " as wrong, lvlmbench score reads them",
                file=sys.stderr,
            )


def main() -> None:
    """Write a line for each prediction, the last one where a question was asked again. Other files
    that the toolkit wrote are passed over."""
    asked = arguments(__doc__)
    items = known()
    datasets = {dataset for dataset, _ in items}
    found: list[Answer] = []
    wanted = partial(dataset_of, datasets=datasets)  # a model's folder links into its runs'
    for path in (file for name in asked.paths for file in files(Path(name), wanted)):
        dataset = dataset_of(path, datasets)
        if dataset is None:
            print(f"{path}: passed over, no predictions of this folder's datasets", file=sys.stderr)
            continue
        found += answers(path, dataset, items)
    lines = chosen(found, asked.model, asked.run)
    if not lines:
        sys.exit("no file is called MODEL_DATASET with a dataset of items.csv")
    write(lines)


if __name__ == "__main__":
    main()
