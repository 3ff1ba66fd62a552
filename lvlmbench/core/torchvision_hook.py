"""Let torchvision be imported beside a CPU build of torch.

The torchvision wheel that the lock pins is linked against CUDA. Beside a CPU build of torch its
extension ``_C.so`` does not load, and importing torchvision then dies because the operators
``nms`` and ``qnms`` are not declared. transformers, timm, open_clip and sentence-transformers all
import torchvision, though none of them needs those operators here.

:func:`install` puts a finder in front of the import system. When something imports torchvision
for the first time, and only if the extension cannot be loaded, the finder declares the two
operators (without an implementation: calling them is still an error). Nothing is imported
before that, and where torchvision works nothing changes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

_SCHEMAS = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
)

#: Declarations last as long as the object that made them.
_kept_alive: list[Any] = []


def _extension_loads(folder: Path) -> bool:
    import torch

    for library in sorted(folder.glob("_C*.so")):
        try:
            torch.ops.load_library(str(library))
        except (OSError, ImportError):
            continue
        return True
    return False


def _declare() -> None:
    import torch

    library = torch.library.Library("torchvision", "FRAGMENT")
    for schema in _SCHEMAS:
        if not hasattr(torch.ops.torchvision, schema.partition("(")[0]):
            library.define(schema)
    _kept_alive.append(library)


class _Finder(MetaPathFinder):
    """Sees the first import of torchvision, mends it if need be, and steps aside."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != "torchvision":
            return None
        uninstall()
        spec = PathFinder.find_spec("torchvision")
        if spec is None or spec.origin is None:
            return None
        try:
            import torch  # noqa: F401  # without torch the import fails by itself, and clearly
        except ImportError:
            return None
        if not _extension_loads(Path(spec.origin).parent):
            _declare()
        return None  # the ordinary finders go on from here


def install() -> None:
    """Watch for the first import of torchvision. Cheap; calling it again changes nothing."""
    if "torchvision" in sys.modules or any(isinstance(f, _Finder) for f in sys.meta_path):
        return
    sys.meta_path.insert(0, _Finder())


def uninstall() -> None:
    """Stop watching."""
    sys.meta_path[:] = [f for f in sys.meta_path if not isinstance(f, _Finder)]
