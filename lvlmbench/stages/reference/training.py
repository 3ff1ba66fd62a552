"""Training of one reference model: images, then words, then the numbers that its users need.

One thread computes, whatever the job was given: sums would otherwise be split by the number of
threads and come out with other last bits. So a model is the same however often it is trained on
one kind of processor; on another kind, the artifact that was trained is what is pinned.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lvlmbench.config import Params
from lvlmbench.config.reference import Training
from lvlmbench.core import torchvision_hook
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.seeding import digest, seed_of
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.reference import data
from lvlmbench.stages.reference.architectures import config
from lvlmbench.stages.reference.folder import LABELS
from lvlmbench.stages.reference.labels import Labels
from lvlmbench.stages.reference.shards import FIRST_SEED

if TYPE_CHECKING:
    from lvlmbench.stages.reference.images import ImageTraining

_TELL_S = 5.0


def intent(params: Params, name: str, parts: Sequence[Path]) -> str:
    """What a training depends on beside its code and the vocabulary, as a hash."""
    reference = params.reference.model_dump(mode="json")
    for layout in (reference["scenes"], reference["training"]):
        layout.pop("shard_scenes", None)
        layout.pop("checkpoint_every", None)
    scenes = [hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(parts)]
    return digest(name, json.dumps(reference, sort_keys=True), *scenes).hex()


class Progress:
    """Tells how far a job is: a line every few seconds."""

    def __init__(self, name: str) -> None:
        self._name, self._told, self._began, self._from = name, 0.0, 0.0, 0

    def __call__(self, what: str, done: int, total: int, loss: float) -> None:
        """``done`` of ``total`` steps of ``what`` are behind."""
        now = time.monotonic()
        if not self._began or done <= self._from:
            self._began, self._from = now, done
        if done < total and now - self._told < _TELL_S:
            return
        self._told = now
        pace = (now - self._began) / max(1, done - self._from)
        left = f", {pace * (total - done):.0f} s left" if done > self._from else ""
        line = f"{self._name}: {what} {done}/{total}, loss {loss:.3f}{left}"
        print(line, file=sys.stderr, flush=True)


def _threads() -> None:
    import torch

    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)


def save_weights(model: Any, folder: Path) -> None:
    """open_clip_model.safetensors, atomically; matrices and kernels in half precision."""
    from safetensors.torch import save

    state = {
        k: (v.half() if v.ndim > 1 else v.float()).contiguous()
        for k, v in model.state_dict().items()
    }
    atomic_bytes(folder / "open_clip_model.safetensors", save(state))


class Checkpoint:
    """A file to go on from.

    Parameters
    ----------
    intent
        What is trained, from what and how (:func:`intent`); another training's file is left aside.
    """

    def __init__(self, path: Path, intent: str) -> None:
        self._path, self._intent = path, intent

    def load(self) -> dict[str, Any] | None:
        """What was saved last; None where nothing of this training was, or it is damaged."""
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(self._path, framework="pt") as file:
                about = file.metadata() or {}
                state = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118  no dict
        except (FileNotFoundError, SafetensorError):
            return None
        return state if about == self._about(state) else None

    def _about(self, state: Mapping[str, Any]) -> dict[str, str]:
        """What a file says of its content: the format itself would not notice a lost bit."""
        content = hashlib.blake2b(digest_size=16)
        for name in sorted(state):
            content.update(f"{name} {state[name].dtype} {tuple(state[name].shape)}".encode())
            content.update(state[name].numpy().tobytes())
        return {"intent": self._intent, "content": content.hexdigest()}

    def save(self, state: dict[str, Any]) -> None:
        """Save atomically."""
        from safetensors.torch import save

        state = {name: value.detach().contiguous() for name, value in state.items()}
        atomic_bytes(self._path, save(state, metadata=self._about(state)))

    def remove(self) -> None:
        """The training is over."""
        self._path.unlink(missing_ok=True)


def _untrained(
    params: Params, vocabulary: Vocabulary, labels: Labels, name: str, folder: Path
) -> tuple[Any, int]:
    """Write what describes a model; return it with its first weights, and its embedding's size."""
    import open_clip
    import torch

    from lvlmbench.stages.reference import tokenizer

    folder.mkdir(parents=True, exist_ok=True)
    n_tokens = tokenizer.save(vocabulary, folder)
    declared = config(name, params.reference.scenes.pixels, n_tokens)
    for file, content in (("open_clip_config.json", declared), (LABELS, labels.of)):
        text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        atomic_bytes(folder / file, text.encode())
    torch.manual_seed(seed_of(_seed(params), "reference/start", name))
    return open_clip.CLIP(**declared["model_cfg"]), declared["model_cfg"]["embed_dim"]


