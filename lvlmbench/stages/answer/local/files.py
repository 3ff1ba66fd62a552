"""Weights of a vision-language model on disk or on a hub: where they are, and which ones."""

from __future__ import annotations

import json
from pathlib import Path

from lvlmbench.core import weights
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.local.settings import LocalWeights

GIVE = (
    "give a folder that holds config.json, safetensors and the processor's files, as "
    "'hf download ID --local-dir FOLDER' leaves it"
)

#: Weights that are read by running what is in them.
_PICKLES = (".bin", ".pt", ".pth", ".ckpt")


def folder_of(settings: LocalWeights) -> Path | None:
    """The folder that is meant; None for a hub id."""
    return weights.folder_of(settings.model)


def check_place(settings: LocalWeights, where: str) -> None:
    """What can be seen of the weights without reading them.

    Raises
    ------
    UserError
        ``model`` is neither a folder nor like a hub id, or the folder holds no model that could
        be loaded.
    """
    place, model = f"{where}: model", settings.model
    folder = folder_of(settings)
    if folder is None:
        if model.count("/") != 1:
            what = f"'{model}' is neither a folder nor a hub id of the form owner/name"
            raise UserError(place, what, GIVE)
        return
    if not folder.is_dir():
        raise UserError(place, f"there is no folder '{model}'", GIVE)
    if settings.revision is not None:
        what = "is of no use to a folder, which is as it is"
        raise UserError(f"{where}: revision", what, "leave it out")
    if not (folder / "config.json").is_file():
        raise UserError(place, f"'{model}' has no config.json", GIVE)
    if not any(folder.glob("*.safetensors")):
        pickles = sorted(f.name for f in folder.iterdir() if f.suffix in _PICKLES)
        if pickles:
            raise UserError(
                place,
                f"'{model}' holds its weights as {pickles[0]}, which could run code when read",
                "save them as safetensors where you trust them (save_pretrained does)",
            )
        raise UserError(place, f"'{model}' holds no safetensors", GIVE)


def hub_commit(settings: LocalWeights, where: str) -> str:
    """Commit of a hub's repository that ``revision`` means now, 40 hexadecimal digits.

    Where the hub cannot be reached it is the one that was fetched last.

    Raises
    ------
    UserError
        The hub cannot be reached and nothing was fetched before, or knows no such model.
    """
    from transformers.utils.hub import cached_file, extract_commit_hash

    from lvlmbench.core.transformers_hush import quiet_transformers

    try:
        with quiet_transformers():
            file = cached_file(settings.model, "config.json", revision=settings.revision)
            commit: str | None = extract_commit_hash(file, None)
    except Exception as error:  # the hub's client has exceptions of many kinds
        raise weights.hub_error(settings.model, where, error, GIVE) from None
    if commit is None:
        what = f"the commit of '{settings.model}' is not known"
        raise UserError(f"{where}: model", what, GIVE)
    return commit


def model_type(settings: LocalWeights, commit: str | None) -> str | None:
    """Return ``model_type`` as config.json has it; None where it has none.

    Raises
    ------
    Exception
        The file cannot be fetched or is no JSON.
    """
    from transformers.utils.hub import cached_file

    folder = folder_of(settings)
    if folder is not None:
        file = folder / "config.json"
    else:
        file = Path(str(cached_file(settings.model, "config.json", revision=commit)))
    content = json.loads(file.read_text(encoding="utf-8"))
    found = content.get("model_type") if isinstance(content, dict) else None
    return found if isinstance(found, str) else None
