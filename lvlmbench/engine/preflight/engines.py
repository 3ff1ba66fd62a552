"""Whether the engines that filters and models name can do what is asked of them."""

from __future__ import annotations

from pathlib import Path

from lvlmbench.config.cleaning import Clip, FilterSpec
from lvlmbench.config.sections import Params
from lvlmbench.core.errors import UserError
from lvlmbench.stages.reference.folder import NAMES
from lvlmbench.stages.reference.loading import LOCAL

_PREFIX = "reference_"

#: Why no reference model can be asked whether an image is to be drawn again.
_BESIDE = "is ready only after the images are drawn"


def check_engines(params: Params, source: str) -> None:
    """Reference models are trained where they are wanted, and see what they know; folders exist.

    Raises
    ------
    UserError
        The first engine that cannot do what is asked of it.
    """
    for name in params.reference.models:
        if name not in NAMES:
            raise UserError(
                f"{source}: reference.models",
                f"there is no reference model '{name}'",
                f"use some of: {', '.join(NAMES)}",
            )
    for spec in params.filter.filters:
        where = f"{source}: filter.filters: {spec.name}"
        if spec.registered == "clip":
            _check_clip(params, spec, f"{where}: clip", _strange_pictures(params))
        _check_folders(spec, where)
    for spec in params.render.rework.filters:
        where = f"{source}: render.rework.filters: {spec.name}"
        if spec.registered == "clip":
            _check_clip(params, spec, f"{where}: clip", _BESIDE)
        _check_folders(spec, where)
    for model in params.answer.models:
        where = f"{source}: answer.models: {model.name}"
        _check_trained(params, model.engine, f"{where}: engine")
        if model.engine == "transformers_vlm" and model.transformers is not None:
            from lvlmbench.stages.answer.local.files import check_place

            check_place(model.transformers, f"{where}: transformers")
    _check_validity(params, f"{source}: validity")


def _check_trained(params: Params, engine: str, where: str) -> None:
    if not engine.startswith(_PREFIX):
        return
    if engine not in NAMES:
        known = ", ".join(NAMES)
        raise UserError(where, f"there is no reference model '{engine}'", f"use one of: {known}")
    if engine not in params.reference.models:
        raise UserError(
            where, f"'{engine}' is not in reference.models", f"add {engine} to reference.models"
        )


def _strange_pictures(params: Params) -> str | None:
    """Why no reference model can judge: pictures are asked for that it has not learned to read."""
    for key in ("renderer", "fallback"):
        name = getattr(params.render, key)
        if name not in (None, "pictograph"):
            return f"has seen nothing but pictographs, and render.{key} is {name}"
    return None


def _check_clip(params: Params, spec: FilterSpec, where: str, unfit: str | None) -> None:
    """Whether the engine of a CLIP filter is there and fits.

    ``unfit`` says why reference models do not.
    """
    from lvlmbench.stages.filter.kinds.clip import (
        default_threshold,
        no_threshold,
    )

    settings = spec.clip or Clip()  # type: ignore[call-arg]
    if settings.engine in NAMES and unfit is not None:
        raise UserError(
            f"{where}: engine",
            f"{settings.engine} {unfit}",
            "write 'engine: ViT-L-14' and 'pretrained: openai'",
        )
    _check_trained(params, settings.engine, f"{where}: engine")
    if settings.engine not in NAMES:
        if settings.text == "labels":
            what = "labels are for reference models alone"
            raise UserError(f"{where}: text", what, "write caption or prompt")
        if settings.threshold is None and default_threshold(settings) is None:
            raise no_threshold(where, settings)
        return
    if settings.pretrained is not None:
        raise UserError(
            f"{where}: pretrained",
            f"is of no use to {settings.engine}, which brings its weights",
            "leave it out",
        )
    if settings.text == "labels" and settings.threshold is not None:
        raise UserError(
            f"{where}: threshold",
            "is of no use to labels, which have one for each group",
            "leave it out, or write 'text: caption'",
        )
    if settings.text == "prompt" and settings.threshold is None:
        raise UserError(
            f"{where}: threshold",
            f"that of {settings.engine} is calibrated on captions, not on prompts",
            "write 'text: caption', or a threshold of your own",
        )


def _check_folders(spec: FilterSpec, where: str) -> None:
    """Folders of weights are looked for now, and not only once all images are drawn."""
    named: dict[str, str | None] = {}
    if spec.clip is not None and spec.clip.engine.startswith(LOCAL):
        named["clip: engine"] = spec.clip.engine.removeprefix(LOCAL)
    if spec.ocr is not None:
        named["ocr: detection_dir"] = spec.ocr.detection_dir
        named["ocr: recognition_dir"] = spec.ocr.recognition_dir
    for key, folder in named.items():
        if folder is not None and not Path(folder).is_dir():
            fix = "give the path of one, from the project's root or absolute"
            raise UserError(f"{where}: {key}", f"there is no folder '{folder}'", fix)
    if spec.safety is not None and spec.safety.model is not None:
        from lvlmbench.stages.filter.safety.checker import check_place

        check_place(spec.safety.model, f"{where}: safety: model")


def _check_validity(params: Params, where: str) -> None:
    """What embeds images is there, and the models that are held against others' are asked."""
    engine = params.validity.kmmd.encoder
    if engine is not None:
        if engine in NAMES and engine not in params.reference.models:
            fix = f"add {engine} to reference.models, or write null to measure no distances"
            raise UserError(f"{where}.kmmd.encoder", f"'{engine}' is not in reference.models", fix)
        _check_trained(params, engine, f"{where}.kmmd.encoder")
        if engine.startswith(LOCAL) and not Path(engine.removeprefix(LOCAL)).is_dir():
            what = f"there is no folder '{engine.removeprefix(LOCAL)}'"
            fix = "give the path of one, from the project's root or absolute"
            raise UserError(f"{where}.kmmd.encoder", what, fix)
    asked = [model.name for model in params.answer.models]
    for name in params.validity.names:
        if name not in asked:
            fix = f"use names of answer.models: {', '.join(asked)}"
            raise UserError(f"{where}.names", f"there is no model '{name}'", fix)
