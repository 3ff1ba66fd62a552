"""Speed and memory of the noisy scenarios on one core: images as their job makes them.

Each measurement runs in a process of its own, on images that the renderer has just drawn.
Corruption and print attack are timed at ``--size`` pixels, PNG decoding and encoding included;
what the codec costs alone stands beside them, as the floor. The attack runs 10 steps of PGD on
``reference_a`` (trained: ``--weights``), on images of the size that it sees and on full-size ones;
its share outside torchattacks' own loop is of the time without the codec's. What is made once a
job, such as tables and loaded weights, is not timed. The last line of standard output is one JSON
object.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")


from lvlmbench import tables
from lvlmbench.config import Params, load_params, validate
from lvlmbench.config.identity import PROJECT_ROOT, params_id, vocabulary_dir
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.filter.retries import retry_filters
from lvlmbench.stages.reference.folder import NAMES
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.stages.render.shard import make_renderer
from lvlmbench.stages.scenario.kinds.corruption.settings import first_kinds
from lvlmbench.stages.scenario.scenario import SCENARIOS, Shard
from lvlmbench.suites.suite import build_shard

#: Side of what reference models see, in pixels.
SMALL = 64

#: PGD works on this many images at a time.
TOGETHER = 16


def peak_mib() -> float:
    """The most memory that this process has held so far."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise UserError("/proc/self/status", "holds no VmHWM", "run this on Linux")


