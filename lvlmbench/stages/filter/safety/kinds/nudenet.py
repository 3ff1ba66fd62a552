"""Engine ``nudenet``: the detector whose package carries its weights.

The weights are run here and not through the package, for three reasons: the package lets
onnxruntime take all cores; it drops what it is less sure of than 0.25, whatever the threshold;
and it exchanges red and blue on their way to the network, which then sees faces less surely
(0.76 instead of 0.82 on average, on 33 versions of one photograph).
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from lvlmbench.config.section import Section
from lvlmbench.core.errors import UserError
from lvlmbench.stages.filter.safety.engine import SAFETY_ENGINES

if TYPE_CHECKING:
    from PIL import Image

#: Classes of the detector that a benchmark must not show. Bare arms, bellies, feet and men's
#: chests are none of them: surfers and swimmers are among what scenes show.
UNSAFE = frozenset(
    {
        "ANUS_EXPOSED",
        "BUTTOCKS_EXPOSED",
        "FEMALE_BREAST_EXPOSED",
        "FEMALE_GENITALIA_EXPOSED",
        "MALE_GENITALIA_EXPOSED",
    }
)

#: Side of the square that the detector sees, in pixels.
SIDE = 320
#: Rows of its output before those of the classes: center, width and height of a box.
BOX = 4

INSTALL = "run 'python3 scripts/setup_env.py filters'"
_AGAIN = f"remove .venv and {INSTALL}"


def weights_file(where: str) -> Path:
    """The ONNX file in the installed package.

    Raises
    ------
    UserError
        The package is not installed, or lacks the file.
    """
    found = importlib.util.find_spec("nudenet")
    if found is None or found.origin is None:
        raise UserError(where, "nudenet is not installed", INSTALL)
    path = Path(found.origin).with_name("320n.onnx")
    if not path.is_file():
        raise UserError(where, f"the package nudenet lacks {path.name}", _AGAIN)
    return path


def _session(path: Path, where: str) -> Any:
    """The network on one thread, so that sums are always taken in one order."""
    try:
        import onnxruntime
    except ImportError:
        raise UserError(where, "onnxruntime is not installed", INSTALL) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    # onnxruntime has an exception class of its own for each way in which a file can be broken.
    except Exception as error:
        reason = " ".join(str(error).split())[:120]
        what = f"the weights of nudenet cannot be read ({reason})"
        raise UserError(where, what, _AGAIN) from None


def _labels(session: Any, where: str) -> list[str]:
    """Names of the classes in the order of the output; the ONNX file itself holds them."""
    try:
        names = ast.literal_eval(session.get_modelmeta().custom_metadata_map["names"])
        return [str(names[i]) for i in range(len(names))]
    except (KeyError, TypeError, ValueError, SyntaxError):
        what = "the weights of nudenet do not name their classes"
        raise UserError(where, what, _AGAIN) from None


def network_input(picture: Image.Image) -> npt.NDArray[np.float32]:
    """The picture as the detector was trained on it: shape (1, 3, SIDE, SIDE), RGB, 0 to 1.

    It is made square with black at its right or lower side and then scaled.
    """
    import cv2
    from PIL import Image

    side = max(picture.size)
    square = Image.new("RGB", (side, side))
    square.paste(picture)
    scaled = cv2.resize(np.asarray(square), (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(scaled.transpose(2, 0, 1)[None], dtype=np.float32) / np.float32(255)


class Settings(Section):
    """From when a finding counts."""

    threshold: float = Field(
        0.5, gt=0, le=1, description="For nudenet: confidence from which a finding counts."
    )


@SAFETY_ENGINES.register("nudenet", place=1, settings=Settings)
def make(settings: Settings, where: str) -> NudeNet:
    """Return the engine; its package brings the weights."""
    return NudeNet(settings.threshold, f"{where}: engine")


class NudeNet:
    """Scores a picture by the detector's highest confidence in an unsafe class, anywhere in it.

    Boxes are not thinned out: which of two overlapping ones stays changes no maximum that counts,
    and an unsafe class counts where the detector finds a safe one still likelier.

    Raises
    ------
    UserError
        The package is not installed, its weights cannot be read, or lack one of the classes.
    """

    def __init__(self, threshold: float, where: str, classes: Collection[str] = UNSAFE) -> None:
        self.threshold = threshold
        self._session = _session(weights_file(where), where)
        labels = _labels(self._session, where)
        missing = sorted(set(classes) - set(labels))
        if missing:
            what = f"this version of nudenet does not know {missing[0]}"
            raise UserError(where, what, _AGAIN)
        self._rows = [BOX + labels.index(name) for name in sorted(classes)]
        self._input = self._session.get_inputs()[0].name

    def score(self, picture: Image.Image) -> float:
        """The highest confidence, 0 to 1."""
        (found,) = self._session.run(None, {self._input: network_input(picture)})
        return round(float(found[0, self._rows].max()), 6)
