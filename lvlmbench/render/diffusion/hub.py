"""Where a pipeline's folder is: on disk, in the cache of the hub's client, or on the hub."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from lvlmbench import weights
from lvlmbench.errors import UserError
from lvlmbench.render.diffusion.files import AGAIN, GIVE, PipelineFiles, look


def cached(model: str, revision: str | None) -> Path | None:
    """The folder in the hub client's cache that holds this revision; None where there is none."""
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = try_to_load_from_cache(model, "model_index.json", revision=revision)
    except HFValidationError:
        return None
    return Path(found).parent if isinstance(found, str) else None


def check_form(model: str, revision: str | None, where: str) -> Path | None:
    """The folder that ``model`` means; None for a hub id.

    Raises
    ------
    UserError
        It is neither, or a folder is to have a revision.
    """
    folder = weights.folder_of(model)
    if folder is None and Path(model).is_file():
        folder = Path(model)
    if folder is None and model.count("/") != 1:
        what = f"'{model}' is neither a folder nor a hub id of the form owner/name"
        raise UserError(f"{where}: model", what, GIVE)
    if folder is not None and revision is not None:
        what = "is of no use to a folder, which is as it is"
        raise UserError(f"{where}: revision", what, "leave it out")
    return folder


def find(
    model: str, revision: str | None, variant: str | None, where: str, *, fetch: bool
) -> tuple[PipelineFiles, str | None]:
    """A pipeline's files, and the commit they are of (None for a folder).

    What the cache of the hub's client holds whole is taken as it is, without asking the hub for
    something newer: so all jobs of a run draw with the same weights.

    Parameters
    ----------
    where
        The section that holds ``model``, ``revision`` and ``variant``.
    fetch
        Whether to fetch what is not on this machine.

    Raises
    ------
    UserError
        There is no such pipeline, it is not whole, or it cannot be fetched.
    """
    folder = check_form(model, revision, where)
    if folder is not None:
        return look(folder, variant, model, where), None
    there, lacks = cached(model, revision), None
    if there is not None:
        try:
            return look(there, variant, model, where), there.name
        except UserError as error:
            lacks = error
    if not fetch:
        what = f"'{model}' is not in the cache of the hub's client"
        raise lacks or UserError(f"{where}: model", what, f"run 'hf download {model}'")
    try:
        there = _fetch(model, revision, variant, where)
    except UserError as error:
        raise (lacks if lacks is not None and lacks.fix != AGAIN else error) from None
    return look(there, variant, model, where), there.name


def _fetch(model: str, revision: str | None, variant: str | None, where: str) -> Path:
    """Have the hub's client fetch what the pipeline reads; the folder in its cache."""
    from lvlmbench.render.diffusion.packages import diffusers, quiet

    auto: Any = diffusers(where).DiffusionPipeline
    import huggingface_hub

    try:
        with quiet():
            commit = huggingface_hub.model_info(model, revision=revision).sha
            print(f"fetching '{model}' at {commit}", file=sys.stderr)
            folder = auto.download(model, revision=commit, variant=variant, use_safetensors=True)
    except Exception as error:  # the hub's client has exceptions of many kinds
        raise _fetch_error(model, variant, where, error) from None
    return Path(folder)


def _fetch_error(model: str, variant: str | None, where: str, error: Exception) -> UserError:
    text = str(error)
    if "variant=" in text:
        what = f"'{model}' has no weights of '{variant}'"
        return UserError(f"{where}: variant", what, "leave it out")
    if "safetensors" in text:
        what = f"'{model}' holds no safetensors, and other weights could run code when read"
        return UserError(
            f"{where}: model", what, "give a pipeline that is published as safetensors"
        )
    return weights.hub_error(model, where, error, GIVE)
