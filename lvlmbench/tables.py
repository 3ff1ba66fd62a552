"""The tables that the stages exchange: Arrow schemas, atomic writing, reading, content hashes.

Each table is a folder of ``part-*.parquet``. Files are written to a temporary file in the same
folder, synced and renamed, so a file that is there is whole. docs/data-dictionary.md describes
the columns for readers of a snapshot.
"""

from __future__ import annotations

import errno
import hashlib
import os
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lvlmbench import table_rules
from lvlmbench.errors import UserError

SCHEMA_VERSION = "5"

#: How the name of a file ends that is still being written: ``.NAME.<32 hex digits>.tmp``.
UNFINISHED = ".tmp"

#: Rows of a row group.
ROW_GROUP = 1 << 16

#: The same in tables with pictures, so that no more of them are held in memory at once.
PICTURES_ROW_GROUP = 32

ATTRIBUTES = pa.struct(
    [
        ("color", pa.string()),
        ("number", pa.int8()),
        ("age", pa.string()),
        ("gender", pa.string()),
        ("race", pa.string()),
        ("expression", pa.string()),
    ]
)

#: M and P: one row a planned scene. ``foreground_list`` is the vocabulary list of the foreground.
SCENES = pa.schema(
    [
        ("scene_id", pa.string()),
        ("subtask", pa.string()),
        ("ordinal", pa.int32()),
        ("foreground_list", pa.string()),
        ("foreground", pa.string()),
        ("attributes", ATTRIBUTES),
        ("background", pa.string()),
        ("style", pa.string()),
        ("text", pa.string()),
        ("prompt", pa.string()),
        ("negative_prompt", pa.string()),
        ("caption", pa.string()),
        ("seed", pa.int64()),
    ]
)

#: Q: one row a question. ``chance`` is the accuracy of guessing (null for free-form); ``claim``
#: is the label that a true-or-false statement asserts.
QUESTIONS = pa.schema(
    [
        ("question_id", pa.string()),
        ("scene_id", pa.string()),
        ("subtask", pa.string()),
        ("granularity", pa.string()),
        ("question_type", pa.string()),
        ("question", pa.string()),
        ("options", pa.list_(pa.string())),
        ("answer", pa.string()),
        ("answer_index", pa.int8()),
        ("chance", pa.float64()),
        ("claim", pa.string()),
    ]
)

#: I: one row an image; the struct is the layout that Hugging Face ``datasets`` decodes.
IMAGES = pa.schema(
    [
        ("image_id", pa.string()),
        ("scene_id", pa.string()),
        ("question_id", pa.string()),
        ("scenario", pa.string()),
        (
            "perturbation",
            pa.struct(
                [
                    ("kind", pa.string()),
                    ("severity", pa.int8()),
                    ("parameters", pa.string()),
                    ("printed_text", pa.string()),
                    ("epsilon", pa.float64()),
                    ("proxy", pa.string()),
                ]
            ),
        ),
        ("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("sha256", pa.string()),
        ("renderer", pa.string()),
        ("renderer_version", pa.string()),
        ("seed", pa.int64()),
    ]
)

#: One row per attempt at drawing a scene: the first, and those after a filter rejected the one
#: before. ``provenance`` is JSON.
ATTEMPTS = pa.schema(
    [
        ("image_id", pa.string()),
        ("scene_id", pa.string()),
        ("subtask", pa.string()),
        ("attempt", pa.int16()),
        ("seed", pa.int64()),
        ("renderer", pa.string()),
        ("renderer_version", pa.string()),
        ("outcome", pa.string()),
        ("filter", pa.string()),
        ("reason", pa.string()),
        ("score", pa.float64()),
        ("threshold", pa.float64()),
        ("method", pa.string()),
        ("prompt_tokens", pa.int32()),
        ("prompt_chunks", pa.int16()),
        ("prompt_tokens_cut", pa.int32()),
        ("exact", pa.bool_()),
        ("batch", pa.int16()),
        ("provenance", pa.string()),
    ]
)

#: One row per (image, filter). Verdicts of the filter ``render`` say which scenes were not drawn
#: and why; there ``image_id`` is the id the image would have had.
VERDICTS = pa.schema(
    [
        ("image_id", pa.string()),
        ("scene_id", pa.string()),
        ("filter", pa.string()),
        ("score", pa.float64()),
        ("threshold", pa.float64()),
        ("keep", pa.bool_()),
        ("reason", pa.string()),
        ("note", pa.string()),
    ]
)

#: One row per (model, scenario, question, image): what was asked, what came back, and how.
#: ``parameters`` is JSON; ``logprobs`` has one number an option, null where the server gave none.
ANSWERS = pa.schema(
    [
        ("model", pa.string()),
        ("scenario", pa.string()),
        ("question_id", pa.string()),
        ("image_id", pa.string()),
        ("image_sha256", pa.string()),
        ("request_sha256", pa.string()),
        ("prompt", pa.string()),
        ("parameters", pa.string()),
        ("served_model", pa.string()),
        ("text", pa.string()),
        ("logprobs", pa.list_(pa.float64())),
        ("status", pa.string()),
        ("finish_reason", pa.string()),
        ("error", pa.string()),
        ("latency_s", pa.float64()),
        ("prompt_tokens", pa.int64()),
        ("completion_tokens", pa.int64()),
        ("cost_usd", pa.float64()),
        ("attempts", pa.int32()),
    ]
)

#: One row an answer. Exactly one of ``correct`` and ``similarity`` is set where ``scored``.
#: ``perturbation`` and ``severity`` are of the image, null where nothing was done to it.
SCORES = pa.schema(
    [
        ("model", pa.string()),
        ("scenario", pa.string()),
        ("question_id", pa.string()),
        ("image_id", pa.string()),
        ("perturbation", pa.string()),
        ("severity", pa.int8()),
        ("scene_id", pa.string()),
        ("subtask", pa.string()),
        ("question_type", pa.string()),
        ("style", pa.string()),
        ("status", pa.string()),
        ("parsed_index", pa.int8()),
        ("parse_method", pa.string()),
        ("correct", pa.bool_()),
        ("similarity", pa.float64()),
        ("scored", pa.bool_()),
    ]
)

#: One row per closed question that was answered: whether the best models agree with it.
CONSENSUS = pa.schema(
    [
        ("question_id", pa.string()),
        ("scene_id", pa.string()),
        ("n_models", pa.int32()),
        ("n_wrong", pa.int32()),
        ("n_none", pa.int32()),
        ("keep", pa.bool_()),
        ("models", pa.list_(pa.string())),
    ]
)

_PICTURE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])

