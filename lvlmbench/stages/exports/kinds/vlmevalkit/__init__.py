"""TSV files for VLMEvalKit, one for each scenario and type of question."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.stages.exports.bundled import put
from lvlmbench.stages.exports.export import EXPORTS, Source
from lvlmbench.stages.exports.kinds.vlmevalkit.forms import FORMS, dataset_name
from lvlmbench.stages.exports.kinds.vlmevalkit.guide import Written, guide
from lvlmbench.stages.exports.kinds.vlmevalkit.tsv import Sheet

#: Maps rows of the files to what was asked.
ITEMS = "items.csv"


@EXPORTS.register("vlmevalkit", place=3, label="VLMEvalKit", load="cp *.tsv ~/LMUData/")
def write(source: Source, folder: Path) -> Mapping[str, int]:
    """Write the datasets and what goes with them; the number of rows by scenario.

    Raises
    ------
    UserError
        A table is missing, or a question cannot be told in these forms.
    """
    snapshot = source.snapshot_id
    letters = _most_options(source)
    written: list[Written] = []
    with (folder / ITEMS).open("w", encoding="utf-8", newline="") as file:
        items = csv.writer(file, lineterminator="\n")
        items.writerow(["dataset", "index", "item_id", "question_id", "image_id", "scenario"])
        for scenario in source.params.exports.scenarios:
            written += _scenario(source, folder, scenario, letters, items.writerow)
    (folder / "MD5SUMS").write_text("".join(f"{w.md5}  {w.name}.tsv\n" for w in written))
    datasets = {w.name: {"class": w.form.loader, "dataset": w.name} for w in written}
    config = json.dumps({"model": {}, "data": datasets}, indent=1)
    (folder / "config.json").write_text(config + "\n", encoding="utf-8")
    put("vlmevalkit_to_answers", folder / "to_answers.py")
    text = guide(source.params, snapshot, written)
    (folder / "README.md").write_text(text, encoding="utf-8")
    rows: dict[str, int] = {}
    for w in written:
        rows[w.scenario] = rows.get(w.scenario, 0) + w.rows
    return rows


def _scenario(
    source: Source,
    folder: Path,
    scenario: str,
    letters: int,
    note: Callable[[Sequence[object]], object],
) -> list[Written]:
    """The datasets of a scenario; one without a row is not left."""
    snapshot = source.snapshot_id
    names = {kind: dataset_name(snapshot, scenario, form) for kind, form in FORMS.items()}
    with ExitStack() as stack:
        sheets = {
            kind: stack.enter_context(Sheet(folder / f"{names[kind]}.tsv", form, letters))
            for kind, form in FORMS.items()
        }
        for example in source.examples(scenario):
            kind = example.question_type
            index = sheets[kind].add(example)
            about = (example.item_id, example.question_id, example.image_id, scenario)
            note([names[kind], index, *about])
    written = []
    for kind, sheet in sheets.items():
        if not sheet.rows:
            sheet.path.unlink()
            continue
        with sheet.path.open("rb") as file:
            # The toolkit compares MD5; nothing is kept safe by it.
            md5 = hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False))
        written.append(Written(names[kind], scenario, FORMS[kind], sheet.rows, md5.hexdigest()))
    return written


def _most_options(source: Source) -> int:
    """Letters that the questions need; never fewer than four."""
    options = source.read(tables.QUESTIONS, ["options"])["options"]
    return max(4, pc.max(pc.list_value_length(options)).as_py() or 0)
