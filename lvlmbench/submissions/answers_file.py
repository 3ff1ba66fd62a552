"""Files of answers that other programs wrote: JSON lines, CSV, a table with tabs, or Parquet."""

from __future__ import annotations

import csv
import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from lvlmbench.core.errors import UserError, first_line

#: Number of a row (line of a text file, row of Parquet, from 1) and its values by column.
Line: TypeAlias = tuple[int, dict[str, object]]

#: Columns that say what was asked; ``item_id`` says it alone.
ITEM, QUESTION, IMAGE, SCENARIO = "item_id", "question_id", "image_id", "scenario"
#: What a row of a table in TouchStone's form goes by where it has no such column.
INDEX = "index"
#: What programs write into such a table for an answer that is not there.
_MISSING = "nan"
#: Names of the column that holds the answer; a file has one of them.
TEXTS = ("answer", "text", "response", "prediction")
#: Columns that a file may have beside these. Others are not looked at.
OPTIONAL = (
    "status", "error", "prompt_tokens", "completion_tokens", "cost_usd", "latency_s",
)  # fmt: skip

_READ = (ITEM, QUESTION, IMAGE, SCENARIO, *TEXTS, *OPTIONAL)
_LONGEST = 2**31 - 1
#: Characters of a cell of a table with pictures in it: where a quotation mark is left open, no more
#: of it is read into memory.
_PICTURE = 1 << 27
#: Rows of Parquet read at once.
_BATCH = 256
#: Ends of names, and first bytes, of files that are to be unpacked first.
_PACKED, _GZIP = (".gz", ".zip", ".bz2", ".xz", ".zst"), b"\x1f\x8b"