#: What the reference models are trained on: small images with what they show. ``plain`` is the
#: image without its style, ``closeup`` its foreground; null for scenes that validate.
REFERENCE_SCENES = pa.schema(
    [
        *SCENES,
        pa.field("split", pa.string()),
        pa.field("image", _PICTURE),
        pa.field("plain", _PICTURE),
        pa.field("closeup", _PICTURE),
    ]
)

#: Long format. ``questions`` says of which questions: ``all``, or those that the models' consensus
#: keeps (``consensus``). "all" in another key column means: over all of them; ``severity`` is a
#: digit as text. Values are in percent except SQ, SC (squared percentage points) and counts.
METRICS = pa.schema(
    [
        ("questions", pa.string()),
        ("model", pa.string()),
        ("scenario", pa.string()),
        ("question_type", pa.string()),
        ("subtask", pa.string()),
        ("style", pa.string()),
        ("perturbation", pa.string()),
        ("severity", pa.string()),
        ("metric", pa.string()),
        ("value", pa.float64()),
        ("stderr", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("n", pa.int64()),
        ("n_unscored", pa.int64()),
        ("n_refused", pa.int64()),
        ("n_failed", pa.int64()),
    ]
)

#: One row a comparison of paired answers: a model with another one in the same scenario (family
#: ``models``), or with itself in the clean scenario (family ``scenarios``).
COMPARISONS = pa.schema(
    [
        ("family", pa.string()),
        ("model", pa.string()),
        ("scenario", pa.string()),
        ("baseline_model", pa.string()),
        ("baseline_scenario", pa.string()),
        ("question_type", pa.string()),
        ("difference", pa.float64()),
        ("stderr", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("p", pa.float64()),
        ("p_holm", pa.float64()),
        ("n", pa.int64()),
        ("n_better", pa.int64()),
        ("n_worse", pa.int64()),
        ("n_unpaired", pa.int64()),
    ]
)

#: What has to hold of the rows of tables.
_RULES = (
    *((SCENES, table_rules.SCENES), (QUESTIONS, table_rules.QUESTIONS)),
    *((IMAGES, table_rules.IMAGES), (ATTEMPTS, table_rules.ATTEMPTS)),
    *((VERDICTS, table_rules.VERDICTS), (ANSWERS, table_rules.ANSWERS)),
    *((SCORES, table_rules.SCORES), (CONSENSUS, table_rules.CONSENSUS)),
    *((METRICS, table_rules.METRICS), (COMPARISONS, table_rules.COMPARISONS)),
    (REFERENCE_SCENES, table_rules.SCENES),
)


def part_name(shard: int) -> str:
    """File name of a shard inside its table's folder."""
    return f"part-{shard:05d}.parquet"


@contextmanager
def _atomic(path: Path) -> Iterator[BinaryIO]:
    """A file to write, so that ``path`` is either absent, as before, or whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}{UNFINISHED}")
    try:
        with temporary.open("wb") as f:
            yield f
            f.flush()
            os.fsync(f.fileno())
        temporary.replace(path)
    except OSError as error:
        if error.filename in (None, str(temporary)):  # a full disk names no file by itself
            error.filename, error.filename2 = str(path), None
        raise
    finally:
        temporary.unlink(missing_ok=True)


def atomic_bytes(path: Path, data: bytes) -> None:
    """Write ``data`` so that ``path`` is either absent, as before, or whole."""
    with _atomic(path) as f:
        f.write(data)


@contextmanager
def writing(
    path: Path, schema: pa.Schema, snapshot_id: str, rows: int | None = None
) -> Iterator[Callable[[pa.Table], None]]:
    """Write one shard as its rows come, atomically, as zstd Parquet under the declared ``schema``.

    The block is given a function that takes the next rows. At most ``rows`` of them, a row group,
    are held in memory: by default fewer in tables with pictures. The file is there once the block
    has ended well; an error in it leaves nothing. How the rows were split does not show in the
    file's bytes.

    The schema version and the snapshot id go to the file's metadata. Nothing that varies between
    runs (time, host) does, so that equal rows give equal bytes.
    """
    meta = {"lvlmbench.schema_version": SCHEMA_VERSION, "lvlmbench.snapshot_id": snapshot_id}
    if rows is None:
        rows = PICTURES_ROW_GROUP if "image" in schema.names else ROW_GROUP
    schema = schema.with_metadata(meta)
    held = schema.empty_table()
    with _atomic(path) as f:
        writer = pq.ParquetWriter(f, schema, compression="zstd", write_page_checksum=True)

        def add(table: pa.Table) -> None:
            nonlocal held
            table = table.select(schema.names).cast(schema)
            held = pa.concat_tables([held, table])
            while held.num_rows > rows:
                writer.write_table(held.slice(0, rows).combine_chunks(), row_group_size=rows)
                held = held.slice(rows)

        with writer:
            yield add
            writer.write_table(held.combine_chunks(), row_group_size=rows)


def write(table: pa.Table, path: Path, schema: pa.Schema, snapshot_id: str) -> None:
    """Write one shard at once; see :func:`writing`."""
    with writing(path, schema, snapshot_id) as add:
        add(table)


def write_rows(rows: list[dict[str, object]], path: Path, schema: pa.Schema, snapshot: str) -> None:
    """:func:`write` for rows given as dictionaries."""
    write(pa.Table.from_pylist(rows, schema=schema), path, schema, snapshot)


@contextmanager
def open_shard(path: Path, **options: Any) -> Iterator[pq.ParquetFile]:
    """A shard to read from, its pages held against their checksums; ``options`` as ParquetFile's.

    Raises
    ------
    UserError
        The file is missing, truncated or damaged, as far as the block finds out by reading.
    """
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise UserError(str(path), "is not a file", "delete it and run again")
    try:
        with pq.ParquetFile(path, page_checksum_verification=True, **options) as shard:
            yield shard
    except (OSError, pa.ArrowException) as error:
        if isinstance(error, OSError) and error.errno in (errno.EACCES, errno.EMFILE):
            error.filename = str(path)  # nothing is wrong with the file
            raise
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise UserError(
            str(path),
            f"cannot be read as Parquet ({reason})",
            "delete it and run again, or restore it with 'dvc checkout'",
        ) from None


def _whole(shard: pq.ParquetFile, names: list[str]) -> pa.Table:
    """All rows of a shard; pictures by row groups, as all at once they take up twice the room."""
    if "image" not in names or not shard.num_row_groups:
        return shard.read(columns=names)
    groups = range(shard.num_row_groups)
    return pa.concat_tables([shard.read_row_group(i, columns=names) for i in groups])


def read(
    paths: Path | Sequence[Path],
    schema: pa.Schema,
    columns: list[str] | None = None,
    where: pc.Expression | None = None,
) -> pa.Table:
    """Read a table from its folder or from some of its shards, shards in name order.

    Parameters
    ----------
    columns
        The columns to read; all by default.
    where
        Rows to keep, by the columns that are read.

    Raises
    ------
    UserError
        A file is missing, damaged or not of this schema, or a row breaks a rule of its table.
    """
    rules = next((rules for each, rules in _RULES if each is schema), None)
    files = sorted(paths.glob("part-*.parquet")) if isinstance(paths, Path) else list(paths)
    names = columns if columns is not None else schema.names
    found = [pa.schema([schema.field(name) for name in names]).empty_table()]
    for path in files:
        with open_shard(path) as shard:
            if shard.schema_arrow.remove_metadata() != schema:
                raise UserError(
                    str(path),
                    "has other columns than this version writes",
                    "delete it and run again",
                )
            table = _whole(shard, names).select(names).replace_schema_metadata(None)
        if rules is not None:
            table_rules.check_rows(table, rules, path)
        found.append(table if where is None else table.filter(where))
    return pa.concat_tables(found)


def content_hash(tables: Iterable[pa.Table]) -> str:
    """Hash over rows, whatever shards they lie in: equal rows in equal order, equal hash."""
    h = hashlib.blake2b(digest_size=16)
    for table in tables:
        for row in table.to_pylist():
            h.update(repr(sorted(row.items())).encode())
    return h.hexdigest()
