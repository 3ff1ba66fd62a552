"""README.md of the export for VLMEvalKit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lvlmbench.exports.vlmevalkit.forms import YES_OR_NO, Form


@dataclass(frozen=True)
class Written:
    """A dataset that was written; ``md5`` is its file's."""

    name: str
    scenario: str
    form: Form
    rows: int
    md5: str


_TEXT = """\
# The snapshot {name} for VLMEvalKit

Snapshot id `{snapshot}`. Each file is a dataset of [VLMEvalKit](https://github.com/open-compass/VLMEvalKit):

| dataset | rows | class | MD5 |
| --- | --- | --- | --- |
{table}

## Run

The toolkit reads datasets from one folder, `$LMUData` (by default `~/LMUData`), by name:

    mkdir -p ~/LMUData && cp *.tsv ~/LMUData/
    md5sum -c MD5SUMS

Put a model into `config.json` under `model` (its `docs/en/ConfigSystem.md` says how), then, in the
toolkit's checkout:

    python run.py --config {folder}/config.json --mode infer

`config.json` names the class that reads each dataset. Without it, `run.py --data NAME` finds the
datasets `..._mcq` and `..._openended` by their columns and names; it would take `..._yorn` for open
questions. Some versions of `ImageYORNDataset` read only datasets that are listed: there, add the
name to the class's `DATASET_URL` (NAME.tsv) and the sum above to its `DATASET_MD5`.

To let the toolkit score closed questions itself: `--mode all --judge exact_matching`. It does not
score `..._openended` (its class says so by an error), and it counts answers from which it reads no
choice as wrong.

One item, to see that it works, as the dataset `lvlmbench_one_mcq`:

    python -c "import pandas as p; p.read_csv('NAME_mcq.tsv', sep='\\t', nrows=1).to_csv(
        'lvlmbench_one_mcq.tsv', sep='\\t', index=False)"

## What is in the files

`index` counts the rows of a file from 1. `image` is the image as PNG in base64; where a later row
has the same image, the first one's index stands there, which the loader looks up. `image_path` is
the name under which the toolkit keeps the image; it ends with `.png`, so that the toolkit does not
compress it. `category` is the subtask, `l2-category` its granularity. `item_id` goes along, and
`items.csv` says it for each `dataset` and `index`.

Texts that the loader would read as a number or as nothing ("None", a column of numbers) end with a
no-break space.

## What differs from the questions as this project asks them

- `..._mcq`: same question, options and letters; the toolkit adds its own instruction.
- `..._yorn`: "{yes_or_no}" stands behind the statement
  in place of the lettered options True and False, and the right answers are Yes and No.
- `..._openended`: the same words.

Questions that the models' consensus drops are asked too; `lvlmbench score` gives the means with and
without them.

## Bring the answers back

    python to_answers.py MODEL/*/MODEL_lvlmbench_*.xlsx > answers.jsonl
    lvlmbench score --snapshot DIR --answers answers.jsonl --model my-model

`DIR` is the folder of the snapshot. An item's id stands for its prompt as this project words it:
say beside your numbers that `..._mcq` and `..._yorn` were worded by the toolkit.

## Licence

LICENSE.txt and CREDITS.md.
"""


def guide(name: str, snapshot: str, written: Sequence[Written]) -> str:
    """The text, for the datasets that were written."""
    table = "\n".join(
        f"| `{w.name}` | {w.rows:,} | `{w.form.loader}` | `{w.md5}` |" for w in written
    )
    return _TEXT.format(
        name=name,
        snapshot=snapshot,
        table=table,
        yes_or_no=YES_OR_NO,
        folder="PATH_OF_THIS_FOLDER",
    )
