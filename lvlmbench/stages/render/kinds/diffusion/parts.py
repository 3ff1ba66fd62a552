"""The networks of a pipeline, each read by itself: so that nothing that it lacks goes unnoticed.

Read as a whole, a pipeline fills what its files lack with random numbers and only mentions it in
a warning.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from lvlmbench.core.devices import out_of_memory
from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.kinds.diffusion.files import AGAIN, GIVE, Part, PipelineFiles

_LIBRARIES = ("diffusers", "transformers")


def load_parts(
    files: PipelineFiles,
    dtype: Any,
    device: str,
    model: str,
    where: str,
    without: Collection[str] = (),
) -> dict[str, Any]:
    """Return the networks by their names, on the device; those of other packages are left out.

    Parameters
    ----------
    dtype
        A torch dtype.
    device
        Each goes there before the next one is read.
    without
        Names of those that are not to be read.

    Raises
    ------
    UserError
        A file lacks something, is of another size, or has no room in memory.
    """
    found = {}
    for part in files.parts:
        if not part.weights or part.library not in _LIBRARIES or part.name in without:
            continue
        kind = getattr(_library(part.library), part.kind, None)
        if kind is not None:
            found[part.name] = _load(kind, files, part, dtype, model, where).to(device)
    return found


def _library(name: str) -> Any:
    """One of :data:`_LIBRARIES`; to import them takes seconds."""
    if name == "diffusers":
        import diffusers

        return diffusers
    import transformers

    return transformers


def _load(kind: Any, files: PipelineFiles, part: Part, dtype: Any, model: str, where: str) -> Any:
    from lvlmbench.core.checkpoints import reason

    options: dict[str, Any] = {"dtype": dtype, "use_safetensors": True, "local_files_only": True}
    if part.variant is not None:
        options["variant"] = part.variant
    key = f"{where}: model"
    try:
        network, about = kind.from_pretrained(
            str(files.folder / part.name), output_loading_info=True, **options
        )
    # Files of another network end in whatever their readers run into.
    except Exception as error:
        if out_of_memory(error):
            raise
        what = f"{part.name} of '{model}' could not be loaded ({reason(error)})"
        raise UserError(key, what, GIVE) from None
    lacks = sorted(about["missing_keys"])
    if lacks:
        what = f"the weights of '{model}' lack {part.name}: {lacks[0]}"
        more = f" and {len(lacks) - 1} more" if len(lacks) > 1 else ""
        raise UserError(key, what + more, AGAIN)
    return network
