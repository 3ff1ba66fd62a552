"""One TSV file of a dataset, written row by row so that VLMEvalKit reads every cell as it is meant.

Its loader is ``pandas.read_csv(path, sep="\\t")``: cells are quoted, so tabs, line ends and quotes
are safe; but a text such as "None" would be read as nothing, and a column of numbers as numbers
("2" beside an empty cell as 2.0). Such texts get a no-break space at their end. It also cuts cells
at the character NUL, which is written as its picture.
"""

from __future__ import annotations

import base64
import csv
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, TextIO

from lvlmbench.stages.exports.export import Example
from lvlmbench.stages.exports.kinds.vlmevalkit.forms import Form, lettered
from lvlmbench.suites.instructions import in_one_turn

if TYPE_CHECKING:
    from _csv import Writer

#: A cell with this at its end is neither a number nor missing, and looks the same.
GUARD = "\u00a0"

#: What pandas takes for a missing value.
_MISSING = frozenset((
    "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
))  # fmt: skip
#: Cells up to this length are taken for the index of another row with the same image.
_SHORTEST_IMAGE = 65
#: Base64 of an image may be any length; the module csv limits fields to 128 KiB by itself.
_LONGEST = 2**31 - 1


def _is_number(text: str) -> bool:
    """Whether pandas could take a cell for a number or a truth value."""
    if text.strip().casefold() in ("true", "false"):
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True


class Sheet:
    """A dataset's file, open for writing; use it in a ``with`` statement.

    Parameters
    ----------
    path
        The file, which is made anew.
    form
        Kind of dataset.
    letters
        Columns for options; used where the form has lettered ones.
    """

    def __init__(self, path: Path, form: Form, letters: int) -> None:
        self.path, self._form = path, form
        self._letters = list(ascii_uppercase[:letters]) if form.lettered else []
        self._columns = [
            "index", "image", "image_path", "question", *self._letters, "answer",
            "category", "l2-category", "item_id",
        ]  # fmt: skip
        #: Columns of texts, and those of them that hold more than numbers.
        self._filled: set[str] = set()
        self._worded: set[str] = set()
        self._images: dict[str, int] = {}
        self.rows = 0

    def __enter__(self) -> Sheet:
        self._file = self.path.open("w", encoding="utf-8", newline="")
        self._write = _writer(self._file)
        self._write.writerow(self._columns)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._file.close()
        if kind is None:
            self._guard(self._filled - self._worded)

    def add(self, example: Example) -> int:
        """Write a row; its index, from 1. The same image is written once, then named by index."""
        self.rows += 1
        texts = dict(zip(self._letters, lettered(example.options), strict=False))
        asked = in_one_turn(example.turns, self._form.ask(example))
        texts |= {"question": asked, "answer": self._form.right(example)}
        self._filled |= texts.keys()
        self._worded |= {name for name, text in texts.items() if not _is_number(text)}
        cells = {name: _cell(text) for name, text in texts.items()}
        cells |= {
            "index": str(self.rows),
            "image": self._image(example),
            "image_path": f"{example.image_sha256}.png",
            "category": example.subtask,
            "l2-category": example.granularity,
            "item_id": example.item_id,
        }
        self._write.writerow([cells.get(name, "") for name in self._columns])
        return self.rows

    def _image(self, example: Example) -> str:
        first = self._images.setdefault(example.image_sha256, self.rows)
        if first != self.rows:
            return str(first)
        encoded = base64.b64encode(example.image).decode("ascii")
        if len(encoded) < _SHORTEST_IMAGE:
            raise ValueError(f"image {example.image_id} has {len(example.image)} bytes")
        return encoded

    def _guard(self, columns: set[str]) -> None:
        """Write the file again with the cells of these columns guarded."""
        if not columns:
            return
        places = [self._columns.index(name) for name in columns]
        new = self.path.with_suffix(".part")
        before = csv.field_size_limit(_LONGEST)
        try:
            with (
                self.path.open(encoding="utf-8", newline="") as old,
                new.open("w", encoding="utf-8", newline="") as file,
            ):
                rows = csv.reader(old, delimiter="\t", strict=True)
                write = _writer(file)
                write.writerow(next(rows))
                for row in rows:
                    for place in places:
                        if row[place] and not row[place].endswith(GUARD):
                            row[place] += GUARD
                    write.writerow(row)
        finally:
            csv.field_size_limit(before)
        new.replace(self.path)


def _cell(text: str) -> str:
    text = text.replace("\0", "\u2400")
    return text + GUARD if not text or text in _MISSING else text


def _writer(file: TextIO) -> Writer:
    return csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\n")
