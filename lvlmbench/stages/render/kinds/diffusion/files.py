"""The files of a pipeline: what can be seen of them before any weights are read."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lvlmbench.core.errors import UserError

GIVE = (
    "give a folder that holds model_index.json and what it names, as "
    "'hf download ID --local-dir FOLDER' leaves it"
)
AGAIN = "run the same 'hf download' again, which fetches what is missing"
ANEW = "remove it, and run the same 'hf download' again"

#: Parts that judge or mark pictures, which filters do here, and what prepares pictures for them.
LEFT_OFF = ("safety_checker", "feature_extractor", "watermarker", "watermark")

#: Names of weight files: plain, of a variant, in shards, and in shards as they once were named.
_WEIGHTS = re.compile(
    r"(?:diffusion_pytorch_model|pytorch_model|model)(?:\.(?P<variant>[^.]+?))?"
    r"(?P<shard>-\d{5}-of-\d{5})?(?:\.(?P<old>[^.]+))?\.(?P<suffix>safetensors|bin|ckpt|pt|pth)"
)
#: Names of the files that say which shard holds which tensor.
_INDEX = re.compile(
    r"(?:diffusion_pytorch_model|model)(?:\.(?P<old>[^.]+))?"
    r"\.safetensors\.index(?:\.(?P<variant>[^.]+))?\.json"
)

#: Any one of these holds a tokenizer's vocabulary.
_VOCABULARIES = ("tokenizer.json", "vocab.json", "spiece.model", "tokenizer.model", "vocab.txt")

#: Suffixes of what decides what a part gives, beside weights.
_DECIDING = (".json", ".jinja", ".model", ".tiktoken", ".txt")


@dataclass(frozen=True)
class Part:
    """A part of a pipeline, as model_index.json names it, and the files that it reads.

    Attributes
    ----------
    library, kind
        Package and class; ``diffusers`` and ``UNet2DConditionModel``.
    variant
        Of the weights; None for the plain ones.
    weights
        Its safetensors, all of them of one variant; none for tokenizers and schedulers.
    others
        Configurations and vocabularies.
    """

    name: str
    library: str
    kind: str
    variant: str | None
    weights: tuple[Path, ...]
    others: tuple[Path, ...]


@dataclass(frozen=True)
class PipelineFiles:
    """A folder that holds a pipeline.

    Attributes
    ----------
    kind
        Class of the pipeline.
    absent
        Parts that model_index.json names as not there, for instance the largest text encoder.
    """

    folder: Path
    kind: str
    parts: tuple[Part, ...]
    absent: tuple[str, ...]

    def part(self, name: str) -> Part | None:
        """Return the part of that name; None where the pipeline has none."""
        return next((part for part in self.parts if part.name == name), None)

    @property
    def weights(self) -> tuple[Path, ...]:
        """Return all safetensors that it reads."""
        return tuple(path for part in self.parts for path in part.weights)

    @property
    def read(self) -> tuple[Path, ...]:
        """Return all files that it reads and that decide what it draws."""
        others = [path for part in self.parts for path in part.others]
        return (self.folder / "model_index.json", *self.weights, *others)


def look(folder: Path, variant: str | None, model: str, where: str) -> PipelineFiles:
    """Return what is in a pipeline's folder; every file that it will read is there and whole.

    Parameters
    ----------
    variant
        Which weights are wanted; parts that have none of it are read from their plain ones.
    model
        What the user calls the folder.
    where
        The section that holds ``model`` and ``variant``.

    Raises
    ------
    UserError
        The folder is not there, holds no pipeline, or lacks something.
    """
    key = f"{where}: model"
    index = _index(folder, model, key)
    kind = index.get("_class_name")
    if isinstance(kind, list):
        what = f"'{model}' brings code of its own ({kind[-1]}), which is not run"
        raise UserError(key, what, "give a pipeline of a class that diffusers itself has")
    if not isinstance(kind, str):
        raise UserError(key, f"model_index.json of '{model}' names no class", GIVE)
    pairs = {n: v for n, v in index.items() if isinstance(v, list) and len(v) == 2}
    absent = tuple(name for name, value in pairs.items() if value == [None, None])
    named = {
        name: value
        for name, value in pairs.items()
        if name not in LEFT_OFF and all(isinstance(word, str) for word in value)
    }
    parts = tuple(
        _part(folder, name, library, part_kind, variant, model, where)
        for name, (library, part_kind) in named.items()
    )
    if not any(part.weights for part in parts):
        raise UserError(key, f"model_index.json of '{model}' names no part with weights", GIVE)
    if variant is not None and not any(part.variant for part in parts):
        raise _no_variant(folder, parts, variant, model, where)
    return PipelineFiles(folder, kind, parts, absent)


def _index(folder: Path, model: str, key: str) -> dict[str, Any]:
    """What model_index.json says."""
    if folder.is_file():
        fix = (
            "convert it (diffusers: StableDiffusionXLPipeline.from_single_file(FILE)"
            ".save_pretrained(FOLDER)) and give the folder"
        )
        raise UserError(key, f"'{model}' is a single file, not the folder of a pipeline", fix)
    if not folder.is_dir():
        raise UserError(key, f"there is no folder '{model}'", GIVE)
    path = folder / "model_index.json"
    if not path.is_file():
        raise _no_index(folder, model, key)
    found = _json(path, model, key)
    if not isinstance(found, dict):
        raise UserError(key, f"model_index.json of '{model}' holds no parts", GIVE)
    return found


def _no_index(folder: Path, model: str, key: str) -> UserError:
    """Why there is no model_index.json."""
    what = f"'{model}' has no model_index.json, so it is not the folder of a pipeline"
    if _unfinished(folder):
        return UserError(key, f"'{model}' lacks model_index.json: its download ended early", AGAIN)
    inner = sorted(path.parent.name for path in folder.glob("*/model_index.json"))
    if inner:
        return UserError(key, what, f"did you mean '{Path(model) / inner[0]}'?")
    if (folder.resolve().parent / "model_index.json").is_file():
        fix = "give the folder that it lies in"
        return UserError(key, f"'{model}' is a part of a pipeline, not a whole one", fix)
    single = sorted(path.name for path in folder.glob("*.safetensors"))
    if single:
        fix = (
            f"convert {single[0]} (diffusers: StableDiffusionXLPipeline.from_single_file(FILE)"
            ".save_pretrained(FOLDER)) and give that folder"
        )
        return UserError(key, what, fix)
    return UserError(key, what, GIVE)


def _json(path: Path, model: str, key: str) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        name = (
            path.name if path.parent.name == Path(model).name else f"{path.parent.name}/{path.name}"
        )
        raise UserError(key, f"{name} of '{model}' is damaged or cut short", ANEW) from None


def _part(
    folder: Path,
    name: str,
    library: str,
    kind: str,
    variant: str | None,
    model: str,
    where: str,
) -> Part:
    key, place = f"{where}: model", folder / name
    if not place.is_dir():
        what = f"'{model}' lacks the folder '{name}' ({kind}) that its model_index.json names"
        raise UserError(key, what, AGAIN)
    names = sorted(path.name for path in place.iterdir() if path.is_file())
    others = tuple(
        place / file for file in names if file.endswith(_DECIDING) and not _INDEX.fullmatch(file)
    )
    if missing := _missing_description(kind, names):
        raise UserError(key, f"'{model}' lacks {name}/{missing}", AGAIN)
    for path in others:
        if path.suffix == ".json" and path.stat().st_size < 2**20:
            _json(path, model, key)
    if not _has_weights(kind):
        if _unfinished(folder, name):
            raise UserError(key, f"the download of '{model}' ended within {name}/", AGAIN)
        return Part(name, library, kind, None, (), others)
    taken, weights, index = _weights(folder, name, names, variant, model, where)
    more = () if index is None else (place / index,)
    return Part(name, library, kind, taken, weights, (*others, *more))


def _has_weights(kind: str) -> bool:
    """Whether a part of this class has weights."""
    return not kind.endswith(
        (
            "Scheduler",
            "Tokenizer",
            "TokenizerFast",
            "Processor",
            "FeatureExtractor",
            "ProcessorFast",
        )
    )


def _missing_description(kind: str, names: Sequence[str]) -> str | None:
    """What a part of this class cannot do without and does not have."""
    if kind.endswith("Scheduler"):
        wanted: tuple[str, ...] = ("scheduler_config.json",)
    elif "Tokenizer" in kind:
        wanted = _VOCABULARIES
        if "vocab.json" in names and "merges.txt" not in names and "tokenizer.json" not in names:
            return "merges.txt"
    elif _has_weights(kind):
        wanted = ("config.json",)
    else:
        wanted = ("preprocessor_config.json", "processor_config.json", "tokenizer_config.json")
    return None if any(name in names for name in wanted) else wanted[0]


def _weights(
    folder: Path, name: str, names: Sequence[str], variant: str | None, model: str, where: str
) -> tuple[str | None, tuple[Path, ...], str | None]:
    """Variant, safetensors and index of a part."""
    key, place = f"{where}: model", folder / name
    found: dict[str | None, list[str]] = {}
    pickles: dict[str | None, str] = {}
    for file in names:
        if m := _WEIGHTS.fullmatch(file):
            of = m["variant"] or m["old"]
            if m["suffix"] == "safetensors":
                found.setdefault(of, []).append(file)
            else:
                pickles.setdefault(of, file)
    indices = {m["variant"] or m["old"]: f for f in names if (m := _INDEX.fullmatch(f))}
    taken = variant if variant in found or variant in indices else None
    if variant is not None and taken is None and variant in pickles:
        raise _pickle(model, f"{name}/{pickles[variant]}", key)
    files, index = found.get(taken, []), indices.get(taken)
    if lacking := _shards(place, files, index, model, key):
        what = f"'{model}' lacks {name}/{lacking[0]}"
        more = f" and {len(lacking) - 1} more of its weight files" if len(lacking) > 1 else ""
        raise UserError(key, f"{what}{more}: its download is not complete", AGAIN)
    if not files:
        if _unfinished(folder, name):
            raise UserError(key, f"'{model}' has half a download of {name}/", AGAIN)
        if found:
            others = sorted(of for of in found if of)
            what = f"'{model}' holds {name} only as variant {' and '.join(others)}"
            raise UserError(f"{where}: variant", what, f"write 'variant: {others[0]}'")
        if pickles:
            raise _pickle(model, f"{name}/{min(pickles.values())}", key)
        raise UserError(key, f"'{model}' has no safetensors in {name}/", AGAIN)
    paths = tuple(place / file for file in files)
    for path in paths:
        _check_whole(path, model, key)
    return taken, paths, index


def _shards(
    place: Path, files: Iterable[str], index: str | None, model: str, key: str
) -> list[str]:
    """Weight files that must be there and are not."""
    wanted: set[str] = set()
    if index is not None:
        content = _json(place / index, model, key)
        wanted |= set(content.get("weight_map", {}).values())
    for file in files:
        if shard := re.search(r"-\d{5}-of-(\d{5})", file):
            count = int(shard[1])
            wanted |= {
                file.replace(shard[0], f"-{number:05d}-of-{shard[1]}")
                for number in range(1, count + 1)
            }
    return sorted(name for name in wanted if not (place / name).is_file())


def _pickle(model: str, file: str, key: str) -> UserError:
    return UserError(
        key,
        f"'{model}' holds its weights as {file}, which could run code when read",
        "save them as safetensors where you trust them (save_pretrained does)",
    )


def _header(path: Path) -> tuple[dict[str, Any], int] | None:
    """What a file says of its tensors, and how long that makes it; None for a damaged one."""
    size = path.stat().st_size
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(length)) if 0 < length <= size - 8 else {}
        tensors = {name: about for name, about in header.items() if name != "__metadata__"}
        ends = [about["data_offsets"][1] for about in tensors.values()]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        return None
    return (tensors, 8 + length + max(ends)) if ends else None


def _check_whole(path: Path, model: str, key: str) -> None:
    """The file is as long as its header says; reads no tensor."""
    found = _header(path)
    if found is None or found[1] != path.stat().st_size:
        name = f"{path.parent.name}/{path.name}"
        raise UserError(key, f"{name} of '{model}' is damaged or cut short", ANEW)


def numbers(files: Iterable[Path]) -> int:
    """Return how many numbers whole safetensors hold in all."""
    headers = (_header(path) for path in files)
    return sum(
        math.prod(about["shape"]) for found in headers if found for about in found[0].values()
    )


def _unfinished(folder: Path, part: str | None = None) -> bool:
    """Whether the hub's client has left half a file here.

    In a folder that it was told to write to it keeps them in a hidden folder, of the same
    structure; in its own cache beside all whole files of the repository.
    """
    hidden = folder / ".cache" / "huggingface" / "download"
    if part is not None:
        return any((hidden / part).glob("*.incomplete"))
    return any(hidden.rglob("*.incomplete"))


def _no_variant(
    folder: Path, parts: Iterable[Part], variant: str, model: str, where: str
) -> UserError:
    """No part has weights of the wanted variant."""
    there = {
        m["variant"] or m["old"]
        for part in parts
        for path in (folder / part.name).glob("*.safetensors")
        if (m := _WEIGHTS.fullmatch(path.name))
    }
    others = sorted(each for each in there if each)
    fix = "leave it out" + (f", or write one of: {', '.join(others)}" if others else "")
    return UserError(f"{where}: variant", f"'{model}' has no weights of '{variant}'", fix)
