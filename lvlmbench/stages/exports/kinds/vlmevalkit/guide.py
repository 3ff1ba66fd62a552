"""README.md of the export for VLMEvalKit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lvlmbench.config import Params
from lvlmbench.stages.exports.kinds.vlmevalkit.forms import BY_LETTER, IS_IT_SO, YES_OR_NO, Form
from lvlmbench.stages.exports.markdown import COPY_FIRST


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

{copy_first}

## Run

The toolkit reads datasets from one folder, `$LMUData` (by default `~/LMUData`), by name. Copy them
there, and the configuration to where you can edit it:

    md5sum -c MD5SUMS
    mkdir -p ~/LMUData && cp *.tsv ~/LMUData/
    cp config.json ~/lvlmbench.json && chmod u+w ~/lvlmbench.json

Put a model into the copy, `~/lvlmbench.json`, under `model` (the toolkit's
`docs/en/ConfigSystem.md` says how). Then, in the toolkit's checkout:

    export PRED_FORMAT=tsv
    python run.py --config ~/lvlmbench.json --mode infer

`PRED_FORMAT=tsv` or `json` says how answers are kept. Without it they are kept as .xlsx, whose
cells hold 32,767 characters: longer answers, those of models that think aloud, are cut there
without a word.

The configuration names the class that reads each dataset. Without it, `run.py --data NAME` finds
the datasets `..._mcq` and `..._openended` by their columns and names; it would take `..._yorn` for
open questions. Some versions of `ImageYORNDataset` read only datasets that are listed: there, add
the name to the class's `DATASET_URL` (NAME.tsv) and the sum above to its `DATASET_MD5`.

One item, to see that it works, as the dataset `lvlmbench_one_mcq`:

    cd ~/LMUData && python -c "import pandas as p; p.read_csv('NAME_mcq.tsv', sep='\\t', nrows=1
        ).to_csv('lvlmbench_one_mcq.tsv', sep='\\t', index=False)"

## What the toolkit's own score is

`--mode all --judge exact_matching` lets the toolkit score closed questions itself. It reads answers
by simple rules, and counts what it cannot read as wrong:

- `..._yorn`: the word yes or the word no, not both. **An answer "True" or "False" is not read, and
  counts as wrong.** `to_answers.py` says how many answers are neither.
- `..._mcq`: the one capital letter that stands alone among the last words; where there is none, the
  one option whose text is in the answer. The word "A" in a short answer is read as option A.
  Where one option contains another ("female", "male"), each is shown with its letter in front,
  since the text of the longer one would match both: there an answer without a letter counts as
  wrong.
- `..._openended`, `..._short_openended`: not scored (their class says so by an error).

Its score and that of `lvlmbench score` differ for the same answers, for two reasons. `Overall` is
the share of all rows that are right: a subtask with more questions weighs more. Ours is the mean
over subtasks, then over question types: each subtask weighs the same. And there what is not read
counts as wrong; here it is read by fuller rules, and what stays unread, refused or failed is left
out of the mean and counted beside it.

## What is in the files

`index` counts the rows of a file from 1. `image` is the image as PNG in base64; where a later row
has the same image, the first one's index stands there, which the loader looks up. `image_path` is
the name under which the toolkit keeps the image; it ends with `.png`, so that the toolkit does not
compress it. `category` is the subtask, `l2-category` its granularity. `item_id` goes along, and
`items.csv` says it for each `dataset` and `index`.

Texts that the loader would read as a number or as nothing ("None", a column of numbers) end with a
no-break space.

## What differs from the questions as this project asks them

- `..._mcq`: same question, options and letters. "{by_letter}" stands behind the
  question, and the toolkit adds its own instruction.
- `..._yorn`: a plain question, "{is_it_so}", then the statement, then
  "{yes_or_no}", in place of the lettered options True and False; the right answers are Yes and No.
- `..._openended`, `..._short_openended` (one number or word): the same words.
- A question of a dialogue: what was said before stands in front of it, as text.

Questions that the models' consensus drops are asked too; `lvlmbench score` gives the means with and
without them.

## Bring the answers back

The toolkit writes the answers of a run to `outputs/MODEL/RUN/MODEL_DATASET.tsv`. Give the run's
folder, or files:

    python to_answers.py ~/VLMEvalKit/outputs/MODEL/RUN > answers.jsonl
    lvlmbench score --snapshot DIR --suite {suite} --answers answers.jsonl --model my-model

Where there are several models, or several runs that asked the same questions, it stops and names
them; `--model NAME` and `--run NAME` choose.

`DIR` is the folder of the snapshot. An item's id stands for its prompt as this project words it:
say beside your numbers that `..._mcq` and `..._yorn` were worded by the toolkit.

## Licence

LICENSE.txt and CREDITS.md.
"""


def guide(params: Params, snapshot: str, written: Sequence[Written]) -> str:
    """The text, for the datasets that were written."""
    table = "\n".join(
        f"| `{w.name}` | {w.rows:,} | `{w.form.loader}` | `{w.md5}` |" for w in written
    )
    return _TEXT.format(
        name=params.snapshot.name,
        suite=params.suite,
        snapshot=snapshot,
        table=table,
        copy_first=COPY_FIRST,
        is_it_so=IS_IT_SO,
        yes_or_no=YES_OR_NO,
        by_letter=BY_LETTER,
    )
