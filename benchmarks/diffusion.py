"""Speed and memory of the diffusion renderer beside a plain loop over the same pipeline.

What is measured, each in processes of its own, in turns, with the same weights, prompts, steps and
sizes, from the prompt to the PNG:

``plain``     ``for prompt in prompts: pipeline(prompt=...)`` at batch 1, in float16 on a GPU and
              float32 on a CPU, else as diffusers loads it
``exact``     our renderer with ``exact: true``
``batched``   our renderer with ``exact: false``
``compiled``  the same with ``compile: true``, if asked for

What comes before the first image is not timed: loading, measuring room, compiling, an image or a
batch to warm up. Memory is the peak of the whole process: on a GPU what torch has allocated there,
on a CPU what is resident. By default the pipeline is a tiny SDXL with random weights, on the CPU;
``--full`` makes one of full size, for GPUs, and ``--model`` takes real weights. The last line of
standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

os.environ.setdefault("OMP_NUM_THREADS", "1")

from lvlmbench.config import Params, load_params, validate
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.core import torchvision_hook
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.render.renderer import Attempt
from lvlmbench.stages.render.retries.finish import finished
from lvlmbench.stages.render.shard import make_renderer, png_bytes
from lvlmbench.suites.suite import build_shard

TESTS = PROJECT_ROOT / "tests"

#: Images of a snapshot of the paper's size.
PAPER = 289_000

#: Letters of a prompt that the random pipelines read at once: to them a letter is a token.
LETTERS = 75

#: A scene as the renderer needs it: prompt, negative prompt, seed.
Scene = dict[str, Any]


def scenes_of(count: int, letters: int | None) -> list[Scene]:
    """Scenes of all subtasks but text, evenly; their prompts cut to whole words of ``letters``."""
    params = load_params(PROJECT_ROOT / "params.yaml", "dysca")
    planned = build_shard(
        params, load_vocabulary(vocabulary_dir(params)), 0, params.corpus.n_scenes
    )[0].to_pylist()
    drawn = [scene for scene in planned if scene["subtask"] != "text"]
    step = max(1, len(drawn) // count)
    fields = ("scene_id", "subtask", "text", "prompt", "negative_prompt", "seed")
    found = [{field: scene[field] for field in fields} for scene in drawn[::step][:count]]
    for scene in found if letters is not None else ():
        for field in ("prompt", "negative_prompt"):
            scene[field] = scene[field][:letters].rpartition(" ")[0]
    return found


def parameters(args: argparse.Namespace, kind: str, model: str) -> Params:
    """Parameters of our renderer."""
    about = {
        "model": model,
        "steps": args.steps,
        "guidance": 5.0,
        "exact": kind == "exact",
        "compile": kind == "compiled",
    }
    if kind != "exact":
        about["batch_size"] = args.batch_size
    return validate({"render": {"renderer": "diffusion", "size": args.size, "diffusion": about}})


class Clock:
    """How long a block takes: by the wall, and in seconds of processor of all threads."""

    def __enter__(self) -> Self:
        self._begin, self._cpu = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *error: object) -> None:
        self.seconds = time.perf_counter() - self._begin
        self.cpu_s = time.process_time() - self._cpu


def plain(
    args: argparse.Namespace, model: str, scenes: list[Scene], warm: list[Scene]
) -> tuple[Clock, int, int]:
    """Time and bytes of PNG of a loop over the pipeline; its batch is 1."""
    torchvision_hook.install()
    import torch
    from diffusers import AutoPipelineForText2Image

    on_gpu = torch.cuda.is_available()
    dtype = torch.float16 if on_gpu else torch.float32
    auto: Any = AutoPipelineForText2Image
    pipeline = auto.from_pretrained(model, dtype=dtype).to("cuda" if on_gpu else "cpu")
    pipeline.set_progress_bar_config(disable=True)

    def draw(scene: Scene) -> int:
        image = pipeline(
            prompt=scene["prompt"],
            negative_prompt=scene["negative_prompt"],
            generator=torch.Generator("cpu").manual_seed(scene["seed"]),
            num_inference_steps=args.steps,
            guidance_scale=5.0,
            height=args.size,
            width=args.size,
        ).images[0]
        return len(png_bytes(image))

    draw(warm[0])
    with Clock() as clock:
        sizes = [draw(scene) for scene in scenes]
    return clock, sum(sizes), 1


def ours(params: Params, scenes: list[Scene], warm: list[Scene]) -> tuple[Clock, int, int]:
    """Time, bytes of PNG and the largest batch of our renderer, driven as the job drives it."""
    renderer: Any = make_renderer(params, load_vocabulary(vocabulary_dir(params)))

    def attempts(some: list[Scene]) -> list[Attempt]:
        return [Attempt(scene, 0, scene["seed"]) for scene in some]

    def drawn(plan: list[list[Attempt]]) -> Iterator[tuple[int, int]]:
        made = renderer.draw_batches(plan)
        return finished(made, lambda each: (len(png_bytes(each.image)), each.making.batch))

    lengths = {len(batch): batch for batch in renderer.batches(attempts(warm))}
    list(drawn(list(lengths.values())))
    with Clock() as clock:
        found = list(drawn(renderer.batches(attempts(scenes))))
    return clock, sum(size for size, _ in found), max(batch for _, batch in found)


def measure(args: argparse.Namespace, kind: str, number: int, folder: Path) -> dict[str, Any]:
    """One kind in one round, in this process."""
    torchvision_hook.install()
    import diffusers
    import torch

    given = json.loads((folder / "scenes.json").read_text())
    warm, rest = given["scenes"][: args.images], given["scenes"][args.images :]
    scenes = rest[number * args.images : (number + 1) * args.images]
    if kind == "plain":
        clock, size, batch = plain(args, given["model"], scenes, warm)
    else:
        params = parameters(args, kind, given["model"])
        clock, size, batch = ours(params, scenes, warm)
    on_gpu = torch.cuda.is_available()
    return {
        "seconds": clock.seconds,
        "cpu_s": clock.cpu_s,
        "bytes": size,
        "batch": batch,
        "peak_mib": torch.cuda.max_memory_allocated() / 2**20 if on_gpu else resident_mib(),
        "device": torch.cuda.get_device_name(0) if on_gpu else "cpu",
        "torch": torch.__version__,
        "diffusers": diffusers.__version__,
    }


def resident_mib() -> float:
    """The most memory that this process has had so far, in MiB."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def in_own_process(arguments: list[str], kind: str, number: int, folder: Path) -> dict[str, Any]:
    """:func:`measure` in a fresh interpreter.

    Raises
    ------
    UserError
        It does not run here.
    """
    command = [sys.executable, __file__, *arguments, "--measure", kind, str(number), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise UserError(f"{kind}, round {number}", last, "see what it needs")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def made_pipeline(args: argparse.Namespace, folder: Path) -> str:
    """The pipeline's folder, written first where weights are to be random ones."""
    if args.model is not None:
        return str(args.model)
    sys.path.insert(0, str(TESTS))
    torchvision_hook.install()
    from lvlmbench.core.transformers_hush import quiet_transformers

    with quiet_transformers():
        if args.full:
            from support import full_diffusion  # type: ignore[import-not-found]

            return str(full_diffusion.sdxl(folder / "full"))
        from support import tiny_diffusion

        return str(tiny_diffusion.sdxl(folder / "tiny"))


def check_gpu() -> None:
    """Whether there is one for the full size.

    Raises
    ------
    UserError
        There is none.
    """
    import torch

    if not torch.cuda.is_available():
        what = "a full-size pipeline needs a GPU, and torch sees none"
        raise UserError("--full", what, "run it where there is one, or leave --full out")


def summary(
    args: argparse.Namespace, rounds: dict[str, list[dict[str, Any]]], pipeline: str
) -> dict[str, Any]:
    """The figures, ready for JSON."""
    images, first = args.images * args.rounds, next(iter(rounds.values()))[0]
    on_gpu = first["device"] != "cpu"
    result: dict[str, Any] = {
        "benchmark": "diffusion",
        "pipeline": pipeline,
        "device": first["device"],
        "torch": first["torch"],
        "diffusers": first["diffusers"],
        "cores": len(os.sched_getaffinity(0)),
        "threads": int(os.environ["OMP_NUM_THREADS"]),
        "load": round(os.getloadavg()[0], 1),
        "size": args.size,
        "steps": args.steps,
        "images": images,
    }
    rates = {}
    for kind, found in rounds.items():
        rates[kind] = images / sum(one["seconds"] for one in found)
        result |= {
            f"{kind}_per_s": round(rates[kind], 3),
            f"{kind}_to_plain": round(rates[kind] / rates["plain"], 3),
            f"{kind}_cpu_ms": round(1e3 * sum(one["cpu_s"] for one in found) / images, 1),
            f"{kind}_peak_mib": round(max(one["peak_mib"] for one in found), 1),
            f"{kind}_batch": max(one["batch"] for one in found),
        }
    size = sum(one["bytes"] for one in rounds["batched"]) / images
    fastest = max(rate for kind, rate in rates.items() if kind != "plain")
    result["mean_png_kib"] = round(size / 1024, 1)
    result["gib_per_289k"] = round(size * PAPER / 2**30, 1)
    # A tiny pipeline says nothing about the hours of a real one.
    result["gpu_hours_per_289k"] = round(PAPER / fastest / 3600, 1) if on_gpu else None
    result["peak_mib"] = max(result[f"{kind}_peak_mib"] for kind in rounds)
    return result


def run(args: argparse.Namespace, arguments: list[str]) -> dict[str, Any]:
    """All rounds of all kinds, in turns."""
    kinds = ["plain", "exact", "batched", *(["compiled"] if args.compile else [])]
    rounds: dict[str, list[dict[str, Any]]] = {kind: [] for kind in kinds}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = made_pipeline(args, folder)
        letters = LETTERS if args.model is None else None
        given = {"model": model, "scenes": scenes_of(args.images * (args.rounds + 1), letters)}
        (folder / "scenes.json").write_text(json.dumps(given))
        for number in range(args.rounds):
            # Whoever is first in one round is last in the next.
            for kind in kinds if number % 2 == 0 else kinds[::-1]:
                found = in_own_process(arguments, kind, number, folder)
                rounds[kind].append(found)
                rate = args.images / found["seconds"]
                print(
                    f"round {number}  {kind:9s} {rate:8.3f} images/s  batch {found['batch']:2d}  "
                    f"{1e3 * found['cpu_s'] / args.images:7.0f} ms CPU each  "
                    f"{found['peak_mib']:8.0f} MiB",
                    flush=True,
                )
    about = "full-size SDXL, random weights" if args.full else "tiny SDXL, random weights"
    return summary(args, rounds, about if args.model is None else Path(args.model).name)


def arguments_of(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """What was asked for, with what goes without saying."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--full", action="store_true", help="full-size SDXL, random weights (GPU)")
    which.add_argument("--model", help="folder of a pipeline with real weights")
    parser.add_argument("--compile", action="store_true", help="compile, too")
    parser.add_argument("--images", type=int, default=32, help="images a round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--size", type=int, help="side in pixels (1024; tiny: 128)")
    parser.add_argument("--steps", type=int, help="denoising steps (30; tiny: 10)")
    parser.add_argument("--batch-size", default="auto", help="images at once of batched (auto)")
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    tiny = args.model is None and not args.full
    args.size = args.size or (128 if tiny else 1024)
    args.steps = args.steps or (10 if tiny else 30)
    args.batch_size = int(args.batch_size) if args.batch_size.isdigit() else args.batch_size
    return args


@main_guard
def main() -> None:
    """Measure and print."""
    args = arguments_of(argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]))
    if args.measure:
        kind, number, folder = args.measure
        print(json.dumps(measure(args, kind, int(number), Path(folder))))
        return
    if find_spec("diffusers") is None:
        print("not measured: diffusers is not installed (make install-diffusion)")
        print(json.dumps({"benchmark": "diffusion", "pipeline": None}))
        return
    if args.full:
        check_gpu()
    result = run(args, sys.argv[1:])
    print(
        f"{result['pipeline']} on {result['device']}, {args.size} px, {args.steps} steps: "
        + ", ".join(
            f"{kind} {result[f'{kind}_to_plain']:.2f}"
            for kind in ("exact", "batched", "compiled")
            if f"{kind}_to_plain" in result
        )
        + " times the plain loop"
    )
    print(json.dumps(result))


if __name__ == "__main__":
    main()
