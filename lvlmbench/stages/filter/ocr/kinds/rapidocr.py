"""Engine ``rapidocr``: PP-OCRv6 (small) on onnxruntime, with the weights its wheel carries."""

from __future__ import annotations

import importlib.util
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lvlmbench.core.errors import UserError
from lvlmbench.stages.filter.ocr import engine as common
from lvlmbench.stages.filter.ocr.engine import OCR_ENGINES, first_line, require

if TYPE_CHECKING:
    from PIL import Image


def weights() -> tuple[Path, Path]:
    """The ONNX files of detection and recognition in the wheel (it need not be imported)."""
    spec = importlib.util.find_spec("rapidocr")
    places = spec.submodule_search_locations if spec else None
    if not places:
        raise ModuleNotFoundError("rapidocr")
    folder = Path(places[0]) / "models"
    return folder / "PP-OCRv6_det_small.onnx", folder / "PP-OCRv6_rec_small.onnx"


@OCR_ENGINES.register("rapidocr", place=1)
class RapidOcr:
    """Reads upright text; a classifier of upside-down lines is left out.

    With it, hatched or outlined words were now and then turned over and lost (7 of 600).
    Runs on one thread, so that sums are always taken in the same order.
    """

    def __init__(self, settings: None, where: str) -> None:
        self._where = f"{where}: engine"
        require(("rapidocr", "onnxruntime", "cv2"), "core", self._where)

    @cached_property
    def _engine(self) -> Any:
        from rapidocr import RapidOCR

        detection, recognition = weights()
        try:
            engine = RapidOCR(
                params={
                    "Global.log_level": "critical",
                    "Global.text_score": common.CONFIDENCE,
                    "Global.use_cls": False,
                    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
                    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
                    "Det.model_path": str(detection),  # given a path, it never goes online
                    "Det.limit_type": "min",
                    "Det.limit_side_len": common.SHORT_SIDE,
                    "Det.thresh": common.PIXEL,
                    "Det.box_thresh": common.BOX,
                    "Det.unclip_ratio": common.GROWTH,
                    "Rec.model_path": str(recognition),
                }
            )
            # It would load its weights at the first image that needs them, and a fault of theirs
            # would look like one of the image.
            engine(np.zeros((48, 96, 3), np.uint8), use_det=True, use_rec=True)
            engine(np.zeros((48, 96, 3), np.uint8), use_det=False, use_rec=True)
        # onnxruntime and rapidocr raise classes of their own that share no base.
        except Exception as error:
            wheel = f"rapidocr=={version('rapidocr')}"
            raise UserError(
                self._where,
                f"the weights in {detection.parent} cannot be loaded ({first_line(error)})",
                f"run '.venv/bin/pip install --force-reinstall --no-deps {wheel}'",
            ) from None
        return engine

    def read(self, picture: Image.Image) -> list[str]:
        """See :class:`lvlmbench.stages.filter.ocr.engine.Reader`."""
        bgr = np.ascontiguousarray(np.asarray(picture.convert("RGB"))[:, :, ::-1])
        found = self._engine(bgr, use_det=True, use_rec=True)
        texts = getattr(found, "txts", None)  # None where no box was found
        return [str(text) for text in texts] if texts is not None else []
