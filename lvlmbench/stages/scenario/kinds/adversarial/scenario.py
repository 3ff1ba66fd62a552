"""The scenario: one attacked image for each clean one, its bound checked on the stored bytes."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from PIL import Image

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core import seeding
from lvlmbench.core.errors import UserError
from lvlmbench.stages.scenario.kinds.adversarial.aims import Aim, Aims
from lvlmbench.stages.scenario.kinds.adversarial.carry import (
    F64,
    Resizing,
    carried,
    norm_of,
    whole_levels,
)
from lvlmbench.stages.scenario.kinds.adversarial.carry import within as keeps
from lvlmbench.stages.scenario.kinds.adversarial.pgd import Objective, attack, logits, losses
from lvlmbench.stages.scenario.kinds.adversarial.proxies import load_proxy
from lvlmbench.stages.scenario.kinds.adversarial.proxy import Proxy
from lvlmbench.stages.scenario.kinds.adversarial.settings import Adversarial
from lvlmbench.stages.scenario.pixels import Pixels, decode, encode
from lvlmbench.stages.scenario.scenario import (
    Row,
    Shard,
    Weights,
    perturbation,
    place_of,
    shown,
    stage_of,
)

_TELL_S = 10.0


@dataclass
class _Item:
    """A clean image on its way through the attack."""

    row: Mapping[str, Any]
    pixels: Pixels
    seen: F64
    aim: Aim
    rng: np.random.Generator


class AdversarialScenario:
    """Attacks images through a proxy; see docs/scenarios.md.

    Raises
    ------
    UserError
        The proxy cannot be had.
    """

    def __init__(self, params: Params, spec: ScenarioSpec, weights: Weights) -> None:
        self._params, self._spec = params, spec
        self._settings = spec.own(Adversarial)
        self._where = f"{place_of(params, spec.name)}: adversarial"
        self._proxy: Proxy = load_proxy(self._settings, weights, self._where)
        self._aims = Aims(params, self._settings.aim, self._proxy)
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
        total, began = shard.images.num_rows, time.monotonic()
        told = began
        for start in range(0, total, at_once):
            rows = shard.images.slice(start, at_once).to_pylist()
            found = (
                self._item(row, scenes[row["scene_id"]], questions[row["scene_id"]]) for row in rows
            )
            yield from self._attacked([item for item in found if item is not None])
            done, now = start + len(rows), time.monotonic()
            if now - told >= _TELL_S or (done == total and told > began):
                told, pace = now, done / (now - began)
                line = f"{self._spec.name}: {done}/{total} images; {pace:.1f}/s"
                print(line, file=sys.stderr, flush=True)

    def _item(self, row: Row, scene: Row, questions: Sequence[Row]) -> _Item | None:
        pixels = decode(row)
        if pixels is None:
            return None
        self._check_size(pixels.shape[0], pixels.shape[1])
        rng = seeding.generator(
            self._params.snapshot.seed, stage_of(self._spec), str(row["scene_id"])
        )
        aim = self._aims.of(scene, questions, rng)
        return _Item(row, pixels, self._proxy.seen(Image.fromarray(pixels)), aim, rng)

    def _check_size(self, height: int, width: int) -> None:
        low = self._proxy.size
        if height < low[0] or width < low[1]:
            raise UserError(
                f"{self._where}: proxy",
                f"{self._proxy.name} takes {low[1]}x{low[0]} pixels, and an image has "
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

    def _attacked(self, items: list[_Item]) -> Iterator[Row]:
        """Rows of items; attacks those of one size together."""
        rows: dict[int, Row] = {}
        for full in dict.fromkeys((i.pixels.shape[0], i.pixels.shape[1]) for i in items):
            at = [n for n, item in enumerate(items) if item.pixels.shape[:2] == full]
            if full not in self._resizings:
                between = Resizing.between(full, self._proxy.size, self._proxy.resample)
                self._resizings[full] = between
            found = self._batch([items[n] for n in at], self._resizings[full])
            rows.update(zip(at, found, strict=True))
        yield from (rows[n] for n in sorted(rows))

    def _batch(self, items: list[_Item], resizing: Resizing) -> list[Row]:
        clean = self._tensor([item.seen for item in items])
        aims = [item.aim for item in items]
        anchors, targets, targeted = self._aimed(aims, clean)
        objective = Objective(
            self._proxy.tower, self._proxy.vectors, clean, resizing, anchors, targets, targeted
        )
        generators = [item.rng for item in items]
        delta = attack(objective, clean, self._settings, generators).transpose(0, 2, 3, 1)
        stored = []
        for item, low in zip(items, delta, strict=True):
            levels = whole_levels(low, self._settings.norm, self._settings.epsilon, resizing.shares)
            stored.append(encode(carried(item.pixels, levels, resizing)))
        read = [self._read(png) for png in stored]
        again = self._tensor([self._proxy.seen(Image.fromarray(pixels)) for pixels in read])
        with torch.no_grad():
            both = self._proxy.vectors(torch.cat([clean, again])).split(len(clean))
            told = [losses(logits(vectors, anchors, targets, targeted)) for vectors in both]
        found = [_unit(vectors) for vectors in both]
        rows = []
        for n, item in enumerate(items):
            record = dict(item.aim.record)
            texts = item.aim.texts or {"similarity": found[0][n]}
            for when, loss, vectors in zip(("before", "after"), told, found, strict=True):
                record[f"loss_{when}"] = round(float(loss[n]), 6)
                for name, text in texts.items():
                    record[f"{name}_{when}"] = round(float(vectors[n] @ text), 6)
            rows.append(self._row(item, stored[n], read[n], record))
        return rows

    def _aimed(
        self, aims: Sequence[Aim], clean: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Anchors and targets, (n, d) each, and which of ``clean`` have a target (n,)."""
        known = next((aim.anchor for aim in aims if aim.anchor is not None), None)
        if all(aim.anchor is not None for aim in aims) and known is not None:
            anchors = clean.new_zeros((len(clean), len(known)))
        else:
            with torch.no_grad():
                anchors = self._proxy.vectors(clean)
        targets = torch.zeros_like(anchors)
        targeted = torch.zeros(len(clean), dtype=torch.bool, device=clean.device)
        for n, aim in enumerate(aims):
            if aim.anchor is not None:
                anchors[n] = torch.from_numpy(aim.anchor).to(anchors)
            if aim.target is not None:
                targets[n] = torch.from_numpy(aim.target).to(anchors)
                targeted[n] = True
        return anchors, targets, targeted

    def _tensor(self, seen: Sequence[F64]) -> torch.Tensor:
        return self._proxy.tensor(np.stack(seen))

    @staticmethod
    def _read(png: bytes) -> Pixels:
        pixels = decode({"image": {"bytes": png}})
        if pixels is None:
            raise RuntimeError("a stored image cannot be decoded")
        return pixels

    def _row(self, item: _Item, png: bytes, pixels: Pixels, found: Mapping[str, Any]) -> Row:
        settings = self._settings
        levels = pixels.astype(np.int16) - item.pixels
        reached = norm_of(levels, settings.norm, self._proxy.size)
        if not keeps(reached, settings.epsilon):
            raise RuntimeError(
                f"{item.row['image_id']}: the stored image is {reached} from the clean one, more "
                f"than epsilon ({settings.epsilon})"
            )
        record = {
            "norm": settings.norm,
            "epsilon": round(settings.epsilon, 9),
            "step": round(settings.step, 9),
            "steps": settings.steps,
            "random_start": settings.random_start,
            "objective": item.aim.objective,
            "proxy_size": list(self._proxy.size),
            **({"pretrained": settings.pretrained} if settings.pretrained else {}),
            **found,
        }
        done = perturbation("adversarial", parameters=record, epsilon=reached, proxy=settings.proxy)
        return shown(self._params, self._spec, item.row, png, done)


def _unit(vectors: torch.Tensor) -> F64:
    """The same vectors in float64, of length one to its last bit."""
    rows = vectors.double().cpu().numpy()
    unit: F64 = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit
