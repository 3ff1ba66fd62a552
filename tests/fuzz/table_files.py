"""Mutations of Parquet files: of their bytes, of their schema, of their rows."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fuzz import nasty, pictures
from fuzz.case import Rng

Row = dict[str, Any]


def encoded(table: pa.Table, **options: Any) -> bytes:
    """A table as a Parquet file."""
    sink = io.BytesIO()
    settings: dict[str, Any] = {"compression": "zstd", "write_page_checksum": True} | options
    pq.write_table(table, sink, **settings)
    return sink.getvalue()


def mutate(rng: Rng, raw: bytes) -> tuple[str, bytes]:
    """What was done, and the file after it."""
    chosen = rng.random()
    if chosen < 0.3:
        return _damaged(rng, raw)
    table = pq.read_table(io.BytesIO(raw))
    if chosen < 0.6:
        said, table = _other_schema(rng, table)
        return said, encoded(table)
    if chosen < 0.72:
        said, table = _other_rows(rng, table)
        return said, encoded(table)
    if chosen < 0.75:
        said, options = rng.choice(sorted(_OPTIONS.items()))
        return said, encoded(table, **options)
    return _other_values(rng, table)


_OPTIONS: dict[str, dict[str, Any]] = {
    "packed with snappy": {"compression": "snappy"},
    "packed with gzip": {"compression": "gzip"},
    "not packed": {"compression": "none"},
    "no checksums": {"write_page_checksum": False},
    "no dictionaries": {"use_dictionary": False},
    "one row a group": {"row_group_size": 1},
    "pages of the second version": {"data_page_version": "2.0"},
    "no Arrow schema": {"store_schema": False},
    "of the first version": {"version": "1.0"},
}


def _damaged(rng: Rng, raw: bytes) -> tuple[str, bytes]:
    """Damage to the file's bytes, some of it in its footer, which says where all else is."""
    way = rng.choice(["any", "any", "footer", "length", "magic", "end"])
    if way == "any":
        said, raw = nasty.bytes_(rng, raw)
        return f"file: {said}", raw
    out = bytearray(raw)
    if way == "footer":
        size = min(len(raw) - 12, int.from_bytes(raw[-8:-4], "little"))
        for _ in range(rng.choice([1, 1, 3, 20])):
            out[len(out) - 9 - rng.randrange(max(1, size))] ^= 1 << rng.randrange(8)
    elif way == "length":
        out[-8:-4] = rng.choice([0, 1, 2**31, 2**32 - 1, len(raw)]).to_bytes(4, "little")
    elif way == "magic":
        out[-4:] = rng.choice([b"PARE", b"\0\0\0\0", b"PAR2"])
    else:
        out = out[: -rng.choice([1, 4, 8, 100])]
    return f"file: {way}", bytes(out)


def _other_schema(rng: Rng, table: pa.Table) -> tuple[str, pa.Table]:
    number = rng.randrange(table.num_columns)
    name, column = table.schema.names[number], table.column(number)
    text = [json.dumps(v, default=repr) for v in column.to_pylist()]
    ways: dict[str, Callable[[], pa.Table]] = {
        "dropped": lambda: table.drop_columns([name]),
        "renamed": lambda: table.rename_columns(
            [f"{n}x" if n == name else n for n in table.schema.names]
        ),
        "twice": lambda: table.append_column(name, column),
        "moved to the end": lambda: table.remove_column(number).append_column(name, column),
        "all null": lambda: table.set_column(number, name, pa.nulls(len(table), pa.null())),
        "as text": lambda: table.set_column(number, name, pa.array(text, pa.string())),
        "as large text": lambda: table.set_column(number, name, pa.array(text, pa.large_string())),
        "as numbers": lambda: table.set_column(number, name, pa.array(range(len(table)))),
        "as a dictionary": lambda: table.set_column(
            number, name, pa.array(text).dictionary_encode()
        ),
        "as lists": lambda: table.set_column(number, name, pa.array([[t] for t in text])),
        "as bytes": lambda: table.set_column(number, name, pa.array([t.encode() for t in text])),
        "beside another": lambda: table.append_column(rng.choice(["x", "é\x1b[1m", ""]), column),
        "not in it: no columns at all": lambda: table.select([]),
    }
    way = rng.choice(sorted(ways))
    return f"column {name} {way}", ways[way]()


def _other_rows(rng: Rng, table: pa.Table) -> tuple[str, pa.Table]:
    n = len(table)
    order = list(range(n))
    shuffled = rng.sample(order, n)
    one = rng.randrange(max(1, n))
    ways: dict[str, list[int]] = {
        "none": [],
        "the first alone": order[:1],
        "all twice": order + order,
        "one twice": [*order, *order[one : one + 1]],
        "one twice in a row": sorted([*order, *order[one : one + 1]]),
        "shuffled": shuffled,
        "shuffled, one twice": [*shuffled, one],
        "half, twice": order[: n // 2 + 1] * 2,
    }
    way = rng.choice(sorted(ways))
    return f"rows: {way}", table.take(pa.array(ways[way], pa.int64()))


def _value(rng: Rng, kind: pa.DataType, old: Any, others: list[Any]) -> Any:
    """Another value that a column's type can hold."""
    chosen = rng.random()
    if chosen < 0.3:
        return None
    if chosen < 0.4:
        return rng.choice(others)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        texts = [t for t in nasty.TEXTS if not any("\ud800" <= c <= "\udfff" for c in t)]
        return rng.choice([*texts, f"{old} ", str(old)[:-1], "x" * 1_000_000])
    if pa.types.is_integer(kind):
        bits = kind.bit_width - 1
        return rng.choice([0, 1, -1, 2, 7, 100, 2**bits - 1, -(2**bits)])
    if pa.types.is_floating(kind):
        return rng.choice([0.0, -1.0, 2.0, 1e308, -1e308, float("nan"), float("inf"), 1e-300])
    if pa.types.is_boolean(kind):
        return not old
    if pa.types.is_list(kind):
        inner = old or [None]
        return rng.choice([[], [None], inner[:1], inner * 2, inner[::-1], inner[:-1], inner * 30])
    if pa.types.is_struct(kind):
        if {field.name for field in kind} == {"bytes", "path"}:
            said, raw = pictures.bad(rng, (old or {}).get("bytes") or b"")
            return {"bytes": raw, "path": rng.choice(["x.png", None, "../../x.png", said])}
        out = dict(old or {})
        field = rng.choice(list(kind))
        out[field.name] = _value(rng, field.type, out.get(field.name), [None])
        return out
    if pa.types.is_binary(kind):
        return pictures.bad(rng, old or b"")[1]
    return None


def _other_values(rng: Rng, table: pa.Table) -> tuple[str, bytes]:
    if not len(table):
        return "nothing", encoded(table)
    rows = table.to_pylist()
    said = []
    for _ in range(rng.choice([1, 2, 3, 4])):
        field = table.schema.field(rng.randrange(table.num_columns))
        others = [row[field.name] for row in rows]
        if rng.random() < 0.3:  # in every row
            value = _value(rng, field.type, others[0], others)
            for row in rows:
                row[field.name] = value
            said.append(f"{field.name} = {repr(value)[:50]} everywhere")
        else:
            at = rng.randrange(len(rows))
            value = _value(rng, field.type, others[at], others)
            rows[at][field.name] = value
            said.append(f"{field.name} = {repr(value)[:50]} in row {at + 1}")
    return "; ".join(said), encoded(pa.Table.from_pylist(rows, schema=table.schema))
