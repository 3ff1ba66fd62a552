"""README.md of the task folder for lmms-eval."""

from __future__ import annotations

from collections.abc import Mapping

from lvlmbench.config import Params
from lvlmbench.stages.exports.kinds.lmms_eval.tasks import GROUP, task_name
from lvlmbench.stages.exports.markdown import COPY_FIRST, table

_TEXT = """\
# The snapshot {name} for lmms-eval

Snapshot id `{snapshot}`. Tasks of [lmms-eval](https://github.com/EvolvingLMMs-Lab/lmms-eval)
(written for version 0.7.3):

{table}

`{group}` is all of them. The images and questions are in the Hugging Face export: the folder
`huggingface` must stand beside this one; if it stands elsewhere, copy this folder and change
`data_files` in the YAML files of the copy.

{copy_first}

## Run

One item, to see that it works, then all:

    lmms-eval --include_path PATH_OF_THIS_FOLDER --tasks {first} --limit 1 --model MODEL \\
        --model_args ... --batch_size 1 --log_samples --output_path trial
    lmms-eval --include_path PATH_OF_THIS_FOLDER --tasks {group} --model MODEL \\
        --model_args ... --batch_size 1 --log_samples --output_path logs

Models are sent the image and the prompt that every model of the snapshot was sent, word for word,
at temperature 0, with at most 512 new tokens and without a stopping text. Where a question is part
of a dialogue, what was said before stands in front of it in the same text.

## Metrics

| metric | meaning |
| --- | --- |
| `accuracy` | right answers among those scored, of all questions but descriptions; from 0 to 1 |
| `multiple_choice`, `true_false`, `short_answer` | the same by type of question |
| `accuracy_kept` | the same of the questions that the models' consensus keeps |
| `scored`, `unscored` | how many answers to such questions could be scored, and could not |
| `refused` | how many of the unscored ones decline to answer |
| `captions` | how many descriptions were asked for; they are not compared here |

An answer from which no choice, or no one short answer, can be read (`reading.py`) is unscored,
neither right nor wrong.
`_stderr_clustered` is the standard error of the mean, clustered by scene. What guessing gets stands
in the column `chance` of the dataset.

## Bring the answers back

    python to_answers.py logs > answers.jsonl
    lvlmbench score --snapshot DIR --suite {suite} --answers answers.jsonl --model my-model

`logs` holds all that was ever run there. Where there are several models, or several runs that asked
the same questions, `to_answers.py` stops and names them; `--model NAME` and `--run NAME` choose.
`DIR` is the folder of the snapshot. That reads answers by the full rules, compares descriptions,
and puts the model beside the others.

## Licence

LICENSE.txt and CREDITS.md.
"""


def guide(params: Params, snapshot: str, rows: Mapping[str, int]) -> str:
    """The text, for the questions by scenario in ``rows``."""
    return _TEXT.format(
        name=params.snapshot.name,
        suite=params.suite,
        snapshot=snapshot,
        table=table(("task", "questions"), [(f"`{task_name(s)}`", n) for s, n in rows.items()]),
        group=GROUP,
        copy_first=COPY_FIRST,
        first=task_name(next(iter(rows))),
    )