class AnswersFile:
    """A file of answers, read as it streams by.

    Raises
    ------
    UserError
        The file's name says no format that is known, or it is not there.
    """

    def __init__(self, path: Path) -> None:
        readers: dict[str, Callable[[], Iterator[Line]]] = {
            ".jsonl": self._jsonl, ".csv": self._csv, ".tsv": self._tsv, ".parquet": self._parquet,
        }  # fmt: skip
        suffix = path.suffix.lower()
        if suffix not in readers:
            raise UserError(
                str(path), f"does not say by its name how it is to be read ('{suffix}')",
                f"unpack it first: gunzip {shlex.quote(str(path))}" if suffix == ".gz" else
                "give a file .jsonl (a JSON object a line), .csv, .tsv or .parquet"
                + (", unpacked" if suffix in _PACKED else ""),
            )  # fmt: skip
        if not path.is_file():
            raise UserError(str(path), "is not a file", "give the file that holds the answers")
        self.path, self._rows, self._is_text = path, readers[suffix], suffix != ".parquet"
        #: Name of the answers' column in the row read last.
        self.text_column = TEXTS[0]
        #: Whether rows say by ``index`` alone what was asked.
        self.indexed = False

    def __iter__(self) -> Iterator[Line]:
        """The rows.

        Raises
        ------
        UserError
            At the first one that cannot be read, by its number.
        """
        return self._rows()

    def where(self, number: int) -> str:
        """A row, as messages name it."""
        return f"{self.path}:{number}" if self._is_text else f"{self.path}: row {number}"

    def bad(self, number: int, what: str, fix: str = "mend it") -> UserError:
        """What to raise about a row."""
        return UserError(self.where(number), what, fix)

    def _check(self, where: str, names: Sequence[str]) -> None:
        """Make sure that these columns say what was asked and what was answered."""
        shown = ", ".join(f"'{name[:40]}'" for name in names[:20]) or "none"
        for name in names:
            if name in _READ and names.count(name) > 1:
                raise UserError(where, f"has '{name}' twice", "keep one")
        self.indexed = INDEX in names and ITEM not in names and self.path.suffix.lower() == ".tsv"
        if ITEM not in names and QUESTION not in names and not self.indexed:
            raise UserError(
                where, f"does not say what was asked (has: {shown})",
                f"add {ITEM}, or {QUESTION} and, where scenarios differ, {SCENARIO}",
            )  # fmt: skip
        texts = [name for name in TEXTS if name in names]
        if not texts:
            fix = f"add {TEXTS[0]}, or call it {', '.join(TEXTS[1:-1])} or {TEXTS[-1]}"
            raise UserError(where, f"holds no answers (has: {shown})", fix)
        if len(texts) > 1:
            both = " and ".join(f"'{name}'" for name in texts)
            raise UserError(where, f"has {both}, of which one is the answer", "keep one")
        self.text_column = texts[0]

    def _text_lines(self) -> Iterator[tuple[int, str]]:
        """Lines of a text file with their ends, by number."""
        with self.path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                try:
                    yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    if number == 1 and raw.startswith(_GZIP):
                        raise self.bad(1, "is packed by gzip", "unpack the file") from None
                    raise self.bad(number, "is not UTF-8 text", "save the file as UTF-8") from None

    def _jsonl(self) -> Iterator[Line]:
        checked: frozenset[str] = frozenset()
        for number, line in self._text_lines():
            if not line.strip():
                continue
            try:
                row = json.loads(line, object_pairs_hook=_no_key_twice)
            except (ValueError, RecursionError) as error:
                reason = getattr(error, "msg", None) or str(error).splitlines()[0][:80]
                raise self.bad(number, f"is not JSON ({reason})") from None
            if not isinstance(row, dict):
                fix = 'write {"item_id": "...", "answer": "..."}'
                raise self.bad(number, "is not a JSON object", fix)
            if checked != row.keys():
                self._check(self.where(number), list(row))
                checked = frozenset(row)
            yield number, row

    def _tsv(self) -> Iterator[Line]:
        """As TouchStone has it: tabs, quotes as in CSV, "nan" for what is not there."""
        for number, row in self._csv("\t"):
            text = row.get(self.text_column)
            if isinstance(text, str) and text.strip().casefold() == _MISSING:
                row[self.text_column] = None
            yield number, row

    def _csv(self, delimiter: str = ",") -> Iterator[Line]:
        with _any_length(_LONGEST if delimiter == "," else _PICTURE):
            last = 0  # the line on which the row before ended
            lines = (line for _, line in self._text_lines())
            rows = csv.reader(lines, delimiter=delimiter, strict=True)
            names: list[str] | None = None
            while True:
                try:
                    row = next(rows, None)
                except csv.Error as error:
                    what = "CSV" if delimiter == "," else "a row of a table with tabs"
                    raise self.bad(last + 1, f"is not {what} ({error})") from None
                number, last = last + 1, rows.line_num
                if row is None:
                    break
                if not any(value.strip() for value in row):
                    continue
                if names is None:
                    names = [name.strip() for name in row]
                    self._check(self.where(number), names)
                elif len(row) != len(names):
                    raise self.bad(number, f"has {len(row)} fields, and the header {len(names)}")
                else:
                    yield number, {k: v or None for k, v in zip(names, row, strict=True)}
            if names is None:
                raise UserError(str(self.path), "is empty", "give the file that holds the answers")

    def _parquet(self) -> Iterator[Line]:
        number = 0
        try:
            with pq.ParquetFile(self.path, pre_buffer=False, buffer_size=1 << 20) as file:
                names = file.schema_arrow.names
                self._check(str(self.path), names)
                columns = [name for name in names if name in _READ]
                for batch in file.iter_batches(_BATCH, columns=columns):
                    for row in batch.to_pylist():
                        number += 1
                        yield number, row
        except (pa.ArrowException, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise  # nothing is wrong with what the file holds
            reason = first_line(error)
            raise UserError(
                str(self.path), f"cannot be read as Parquet ({reason})", "write it anew"
            ) from None
        except (ValueError, OverflowError) as error:  # what pyarrow says of values, not of files
            what = "is not UTF-8 text"
            if not isinstance(error, UnicodeDecodeError):
                what = f"holds a value that cannot be read ({error})"
            raise UserError(
                str(self.path),
                f"row {number + 1} or one of the {_BATCH - 1} after it {what}",
                "write it anew",
            ) from None


def _no_key_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands in it twice")
    return found


@contextmanager
def _any_length(most: int) -> Iterator[None]:
    """Have the module csv read fields so long; its limit holds for the whole process."""
    before = csv.field_size_limit(most)
    try:
        yield
    finally:
        csv.field_size_limit(before)
