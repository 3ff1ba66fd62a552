"""Adversarial scenarios: the model whose encoder was attacked beside those that it carries to."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow.compute as pc

from lvlmbench.config.scenarios import CLEAN
from lvlmbench.report.inputs import Snapshot
from lvlmbench.report.standings import Kind, Standings, Value

WHITE_BOX = "white-box"
TRANSFER = "transfer"
#: Of models that guess: they look at no image.
BLIND = "does not look"


@dataclass(frozen=True)
class Attacked:
    """One model under an attack; ``access`` says whether it was the one attacked."""

    model: str
    kind: Kind
    access: str
    clean: Value | None
    attacked: Value | None
    difference: Value | None


@dataclass(frozen=True)
class Attack:
    """One adversarial scenario.

    ``reached`` is the largest perturbation measured on the stored images, of pixels between 0 and
    1; the losses are means over ``n`` images. What the records lack is None.
    """

    scenario: str
    proxy: str
    norm: str
    bound: float
    steps: int
    reached: float | None
    loss_before: float | None
    loss_after: float | None
    n: int
    rows: list[Attacked]


def of_pixels(epsilon: float) -> str:
    """A bound as steps of 8 bits: ``0.0314`` -> ``8/255``."""
    return f"{round(255 * epsilon, 1):g}/255"


def settings(parameters: str | None) -> dict[str, Any]:
    """The ``parameters`` of a perturbation; empty where they are no JSON object."""
    try:
        found = json.loads(parameters or "")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _mean(records: Sequence[dict[str, Any]], key: str) -> float | None:
    found = [r[key] for r in records if isinstance(r.get(key), int | float)]
    found = [float(v) for v in found if math.isfinite(v)]
    return math.fsum(found) / len(found) if found else None


def _access(standings: Standings, engines: dict[str, str], proxy: str, model: str) -> str:
    if standings.kind(model) == "guesser":
        return BLIND
    return WHITE_BOX if engines.get(model) == proxy else TRANSFER


def build(snapshot: Snapshot, standings: Standings) -> list[Attack]:
    """What is known of each adversarial scenario, white-box models first."""
    engines = {m.name: m.engine for m in snapshot.params.answer.models}
    specs = {spec.name: spec.adversarial for spec in snapshot.params.scenarios.noisy}
    out = []
    for name in standings.scenarios:
        asked = specs.get(name)
        if asked is None:
            continue
        images = snapshot.images[name]
        kept = pc.is_in(images["scene_id"], value_set=snapshot.kept_scenes)
        done = images.filter(kept)["perturbation"].to_pylist()
        records = [settings(d["parameters"]) for d in done if d]
        reached = [d["epsilon"] for d in done if d and d["epsilon"] is not None]
        rows = []
        for model in standings.models:
            before = standings.value(model, name, "total", severity="0")
            rows.append(
                Attacked(
                    model, standings.kind(model),
                    _access(standings, engines, asked.proxy, model),
                    before or standings.value(model, CLEAN, "total"),
                    standings.value(model, name, "total"),
                    standings.value(model, name, "difference"),
                )
            )  # fmt: skip
        order = {WHITE_BOX: 0, TRANSFER: 1, BLIND: 2}
        out.append(
            Attack(
                name, asked.proxy, asked.norm, asked.epsilon, asked.steps,
                max(reached, default=None), _mean(records, "loss_before"),
                _mean(records, "loss_after"), len(done),
                sorted(rows, key=lambda r: order[r.access]),
            )
        )  # fmt: skip
    return out
