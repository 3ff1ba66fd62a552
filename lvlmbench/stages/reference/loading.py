"""Models of open_clip with their weights: by folder, by hub, by name; each mistake in one line."""

from __future__ import annotations

import difflib
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lvlmbench.core.checkpoints import check_checkpoint, check_positions, find_checkpoint, reason
from lvlmbench.core.errors import UserError

LOCAL = "local-dir:"
HUB = "hf-hub:"
_CONFIG = "open_clip_config.json"


def pick_device(device: str, where: str) -> str:
    """``cpu`` or ``cuda``, from one of these or ``auto``.

    Raises
    ------
    UserError
        A GPU is asked for and there is none.
    """
    import torch

    present = torch.cuda.is_available()
    if device == "cuda" and not present:
        raise UserError(f"{where}: device", "there is no GPU that torch can use", "write 'auto'")
    if device == "cpu" or not present:
        return "cpu"
    torch.backends.cudnn.allow_tf32 = False  # ten bits of a product are too few for six decimals
    torch.backends.cudnn.deterministic = True
    return "cuda"


def _open_clip() -> Any:
    from lvlmbench.core import torchvision_hook

    torchvision_hook.install()
    import open_clip

    return open_clip


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what open_clip logs while loading: what goes wrong is raised and told once."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def _create(name: str, device: str, **options: Any) -> tuple[Any, Any]:
    """Model and tokenizer, never with weights at random."""
    open_clip = _open_clip()
    with _quiet():
        model = open_clip.create_model(
            name,
            device=device,
            pretrained_text=False,  # of the text tower alone; a checkpoint holds both
            require_pretrained=True,
            weights_only=True,
            **options,
        )
        return model, open_clip.get_tokenizer(name)


def _misfit(error: BaseException) -> bool:
    """Whether open_clip says so of weights; it asserts where embeddings have other widths."""
    return isinstance(error, AssertionError) or "Error(s) in loading state_dict" in str(error)


def from_folder(folder: Path, where: str, device: str, fix: str) -> tuple[Any, Any]:
    """Model and tokenizer from a folder that open_clip saved; ``fix`` mends a damaged one.

    Raises
    ------
    UserError
        A file is missing or damaged, or the weights are of another architecture.
    """
    if not (folder / _CONFIG).is_file():
        raise UserError(where, f"{folder} holds no {_CONFIG}", fix)
    files = find_checkpoint(folder, where)
    for file in files:
        check_checkpoint(file, where, fix)
    try:
        loaded = _create(f"{LOCAL}{folder}", device)
    # Reading foreign files raises whatever they make the code run into; all of it means the same.
    except Exception as error:
        what = f"the weights in {folder} do not fit its {_CONFIG}"
        if not _misfit(error):
            what = f"{folder} could not be loaded"
        raise UserError(where, f"{what} ({reason(error)})", fix) from None
    if len(files) == 1:  # of several, open_clip chooses
        check_positions(loaded[0], files[0], where, fix)
    return loaded


def from_hub(engine: str, where: str, device: str) -> tuple[Any, Any]:
    """Model and tokenizer from a hub.

    Raises
    ------
    UserError
        The hub cannot be reached or has no such model.
    """
    try:
        return _create(engine, device)
    except Exception as error:  # the hub's client has exceptions of many kinds
        raise UserError(
            where,
            f"'{engine}' could not be loaded ({reason(error)})",
            f"fetch it where the hub can be reached and give '{LOCAL}FOLDER'",
        ) from None


def by_name(engine: str, pretrained: str | None, where: str, device: str) -> tuple[Any, Any]:
    """Model and tokenizer of an architecture of open_clip, with a tag's or a checkpoint's weights.

    Raises
    ------
    UserError
        There is no such name, tag or file, or the weights are of another architecture.
    """
    open_clip = _open_clip()
    known = open_clip.list_models()
    if engine not in known:
        near = difflib.get_close_matches(engine, known, n=3, cutoff=0.4) or known[:3]
        raise UserError(
            f"{where}: engine",
            f"open_clip has no model '{engine}'",
            f"did you mean {', '.join(near)}? For a folder write '{LOCAL}FOLDER'",
        )
    place = f"{where}: pretrained"
    tags = open_clip.list_pretrained_tags_by_model(engine)
    some = f"a tag ({', '.join(tags[:5])})" if tags else "the path of a checkpoint"
    if pretrained is None:
        raise UserError(place, f"'{engine}' is a name without weights", f"give {some}")
    tag = open_clip.get_pretrained_cfg(engine, pretrained)
    if tag:
        if open_clip.get_model_config(engine).get("quick_gelu") and not tag.get("quick_gelu"):
            raise UserError(
                place,
                f"'{pretrained}' was trained with another activation than '{engine}' has",
                f"write 'engine: {engine.removesuffix('-quickgelu')}'",
            )
        try:
            # open_clip only warns where the tag's weights need the other activation.
            quick = bool(tag.get("quick_gelu"))
            return _create(engine, device, pretrained=pretrained, force_quick_gelu=quick)
        except Exception as error:
            raise UserError(
                place,
                f"the weights '{pretrained}' of '{engine}' could not be loaded ({reason(error)})",
                "fetch them where the hub can be reached and give the path of the file",
            ) from None
    path = Path(pretrained)
    if not path.is_file():
        raise UserError(
            place,
            f"'{pretrained}' is neither a file nor a tag of '{engine}'",
            f"give {some}" + (" or the path of a checkpoint" if tags else ""),
        )
    check_checkpoint(path, place, "give a checkpoint that is whole")
    fix = "name the model that the checkpoint is of"
    try:
        loaded = _create(engine, device, pretrained=str(path))
    except Exception as error:
        what = f"'{pretrained}' holds the weights of another architecture than '{engine}'"
        if not _misfit(error):
            what = f"'{pretrained}' could not be loaded as '{engine}'"
        raise UserError(place, f"{what} ({reason(error)})", fix) from None
    check_positions(loaded[0], path, place, fix)
    return loaded
