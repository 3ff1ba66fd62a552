"""Files of labels: what a person said on a sheet, as the page saves it and as it is kept."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lvlmbench.config.section import NAME, NAME_IN_WORDS
from lvlmbench.core.errors import UserError, first_line
from lvlmbench.core.files import atomic_bytes
from lvlmbench.labelling.sheet import LABELS

#: What a file of labels says that it is.
FORMAT = "lvlmbench-labels-1"
#: Bytes of a file; 100,000 labels have fewer.
_LARGEST = 1 << 24
_AGAIN = "save the labels from the sheet again"

ItemId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Named = Annotated[str, Field(pattern=NAME)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Label(_Strict):
    """What a person said of one item, and why, if they wrote that."""

    label: Annotated[str, Field(pattern=f"^({'|'.join(LABELS)}|[a-z])$")]
    note: str = Field("", max_length=2000)


class Given(_Strict):
    """The labels of one person on sheets of one kind about one suite."""

    format: Annotated[str, Field(pattern=f"^{FORMAT}$")]
    sheet: Named
    suite: Named
    rater: Named
    labels: dict[ItemId, Label]

    def path(self, folder: Path) -> Path:
        """Return where they are kept below the folder of labels."""
        return kept_in(folder, self.suite, self.sheet) / f"{self.rater}.json"


def kept_in(folder: Path, suite: str, sheet: str) -> Path:
    """Return where the labels of a suite and a kind of sheet are kept, a file a rater."""
    return folder / suite / sheet


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"'{next(n for n in names if names.count(n) > 1)}' stands there twice")
    return found


def read_labels(path: Path) -> Given:
    """Read a file of labels.

    Raises
    ------
    UserError
        It is missing, too large, or is not what a sheet saves.
    """
    where = str(path)
    try:
        if path.stat().st_size > _LARGEST:
            raise UserError(where, "is too large for a file of labels", _AGAIN)
        data = json.loads(path.read_bytes(), object_pairs_hook=_once)
        return Given.model_validate(data)
    except OSError as error:
        reason = error.strerror or first_line(error)
        raise UserError(where, f"cannot be read ({reason})", "give a file of labels") from None
    except ValidationError as problem:
        raise _mistake(where, problem) from None
    except (ValueError, RecursionError) as error:
        raise UserError(where, f"is no file of labels ({first_line(error)})", _AGAIN) from None


def _mistake(where: str, problem: ValidationError) -> UserError:
    error = problem.errors(include_url=False)[0]
    place = ".".join(str(part) for part in error["loc"])
    what = error["msg"][0].lower() + error["msg"][1:]
    fix = _AGAIN
    if error["loc"][-1:] == ("rater",):
        what, fix = NAME_IN_WORDS, "give the rater such a name"
    elif error["loc"][-1:] == ("label",):
        what, fix = "is no label", f"use one of: {', '.join(LABELS)}, or the letter of an option"
    shown = json.dumps(error.get("input"), default=str)[:60]
    return UserError(f"{where}: {place}" if place else where, f"{what} (got {shown})", fix)


def read_folder(folder: Path, suite: str, sheet: str) -> list[Given]:
    """Read the labels that are kept of a suite and a kind of sheet, by the raters' names.

    Raises
    ------
    UserError
        A file is no file of labels, or lies where it does not belong.
    """
    found = []
    for path in sorted(kept_in(folder, suite, sheet).glob("*.json")):
        given = read_labels(path)
        if given.path(folder) != path:
            said = f"holds labels of rater '{given.rater}' on {given.suite}, {given.sheet}"
            raise UserError(str(path), said, f"move it to {given.path(folder)}")
        found.append(given)
    return found


@dataclass(frozen=True)
class Taken:
    """What came of one rater's labels: how many there are now, and how many of them are new."""

    path: Path
    rater: str
    n: int
    new: int


def take_in(
    given: Iterable[tuple[Path, Given]],
    known: Mapping[tuple[str, str], Mapping[str, Sequence[str]]],
    folder: Path,
    replace: bool = False,
) -> list[Taken]:
    """Add labels to those that are kept; nothing is written unless all of them can be.

    Parameters
    ----------
    given
        Labels with the files that they were read from.
    known
        Ids of the items of the snapshot with the labels that each can have, by suite and kind of
        sheet.
    replace
        Whether a label of a rater takes the place of their other label of the same item.

    Raises
    ------
    UserError
        A label is of no item of the snapshot or none that its item can have, or a rater has
        labelled an item otherwise: two people may have taken one name.
    """
    merged: dict[Path, Given] = {}
    before: dict[Path, int] = {}
    for source, each in given:
        _check_known(source, each, known[each.suite, each.sheet])
        path = each.path(folder)
        if path not in merged:
            merged[path] = read_labels(path) if path.exists() else each.model_copy(
                update={"labels": {}}
            )  # fmt: skip
            before[path] = len(merged[path].labels)
        old = merged[path].labels
        others = [i for i, label in each.labels.items() if old.get(i, label).label != label.label]
        if others and not replace:
            raise UserError(
                str(source),
                f"rater '{each.rater}' has labelled {len(others):,} of these items otherwise in "
                f"{path} (the first: {others[0]})",
                "give each person a name of their own, or add --replace if it is the same person",
            )
        merged[path] = each.model_copy(update={"labels": old | each.labels})
    for path, whole in merged.items():
        atomic_bytes(path, _text(whole).encode())
    return [
        Taken(path, whole.rater, len(whole.labels), len(whole.labels) - before[path])
        for path, whole in merged.items()
    ]


def _check_known(source: Path, given: Given, known: Mapping[str, Sequence[str]]) -> None:
    strangers = [i for i in given.labels if i not in known]
    if strangers:
        raise UserError(
            str(source),
            f"{len(strangers):,} of {len(given.labels):,} labels are of no item of this "
            f"snapshot (the first: {strangers[0]})",
            "give labels of a sheet that was made from the images and questions as they are",
        )
    for item_id, label in given.labels.items():
        if label.label not in known[item_id]:
            where = f"{source}: labels.{item_id}.label"
            said = f"this item cannot be labelled '{label.label}'"
            raise UserError(where, said, f"use one of: {', '.join(known[item_id])}")


def _text(given: Given) -> str:
    """The same labels give the same text, in whatever order they came."""
    ordered = given.model_copy(update={"labels": dict(sorted(given.labels.items()))})
    data = ordered.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
