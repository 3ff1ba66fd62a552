"""The scenario: one attacked image for each clean one, its bound checked on the stored bytes."""

from __future__ import annotations

import io
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from PIL import Image

from lvlmbench import seeding
from lvlmbench.config import Params
from lvlmbench.config.adversarial import Adversarial
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.errors import UserError
from lvlmbench.scenarios.adversarial.carry import F32, F64, Resizing, carried, norm_of, whole_levels
from lvlmbench.scenarios.adversarial.carry import within as keeps
from lvlmbench.scenarios.adversarial.pgd import Objective, attack, logits, losses
from lvlmbench.scenarios.adversarial.proxies import Proxy, load_proxy
from lvlmbench.scenarios.adversarial.texts import wrong_caption
from lvlmbench.scenarios.base import Row, Shard, Weights, perturbation, shown, stage_of
from lvlmbench.scenarios.pictures import Pixels, decode, encode

_TELL_S = 10.0


@dataclass
class _Item:
    """A clean image on its way through the attack."""

    row: Mapping[str, Any]
    pixels: Pixels
    seen: F32
    caption: str | None
    target: str | None
    rng: np.random.Generator


class AdversarialScenario:
    """Attacks images through a proxy; see docs/adversarial.md.

    Raises
    ------
    UserError
        The proxy cannot be had.
    """

    def __init__(self, params: Params, spec: ScenarioSpec, weights: Weights) -> None:
        self._params, self._spec = params, spec
        self._settings = spec.adversarial or Adversarial()  # type: ignore[call-arg]
        self._where = f"scenarios.noisy: {spec.name}: adversarial"
        self._proxy: Proxy = load_proxy(self._settings, weights, self._where)
        self._texts: dict[str, F64] = {}
        self._resizings: dict[tuple[int, int], Resizing] = {}

    def apply(self, shard: Shard) -> Iterator[Row]:
        """One row a clean image that can be decoded.

        Raises
        ------
        UserError
            An image is smaller than the proxy's input, or the proxy would crop it.
        """
        scenes = {scene["scene_id"]: scene for scene in shard.scenes.to_pylist()}
        questions: dict[str, list[Row]] = defaultdict(list)
        for question in shard.questions.to_pylist():
            questions[question["scene_id"]].append(question)
        at_once = self._proxy.batch or self._settings.batch_size
        total, began, told = shard.images.num_rows, time.monotonic(), time.monotonic()
        for start in range(0, total, at_once):
            rows = shard.images.slice(start, at_once).to_pylist()
            items = []
            for row in rows:
                about = scenes[row["scene_id"]]
                item = self._item(row, about, questions[row["scene_id"]])
                if item is not None:
                    items.append(item)
            if items:
                yield from self._attacked(items)
            done, now = start + len(rows), time.monotonic()
            if now - told >= _TELL_S or (done == total and told > began):
                told = now
                pace = done / max(now - began, 1e-9)
                print(
                    f"{self._spec.name}: {done}/{total} images; {pace:.1f}/s",
                    file=sys.stderr,
                    flush=True,
                )

    def _item(self, row: Row, scene: Row, questions: Sequence[Row]) -> _Item | None:
        pixels = decode(row)
        if pixels is None:
            return None
        self._check_size(pixels.shape[0], pixels.shape[1])
        rng = seeding.generator(
            self._params.snapshot.seed, stage_of(self._spec), str(row["scene_id"])
        )
        caption = scene["caption"] if self._settings.aim != "features" else None
        wrong = self._settings.aim == "option" and caption
        target = wrong_caption(scene, questions, rng) if wrong else None
        seen = self._proxy.seen(Image.fromarray(pixels))
        return _Item(row, pixels, seen, caption or None, target, rng)

    def _check_size(self, height: int, width: int) -> None:
        low = self._proxy.size
        if height < low[0] or width < low[1]:
            raise UserError(
                f"{self._where}: proxy",
                f"{self._proxy.name} takes {low[1]}x{low[0]} pixels, and the images have "
                f"{width}x{height}",
                "write a larger render.size, or another proxy",
            )
        if self._proxy.preprocessing.resize_mode == "squash":
            return
        if low[0] != low[1] or height != width:
            raise UserError(
                f"{self._where}: proxy",
                f"{self._proxy.name} crops or pads images of {width}x{height} to "
                f"{low[1]}x{low[0]} pixels",
                "take square images and a proxy of square input, or one that resizes by 'squash'",
            )

    def _text(self, words: str) -> F64:
        if self._proxy.text is None:
            raise RuntimeError(f"{self._proxy.name} reads no text")
        if words not in self._texts:
            if len(self._texts) >= 4096:
                self._texts.clear()
            self._texts[words] = self._proxy.text(words)  # one by one: a batch changes last bits
        return self._texts[words]

    def _resizing(self, full: tuple[int, int]) -> Resizing:
        if full not in self._resizings:
            self._resizings[full] = Resizing.between(full, self._proxy.size, self._proxy.resample)
        return self._resizings[full]

    def _attacked(self, items: list[_Item]) -> Iterator[Row]:
        """Rows of items; attacks those of one size together."""
        rows: dict[int, Row] = {}
        sizes = {item.pixels.shape[:2] for item in items}
        for full in sizes:
            of_size = [i for i, item in enumerate(items) if item.pixels.shape[:2] == full]
            found = self._batch([items[i] for i in of_size], self._resizing(full))
            rows.update(zip(of_size, found, strict=True))
        yield from (rows[i] for i in sorted(rows))

    def _batch(self, items: list[_Item], resizing: Resizing) -> list[Row]:
        proxy, settings = self._proxy, self._settings
        n = len(items)
        # A batch that is filled up to its size repeats its last image, with draws of its own.
        fill = max(0, (proxy.batch or 0) - n)
        clean = proxy.tensor(np.stack([i.seen for i in [*items, *items[-1:] * fill]]))
        with torch.no_grad():
            before = proxy.vectors(clean)
        anchors, targets = before.clone(), torch.zeros_like(before)
        targeted = torch.zeros(n + fill, dtype=torch.bool, device=before.device)
        for i, item in enumerate(items):
            if item.caption is not None:
                anchors[i] = torch.from_numpy(self._text(item.caption)).to(before)
            if item.target is not None:
                targets[i] = torch.from_numpy(self._text(item.target)).to(before)
                targeted[i] = True
        spare = [np.random.default_rng(0) for _ in range(fill)]
        generators = [*(item.rng for item in items), *spare]
        objective = Objective(
            proxy.tower, proxy.vectors, clean, resizing, anchors, targets, targeted
        )
        delta = attack(objective, clean, settings, generators)[:n].transpose(0, 2, 3, 1)
        stored = []
        for item, low in zip(items, delta, strict=True):
            levels = whole_levels(low, settings.norm, settings.epsilon, resizing.shares)
            stored.append(encode(carried(item.pixels, levels, resizing)))
        read = [_read(png) for png in stored]
        seen = [proxy.seen(Image.fromarray(pixels)) for pixels in read]
        again = proxy.tensor(np.stack([*seen, *seen[-1:] * fill]))
        with torch.no_grad():
            after = logits(proxy.vectors(again), anchors, targets, targeted)
            first = logits(before, anchors, targets, targeted)
        told = zip(*(_told(cosines, targeted) for cosines in (first, after)), strict=True)
        return [
            self._row(item, png, pixels, {"before": a, "after": b})
            for item, png, pixels, (a, b) in zip(items, stored, read, list(told)[:n], strict=True)
        ]

    def _row(
        self, item: _Item, png: bytes, pixels: Pixels, told: Mapping[str, Mapping[str, float]]
    ) -> Row:
        settings = self._settings
        levels = pixels.astype(np.int16) - item.pixels
        reached = norm_of(levels, settings.norm, self._proxy.size)
        if not keeps(reached, settings.epsilon):
            raise RuntimeError(
                f"{item.row['image_id']}: the stored image is {reached} from the clean one, more "
                f"than epsilon ({settings.epsilon})"
            )
        objective = "features" if item.caption is None else "caption"
        record: dict[str, Any] = {
            "norm": settings.norm,
            "epsilon": round(settings.epsilon, 9),
            "step": round(settings.step, 9),
            "steps": settings.steps,
            "random_start": settings.random_start,
            "objective": "option" if item.target is not None else objective,
            "size": list(self._proxy.size),
        }
        if settings.pretrained is not None:
            record["pretrained"] = settings.pretrained
        if item.target is not None:
            record["target"] = item.target
        for when, figures in told.items():
            record |= {f"{name}_{when}": value for name, value in figures.items()}
        done = perturbation("adversarial", parameters=record, epsilon=reached, proxy=settings.proxy)
        return shown(self._params, self._spec, item.row, png, done)


def _read(png: bytes) -> Pixels:
    """The stored bytes as pixels again, by another decoder than the one that encoded them."""
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))


def _told(cosines: torch.Tensor, targeted: torch.Tensor) -> list[dict[str, float]]:
    """What is recorded of logits (n, 2), a row each."""
    rows = []
    for (first, second), loss, has in zip(
        cosines.tolist(), losses(cosines), targeted.tolist(), strict=True
    ):
        row = {"loss": round(float(loss), 6), "similarity": round(first, 6)}
        if has:
            row["target_similarity"] = round(second, 6)
        rows.append(row)
    return rows
