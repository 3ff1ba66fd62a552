"""The attack itself: torchattacks' PGD, with an objective of ours and starts of each item's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.nn.functional import cross_entropy
from torch.overrides import TorchFunctionMode

from lvlmbench.core import torchvision_hook
from lvlmbench.stages.scenario.kinds.adversarial.carry import F64, Resizing
from lvlmbench.stages.scenario.kinds.adversarial.settings import Adversarial

torchvision_hook.install()
import torchattacks  # type: ignore[import-untyped]  # noqa: E402  it imports torchvision

#: Pixels (n, 3, height, width) between 0 and 1 -> unit vectors (n, d).
Vectors = Callable[[torch.Tensor], torch.Tensor]


#: Part of an image's largest gradient below which a gradient is taken for rounding. In float64
#: processors differ by some 1e-14 of it.
_NOTHING = 1e-10


class _Settled(torch.autograd.Function):
    """The images themselves; on the way back, gradients that are zero but for rounding are zero.

    A step takes the sign of a gradient, and the sign of what rounding left is the processor's.
    """

    @staticmethod
    def forward(ctx: Any, images: torch.Tensor) -> torch.Tensor:
        """The images."""
        return images.view_as(images)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> torch.Tensor:
        """Their gradient, settled."""
        size = gradient.abs()
        return gradient.where(size > _NOTHING * size.amax((1, 2, 3), keepdim=True), 0)


class Objective(torch.nn.Module):
    """Logits whose cross-entropy with label 0 grows where the image's vector leaves its anchor.

    They are the cosine to the anchor, and the cosine to the target or, without one, the negative
    of the first. Cosines as logits keep the gradients far from underflow.

    Parameters
    ----------
    tower
        The image encoder, for its parameters and its mode.
    vectors
        What it computes.
    clean
        Pixels that the proxy sees of the clean images, (n, 3, height, width).
    resizing
        How a perturbation gets into the images and is seen of them.
    anchors, targets
        Unit vectors (n, d); ``targeted`` (n,) says which rows have a target.
    """

    def __init__(
        self,
        tower: torch.nn.Module,
        vectors: Vectors,
        clean: torch.Tensor,
        resizing: Resizing,
        anchors: torch.Tensor,
        targets: torch.Tensor,
        targeted: torch.Tensor,
    ) -> None:
        super().__init__()
        self.tower, self._vectors = tower, vectors
        self._clean, self._anchors, self._targets = clean, anchors, targets
        self._targeted = targeted
        rows, columns = resizing.seen_rows, resizing.seen_columns
        self._rows = torch.from_numpy(rows).to(clean)
        self._columns = torch.from_numpy(np.ascontiguousarray(columns.T)).to(clean)
        # torchattacks leaves a model in the mode it finds it in, and new modules are in training:
        # batch normalization would then learn from the images.
        self.eval()

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Logits (n, 2) of images as the attack would have the proxy see them."""
        images = _Settled.apply(images)  # type: ignore[no-untyped-call]
        seen = self._clean + self._rows @ (images - self._clean) @ self._columns
        return logits(self._vectors(seen), self._anchors, self._targets, self._targeted)


def logits(
    vectors: torch.Tensor, anchors: torch.Tensor, targets: torch.Tensor, targeted: torch.Tensor
) -> torch.Tensor:
    """Cosines to the anchors, and to the targets or the negative of the first; (n, 2)."""
    to_anchor = (vectors * anchors).sum(1)
    to_target = (vectors * targets).sum(1)
    return torch.stack([to_anchor, torch.where(targeted, to_target, -to_anchor)], dim=1)


def losses(cosines: torch.Tensor) -> F64:
    """Cross-entropy of each row of logits with label 0, (n,): what the attack makes larger."""
    labels = torch.zeros(len(cosines), dtype=torch.long, device=cosines.device)
    each = cross_entropy(cosines.double(), labels, reduction="none")
    return np.asarray(each.detach().cpu().numpy(), np.float64)


class OwnDraws(TorchFunctionMode):
    """Fills ``uniform_`` and ``normal_`` row by row, each row from its own generator."""

    def __init__(self, generators: Sequence[np.random.Generator]) -> None:
        super().__init__()
        self._generators = generators

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func is torch.Tensor.uniform_:
            return self._fill(args[0], lambda rng, n: rng.uniform(*self._ends(args, kwargs), n))
        if func is torch.Tensor.normal_:
            return self._fill(args[0], lambda rng, n: rng.standard_normal(n))
        return func(*args, **kwargs)

    @staticmethod
    def _ends(args: Any, kwargs: Any) -> tuple[float, float]:
        low, high = (*args[1:], *kwargs.values())[:2]
        return low, high

    def _fill(
        self,
        out: torch.Tensor,
        draw: Callable[[np.random.Generator, tuple[int, ...]], npt.NDArray[np.float64]],
    ) -> torch.Tensor:
        rows = [draw(rng, tuple(out.shape[1:])) for rng in self._generators]
        return out.copy_(torch.from_numpy(np.stack(rows)))


def _states(device: torch.device) -> list[torch.Tensor]:
    states = [torch.get_rng_state()]
    if device.type == "cuda":
        states.append(torch.cuda.get_rng_state(device))
    return states


def attack(
    objective: Objective,
    clean: torch.Tensor,
    settings: Adversarial,
    generators: Sequence[np.random.Generator],
) -> npt.NDArray[np.floating[Any]]:
    """What PGD adds to the clean pixels, (n, 3, height, width), between -1 and 1.

    Parameters
    ----------
    clean
        Pixels between 0 and 1, on the device of the proxy.
    generators
        One a row, for its random start.

    Raises
    ------
    RuntimeError
        Something drew from torch's own generators.
    """
    algorithm = torchattacks.PGD if settings.norm == "Linf" else torchattacks.PGDL2
    pgd = algorithm(
        objective,
        eps=settings.epsilon,
        alpha=settings.step,
        steps=settings.steps,
        random_start=settings.random_start,
    )
    before = _states(clean.device)
    labels = torch.zeros(len(clean), dtype=torch.long)
    with OwnDraws(generators):
        attacked = pgd(clean, labels)
    if not all(map(torch.equal, before, _states(clean.device))):
        raise RuntimeError("the attack drew from torch's generators, which are nobody's own")
    return np.asarray((attacked - clean).contiguous().cpu().numpy())
