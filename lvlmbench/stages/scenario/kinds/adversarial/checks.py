"""What can be seen of a proxy before any image is drawn: names, folders and sizes."""

from __future__ import annotations

import difflib
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core.errors import UserError
from lvlmbench.stages.reference.folder import NAMES, drawn_for
from lvlmbench.stages.reference.loading import HUB, LOCAL
from lvlmbench.stages.scenario.kinds.adversarial.settings import TRANSFORMERS, Adversarial

_PREFIX = "reference_"


def check_adversarial(params: Params, spec: ScenarioSpec, where: str) -> None:
    """The proxy is there and takes no larger images than are drawn; reads no weights.

    Raises
    ------
    UserError
        The first thing that is wrong.
    """
    settings = spec.own(Adversarial)
    place = f"{where}: adversarial: proxy"
    size: int | None = None
    if settings.proxy.startswith(_PREFIX):
        size = _of_reference(params, settings.proxy, place)
    elif settings.proxy.startswith(TRANSFORMERS):
        size = _of_transformers(settings.proxy.removeprefix(TRANSFORMERS), place)
    elif settings.proxy.startswith(LOCAL):
        size = _of_folder(Path(settings.proxy.removeprefix(LOCAL)), place)
    elif not settings.proxy.startswith(HUB):
        size = _of_name(settings, where)
    if size is not None and size > params.render.size:
        raise UserError(
            place,
            f"{settings.proxy} takes {size}x{size} pixels, and images are drawn with "
            f"{params.render.size}",
            f"write 'render.size: {size}' or more, or another proxy",
        )


def _of_reference(params: Params, name: str, place: str) -> int:
    if name not in NAMES:
        known = ", ".join(NAMES)
        raise UserError(place, f"there is no reference model '{name}'", f"use one of: {known}")
    if name not in params.reference.models:
        raise UserError(
            place, f"'{name}' is not in reference.models", f"add {name} to reference.models"
        )
    for key in ("renderer", "fallback"):
        renderer = getattr(params.render, key)
        if renderer is not None and renderer not in drawn_for():
            raise UserError(
                place,
                f"{name} has seen nothing but pictographs, and render.{key} is {renderer}",
                "write 'proxy: ViT-L-14' and 'pretrained: openai'",
            )
    return params.reference.scenes.pixels


def _size(value: Any) -> int | None:
    """The longer side, as configurations put it."""
    if isinstance(value, int):
        return value
    return max(value) if isinstance(value, list) and value else None


def _read(path: Path, place: str, fix: str) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        content = None
    if not isinstance(content, dict):
        raise UserError(place, f"{path} cannot be read", fix)
    return content


def _of_folder(folder: Path, place: str) -> int | None:
    fix = "give a folder that open_clip saved"
    if not folder.is_dir():
        raise UserError(place, f"there is no folder '{folder}'", fix)
    if not (folder / "open_clip_config.json").is_file():
        raise UserError(place, f"{folder} holds no open_clip_config.json", fix)
    content = _read(folder / "open_clip_config.json", place, fix)
    return _size(content.get("model_cfg", {}).get("vision_cfg", {}).get("image_size"))


def _of_transformers(model: str, place: str) -> int | None:
    fix = "give a local folder of an InstructBLIP or BLIP-2, or a hub id such as ORGANIZATION/NAME"
    folder = Path(model)
    if not folder.is_dir():
        if folder.is_absolute() or model.count("/") != 1:
            raise UserError(place, f"'{model}' is not a folder", fix)
        return None
    if not (folder / "config.json").is_file():
        raise UserError(place, f"'{model}' has no config.json", fix)
    content = _read(folder / "config.json", place, fix)
    return _size(content.get("vision_config", content).get("image_size"))


def _of_name(settings: Adversarial, where: str) -> int | None:
    """By the configurations that open_clip comes with; importing it would take seconds."""
    found = find_spec("open_clip")
    places = found.submodule_search_locations if found else None
    if not places:
        return None
    files = {file.stem: file for file in sorted(Path(places[0], "model_configs").glob("*.json"))}
    name = settings.proxy.replace("/", "-")
    if name not in files:
        near = difflib.get_close_matches(name, [*NAMES, *files], n=3, cutoff=0.4)
        raise UserError(
            f"{where}: adversarial: proxy",
            f"there is no proxy '{settings.proxy}'",
            f"use one of: {', '.join(NAMES)}, a name of open_clip"
            + (f" (did you mean {', '.join(near)}?)" if near else "")
            + f", {LOCAL}FOLDER, {HUB}ID, {TRANSFORMERS}FOLDER or ID",
        )
    if settings.pretrained is None:
        raise UserError(
            f"{where}: adversarial: pretrained",
            f"'{settings.proxy}' is a name without weights",
            "give a tag such as openai, or the path of a checkpoint",
        )
    content = _read(files[name], where, "install open_clip again")
    return _size(content.get("vision_cfg", {}).get("image_size"))
