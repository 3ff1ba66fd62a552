"""First half of training: the image tower learns to tell the labels of each aspect apart.

Each label has a prototype, a vector of length 1 that is learned along. An image's logits are its
products with them, and each aspect that the scene has is a softmax over its labels. Prototypes
can turn fast, which a text tower cannot; it learns to give them afterwards (``words.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from lvlmbench.core.seeding import generator
from lvlmbench.stages.reference.architectures import MEAN, STD
from lvlmbench.stages.reference.data import Pictures, Pixels, Scenes
from lvlmbench.stages.reference.labels import I64, Labels
from lvlmbench.stages.reference.muon import Muon

RATE, KERNEL_RATE = 2e-3, 0.03
DECAY = 0.05
MOMENTUM = 0.9
SMOOTHING = 0.05
#: Share of the steps in which the rate rises; then it falls as a cosine.
WARM_UP = 0.06
#: Pixels by which an image is shifted at most.
SHIFT = 4

#: Shares of the kinds of images at the start and from RAMP of the steps on: what is shown is
#: learned close up first, then in styles, then in whole scenes.
MIX = {"image": (0.1, 0.75), "plain": (0.7, 0.05), "closeup": (0.2, 0.2)}
RAMP = 0.5

#: Weights of the aspects in the loss, beside 1: backgrounds are easy, foregrounds are not.
FOREGROUND_WEIGHT = 2.0
WEIGHTS = {"background": 0.5, "number": 0.5, "expression": 3.0}


def tensor(pixels: Pixels) -> torch.Tensor:
    """Pixels (n, height, width, 3) as what the towers take."""
    mean, std = torch.tensor(MEAN) * 255, torch.tensor(STD) * 255
    values = (torch.from_numpy(pixels).float() - mean) / std
    # Channels stay innermost in memory, which convolutions on the CPU are faster with.
    return values.permute(0, 3, 1, 2)


def rate(step: int, steps: int) -> float:
    """Learning rate of a step, as a share of the highest."""
    rise = max(1, int(WARM_UP * steps))
    if step < rise:
        return (step + 1) / rise
    return 0.5 * (1 + float(np.cos(np.pi * (step - rise) / max(1, steps - rise))))


def shares(done: float) -> tuple[list[str], list[float]]:
    """Kinds of images and their shares when ``done`` (0 to 1) of the steps are behind."""
    at = min(1.0, done / RAMP)
    amounts = [first + (last - first) * at for first, last in MIX.values()]
    return list(MIX), [amount / sum(amounts) for amount in amounts]


class ImageTraining:
    """The image tower, its prototypes and its optimizers.

    Parameters
    ----------
    visual
        The image tower; called on (n, 3, height, width) it gives (n, dimensions).
    seed, name
        What random choices depend on, beside the step.
    half
        Whether products are taken in bfloat16, which takes less than half the time on processors
        that have instructions for it.
    """

    def __init__(
        self,
        visual: torch.nn.Module,
        labels: Labels,
        dimensions: int,
        seed: int,
        name: str,
        half: bool,
    ) -> None:
        self.visual = visual.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.labels, self._seed, self._name, self._half = labels, seed, name, half
        rng = generator(seed, "reference/prototypes", name)
        start = rng.standard_normal((len(labels), dimensions)).astype(np.float32)
        self.prototypes = torch.nn.Parameter(0.03 * torch.from_numpy(start))
        parameters = list(visual.parameters())
        kernels = [p for p in parameters if p.ndim == 4 and min(len(p), p[0].numel()) > 8]
        chosen = {id(p) for p in kernels}
        others = [p for p in parameters if id(p) not in chosen]
        self._muon = Muon(kernels, MOMENTUM, DECAY)
        self._adam = torch.optim.AdamW(
            [
                {"params": others, "weight_decay": DECAY},
                {"params": [self.prototypes], "weight_decay": 0.0},
            ],
            lr=RATE,
            betas=(0.9, 0.98),
        )
        weights = [
            FOREGROUND_WEIGHT if a in labels.foregrounds else WEIGHTS.get(a, 1.0)
            for a in labels.aspects
        ]
        self._weights = dict(zip(labels.aspects, weights, strict=True))

    def directions(self) -> torch.Tensor:
        """Prototypes with length 1, (labels, dimensions)."""
        return F.normalize(self.prototypes, dim=-1)

    def loss(self, vectors: torch.Tensor, numbers: I64, smoothing: float) -> torch.Tensor:
        """Weighted cross-entropy of the aspects, a scene; ``numbers`` as ``Labels.numbers``."""
        logits = vectors @ self.directions().T
        total = torch.zeros(())
        for at, aspect in enumerate(self.labels.aspects):
            rows = np.flatnonzero(numbers[:, at] >= 0)
            if len(rows):
                total = total + self._weights[aspect] * F.cross_entropy(
                    logits[rows][:, self.labels.span(aspect)],
                    torch.from_numpy(numbers[rows, at]),
                    reduction="sum",
                    label_smoothing=smoothing,
                )
        return total / len(numbers)

    def batch(
        self, scenes: Scenes, numbers: I64, size: int, step: int, steps: int
    ) -> tuple[torch.Tensor, I64]:
        """Images of a step, and what they show: a close-up shows no background, and a plain one
        no style."""
        rng = generator(self._seed, f"reference/batch/{self._name}", str(step))
        epoch, at = divmod(step, len(numbers) // size)
        order = generator(self._seed, f"reference/order/{self._name}", str(epoch))
        chosen = order.permutation(len(numbers))[at * size : (at + 1) * size]
        names, amounts = shares(step / steps)
        kinds = rng.choice(len(names), size=len(chosen), p=amounts)
        flips = rng.random(len(chosen)) < 0.5
        shifts = rng.integers(-SHIFT, SHIFT + 1, (len(chosen), 2))
        shown, pixels = numbers[chosen].copy(), []
        for i, scene in enumerate(chosen):
            image = scenes.pictures[names[kinds[i]]][scene]
            image = image[:, ::-1] if flips[i] else image
            pixels.append(np.roll(image, tuple(shifts[i]), (0, 1)))
            if names[kinds[i]] == "plain":
                shown[i, self.labels.aspects.index("style")] = -1
            if names[kinds[i]] != "image":
                shown[i, self.labels.aspects.index("background")] = -1
        return tensor(np.stack(pixels)), shown

    def step(self, scenes: Scenes, numbers: I64, size: int, step: int, steps: int) -> float:
        """One step of the optimizers; returns the loss."""
        self.visual.train()
        images, shown = self.batch(scenes, numbers, size, step, steps)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self._half):
            vectors = self.visual(images)
        loss = self.loss(vectors.float(), shown, SMOOTHING)
        self.visual.zero_grad()
        self.prototypes.grad = None
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.visual.parameters(), 1.0)
        factor = rate(step, steps)
        for group in self._adam.param_groups:
            group["lr"] = RATE * factor
        self._muon.step(KERNEL_RATE * factor)
        self._adam.step()
        return loss.item()

    @torch.no_grad()
    def vectors(self, pictures: Pictures, batch: int = 128) -> torch.Tensor:
        """What the tower gives for images, (n, dimensions), not brought to length 1."""
        self.visual.eval()
        parts = [self.visual(tensor(pixels)) for pixels in pictures.batches(batch)]
        return torch.cat(parts)

    # -- going on after an interruption --------------------------------------------------------

    def _tensors(self) -> dict[str, torch.Tensor]:
        found = {f"visual.{k}": v for k, v in self.visual.state_dict().items()}
        found["prototypes"] = self.prototypes.data
        found |= {f"muon.{i}": moment for i, moment in enumerate(self._muon.state)}
        return found

    def state(self) -> dict[str, torch.Tensor]:
        """All that the next step depends on, as tensors."""
        found = self._tensors()
        for number, values in self._adam.state_dict()["state"].items():
            found |= {f"adam.{number}.{key}": value for key, value in values.items()}
        return {key: value.detach().contiguous() for key, value in found.items()}

    @torch.no_grad()
    def restore(self, state: Mapping[str, torch.Tensor]) -> None:
        """Go back to what :meth:`state` gave."""
        for key, value in self._tensors().items():
            value.copy_(state[key])
        adam: dict[int, dict[str, Any]] = {}
        for key, value in state.items():
            kind, _, rest = key.partition(".")
            if kind == "adam":
                number, _, name = rest.partition(".")
                adam.setdefault(int(number), {})[name] = value.clone()
        self._adam.load_state_dict({**self._adam.state_dict(), "state": adam})


def validation_loss(training: ImageTraining, scenes: Scenes, numbers: I64) -> float:
    """Loss on scenes as they are, without label smoothing."""
    with torch.no_grad():
        return training.loss(training.vectors(scenes.pictures["image"]), numbers, 0.0).item()
