"""What can be wrong with the weights that a user gives, each in one line."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from lvlmbench.core.errors import UserError

#: What open_clip takes for weights in a folder.
SUFFIXES = (".safetensors", ".bin", ".pth")


def reason(error: BaseException, limit: int = 200) -> str:
    """Return what went wrong, in one line of at most ``limit`` characters."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = " ".join(lines[:2]) or type(error).__name__
    return text if len(text) <= limit else f"{text[:limit].rstrip()} ..."


def check_checkpoint(path: Path, where: str, fix: str) -> None:
    """Check that the file is there, whole, and holds tensors; read no tensor.

    Raises
    ------
    UserError
        It is not; ``fix`` says what to do about a file that is missing or damaged.
    """
    if not path.is_file():
        raise UserError(where, f"there is no file {path}", fix)
    if path.stat().st_size == 0:
        raise UserError(where, f"{path} is empty", fix)
    if path.suffix == ".safetensors":
        _check_safetensors(path, where, fix)
    elif path.suffix not in (".npz", ".npy"):
        _check_pickle(path, where, fix)


def _check_safetensors(path: Path, where: str, fix: str) -> None:
    from safetensors import SafetensorError, safe_open

    try:
        # Opening reads the header and holds the sizes it declares against the file's.
        with safe_open(path, framework="pt") as file:
            empty = not file.keys()
    except SafetensorError as error:
        raise UserError(where, f"{path} is damaged or cut short ({reason(error)})", fix) from None
    if empty:
        raise UserError(where, f"{path} holds no weights", fix)


def _check_pickle(path: Path, where: str, fix: str) -> None:
    import pickle

    import torch

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch wonders about the pickle's version
            content: Any = torch.load(path, map_location="meta", weights_only=True)
    except pickle.UnpicklingError as error:
        raise UserError(
            where,
            f"{path} is damaged, or holds more than tensors and could run code ({reason(error)})",
            "save its state dict as safetensors where you trust it, and give that file",
        ) from None
    except (RuntimeError, EOFError, ValueError, OSError) as error:
        if "TorchScript" in str(error):
            raise UserError(
                where,
                f"{path} is a TorchScript archive, which could run code",
                "save its state dict as safetensors where you trust it, and give that file",
            ) from None
        raise UserError(where, f"{path} is damaged or cut short ({reason(error)})", fix) from None
    state = content.get("state_dict", content) if isinstance(content, dict) else None
    if not state or not all(isinstance(name, str) for name in state):
        raise UserError(where, f"{path} holds no state dict", "give a checkpoint of open_clip")


def _position_shapes(path: Path) -> dict[str, list[int]]:
    """Shapes of the tensors that say where a patch or a token stands, by name."""
    ends = ("positional_embedding", "pos_embed")
    if path.suffix == ".safetensors":
        from safetensors import safe_open

        with safe_open(path, framework="pt") as file:
            names = [name for name in file.keys() if name.endswith(ends)]  # noqa: SIM118  no dict
            return {name: list(file.get_slice(name).get_shape()) for name in names}
    if path.suffix in (".npz", ".npy"):
        return {}
    import torch

    content = torch.load(path, map_location="meta", weights_only=True)
    state = content.get("state_dict", content)
    return {
        name.removeprefix("module."): list(value.shape)
        for name, value in state.items()
        if name.endswith(ends) and hasattr(value, "shape")
    }


def check_positions(model: Any, path: Path, where: str, fix: str) -> None:
    """Check that the model reads images and texts of the sizes that it was trained for.

    open_clip stretches the embeddings of positions without a word where they are of another size,
    for instance where weights for images of 336 pixels are loaded into the model for 224.

    Raises
    ------
    UserError
        The sizes differ.
    """
    has = {name: list(value.shape) for name, value in model.state_dict().items()}
    for name, shape in _position_shapes(path).items():
        if name in has and has[name] != shape:
            raise UserError(
                where,
                f"{path} is of another architecture: its {name} is {shape}, not {has[name]}",
                fix,
            )


def find_checkpoint(folder: Path, where: str) -> list[Path]:
    """Return the files of weights in a folder, in the order of their names.

    Raises
    ------
    UserError
        There is none.
    """
    found = sorted(file for file in folder.iterdir() if file.suffix in SUFFIXES)
    if not found:
        raise UserError(
            where,
            f"{folder} holds no weights",
            "put open_clip_model.safetensors there, or give another folder",
        )
    return found
