"""The same scene in several styles, so that a style is told from what is shown in it.

Section 3.4 of Dysca asks how much answers differ where content and question stay and the style
alone changes. Scenes that draw one style each cannot tell: there a style stands for its subtasks
and contents too. So the first scenes of each subtask are shown again, each in several styles that
leave visible all that a question of theirs needs.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.core import seeding
from lvlmbench.scene.pools import I64, Bools
from lvlmbench.suites.dysca.plan import Plan
from lvlmbench.suites.dysca.scenes import clear_styles, draw_scenes
from lvlmbench.suites.dysca.settings import Restyled
from lvlmbench.tables import SCENES

_STAGE = "restyle"


def restyled(settings: Restyled, plan: Plan, seed: int, scenes: pa.Table) -> pa.Table:
    """Return the first of some scenes in other styles, those of one scene side by side.

    A row is as its base but for id, style and what names it (``prompt``, ``caption`` ...); ``base``
    is the base's id, and ``seed`` the base's. It depends on the base and on the styles that suit
    it alone: one style more takes the place of another at most.

    Parameters
    ----------
    scenes
        Rows of :data:`lvlmbench.tables.SCENES`, as they were drawn.
    """
    if not settings.scenes_per_subtask:
        return SCENES.empty_table()
    first = pc.less(scenes["ordinal"], settings.scenes_per_subtask)
    bases = scenes.filter(first).select(["scene_id", "subtask", "ordinal"]).to_pydict()
    found = [SCENES.empty_table()]
    for base, subtask, ordinal in zip(*bases.values(), strict=True):
        number = ordinal % sum(name == subtask for name, _ in plan.variants)
        variant = plan.variants[subtask, number]
        pool = plan.label_index.pools[variant.pools["style"]]
        (clear,) = clear_styles(plan, variant, seed, np.array([ordinal]))
        chosen = _chosen(seed, base, pool.labels, clear, settings.styles_per_scene)
        if len(chosen) < 2:
            continue
        rows = draw_scenes(plan, variant, seed, np.full(len(chosen), ordinal), chosen)
        ids = [seeding.item_id(base, _STAGE, pool.labels[at]) for at in chosen.tolist()]
        rows = rows.set_column(0, SCENES.field("scene_id"), pa.array(ids))
        at = rows.schema.get_field_index("base")
        found.append(rows.set_column(at, SCENES.field("base"), pa.array([base] * len(ids))))
    return pa.concat_tables(found)


def _chosen(seed: int, base: str, labels: tuple[str, ...], clear: Bools, wanted: int) -> I64:
    """Positions of so many styles, ascending, each as likely as any other that suits the scene."""
    draws = {
        seeding.digest(seed, _STAGE, base, labels[at]): at for at in np.flatnonzero(clear).tolist()
    }
    return np.array(sorted(draws[key] for key in sorted(draws)[:wanted]), dtype=np.int64)
