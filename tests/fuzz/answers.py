"""Files of answers for ``lvlmbench score``: JSON lines, CSV and Parquet."""

from __future__ import annotations

import csv
import functools
import io
import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa

from fuzz import nasty, table_files
from fuzz.case import Case, Rng
from fuzz.child import warmed
from lvlmbench.commands.main import main as cli
from lvlmbench.config import validate
from lvlmbench.engine.publish import link_tree
from lvlmbench.stages.answer.asked import Asked
from support import submissions_snapshot

Row = dict[str, Any]

#: Values as JSON writes them.
JSON = (
    "null", "true", "0", "1", "-1", "0.5", "1e400", "-1e400", "1e-400", "NaN", "Infinity",
    "-Infinity",
    "9" * 400, "9" * 5000, "[]", "{}", "[1]", '{"a": 1}', '""', '" "', '"\\u0000"', '"\\ud800"',
    '"\\u001b[31m"', '"\\u202e"', "[" * 100_000, "[" * 900 + "]" * 900, "'x'", "undefined",
    "0x1", "01",
    "1.", ".5", "+1", '"\t"', '"' + "x" * 100_000 + '"',
)  # fmt: skip
#: Columns beside those that a file needs.
_EXTRA = ("status", "error", "prompt_tokens", "completion_tokens", "cost_usd", "latency_s")


def _column(rng: Rng, row: Row) -> str:
    """A column; seldom that of the answers, in which any text is right."""
    names = [name for name in sorted(row) if name != "answer" or rng.random() < 0.3]
    return rng.choice(names)


