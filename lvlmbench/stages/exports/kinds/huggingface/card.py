"""The dataset card, README.md of the Hugging Face form: filled from the snapshot's tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml

from lvlmbench.config import Params
from lvlmbench.stages.exports.columns import COLUMNS
from lvlmbench.stages.exports.facts import Facts
from lvlmbench.stages.exports.kinds.huggingface.parquet import Split, card_features
from lvlmbench.stages.exports.markdown import code, counts, table
from lvlmbench.stages.exports.rights import CREDITS, LICENSE, Rights, rights
from lvlmbench.tables import TYPES

#: Categories of size on the hub: below so many rows.
_SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)

#: The paper whose benchmark design the questions follow.
CITATION = """\
@article{zhang2024dysca,
  title   = {Dysca: A Dynamic and Scalable Benchmark for Evaluating Perception Ability of LVLMs},
  author  = {Zhang, Jie and Wang, Zhongqi and Lei, Mengqi and Yuan, Zheng and Yan, Bei and
             Shan, Shiguang and Chen, Xilin},
  year    = {2024}
}"""


def _head(facts: Facts, held: Rights, splits: Sequence[Split]) -> dict[str, Any]:
    rows = sum(split.rows for split in splits)
    size = next((name for below, name in _SIZES if rows < below), "10M<n<100M")
    licence: dict[str, str] = {"license": held.license}
    if held.url is None:
        licence |= {"license_name": "see-license-file", "license_link": LICENSE}
    return {
        "pretty_name": f"lvlmbench snapshot {facts.name} ({facts.snapshot_id})",
        **licence,
        "language": ["en"],
        "annotations_creators": ["machine-generated"],
        "language_creators": ["machine-generated"],
        "source_datasets": ["original"],
        "task_categories": ["visual-question-answering", "image-to-text"],
        "size_categories": [size],
        "tags": ["benchmark", "synthetic", "vision-language", "perception"],
        "configs": [
            {
                "config_name": "default",
                "data_files": [
                    {"split": s.name, "path": [f"data/{file.name}" for file in s.files]}
                    for s in splits
                ],
            }
        ],
        "dataset_info": {
            "config_name": "default",
            "features": card_features(),
            "splits": [
                {"name": s.name, "num_bytes": s.loaded_bytes, "num_examples": s.rows}
                for s in splits
            ],
            "download_size": sum(file.stat().st_size for s in splits for file in s.files),
            "dataset_size": sum(s.loaded_bytes for s in splits),
        },
    }


#: What answers count, and what the questions are not for.
_USE = """\
## Score

Send `prompt` with `image`. A closed question is answered right if the reply names the option
`answer_index` (0 is A); `chance` is what guessing gets. The prompt asks for the letter in
parentheses. A short answer is right if it is one of `accepted`. A free-form reply is compared with
the caption in `answer`, there is no single right wording. A reply that was refused, failed or names
no option is counted beside the mean, not left out of sight. Questions with `kept` false were
answered wrongly by the best models together and may be faulty; the project gives scores with and
without them. Questions about one scene are not independent: cluster standard errors by `scene_id`.

To have answers read and scored exactly as in the project's leaderboard, write one JSON object a
line with `item_id` and `answer`, and give the file to the snapshot:

```
lvlmbench score --snapshot SNAPSHOT --suite {suite} --answers answers.jsonl --model NAME
```

## What it is not for

Answers stand beside the questions: do not train on this data a model that is then tested with it,
or with another split of it. Whoever needs unseen questions makes a snapshot with another seed.
The pictures are synthetic, and a score says how models perceive such pictures.
"""


def _splits(facts: Facts, splits: Sequence[Split]) -> str:
    rows, types = [], facts.types
    for split in splits:
        asked = facts.scenarios[split.scenario]
        cells = (asked.questions, asked.images, asked.scenes, asked.dropped)
        rows.append((code(split.name), *cells, *(asked.types.get(t, 0) for t in types)))
    head = ("split", "questions", "pictures", "scenes", "dropped by consensus")
    return table((*head, *(TYPES[t].label.lower() for t in types)), rows)


def _subtasks(facts: Facts, splits: Sequence[Split]) -> str:
    names = {name: None for split in splits for name in facts.scenarios[split.scenario].subtasks}
    rows = [
        (code(name), *(facts.scenarios[s.scenario].subtasks.get(name, 0) for s in splits))
        for name in names
    ]
    return table(("subtask", *(code(split.name) for split in splits)), rows)


def _columns() -> str:
    return table(("column", "type", "meaning"), (
        (code(c.name), code(d.get("dtype") or f"list of {d['sequence']}"), c.meaning)
        for c, d in zip(COLUMNS, card_features(), strict=True)
    ))  # fmt: skip


def card(params: Params, facts: Facts, splits: Sequence[Split]) -> str:
    """README.md of the splits that were written."""
    held = rights(params, facts)
    told = _head(facts, held, splits)
    head = yaml.safe_dump(told, sort_keys=False, allow_unicode=True, width=100)
    return f"""\
---
{head}---

# lvlmbench snapshot {code(facts.name)}

Questions that test what large vision-language models perceive, each with a picture made for it
and a right answer that is known from how the picture was made. Snapshot id
{code(facts.snapshot_id)}; the same parameters and seed give the same scenes and questions again.

Scenes: {facts.planned:,} planned, {facts.drawn:,} drawn, {facts.kept:,} kept by all filters.
Pictures by what drew them: {counts(facts.renderers)}.
{facts.truth}

## Load

```python
from datasets import load_dataset

data = load_dataset("path/to/this/folder", split="{splits[0].name}")
data[0]["image"], data[0]["prompt"], data[0]["answer"]
```

There is no loading script: nothing of this folder is executed.

## Splits

A split is a scenario: the condition under which the pictures are shown.

{_splits(facts, splits)}

Questions by subtask:

{_subtasks(facts, splits)}

## Columns

Null means that there is no such thing, never that it is unknown.

{_columns()}

{_USE.format(suite=facts.suite)}
## Licence

{_licence(held)} See {code(LICENSE)} and {code(CREDITS)}.

## Cite

Cite the software lvlmbench with the snapshot's name and id, and the paper whose design it follows:

```bibtex
{CITATION}
```
"""


def _licence(held: Rights) -> str:
    if held.url is not None:
        return (
            f"[CC BY-SA 4.0]({held.url}): the pictures hold graphics of "
            "[OpenMoji](https://openmoji.org), which were changed."
        )
    return "The licences of what drew the pictures decide."
