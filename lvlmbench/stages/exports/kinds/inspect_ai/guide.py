"""README.md of the export for inspect_ai."""

from __future__ import annotations

from collections.abc import Mapping

from lvlmbench.config import Params
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.stages.exports.markdown import COPY_FIRST, table

_TEXT = """\
# The snapshot {name} for inspect_ai

Snapshot id `{snapshot}`, for [inspect_ai](https://inspect.aisi.org.uk) (written for version
0.3.285):

{table}

A line of a `.jsonl` file is a sample: the image (a file of `images/`, named by its SHA-256) and the
prompt in one message, `choices`, the right letter as `target`, the item's id as `id`, and under
`metadata` what it is about. Where the question is part of a dialogue, what was said before stands
in front as messages, the image with the first of them. The targets of a short answer are its
accepted forms, the target of a free-form question is its reference description.

{copy_first}

## Run

One item without a model, to see that it works (inspect_ai fetches a tokenizer for that, once); then
a model:

    inspect eval lvlmbench_task.py@lvlmbench_multiple_choice --model mockllm/model --limit 1 \\
        --log-dir trial
    inspect eval lvlmbench_task.py --model PROVIDER/MODEL -T scenario={first}

| task | questions | score |
| --- | --- | --- |
| `lvlmbench_multiple_choice` | with options | right letter, by the rules in `reading.py` |
| `lvlmbench_true_false` | statements | the same |
| `lvlmbench_short_answer` | for one number or word | an accepted form, by `reading.py` |
| `lvlmbench_free_form` | descriptions | none: unscored, see below |
| `lvlmbench_structured` | descriptions as JSON | none: unscored, see below |

Options of the tasks, by `-T`: `scenario` (a file of this folder; {first} by default), `kept=true`
(only questions that the models' consensus keeps), `wording=inspect` (closed questions only: asked
and scored by inspect_ai's own `multiple_choice` and `choice`, in whose accuracy an answer without
a choice is wrong).

An answer from which no choice can be read (a refusal, nothing, two letters) is unscored, neither
right nor wrong; the log counts them (`unscored_samples`) and each gives its reason. `stderr` is
clustered by scene. What guessing gets stands in `metadata.chance`.

Descriptions are not compared with their references here: that takes a sentence encoder. The log
keeps them with the reason `similarity_not_computed`.

## Bring the answers back

    python to_answers.py logs > answers.jsonl
    lvlmbench score --snapshot DIR --suite {suite} --answers answers.jsonl --model my-model

`logs` holds all that was ever run there. Where there are several models, or several runs that asked
the same questions, `to_answers.py` stops and names them (a run by its `run_id`, which each log
holds); `--model NAME` and `--run NAME` choose, and so do the names of log files in place of `logs`.
`DIR` is the folder of the snapshot. That reads answers by the full rules, compares descriptions,
and puts the model beside the others. Answers to `wording=inspect` were asked in other words: say so
beside your numbers.

## Licence

LICENSE.txt and CREDITS.md.
"""


def guide(params: Params, snapshot: str, rows: Mapping[str, int]) -> str:
    """The text, for the questions by scenario in ``rows``."""
    return _TEXT.format(
        name=params.snapshot.name,
        suite=params.suite,
        snapshot=snapshot,
        table=table(("file", "questions"), [(f"`{s}.jsonl`", n) for s, n in rows.items()]),
        copy_first=COPY_FIRST,
        first=CLEAN if CLEAN in rows else min(rows),
    )