def write_shard(folder: Path, params: Params, count: int) -> None:
    """``count`` drawn scenes from all over the corpus, with their questions, into ``folder``."""
    vocabulary = load_vocabulary(vocabulary_dir(params))
    renderer = make_renderer(params, vocabulary)
    scenes, questions = build_shard(params, vocabulary, 0, params.corpus.n_scenes)[:2]
    drawn = [scene for scene in scenes.to_pylist() if renderer.refuses(scene) is None]
    some = drawn[:: max(1, len(drawn) // count)][:count]
    table = tables.SCENES.of(some)
    images, *_ = render_shard(params, vocabulary, table, renderer, retry_filters(params))
    for name, rows, schema in (
        ("images", images, tables.IMAGES),
        ("scenes", table, tables.SCENES),
        ("questions", questions, tables.QUESTIONS),
    ):
        tables.write(rows, folder / f"{name}.parquet", schema, params_id(params))


def read_shard(folder: Path) -> Shard:
    """What :func:`write_shard` wrote."""
    images = tables.read([folder / "images.parquet"], tables.IMAGES)
    return Shard(
        images=images,
        scenes=tables.read([folder / "scenes.parquet"], tables.SCENES),
        questions=tables.read([folder / "questions.parquet"], tables.QUESTIONS),
        around=images.slice(0, 0),
    )


def cpu_seconds(run: Callable[[], Any]) -> float:
    """Processor time of one run, after another one that loads and tabulates what it needs."""
    run()
    begin = time.process_time()
    run()
    return time.process_time() - begin


def applied(
    params: Params, given: dict[str, Any], shard: Shard, weights: Path
) -> Callable[[], int]:
    """Runs a scenario on a shard; the number of its images."""
    spec = ScenarioSpec.model_validate(given)
    kind = SCENARIOS.get(spec.registered, "benchmark")
    scenario = kind.make(params, spec, {name: weights / name for name in NAMES})
    return lambda: sum(1 for _ in scenario.apply(shard))


def codec(shard: Shard) -> dict[str, float]:
    """Milliseconds of PNG decoding and encoding alone, on clean images and on noise."""
    from lvlmbench.core import seeding
    from lvlmbench.stages.scenario.kinds.corruption.kind import corrupt
    from lvlmbench.stages.scenario.pixels import decode, encode

    rows = shard.images.to_pylist()
    count = len(rows)
    pixels = [found for row in rows if (found := decode(row)) is not None]
    result = {"decode_ms": cpu_seconds(lambda: [decode(row) for row in rows]) * 1e3 / count}
    total = 0.0
    for kind in first_kinds():
        damaged = [corrupt(p, kind, 3, seeding.generator(0, kind, "0"))[0] for p in pixels]
        spent = cpu_seconds(lambda some=damaged: [encode(p) for p in some]) * 1e3 / count  # type: ignore[misc]
        total += spent
        if kind == "gaussian_noise":
            result["encode_noise_ms"] = spent
    return result | {"encode_ms": total / len(first_kinds())}


def corruption(params: Params, shard: Shard, weights: Path) -> dict[str, float]:
    """Images a second of each kind, severities drawn, and over all kinds together."""
    seconds = {}
    for kind in first_kinds():
        given = {"name": "corruption", "corruption": {"kinds": [kind]}}
        run = applied(params, given, shard, weights)
        seconds[kind] = cpu_seconds(run) / shard.images.num_rows
    each = {f"{kind}_per_s": 1 / spent for kind, spent in seconds.items()}
    return each | {"corruption_per_s": len(seconds) / sum(seconds.values())}


def print_attack(params: Params, shard: Shard, weights: Path) -> dict[str, float]:
    """Images a second with the default settings."""
    run = applied(params, {"name": "print_attack"}, shard, weights)
    count = run()
    return {"print_attack_per_s": count / cpu_seconds(run)}


def adversarial(params: Params, shard: Shard, weights: Path) -> dict[str, float]:
    """Images a second, the PNG codec's share of the time, and what of the rest is around PGD."""
    from lvlmbench.core import torchvision_hook
    from lvlmbench.stages.scenario.kinds.adversarial import scenario as attacking

    torchvision_hook.install()
    import torch
    import torchattacks  # type: ignore[import-untyped]

    torch.set_num_threads(1)
    seconds = {"loop": 0.0, "codec": 0.0}

    def timed(part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            begin = time.process_time()
            try:
                return function(*args, **kwargs)
            finally:
                seconds[part] += time.process_time() - begin

        return call

    torchattacks.PGD.forward = timed("loop", torchattacks.PGD.forward)
    for name in ("decode", "encode"):
        setattr(attacking, name, timed("codec", getattr(attacking, name)))
    given = {
        "name": "adversarial",
        "adversarial": {"proxy": "reference_a", "steps": 10, "batch_size": TOGETHER},
    }
    run = applied(params, given, shard, weights)
    count = run()
    seconds.update(loop=0.0, codec=0.0)
    begin = time.process_time()
    run()
    spent = time.process_time() - begin
    return {
        "pgd_per_s": count / spent,
        "pgd_share_codec": seconds["codec"] / spent,
        "pgd_share_outside_loop": 1 - seconds["loop"] / (spent - seconds["codec"]),
    }


def measure(what: str, folder: Path, params: Params, weights: Path) -> dict[str, float]:
    """One measurement, in this process; ``peak_mib`` is all that the process ever took."""
    shard = read_shard(folder)
    if what == "codec":
        found = codec(shard)
    else:
        of = {"corruption": corruption, "print_attack": print_attack, "adversarial": adversarial}
        found = of[what](params, shard, weights)
    return {name: round(value, 3) for name, value in (found | {"peak_mib": peak_mib()}).items()}


def in_own_process(
    what: str, folder: Path, size: int, args: argparse.Namespace
) -> dict[str, float]:
    """:func:`measure` in a fresh interpreter.

    Raises
    ------
    UserError
        It cannot be measured here.
    """
    command = [sys.executable, __file__, "--config", str(args.config), "--size", str(size)]
    command += ["--weights", str(args.weights), "--measure", what, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise UserError(what, last, "")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def told(found: dict[str, float]) -> str:
    """The figures on one line."""
    return ", ".join(f"{name} {value:g}" for name, value in found.items())


@main_guard
def main() -> None:
    """Measure each scenario and print a line about it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, default=PROJECT_ROOT / "params.yaml")
    parser.add_argument("--size", type=int, default=1024, help="side of full-size images in pixels")
    parser.add_argument("--images", type=int, default=24, help="images of each measurement")
    parser.add_argument("--weights", type=Path, default=PROJECT_ROOT / "data" / "reference")
    parser.add_argument(
        "--only", nargs="+", choices=("codec", "corruption", "print_attack", "adversarial")
    )
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()

    given = load_params(args.config, "dysca").model_dump(mode="json")
    if args.measure:
        given["render"]["size"] = args.size
        what, folder = args.measure
        print(json.dumps(measure(what, Path(folder), validate(given), args.weights)))
        return
    plans = [(what, args.size) for what in ("codec", "corruption", "print_attack")]
    plans += [("adversarial", SMALL), ("adversarial", args.size)]
    plans = [plan for plan in plans if not args.only or plan[0] in args.only]
    result: dict[str, Any] = {"benchmark": "scenarios", "size": args.size}
    peak = 0.0
    with tempfile.TemporaryDirectory() as name:
        for what, size in plans:
            folder = Path(name) / str(size)
            if not folder.is_dir():
                folder.mkdir()
                given["render"]["size"] = size
                write_shard(folder, validate(given), args.images)
            try:
                found = in_own_process(what, folder, size, args)
            except UserError as error:
                print(f"{what} at {size} px: not measured: {error.what}")
                continue
            print(f"{what} at {size} px: {told(found)}")
            peak = max(peak, found.pop("peak_mib"))
            suffix = f"_of_{size}px" if what == "adversarial" else ""
            result |= {f"{name}{suffix}": value for name, value in found.items()}
    result["peak_mib"] = peak
    print(json.dumps(result))


if __name__ == "__main__":
    main()
