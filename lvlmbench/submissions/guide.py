"""README.md of a folder of exported questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lvlmbench.core.amounts import amount

if TYPE_CHECKING:
    from lvlmbench.stages.answer.asked import Asked

#: Meaning of ``image`` by where the images are.
_IMAGE = {
    "files": "name of the image's file in this folder",
    "embedded jsonl": "the image, as a data URL (PNG)",
    "embedded parquet": "the image: a struct of `bytes` (PNG) and `path`",
    "none": "name that the image's file has where images are exported; this folder holds none",
}

_TEXT = """\
# Questions of the snapshot {name}

Snapshot id `{snapshot}`; {counts}. The right answers are not in this folder.

## Ask

`questions.{form}` has one row for each question that is asked:

| column | meaning |
| --- | --- |
| `item_id` | id of the row: give it back with the answer |
| `prompt` | the text to send: question, lettered options, instruction |
| `image` | {image}; empty: ask without an image |
| `image_sha256` | SHA-256 of the image's bytes |
| `scenario` | condition under which the scene is shown |
| `question_id`, `image_id` | the same ids as in the snapshot's tables |
| `subtask`, `question_type` | what the question is about, and of which type it is |
| `question`, `options` | parts of the prompt, for models that want another form; {options} |
| `turns` | what was said before: a list of `question` and `answer`; mostly empty |
| `panels` | what the image is put together of: a list of boxes, see below; mostly empty |

{lists}To be compared with other models: send the image, then the prompt as it is, in one user turn,
with temperature 0. Where there are `turns`, send them first, as turns of the user and of the
assistant, the image with the first of them. An image with `panels` is put together of several
pictures: their boxes are `left`, `top`, `right` and `bottom`, as shares of the image's sides. Send
it as it is; or, to a model that takes several images, cut out in their order, and say so beside
your numbers.
Ask each row by itself: a model must not see other rows.

`run.py` does that: put your model into its function `ask`, then run `python run.py`. It writes
`answers.jsonl`.

## Give back

A file `.jsonl`, `.csv` or `.parquet`, in any order, with the columns

| column | meaning |
| --- | --- |
| `item_id` | as in `questions.{form}` |
| `answer` | what the model said, word for word; do not pick the letter out yourself |
| `status` | may be left out: `answered`, `refused`, `truncated`, `error` or `timeout` |
| `error` | may be left out: what went wrong |
| `prompt_tokens`, `completion_tokens`, `cost_usd`, `latency_s` | may be left out |

Rows that failed are better given with `status: error` than left out. A question without an answer
is counted, and never taken for a wrong one.

Where the snapshot is (`DIR`):

    lvlmbench score --snapshot DIR --suite {suite} --answers answers.jsonl --model my-model
"""


def guide(snapshot: Asked, asked: Mapping[str, int], form: str, images: str) -> str:
    """The text, for the questions by scenario in ``asked``."""
    return _TEXT.format(
        name=snapshot.params.snapshot.name,
        suite=snapshot.params.suite,
        snapshot=snapshot.snapshot_id,
        counts=", ".join(
            f"{amount(count, 'question')} in the scenario {s}" for s, count in asked.items()
        ),
        form=form,
        image=_IMAGE[f"embedded {form}" if images == "embedded" else images],
        options="`options` is a JSON list" if form == "csv" else "`options` is a list",
        lists="`turns` and `panels` are JSON lists. " if form == "csv" else "",
    )
