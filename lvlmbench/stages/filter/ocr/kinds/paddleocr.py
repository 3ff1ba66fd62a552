"""Engine ``paddleocr``: PaddleOCR's own pipeline, on weights by name or from local folders.

A folder is what PaddleOCR publishes and exports: ``inference.yml`` and, for the runtime
``paddle``, ``inference.json`` (or ``.pdmodel``) with ``inference.pdiparams``; for the runtime
``onnxruntime``, ``inference.onnx``.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import yaml
from pydantic import Field

from lvlmbench.config.section import Section
from lvlmbench.core import torchvision_hook
from lvlmbench.core.errors import UserError
from lvlmbench.core.weights import check_folder
from lvlmbench.stages.filter.ocr import engine as common
from lvlmbench.stages.filter.ocr.engine import OCR_ENGINES, first_line, require

if TYPE_CHECKING:
    from PIL import Image

#: Runtime -> sets of files one of which must be in a folder.
_FILES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "onnxruntime": (("inference.onnx",),),
    "paddle": (
        ("inference.json", "inference.pdiparams"),
        ("inference.pdmodel", "inference.pdiparams"),
    ),
}

#: What PaddleOCR's names of models end in, by what they do.
_ENDINGS = {"detection": "_det", "recognition": "_rec"}


def _checked(folder: str, runtime: str, where: str) -> str:
    """The name that the folder's ``inference.yml`` gives its model.

    Raises
    ------
    UserError
        The folder is not there, or a file is missing or is no YAML.
    """
    path = Path(folder)
    wanted = _FILES[runtime]
    names = ("inference.yml", *wanted[0])
    fix = f"give a folder that holds {', '.join(names[:-1])} and {names[-1]}"
    if not path.is_dir():
        raise UserError(where, f"there is no folder {folder}", fix)
    if not any(all((path / name).is_file() for name in files) for files in wanted):
        raise UserError(where, f"{folder} holds no {wanted[0][-1]}", fix)
    try:
        content = yaml.safe_load((path / "inference.yml").read_text(encoding="utf-8"))
        name = content["Global"]["model_name"]
    except FileNotFoundError:
        raise UserError(where, f"{folder} holds no inference.yml", fix) from None
    except (OSError, ValueError, yaml.YAMLError, LookupError, TypeError):
        raise UserError(f"{path / 'inference.yml'}", "names no model", fix) from None
    return str(name)


class Settings(Section):
    """What PaddleOCR runs."""

    detection_model: str | None = Field(
        None,
        min_length=1,
        description="For paddleocr: name of its detection model; null for its default.",
    )
    detection_dir: str | None = Field(
        None,
        min_length=1,
        description="For paddleocr: folder of the detection model; null to have it fetched.",
    )
    recognition_model: str | None = Field(
        None,
        min_length=1,
        description="For paddleocr: name of its recognition model; null for its default.",
    )
    recognition_dir: str | None = Field(
        None,
        min_length=1,
        description="For paddleocr: folder of the recognition model; null to have it fetched.",
    )
    runtime: Literal["paddle", "onnxruntime"] = Field(
        "paddle", description="For paddleocr: what runs its models."
    )


def check(settings: Settings, where: str) -> None:
    """Check that the folders of weights are there."""
    for key in ("detection_dir", "recognition_dir"):
        check_folder(getattr(settings, key), f"{where}: {key}")


@OCR_ENGINES.register(
    "paddleocr",
    place=2,
    settings=Settings,
    check=check,
)
class PaddleOcr:
    """Reads upright text on one thread of the CPU; pages are neither turned nor flattened."""

    def __init__(self, settings: Settings, where: str) -> None:
        self._where, self._settings = where, settings
        require(("paddleocr",), "paddle", f"{where}: engine")
        group = "paddle" if settings.runtime == "paddle" else "core"
        require((settings.runtime,), group, f"{where}: engine")
        self._names: dict[str, str | None] = {}
        for part in ("detection", "recognition"):
            folder: str | None = getattr(settings, f"{part}_dir")
            name: str | None = getattr(settings, f"{part}_model")
            if folder is not None:
                found = _checked(folder, settings.runtime, f"{where}: {part}_dir")
                if name not in (None, found):
                    raise UserError(
                        f"{where}: {part}_model",
                        f"is {name}, but {folder} holds {found}",
                        "leave it out, or give another folder",
                    )
                name = found
            if name is not None and not name.endswith(_ENDINGS[part]):
                key = "model" if folder is None else "dir"
                raise UserError(
                    f"{where}: {part}_{key}",
                    f"{name} is no {part} model",
                    f"give one whose name ends in {_ENDINGS[part]}",
                )
            self._names[part] = name

    @cached_property
    def _engine(self) -> Any:
        torchvision_hook.install()
        with warnings.catch_warnings():  # of compilers that it could use
            warnings.simplefilter("ignore")
            from paddleocr import PaddleOCR
        logging.getLogger("paddlex").setLevel(logging.CRITICAL)  # tells of each model it makes
        settings, where = self._settings, self._where
        onnx = {"engine_config": {"intra_op_num_threads": 1, "inter_op_num_threads": 1}}
        try:
            return PaddleOCR(
                engine=settings.runtime,
                device="cpu",
                cpu_threads=1,
                text_detection_model_name=self._names["detection"],
                text_detection_model_dir=settings.detection_dir,
                text_recognition_model_name=self._names["recognition"],
                text_recognition_model_dir=settings.recognition_dir,
                use_doc_orientation_classify=False,
                use_doc_unwarping=False,
                use_textline_orientation=False,
                text_det_limit_type="min",
                text_det_limit_side_len=common.SHORT_SIDE,
                text_det_thresh=common.PIXEL,
                text_det_box_thresh=common.BOX,
                text_det_unclip_ratio=common.GROWTH,
                text_rec_score_thresh=common.CONFIDENCE,
                **(onnx if settings.runtime == "onnxruntime" else {}),
            )
        # Hubs, runtimes and configurations fail with classes of their own that share no base.
        except Exception as error:
            fetched = [part for part in self._names if getattr(settings, f"{part}_dir") is None]
            what = f"paddleocr cannot load its weights ({first_line(error)})"
            if fetched:
                keys = " and ".join(f"{part}_dir" for part in fetched)
                fix = f"check the names of the models and the network, or give {keys}"
            else:
                fix = "restore the files of detection_dir and recognition_dir"
            raise UserError(where, what, fix) from None

    def read(self, picture: Image.Image) -> list[str]:
        """See :class:`lvlmbench.stages.filter.ocr.engine.Reader`."""
        bgr = np.ascontiguousarray(np.asarray(picture.convert("RGB"))[:, :, ::-1])
        return [str(text) for page in self._engine.predict(bgr) for text in page["rec_texts"]]
