"""Where a pipeline's folder is: on disk, in the cache of the hub's client, or on the hub."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lvlmbench.core import weights
from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.kinds.diffusion import kinds
from lvlmbench.stages.render.kinds.diffusion.files import (
    AGAIN,
    ANEW,
    GIVE,
    LEFT_OFF,
    PipelineFiles,
    look,
)
from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion

_FETCH = "run 'hf download"


@dataclass(frozen=True)
class Found:
    """A pipeline's files, and the commit that they are of; None for a folder of the user's."""

    files: PipelineFiles
    commit: str | None


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
) -> Found:
    """A pipeline's files.

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
        return Found(look(folder, variant, model, where), None)
    there, lacks = cached(model, revision), None
    if there is not None:
        try:
            return Found(look(there, variant, model, where), there.name)
        except UserError as error:
            lacks = error
    if not fetch:
        what = f"'{model}' is not in the cache of the hub's client"
        raise lacks or UserError(f"{where}: model", what, f"{_FETCH} {model}'")
    try:
        there = _fetch(model, revision, variant, where)
    except UserError as error:
        raise (lacks if lacks is not None and lacks.fix not in (AGAIN, ANEW) else error) from None
    return Found(look(there, variant, model, where), there.name)


def find_all(settings: Diffusion, where: str, *, fetch: bool) -> tuple[Found, Found | None]:
    """The files of the pipeline and of its refiner, of kinds that fit.

    Raises
    ------
    UserError
        As :func:`find`, or one of them is of another kind.
    """
    base = find(settings.model, settings.revision, settings.variant, where, fetch=fetch)
    kinds.check(base.files.kind, settings.model, where)
    if settings.refiner is None:
        return base, None
    place, wanted = f"{where}: refiner", settings.refiner
    if base.files.kind != kinds.SDXL:
        what = f"only SDXL has refiners, and '{settings.model}' is a {base.files.kind}"
        raise UserError(place, what, "write 'refiner: null'")
    try:
        refiner = find(wanted.model, wanted.revision, settings.variant, place, fetch=fetch)
    except UserError as error:
        if settings.variant is None or error.where != f"{where}: variant":
            raise
        refiner = find(wanted.model, wanted.revision, None, place, fetch=fetch)
    if refiner.files.kind != kinds.REFINER:
        what = f"'{wanted.model}' is a {refiner.files.kind}, not a refiner ({kinds.REFINER})"
        raise UserError(f"{place}: model", what, "give a refiner, or write 'refiner: null'")
    return base, refiner


def look_around(settings: Diffusion, where: str) -> Found | None:
    """The pipeline's files as far as they are here; None where a job will have to fetch some.

    Raises
    ------
    UserError
        What is here cannot be used.
    """
    names = [(settings.model, settings.revision, where)]
    if settings.refiner is not None:
        refiner = settings.refiner
        names.append((refiner.model, refiner.revision, f"{where}: refiner"))
    if all(check_form(*name) is not None for name in names):
        return find_all(settings, where, fetch=False)[0]
    try:
        return find_all(settings, where, fetch=False)[0]
    except UserError as error:
        if error.fix in (AGAIN, ANEW) or error.fix.startswith(_FETCH):
            return None
        raise


def _fetch(model: str, revision: str | None, variant: str | None, where: str) -> Path:
    """Have the hub's client fetch what the pipeline reads; the folder in its cache."""
    import huggingface_hub

    from lvlmbench.stages.render.kinds.diffusion.packages import diffusers, quiet

    try:
        commit = huggingface_hub.model_info(model, revision=revision).sha
        print(f"fetching '{model}' at {commit}", file=sys.stderr)
        pipeline: Any = diffusers(where).DiffusionPipeline
        with quiet():
            folder = pipeline.download(
                model,
                revision=commit,
                variant=variant,
                use_safetensors=True,
                trust_remote_code=False,
                **dict.fromkeys(LEFT_OFF),  # what is given is not fetched
            )
    except UserError:
        raise
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
