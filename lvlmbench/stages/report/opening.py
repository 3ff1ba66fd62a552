"""What the page opens with: some of the pictures, and how the models stand."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis import thumbnails
from lvlmbench.analysis.labels import plain
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Row, by_strict, placed
from lvlmbench.scene.subtasks import subtask_order
from lvlmbench.snapshot.reader import Snapshot

#: Pictures in the strip, and their longest side in pixels: some 4 kB each.
PICTURES, SIDE = 12, 112
#: Models in the chart at most; the table below it has all.
BARS = 12


@dataclass(frozen=True)
class Picture:
    """A small picture with what it shows."""

    url: str
    text: str


@dataclass(frozen=True)
class Opening:
    """The strip and the chart.

    ``bars`` are models with a headline, the best first, ``more`` how many others have one;
    ``chance`` is the headline of the model that guesses, None where there is none. ``none`` says
    why no model has one; ``why`` that models stand in another order, and why.
    """

    pictures: list[Picture]
    bars: list[Row]
    more: int
    chance: float | None
    none: str = ""
    why: str = ""


def _turns(asked: list[dict[str, str]], count: int) -> list[dict[str, str]]:
    """Scenes to show: subtasks take turns, each with the style that was shown least so far."""
    by_subtask: dict[str, list[dict[str, str]]] = {}
    for scene in sorted(asked, key=lambda s: s["scene_id"]):
        by_subtask.setdefault(scene["subtask"], []).append(scene)
    names = sorted(by_subtask, key=subtask_order)
    out: list[dict[str, str]] = []
    shown: dict[str, int] = {}
    while names and len(out) < count:
        for name in list(names):
            left = by_subtask[name]
            scene = min(left, key=lambda s: (shown.get(s["style"], 0), s["scene_id"]))
            left.remove(scene)
            shown[scene["style"]] = shown.get(scene["style"], 0) + 1
            out.append(scene)
            if not left:
                names.remove(name)
    return out[:count]


def pictures(snapshot: Snapshot, count: int = PICTURES) -> list[Picture]:
    """Return small pictures of the first scenario, of many subtasks and styles."""
    scenario = snapshot.first_scenario
    images = snapshot.images[scenario]
    asked = pc.unique(snapshot.asked[scenario]["scene_id"])
    asked = asked.filter(pc.is_in(asked, value_set=pc.unique(images["scene_id"])))
    columns = ["scene_id", "subtask", "foreground", "style", "level"]
    scenes = snapshot.scenes.select(columns)
    scenes = scenes.filter(pc.is_in(scenes["scene_id"], value_set=asked))
    chosen = _turns(scenes.to_pylist(), count)
    wanted = pa.array([scene["scene_id"] for scene in chosen], pa.string())
    shown = images.filter(pc.is_in(images["scene_id"], value_set=wanted))
    pairs = zip(shown["scene_id"].to_pylist(), shown["image_id"].to_pylist(), strict=True)
    image_of = dict(reversed(list(pairs)))
    folder = thumbnails.folder_of(snapshot, scenario)
    small = thumbnails.of(folder, set(image_of.values()), SIDE)
    return [
        Picture(
            small[image_of[s["scene_id"]]],
            ", ".join(plain(s[name]) for name in ("subtask", "style", "level") if s[name]),
        )
        for s in chosen
        if image_of[s["scene_id"]] in small
    ]


def build(snapshot: Snapshot, leaderboard: Leaderboard) -> Opening:
    """Of the first scenario, over the questions that ``statistics.questions`` counts."""
    rows = leaderboard.ranked().get(snapshot.first_scenario, [])
    found = [r for r in rows if placed(r)]
    guessed = [r.headline.value for r in found if r.kind == "guesser" and r.headline is not None]
    bars = [r for r in found if r.kind != "guesser"]
    chance = next(iter(guessed), None)
    lacking = next((r.note for r in rows if r.kind != "floor"), "") if not bars else ""
    why, more = "; ".join(by_strict(rows).values()), max(len(bars) - BARS, 0)
    return Opening(pictures(snapshot), bars[:BARS], more, chance, lacking, why)
