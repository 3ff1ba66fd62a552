"""How much two snapshots share by chance: scenes are drawn evenly from finite pools."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lvlmbench.config import Params, validate
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.core.errors import UserError
from lvlmbench.scene.vocabulary import (
    Vocabulary,
    load_vocabulary,
)
from lvlmbench.suites.dysca.plan import (
    MOST,
    Variant,
    plan_for,
)
from lvlmbench.versions.content import (
    SCENE_LEVELS,
    Scene,
    aspects,
)
from lvlmbench.versions.view import View


@dataclass(frozen=True)
class Draws:
    """What the scenes of one subtask and one foreground list are drawn from.

    Attributes
    ----------
    pools
        Aspect -> labels, each as likely as the others; the foreground is called so.
    number
        Whether a number from 1 to ``MOST`` is drawn; foregrounds in ``single`` are shown once
        whatever was drawn.
    styles
        (foreground, number) -> style -> its probability, where they are not all as likely.
    """

    subtask: str
    foreground_list: str
    pools: Mapping[str, frozenset[str]]
    number: bool
    single: frozenset[str]
    styles: Mapping[tuple[str, int], Mapping[str, float]]

    def _of_style(self, scene: Scene) -> float:
        """Probability of the scene's style, given what else it shows."""
        number = dict(scene.attributes).get("number") or 1
        weights = self.styles.get((str(scene.foreground), int(number)))
        if weights is None:
            return self._of_label("style", scene.style)
        return weights.get(str(scene.style), 0.0)

    def _of_label(self, aspect: str, label: str | None) -> float:
        pool = self.pools.get(aspect)
        if pool is None or label is None:
            return float(pool is None and label is None)
        return (label in pool) / len(pool)

    def _of_attributes(self, scene: Scene) -> float:
        held = dict(scene.attributes)
        number = held.pop("number", None)
        drawn = set(self.pools) - {"foreground", "background", "style", "text"}
        if drawn != set(held) or self.number != (number is not None):
            return 0.0
        found = 1.0
        if number is not None and scene.foreground in self.single:
            found = float(number == 1)
        elif number is not None:
            found = 1 / MOST
        for name, label in held.items():
            found *= self._of_label(name, label)
        return found

    def chance(self, scene: Scene, level: str) -> float:
        """Probability that one draw agrees with ``scene`` in all that ``level`` compares."""
        if scene.foreground_list != self.foreground_list:
            return 0.0
        found = 1.0
        for name in SCENE_LEVELS[level]:
            if name == "subtask":
                found *= scene.subtask == self.subtask
            elif name == "attributes":
                found *= self._of_attributes(scene)
            elif name == "style":
                found *= self._of_style(scene)
            else:
                found *= self._of_label(name, getattr(scene, name))
            if not found:
                break
        return found


def _draws(variant: Variant, labels: Sequence[tuple[str, ...]]) -> Draws:
    pools = {
        "foreground" if name == variant.foreground else name: labels[pool]
        for name, pool in variant.pools.items()
    }
    shown = pools.get("foreground", ())
    return Draws(
        subtask=variant.subtask,
        foreground_list=variant.foreground,
        pools={name: frozenset(found) for name, found in pools.items()},
        number="number" in variant.recipe.attributes,
        single=frozenset(
            label for label, many in zip(shown, variant.countable, strict=True) if not many
        ),
        styles=_styles(variant, shown, pools.get("style", ())),
    )


def _styles(
    variant: Variant, shown: Sequence[str], styles: Sequence[str]
) -> dict[tuple[str, int], dict[str, float]]:
    """Probabilities of the styles for each foreground and number of copies."""
    if variant.styles is None:
        return {}
    copies = len(variant.styles) // len(shown)
    shares = np.diff(variant.styles, axis=1, prepend=0) / variant.styles[:, -1:]
    return {
        (label, number + 1): dict(zip(styles, shares[i * copies + number].tolist(), strict=True))
        for i, label in enumerate(shown)
        for number in range(copies)
    }


def draws_of(params: Params, vocabulary: Vocabulary) -> list[Draws]:
    """Every variant of the scenes of a parameter set."""
    plan = plan_for(params, vocabulary)
    labels = [pool.labels for pool in plan.deck.pools]
    return [_draws(variant, labels) for variant in plan.variants.values()]


def read_draws(view: View) -> list[Draws]:
    """The same of a snapshot, by its own vocabulary.

    Raises
    ------
    UserError
        Its parameters or its vocabulary are none that this version understands.
    """
    params = validate(view.params, f"{view.name}: params.yaml")
    files = view.files(params.vocabulary.folder)
    if not files:
        return draws_of(params, load_vocabulary(vocabulary_dir(params)))
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            if path.endswith(".yaml"):
                Path(folder, Path(path).name).write_bytes(view.read(path))
        return draws_of(params, load_vocabulary(Path(folder)))


def expected(
    scenes_a: Iterable[Scene], draws: Sequence[Draws], scenes_b: Iterable[Scene], level: str
) -> float:
    """How many of ``scenes_b`` agree with some scene of A by chance, on average over seeds of A.

    Each scene of A is drawn independently from its pools (:func:`explained`); those of B are given.
    """
    found = Counter((scene.subtask, scene.foreground_list) for scene in scenes_a)
    by_kind = {(d.subtask, d.foreground_list): d for d in draws}
    by_list: dict[str, list[tuple[Draws, int]]] = {}
    for kind, n in found.items():
        by_list.setdefault(kind[1], []).append((by_kind[kind], n))
    total = 0.0
    for scene in scenes_b:
        if aspects(scene, level) is None:
            continue
        none = 1.0
        for drawn, n in by_list.get(scene.foreground_list, ()):
            none *= (1 - drawn.chance(scene, level)) ** n
        total += 1 - none
    return total


def explained(scenes: Iterable[Scene], draws: Sequence[Draws]) -> bool:
    """Whether all scenes can come from these pools."""
    by_kind = {(d.subtask, d.foreground_list): d for d in draws}
    for scene in scenes:
        drawn = by_kind.get((scene.subtask, scene.foreground_list))
        if drawn is None or not drawn.chance(scene, "content"):
            return False
    return True


def draws_for(view: View, scenes: Sequence[Scene]) -> tuple[list[Draws] | None, str]:
    """Pools that the scenes of a snapshot come from, or None and why they are not known."""
    try:
        draws = read_draws(view)
    except UserError as error:
        return None, str(error)
    if not explained(scenes, draws):
        return None, f"{view.name}: its scenes are not from its params.yaml and vocabulary"
    return draws, ""
