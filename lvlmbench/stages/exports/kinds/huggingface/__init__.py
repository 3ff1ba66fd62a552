"""Parquet with a dataset card: the form that ``datasets`` and the Hugging Face hub read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lvlmbench.stages.exports.export import EXPORTS, Source

#: The form that others refer to.
NAME = "huggingface"


@EXPORTS.register(
    NAME, place=1, label="Hugging Face datasets", load='datasets.load_dataset("../huggingface")'
)
def write(source: Source, folder: Path) -> Mapping[str, int]:
    """Each scenario a split of the one configuration ``default``; no loading script."""
    from lvlmbench.stages.exports.facts import facts
    from lvlmbench.stages.exports.kinds.huggingface.card import card
    from lvlmbench.stages.exports.kinds.huggingface.parquet import write_split

    splits = [
        write_split(source.examples(scenario), folder / "data", scenario)
        for scenario in source.params.exports.scenarios
    ]
    text = card(source.params, facts(source), splits)
    (folder / "README.md").write_text(text, encoding="utf-8")
    return {split.scenario: split.rows for split in splits}