class AnswerFiles:
    """Mutants of files that answer some of the closed questions of a small snapshot."""

    name = "answers"

    def __init__(self, work: Path) -> None:
        data = submissions_snapshot.params().model_dump(mode="json")
        data["scenarios"] = {"names": ["clean"], "noisy": []}
        data["figures"]["names"] = ["funnel"]  # one that is soon drawn
        self._made = submissions_snapshot.build(work / "made", validate(data))
        rows = submissions_snapshot.asked(Asked.open(self._made))
        self._rows = [
            {"item_id": row["item_id"], "answer": submissions_snapshot.perfect(row)}
            for row in rows
            if row["right"] is not None  # captions need an encoder, which takes seconds
        ][:8]
        self._more = [
            {key: row[key] for key in ("question_id", "image_id", "scenario")} for row in rows[:8]
        ]

        (work / "warm").mkdir()
        warmed(self.sound(work / "warm").action, work / "warm")

    def _case(
        self,
        folder: Path,
        file: Path,
        said: str,
        model: str = "mine",
        *more: str,
        bad: bool = False,
    ) -> Case:
        link_tree(self._made, folder / "snapshot")
        arguments = ["score", "--snapshot", "snapshot", "--answers", str(file.relative_to(folder))]
        arguments += [f"--model={model}", *more]
        return Case(
            said, functools.partial(cli, arguments),
            [folder / "snapshot/results/dysca/submissions"],
            [file.name, "--model", "--scenario"], bad,
        )  # fmt: skip

    def sound(self, folder: Path) -> Case:
        """The file as it is."""
        file = folder / "answers.jsonl"
        submissions_snapshot.write(file, self._rows)
        return self._case(folder, file, "nothing")

    def case(self, rng: Rng, folder: Path) -> Case:
        """A mutant in one of the three formats, or a bad name of it or of the model."""
        chosen = rng.random()
        if chosen < 0.12:
            return self._odd_place(rng, folder)
        suffix = rng.choice(["jsonl", "jsonl", "csv", "csv", "parquet"])
        file = folder / f"answers.{suffix}"
        rows = [dict(row) for row in self._rows]
        if rng.random() < 0.3:
            rows = [{"answer": a["answer"], **b} for a, b in zip(rows, self._more, strict=True)]
        if rng.random() < 0.4:
            name = rng.choice(_EXTRA)
            for row in rows:
                row[name] = {"status": "answered", "error": ""}.get(name, 1)
        if suffix == "jsonl":
            said, raw = self._jsonl(rng, rows)
        elif suffix == "csv":
            said, raw = self._csv(rng, rows)
        else:
            said, raw = table_files.mutate(rng, table_files.encoded(pa.Table.from_pylist(rows)))
        if rng.random() < 0.08:
            file = folder / f"answers.{rng.choice(['jsonl', 'csv', 'parquet'])}"
            said += f" as {file.name}"
        file.write_bytes(raw)
        return self._case(folder, file, f"{file.suffix}: {said}")

    def _odd_place(self, rng: Rng, folder: Path) -> Case:
        """A file that is none, or odd names on the command line."""
        file = folder / "answers.jsonl"
        way = rng.choice(
            ["model", "model", "scenario", "missing", "folder", "pipe", "device", "name"]
        )
        if way in ("model", "scenario"):
            submissions_snapshot.write(file, self._rows)
            name = rng.choice([t for t in nasty.TEXTS if "\x00" not in t])
            if way == "model":
                return self._case(folder, file, f"--model {name[:50]!r}", name)
            return self._case(
                folder, file, f"--scenario {name[:50]!r}", "mine", f"--scenario={name}"
            )
        if way == "folder":
            file.mkdir()
        elif way == "pipe":
            os.mkfifo(file)
        elif way == "device":
            file.symlink_to("/dev/zero")
        elif way == "name":
            file = folder / rng.choice(["answers.txt", "answers", "answers.json", "a\x1b[1m.jsonl"])
            submissions_snapshot.write(file.with_suffix(".jsonl"), self._rows).rename(file)
        case = self._case(folder, file, f"file: {way}", bad=way != "name")
        return case if way != "name" else Case(case.said, case.action, case.makes)

    def _jsonl(self, rng: Rng, rows: list[Row]) -> tuple[str, bytes]:
        lines = [json.dumps(row) for row in rows]
        way = rng.choice(
            ["value"] * 5 + ["bytes"] * 3 + ["key", "twice", "line", "other", "long", "row"]
        )
        at = rng.randrange(len(rows))
        row = rows[at]
        if way == "bytes":
            return nasty.bytes_(rng, "\n".join(lines).encode())
        if way == "value":
            key, text = _column(rng, row), rng.choice([*JSON, json.dumps(rng.choice(nasty.TEXTS))])
            everywhere = rng.random() < 0.6
            for number, each in enumerate(rows):
                if everywhere or number == at:
                    lines[number] = json.dumps(each | {key: "@@"}).replace('"@@"', text)
            said = f"{key} = {text[:40]!r} in line {'all' if everywhere else at + 1}"
        elif way == "key":
            key = rng.choice(sorted(row))
            name = rng.choice(
                [key.upper(), f"{key} ", "text", "response", "prediction", *nasty.TEXTS]
            )
            lines[at] = json.dumps({name if k == key else k: v for k, v in row.items()})
            said = f"{key} called {name[:40]!r} in line {at + 1}"
        elif way == "twice":
            key = rng.choice(sorted(row))
            lines[at] = lines[at][:-1] + f', "{key}": "x"}}'
            said = f"{key} twice in line {at + 1}"
        elif way == "line":
            lines[at] = rng.choice(
                [*JSON, "", "#", "}{", lines[at] * 2, f"[{lines[at]}]", lines[at] + ","]
            )
            said = f"line {at + 1} is {lines[at][:40]!r}"
        elif way == "other":
            return "one list", json.dumps(rows, indent=rng.choice([None, 2])).encode()
        elif way == "row":
            lines = rng.choice([[], lines * 2, lines[::-1], [""] * 9])
            said = "other rows"
        else:
            lines[at] = json.dumps(row | {"answer": "x" * 3_000_000})
            said = "an answer of 3 MB"
        return said, "\n".join(lines).encode("utf-8", "surrogatepass")

    def _csv(self, rng: Rng, rows: list[Row]) -> tuple[str, bytes]:
        way = rng.choice(
            ["value"] * 4
            + ["bytes"] * 3
            + ["header", "header", "sign", "quotes", "short", "short", "long"]
        )
        at = rng.randrange(len(rows))
        sign = ","
        if way == "value":
            key = _column(rng, rows[at])
            rows[at][key] = rng.choice([*nasty.TEXTS, *JSON])
            if rng.random() < 0.7:
                rows = [row | {key: rows[at][key]} for row in rows]
            said = f"{key} = {rows[at][key][:40]!r} in row {at + 1}"
        elif way == "sign":
            sign = rng.choice(";\t| ")
            said = f"parted by {sign!r}"
        else:
            said = way
        out = io.StringIO()
        writer = csv.writer(out, delimiter=sign, lineterminator=rng.choice(["\n", "\r\n"]))
        header = list(rows[0])
        if way == "header":
            header[rng.randrange(len(header))] = rng.choice(nasty.TEXTS)
        writer.writerow(header)
        for row in rows:
            values = list(row.values())
            if way == "short" and row is rows[at]:
                values = values[:-1] if rng.random() < 0.5 else [*values, "more"]
            if way == "long" and row is rows[at]:
                values[-1] = "x" * 3_000_000
            writer.writerow(values)
        text = out.getvalue()
        if way == "quotes":
            place = rng.randrange(len(text))
            text = text[:place] + '"' + text[place:]
        raw = text.encode("utf-8", "surrogatepass")
        if way == "bytes":
            said, raw = nasty.bytes_(rng, raw)
        return said, raw
