"""Which entries of the vocabulary make images that are rejected (Dysca, section 3.3, step 4).

The audit proposes; a person decides, by listing entries under ``vocabulary.exclude``.
docs/filters.md has the columns.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.core.errors import UserError
from lvlmbench.core.wilson import wilson
from lvlmbench.scene.graph import Graph
from lvlmbench.tables import ATTRIBUTES

#: Rates are compared and written with so many decimals.
DECIMALS = 6
#: Columns before the counts by filter, each of which is called this and the filter's name.
COLUMNS = (
    "list",
    "label",
    "role",
    "n",
    "n_rejected",
    "rate",
    "low",
    "high",
    "proposed",
    "excluded",
    "n_questions",
    "n_dropped",
)
REJECTED_BY = "rejected_by_"

Row = dict[str, str | int | float | bool | None]


def role(name: str) -> str:
    """What entries of a list do in a scene: background, style, attribute, text or foreground."""
    if name in ("background", "style", "text"):
        return name
    return "attribute" if name in ATTRIBUTES.names else "foreground"


def shown(scenes: pa.Table) -> pd.DataFrame:
    """What each scene shows of the vocabulary, as (scene_id, list, label).

    Words are left out: there are many, and each is in few images. What makes text unreadable is
    to be seen in the styles and in what carries it.
    """
    rows = [
        (scene["scene_id"], *entry)
        for batch in scenes.to_batches(max_chunksize=4096)
        for scene in batch.to_pylist()
        for entry in Graph.of(scene).entries()
        if entry[0] != "text"
    ]
    return pd.DataFrame(rows, columns=["scene_id", "list", "label"], dtype="object")


def _judged(verdicts: pa.Table, filters: Sequence[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(scene_id of each rendered image; scene_id, filter, rejected of each verdict on one).

    A scene that the renderer refused has no image, so nobody rejected one.
    """
    rows = verdicts.select(["scene_id", "filter", "keep"]).to_pandas()
    drawn = rows.loc[(rows["filter"] == "render") & rows["keep"], ["scene_id"]]
    rows = rows[rows["filter"].isin(list(filters)) & rows["scene_id"].isin(drawn["scene_id"])]
    return drawn, rows.assign(rejected=~rows["keep"].astype(bool))


def _complete(
    scenes: pa.Table,
    verdicts: pa.Table,
    drawn: pd.DataFrame,
    judged: pd.DataFrame,
    filters: Sequence[str],
) -> None:
    """Refuse verdicts with gaps: an image that nobody judged would count as accepted."""
    by_renderer = verdicts.filter(pc.equal(verdicts["filter"], "render"))["scene_id"]
    gaps = [("render", set(scenes["scene_id"].to_pylist()) - set(by_renderer.to_pylist()))]
    for name in filters:
        seen = judged.loc[judged["filter"] == name, "scene_id"]
        gaps.append((name, set(drawn["scene_id"]) - set(seen)))
    for name, missing in gaps:
        if missing:
            raise UserError(
                f"verdicts of filter '{name}'",
                f"hold none for scene {min(missing)}",
                "give the verdicts of the renderer and of all filters, all shards",
            )


def _asked(consensus: pa.Table, questions: pa.Table) -> pd.DataFrame:
    """(scene_id, list, dropped) of each question that the consensus looked at.

    A question about a subtask asks about the entry that the scene shows of that list.
    """
    keep = consensus.select(["question_id", "keep"]).to_pandas()
    about = questions.select(["question_id", "scene_id", "subtask"]).to_pandas()
    asked = keep.merge(about, on="question_id").rename(columns={"subtask": "list"})
    return asked.assign(dropped=~asked["keep"].astype(bool))


def audit_rows(
    scenes: pa.Table,
    questions: pa.Table,
    verdicts: pa.Table,
    consensus: pa.Table,
    *,
    filters: Sequence[str],
    exclude: Mapping[str, Sequence[str]],
    threshold: float,
) -> list[Row]:
    """One row for each vocabulary entry that an image shows or that is excluded.

    The highest lower end comes first; entries without judged images come last. Rates are shares
    in [0, 1] of the entry's judged images, None where there are none. Each image is one trial, so
    the interval is a plain Wilson interval.

    Parameters
    ----------
    scenes, questions, verdicts, consensus
        Rows of the tables of these names; verdicts of the renderer and of all filters.
    filters
        Names of the filters that judged the images.
    exclude
        Labels that the snapshot leaves out, by list.
    threshold
        ``audit.threshold``.
    """
    drawn, judged = _judged(verdicts, filters)
    _complete(scenes, verdicts, drawn, judged, filters)
    entries = shown(scenes).merge(drawn, on="scene_id")
    by_entry = ["list", "label"]
    images = judged.groupby("scene_id")["rejected"].any().rename("rejected").reset_index()
    tried = entries.merge(images, on="scene_id").groupby(by_entry)["rejected"].agg(["size", "sum"])
    by_filter = (
        entries.merge(judged[judged["rejected"]], on="scene_id")
        .groupby([*by_entry, "filter"])
        .size()
    )
    told = (
        entries.merge(_asked(consensus, questions), on=["scene_id", "list"])
        .groupby(by_entry)["dropped"]
        .agg(["size", "sum"])
    )
    left_out = {(name, label) for name, labels in exclude.items() for label in labels}
    keys = left_out | set(entries[by_entry].itertuples(index=False, name=None))
    rows = [
        _row(
            key,
            _pair(tried, key),
            _pair(told, key),
            {name: int(by_filter.get((*key, name), 0)) for name in filters},
            key in left_out,
            threshold,
        )
        for key in keys
    ]
    return sorted(rows, key=_order)


def _pair(counts: pd.DataFrame, key: tuple[str, str]) -> tuple[int, int]:
    if key not in counts.index:
        return 0, 0
    return int(counts.at[key, "size"]), int(counts.at[key, "sum"])


def _row(
    key: tuple[str, str],
    images: tuple[int, int],
    questions: tuple[int, int],
    by_filter: Mapping[str, int],
    excluded: bool,
    threshold: float,
) -> Row:
    n, n_rejected = images
    rate = low = high = None
    if n:
        rate = round(n_rejected / n, DECIMALS)
        low, high = (round(end, DECIMALS) for end in wilson(n_rejected / n, n))
    return {
        "list": key[0],
        "label": key[1],
        "role": role(key[0]),
        "n": n,
        "n_rejected": n_rejected,
        "rate": rate,
        "low": low,
        "high": high,
        "proposed": low is not None and low > threshold,
        "excluded": excluded,
        "n_questions": questions[0],
        "n_dropped": questions[1],
        **{REJECTED_BY + name: count for name, count in by_filter.items()},
    }


def _order(row: Row) -> tuple[float, str, str]:
    low = row["low"]
    assert low is None or isinstance(low, float)
    return (1.0 if low is None else -low, str(row["list"]), str(row["label"]))


def csv_bytes(rows: Iterable[Row], filters: Sequence[str]) -> bytes:
    """The rows as UTF-8 CSV: rates with six decimals, true and false, nothing for None."""
    sink = io.StringIO(newline="")
    writer = csv.writer(sink, lineterminator="\n")
    names = [*COLUMNS, *(REJECTED_BY + name for name in filters)]
    writer.writerow(names)
    writer.writerows([_cell(row[name]) for name in names] for row in rows)
    return sink.getvalue().encode()


def _cell(value: str | int | float | bool | None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.{DECIMALS}f}" if isinstance(value, float) else str(value)