def _seed(params: Params) -> int:
    return FIRST_SEED + params.reference.scenes.seed


def _train_images(
    images: ImageTraining,
    training: Training,
    scenes: data.Scenes,
    held_out: data.Scenes,
    checkpoint: Checkpoint,
    name: str,
) -> list[list[float]]:
    """Train the images' half, or its rest after a checkpoint; rows of :func:`loss_csv`."""
    import torch

    from lvlmbench.stages.reference.images import validation_loss

    numbers, theirs = images.labels.numbers(scenes.rows), images.labels.numbers(held_out.rows)
    curve: list[list[float]] = []
    first = 0
    if (saved := checkpoint.load()) is not None:
        images.restore(saved)
        curve = saved["curve"].reshape(-1, 3).tolist()
        first = int(saved["step"])
        print(f"{name}: goes on from step {first}", file=sys.stderr)
    progress, losses = Progress(name), []
    for step in range(first, training.steps):
        losses.append(images.step(scenes, numbers, training.batch_size, step, training.steps))
        progress("images", step + 1, training.steps, losses[-1])
        if (step + 1) % training.checkpoint_every == 0 or step + 1 == training.steps:
            # The curve has a point each checkpoint_every steps; only what ran since the last one
            # is averaged, and a checkpoint is where a point is.
            curve.append(
                [step + 1, float(np.mean(losses)), validation_loss(images, held_out, theirs)]
            )
            losses = []
            state = images.state()
            state["curve"] = torch.tensor(curve, dtype=torch.float64)
            state["step"] = torch.tensor(step + 1)
            checkpoint.save(state)
    return curve


def train(
    params: Params,
    vocabulary: Vocabulary,
    name: str,
    parts: Sequence[Path],
    folder: Path,
    checkpoint: Checkpoint,
) -> str:
    """Train a model and write its folder but for calibration.json; returns loss.csv's text.

    Raises
    ------
    UserError
        There is no such architecture, or a part cannot be read.
    """
    torchvision_hook.install()
    import open_clip

    from lvlmbench.stages.reference.images import ImageTraining
    from lvlmbench.stages.reference.words import WordTraining

    _threads()
    wanted, seed, labels = params.reference.training, _seed(params), Labels(vocabulary)
    model, width = _untrained(params, vocabulary, labels, name, folder)
    scenes = data.read(parts, "training", data.KINDS)
    held_out = data.read(parts, "validation", ("image",))
    half = wanted.precision == "bfloat16"
    images = ImageTraining(model.visual, labels, width, seed, name, half)
    curve = _train_images(images, wanted, scenes, held_out, checkpoint, name)

    vectors = images.vectors(scenes.pictures["image"])
    tokens = open_clip.get_tokenizer(f"local-dir:{folder}")
    words = WordTraining(model, tokens, labels, images.directions(), seed, name)
    progress = Progress(name)
    for step in range(wanted.word_steps):
        loss = words.step(scenes.rows, vectors, step, wanted.word_steps)
        progress("words", step + 1, wanted.word_steps, loss)
    save_weights(model, folder)
    return loss_csv(curve)


def loss_csv(curve: Sequence[Sequence[float]]) -> str:
    """Rows (step, training loss, validation loss) of the images' half as CSV."""
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(["step", "training_loss", "validation_loss"])
    writer.writerows([int(step), f"{a:.6f}", f"{b:.6f}"] for step, a, b in curve)
    return sink.getvalue()
