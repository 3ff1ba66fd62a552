"""Adversarial scenarios: the model whose encoder was attacked beside those that it carries to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow.compute as pc

from lvlmbench.analysis.comparisons import Comparisons
from lvlmbench.analysis.headlines import HEADLINE
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Kind, Value
from lvlmbench.analysis.records import settings
from lvlmbench.analysis.robustness import tested
from lvlmbench.config.models import Model
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.scenario.kinds.adversarial import access
from lvlmbench.stages.scenario.kinds.adversarial.settings import Adversarial
from lvlmbench.tables import QUESTION_TYPES

#: What models have to do with an attack. Those that guess look at no image.
WHITE_BOX = "white-box"
TRANSFER = "transfer"
GUESSES = "does not look"
_ORDER = {WHITE_BOX: 0, TRANSFER: 1, GUESSES: 2}


@dataclass(frozen=True)
class Attacked:
    """One model under an attack; ``access`` says whether its own encoder was attacked.

    ``difference`` is that of the headline, ``by_type`` has that of each question type.
    """

    model: str
    kind: Kind
    access: str
    clean: Value | None
    attacked: Value | None
    difference: Value | None
    by_type: dict[str, Value | None]


@dataclass(frozen=True)
class Attack:
    """One adversarial scenario.

    ``reached`` is the largest perturbation measured on the ``n`` stored images; losses and
    cosine similarities, before and after, are means over them. What the records lack is
    None.
    """

    scenario: str
    proxy: str
    norm: str
    bound: float
    steps: int
    reached: float | None
    losses: tuple[float, float] | None
    similarities: tuple[float, float] | None
    n: int
    rows: list[Attacked]


def _means(records: Sequence[dict[str, Any]], name: str) -> tuple[float, float] | None:
    """Means of a figure before and after the attack, over the records that have both."""
    keys = f"{name}_before", f"{name}_after"
    pairs = [[r.get(key) for key in keys] for r in records]
    found = [p for p in pairs if all(isinstance(v, int | float) and math.isfinite(v) for v in p)]
    if not found:
        return None
    first, after = (math.fsum(values) / len(found) for values in zip(*found, strict=True))
    return first, after


def _access(
    leaderboard: Leaderboard, known: dict[str, Model], attack: Adversarial, model: str
) -> str:
    if leaderboard.kind(model) == "guesser":
        return GUESSES
    return access(attack, known.get(model))


def build(snapshot: Snapshot, leaderboard: Leaderboard) -> list[Attack]:
    """What is known of each adversarial scenario, white-box models first."""
    known = {m.name: m for m in snapshot.params.answer.models}
    specs = {spec.name: spec for spec in snapshot.params.scenarios.noisy}
    comparisons = Comparisons(snapshot)
    out = []
    for name in leaderboard.scenarios:
        spec = specs.get(name)
        asked = spec.find(Adversarial) if spec is not None else None
        if asked is None:
            continue
        images = snapshot.images[name]
        kept = pc.is_in(images["scene_id"], value_set=snapshot.kept_scenes)
        done = images.filter(kept)["perturbation"].to_pylist()
        records = [settings(d["parameters"]) for d in done if d]
        reached = [d["epsilon"] for d in done if d and d["epsilon"] is not None]
        rows = []
        for model in leaderboard.models:
            before = leaderboard.value(model, name, HEADLINE, severity="0")
            rows.append(
                Attacked(
                    model, leaderboard.kind(model),
                    _access(leaderboard, known, asked, model),
                    before or leaderboard.value(model, CLEAN, HEADLINE),
                    leaderboard.value(model, name, HEADLINE),
                    tested(
                        leaderboard.value(model, name, "difference"),
                        comparisons.to_clean(model, name),
                    ),
                    {t: leaderboard.value(model, name, "difference", t) for t in QUESTION_TYPES},
                )
            )  # fmt: skip
        out.append(
            Attack(
                name, asked.proxy, asked.norm, asked.epsilon, asked.steps,
                max(reached, default=None), _means(records, "loss"),
                _means(records, "similarity"), len(done),
                sorted(rows, key=lambda r: _ORDER[r.access]),
            )
        )  # fmt: skip
    return out
