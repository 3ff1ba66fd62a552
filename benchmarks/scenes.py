"""Speed of composed scenes on one core: drawing with PNG and layout, planning, asking; memory.

Scenes of all skills and levels are planned, drawn at 512 px as a job of the pipeline does it, and
asked about, twins together. ``scenes_per_s`` counts those with five instances. Processor seconds;
what a process does once (pools of the vocabulary, first rasters) is in them. How much memory was
held at most is told after some of the scenes: it grows until the cache of stickers is full. The
last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.harness.composing import Drawn, asked, parameters, skills, vocabulary_of
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.graph import Graph
from lvlmbench.stages.render.renderer import Renderer
from lvlmbench.stages.render.shard import make_renderer, png_bytes
from lvlmbench.suites.composed.scenes import Planner, sample

#: Instances of the scenes whose drawing is told.
_INSTANCES = 5
#: Scenes after which memory is told.
_TOLD = (200, 1000, 2000, 4000)


@dataclass
class Spent:
    """Processor seconds by what they were spent on, of some scenes."""

    scenes: int = 0
    questions: int = 0
    planning: float = 0.0
    placing: float = 0.0
    drawing: float = 0.0
    encoding: float = 0.0
    asking: float = 0.0

    def add(self, other: Spent) -> None:
        """Add what others took."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def rendering(self) -> float:
        """All that makes a picture and its layout."""
        return self.placing + self.drawing + self.encoding


def peak_mib() -> float:
    """Memory that this process has held at most."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def draw(renderer: Renderer, scene: dict[str, Any], spent: Spent) -> Drawn:
    """Draw a scene as the pipeline does; the picture is encoded and thrown away."""
    begin = time.process_time()
    refused = renderer.refuses(scene)
    placed = time.process_time()
    spent.placing += placed - begin
    if refused is not None:
        return Drawn(scene, None)
    found = renderer.draw(scene)
    layout = [one.row("", scene["scene_id"], at) for at, one in enumerate(found.layout or ())]
    drawn = time.process_time()
    png_bytes(found.image)
    spent.drawing += drawn - placed
    spent.encoding += time.process_time() - drawn
    return Drawn(scene, layout)


def batches(scenes: int, seed: int, size: int) -> Iterator[tuple[list[dict[str, Any]], float]]:
    """Plan scenes of all skills, some of each at a time; with what a scene's plan took."""
    names, some = skills(), 12
    vocabulary = vocabulary_of(parameters(seed, names, 2, size))
    for at in range(max(1, scenes // len(names) // some)):
        params = parameters(seed + at, names, some, size)
        begin = time.process_time()
        found = sample(params, vocabulary, 0, params.corpus.n_scenes).to_pylist()
        yield found, (time.process_time() - begin) / len(found)


def measured(
    scenes: int, seed: int, size: int
) -> tuple[dict[tuple[str, str, int], Spent], dict[int, float]]:
    """Spent by skill, level and instances; memory held at most, by scenes until then."""
    params = parameters(seed, skills(), 2, size)
    vocabulary = vocabulary_of(params)
    renderer, planner = make_renderer(params, vocabulary), Planner(params, vocabulary)
    found: dict[tuple[str, str, int], Spent] = defaultdict(Spent)
    peaks: dict[int, float] = {}
    done = 0
    for rows, planning in batches(scenes, seed, size):
        for pair in zip(rows[::2], rows[1::2], strict=True):
            spent = Spent(2, planning=2 * planning)
            drawn = [draw(renderer, scene, spent) for scene in pair]
            begin = time.process_time()
            spent.questions = len(asked(planner, drawn, size))
            spent.asking = time.process_time() - begin
            n = sum(thing.instances for thing in Graph.of(pair[0]).objects)
            found[pair[0]["subtask"], pair[0]["level"], n].add(spent)
            done += 2
            if done in _TOLD:
                peaks[done] = peak_mib()
    return found, peaks


def _line(name: str, spent: Spent) -> str:
    """Milliseconds a scene, and of asking a question."""
    n = max(spent.scenes, 1)
    parts = (spent.planning, spent.placing, spent.drawing, spent.encoding, spent.asking)
    return f"{name:28} {spent.scenes:6} " + " ".join(f"{1e3 * each / n:8.2f}" for each in parts)


@main_guard
def main() -> None:
    """Plan, draw, ask, and print what each takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=2016)
    parser.add_argument("--size", type=int, default=512, help="side of the pictures")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    found, peaks = measured(args.scenes, args.seed, args.size)
    print("milliseconds a scene         scenes     plan    place     draw      png      ask")
    cells: dict[str, Spent] = defaultdict(Spent)
    five, everything = Spent(), Spent()
    for (name, level, instances), spent in found.items():
        cells[f"{name} {level}"].add(spent)
        everything.add(spent)
        if instances == _INSTANCES:
            five.add(spent)
    for cell, spent in cells.items():
        print(_line(cell, spent))
    print(_line("all", everything))
    print(_line(f"{_INSTANCES} instances", five))
    for done, peak in peaks.items():
        print(f"at most {peak:.0f} MiB within {done} scenes")
    figures = {
        "benchmark": "scenes",
        "scenes_per_s": round(five.scenes / (five.planning + five.rendering), 1),
        "all_scenes_per_s": round(
            everything.scenes / (everything.planning + everything.rendering), 1
        ),
        "questions_per_s": round(everything.questions / (everything.planning + everything.asking)),
        "peak_mib": peak_mib(),
        "within": {f"{done}_scenes_mib": peak for done, peak in peaks.items()},
        "size": args.size,
        "scenes": everything.scenes,
        "questions": everything.questions,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
