"""Image sets that users give: a folder of images, Parquet files, or a dataset on disk."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from lvlmbench.core.errors import UserError
from lvlmbench.core.files import linked_below
from lvlmbench.stages.distances.pictures import SUFFIXES, ArrowRows, Files, ParquetRows, Pictures

_FORMS = (
    "give a folder of images, a Parquet file or a folder of such, or what datasets.save_to_disk "
    "writes"
)
#: Files that ``datasets.save_to_disk`` writes beside one dataset, and beside several splits.
_STATE, _SPLITS = "state.json", "dataset_dict.json"


@dataclass(frozen=True)
class Given:
    """A set that the user gave, by the name of its file or folder."""

    name: str
    pictures: Pictures


def _files_below(folder: Path) -> list[Path]:
    """Files below a folder that are not hidden, in the order of their relative paths."""
    found = ((path.relative_to(folder), path) for path in linked_below(folder))
    seen = [
        (below.as_posix(), path)
        for below, path in found
        if not any(part.startswith(".") for part in below.parts)
    ]
    return [path for _, path in sorted(seen)]


def _arrow_files(folder: Path) -> list[Path]:
    """Data files of a dataset on disk, in the order of its state."""
    path = folder / _STATE
    try:
        names = [each["filename"] for each in json.loads(path.read_text("utf-8"))["_data_files"]]
    except (OSError, ValueError, KeyError, TypeError):
        fix = "save the dataset again with save_to_disk"
        raise UserError(str(path), "does not say which files hold the data", fix) from None
    if any(not isinstance(name, str) or Path(name).name != name for name in names):
        fix = "save the dataset again with save_to_disk"
        raise UserError(str(path), "names files outside of its folder", fix)
    return [folder / name for name in names]


def _of_folder(folder: Path) -> Pictures:
    if (folder / _STATE).is_file():
        return ArrowRows(_arrow_files(folder))
    if (folder / _SPLITS).is_file():
        splits = sorted(path.parent for path in folder.glob(f"*/{_STATE}"))
        return ArrowRows([file for split in splits for file in _arrow_files(split)])
    files = _files_below(folder)
    parquet = [path for path in files if path.suffix.lower() == ".parquet"]
    images = [path for path in files if path.suffix.lower() in SUFFIXES]
    if parquet and images:
        raise UserError(
            str(folder),
            f"holds {len(images)} images beside {len(parquet)} Parquet files",
            "put them into sets of their own",
        )
    if not parquet and not images:
        raise UserError(str(folder), "holds no images", _FORMS)
    return ParquetRows(parquet) if parquet else Files(images)


def given_sets(folder: Path) -> list[Given]:
    """Return the sets in a folder, by name; README and hidden files are none.

    Raises
    ------
    UserError
        There is no such folder, an entry is none of the forms or its name not UTF-8, a file is
        damaged, or two entries have one name.
    """
    if not folder.is_dir():
        fix = "make the folder, or name the one that holds your image sets"
        raise UserError(f"validity.image_sets: {folder}", "is no folder", fix)
    found: dict[str, Given] = {}
    for path in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if path.name.startswith(".") or path.stem.upper() == "README":
            continue
        if any("\ud800" <= character <= "\udfff" for character in path.name):
            raise UserError(ascii(str(path)), "has a name that is not UTF-8", "rename the set")
        if path.is_dir():
            name, pictures = path.name, _of_folder(path)
        elif path.suffix.lower() == ".parquet":
            name, pictures = path.stem, ParquetRows([path])
        else:
            raise UserError(str(path), "is no image set", _FORMS)
        if name in found:
            raise UserError(str(path), f"there is another set '{name}'", "rename one of them")
        found[name] = Given(name, pictures)
    return list(found.values())
