"""Speed and memory of local weights, of adversarial attacks and of the CLIP filter on a GPU.

Each measurement runs in a process of its own, through the code of its stage, on images that the
built-in renderer has drawn, PNG decoding and encoding included:

``answers``    questions to a vision-language model in the engine ``transformers_vlm``, in batches
               of each size; an answer has ``--tokens`` tokens, as random weights end none
``attack``     10 steps of PGD on an image tower of open_clip and on one of BLIP-2
``filter``     verdicts of the CLIP filter
``distances``  vectors of images, as the distances of two sets take them

All weights are random. ``--full`` makes models of full size for a GPU: LLaVA 1.5 (7 billion),
ViT-L-14, the tower of BLIP-2; else they are tiny, for the CPU, and say nothing about a GPU.
What is loaded and a first batch are not timed. Memory is what torch has allocated on the GPU at
most, or the peak of the process on a CPU. The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

from lvlmbench import tables
from lvlmbench.config import Params, load_params, validate
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.identity import PROJECT_ROOT, params_id, vocabulary_dir
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core import torchvision_hook
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.answer.engine import Item
from lvlmbench.stages.filter.filter import FILTERS, verdict_rows
from lvlmbench.stages.filter.retries import retry_filters
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.stages.render.shard import make_renderer
from lvlmbench.stages.scenario.scenario import SCENARIOS, Shard
from lvlmbench.suites.instructions import prompts_of
from lvlmbench.suites.suite import build_shard

Figures = dict[str, Any]

#: Letters of a token of ordinary English, about; to the random model a letter is a token.
LETTERS = 4


def write_shard(folder: Path, params: Params, count: int) -> None:
    """``count`` drawn scenes from all over the corpus, with their questions, into ``folder``."""
    vocabulary = load_vocabulary(vocabulary_dir(params))
    renderer = make_renderer(params, vocabulary)
    scenes, questions = build_shard(params, vocabulary, 0, params.corpus.n_scenes)[:2]
    drawn = [
        scene
        for scene in scenes.to_pylist()
        if scene["subtask"] != "text" and renderer.refuses(scene) is None
    ]
    table = tables.SCENES.of(drawn[:: max(1, len(drawn) // count)][:count])
    images, *_ = render_shard(params, vocabulary, table, renderer, retry_filters(params))
    ours = set(table["scene_id"].to_pylist())
    asked = [row for row in questions.to_pylist() if row["scene_id"] in ours]
    for rows, schema in (
        (images, tables.IMAGES),
        (table, tables.SCENES),
        (tables.QUESTIONS.of(asked), tables.QUESTIONS),
    ):
        tables.write(rows, folder / f"{schema.name}.parquet", schema, params_id(params))


def read_shard(folder: Path) -> Shard:
    """What :func:`write_shard` wrote."""
    images, scenes, questions = (
        tables.read([folder / f"{schema.name}.parquet"], schema)
        for schema in (tables.IMAGES, tables.SCENES, tables.QUESTIONS)
    )
    return Shard(images=images, scenes=scenes, questions=questions, around=images.slice(0, 0))


def few(shard: Shard, count: int) -> Shard:
    """The first images of a shard, with all that is said of them."""
    return Shard(shard.images.slice(0, count), shard.scenes, shard.questions, shard.around)


class Meter:
    """Seconds and peak memory of a block, and of the processor by its side."""

    def __init__(self, device: str) -> None:
        self._device = device
        self.figures: Figures = {}

    def _wait(self) -> None:
        import torch

        if self._device == "cuda":
            torch.cuda.synchronize()

    def of(self, name: str, run: Callable[[], int]) -> None:
        """Add the figures of ``run``, which gives how many items it did."""
        import torch

        if self._device == "cuda":
            torch.cuda.reset_peak_memory_stats()
        self._wait()
        wall, cpu = time.perf_counter(), time.process_time()
        count = run()
        self._wait()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        self.figures |= {
            f"{name}_per_s": round(count / wall, 2),
            f"{name}_cpu_ms": round(1e3 * cpu / count, 1),
            f"{name}_peak_mib": round(self._peak(), 1),
        }

    def _peak(self) -> float:
        import resource

        import torch

        if self._device == "cuda":
            return torch.cuda.max_memory_allocated() / 2**20
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def forget() -> None:
    """Give back what the models that were only made to be written have taken of the GPU."""
    import gc

    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def items_of(shard: Shard, params: Params, count: int) -> list[Item]:
    """Questions with their images; of a prompt as many letters as it would have tokens."""
    prompt = prompts_of(params)
    images = {row["scene_id"]: row for row in shard.images.to_pylist()}
    items = []
    for row in shard.questions.to_pylist()[:count]:
        image, options = images[row["scene_id"]], tuple(row["options"] or ())
        text = prompt(row["question_type"], row["question"], options)
        data: bytes = image["image"]["bytes"]
        items.append(
            Item(
                row["question_id"], row["scene_id"], row["subtask"], row["question_type"],
                row["question"], options, text[: max(1, len(text) // LETTERS)], data,
                image["image_id"], hashlib.sha256(data).hexdigest(),
            )
        )  # fmt: skip
    return items


def answers(
    args: argparse.Namespace, folder: Path, params: Params, shard: Shard, meter: Meter
) -> None:
    """Questions a second of a model under test, by the size of batches."""
    from lvlmbench.stages.answer.kinds.transformers_vlm import TransformersVLM
    from lvlmbench.stages.answer.local.settings import LocalWeights
    from support import full_vlm, tiny_vlm  # type: ignore[import-not-found]

    model = folder / "vlm"
    (full_vlm.save if args.full else lambda to: tiny_vlm.save(to, "llava"))(model)
    forget()
    items = items_of(shard, params, args.questions)
    about = {"model": str(model), "device": args.device, "max_tokens": args.tokens}
    loaded = None
    for size in args.batch_sizes:
        engine = TransformersVLM("model", LocalWeights(**about, batch_size=size), loaded)
        replies = [reply for _, reply in engine.answer(items[:size])]
        failed = next((reply.error for reply in replies if reply.status == "error"), None)
        if failed is not None:
            raise UserError("answers", failed, "see what the model needs")
        loaded = engine

        def run(engine: TransformersVLM = engine) -> int:
            return sum(1 for _ in engine.answer(items))

        meter.of(f"answers_in_{size}s", run)
        meter.figures["prompt_tokens"] = max(reply.prompt_tokens or 0 for reply in replies)


def made_on(device: str) -> AbstractContextManager[Any]:
    """For a block that makes a model, where random numbers come fast."""
    import torch

    made: AbstractContextManager[Any] = torch.device(device)
    return made


def clip_of(args: argparse.Namespace, folder: Path) -> dict[str, str]:
    """What names a CLIP with random weights, which are written first."""
    torchvision_hook.install()
    import open_clip
    from safetensors.torch import save_file

    if not args.full:
        from support import tiny_clip

        return {"engine": f"local-dir:{tiny_clip.save_folder(folder / 'clip')}"}
    file = folder / "vit-l-14.safetensors"
    with made_on(args.device):
        model = open_clip.create_model("ViT-L-14", pretrained_text=False, device=args.device)
    save_file(model.state_dict(), file)
    return {"engine": "ViT-L-14", "pretrained": str(file)}


def blip_of(args: argparse.Namespace, folder: Path) -> str:
    """The folder of a BLIP-2's vision tower with random weights, which is written first."""
    torchvision_hook.install()
    from transformers import Blip2VisionConfig, Blip2VisionModel

    if not args.full:
        from support import tiny_blip

        return str(tiny_blip.save(folder / "blip", "blip-2", whole=False))
    with made_on(args.device):
        model = Blip2VisionModel(Blip2VisionConfig(initializer_range=0.02))
    model.save_pretrained(folder / "blip")
    return str(folder / "blip")


def attack(
    args: argparse.Namespace, folder: Path, params: Params, shard: Shard, meter: Meter
) -> None:
    """Images a second of PGD on the towers of a CLIP and of a BLIP-2."""
    clip = clip_of(args, folder)
    proxies = {
        "attack_clip": {"proxy": clip.pop("engine"), **clip},
        "attack_blip": {"proxy": f"transformers:{blip_of(args, folder)}"},
    }
    forget()
    for name, proxy in proxies.items():
        about = {**proxy, "device": args.device, "batch_size": args.together}
        spec = ScenarioSpec.model_validate({"name": "adversarial", "adversarial": about})
        scenario = SCENARIOS.get(spec.registered, "benchmark").make(params, spec, {})
        list(scenario.apply(few(shard, args.together)))

        def run(scenario: Any = scenario) -> int:
            return sum(1 for _ in scenario.apply(shard))

        meter.of(name, run)
        del scenario, run
        forget()


def clip_filter(
    args: argparse.Namespace, folder: Path, params: Params, shard: Shard, meter: Meter
) -> None:
    """Images a second of the CLIP filter."""
    about = {**clip_of(args, folder), "threshold": -1, "device": args.device}
    forget()
    spec = FilterSpec.model_validate({"name": "clip", "clip": about})
    judge = FILTERS.get(spec.registered, "benchmark")(params, spec, {})
    verdict_rows(judge, shard.images.slice(0, 32), shard.scenes)
    meter.of("filter", lambda: len(verdict_rows(judge, shard.images, shard.scenes)))


def distances(
    args: argparse.Namespace, folder: Path, params: Params, shard: Shard, meter: Meter
) -> None:
    """Vectors a second, from pictures that are decoded already."""
    from lvlmbench.stages.filter.decoding import decoded
    from lvlmbench.stages.reference.encoder import load_open_clip

    clip = clip_of(args, folder)
    forget()
    encoder = load_open_clip(clip["engine"], clip.get("pretrained"), args.device, "benchmark")
    pictures = [found for row in shard.images.to_pylist() if (found := decoded(row)) is not None]
    encoder.images(pictures[:32])

    def run() -> int:
        return sum(len(encoder.images(pictures[i : i + 32])) for i in range(0, len(pictures), 32))

    meter.of("distances", run)


KINDS = {"answers": answers, "attack": attack, "filter": clip_filter, "distances": distances}


def measure(args: argparse.Namespace, kind: str, folder: Path, params: Params) -> Figures:
    """One measurement, in this process."""
    torchvision_hook.install()
    sys.path.insert(0, str(PROJECT_ROOT / "tests"))
    from lvlmbench.core.transformers_hush import quiet_transformers

    meter = Meter(args.device)
    with tempfile.TemporaryDirectory() as name, quiet_transformers():
        KINDS[kind](args, Path(name), params, read_shard(folder), meter)
    return meter.figures


def in_own_process(arguments: list[str], kind: str, folder: Path) -> Figures:
    """:func:`measure` in a fresh interpreter.

    Raises
    ------
    UserError
        It does not run here.
    """
    command = [sys.executable, __file__, *arguments, "--measure", kind, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise UserError(kind, last, "see what it needs")
    found: Figures = json.loads(done.stdout.splitlines()[-1])
    return found


def about_machine(args: argparse.Namespace) -> Figures:
    """What the figures hold for.

    Raises
    ------
    UserError
        Full size is asked for, and there is no GPU.
    """
    torchvision_hook.install()
    import torch
    import transformers

    on_gpu = args.device == "cuda"
    if on_gpu and not torch.cuda.is_available():
        what = "models of full size need a GPU, and torch sees none"
        raise UserError("--full", what, "run it where there is one, or leave --full out")
    return {
        "weights": "of full size, random" if args.full else "tiny, random",
        "device": torch.cuda.get_device_name(0) if on_gpu else "cpu",
        "torch": torch.__version__,
        "transformers": transformers.__version__,
    }


def arguments() -> argparse.Namespace:
    """What was asked for, with what goes without saying."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--full", action="store_true", help="models of full size (GPU)")
    parser.add_argument("--only", nargs="+", choices=tuple(KINDS), default=list(KINDS))
    parser.add_argument("--images", type=int, help="images (64; tiny: 16)")
    parser.add_argument("--size", type=int, help="side in pixels (1024; tiny: 128)")
    parser.add_argument("--questions", type=int, help="questions (192; tiny: 32)")
    parser.add_argument("--tokens", type=int, default=16, help="tokens of an answer")
    parser.add_argument("--batch-sizes", type=int, nargs="+", help="of answers (8 64; tiny: 8)")
    parser.add_argument("--together", type=int, default=16, help="images attacked at once")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    args.device = "cuda" if args.full else "cpu"
    args.images = args.images or (64 if args.full else 16)
    args.size = args.size or (1024 if args.full else 128)
    args.questions = args.questions or (192 if args.full else 32)
    args.batch_sizes = args.batch_sizes or ([8, 64] if args.full else [8])
    return args


@main_guard
def main() -> None:
    """Measure and print."""
    args = arguments()
    given = load_params(PROJECT_ROOT / "params.yaml", "dysca").model_dump(mode="json")
    given["render"]["size"] = args.size
    params = validate(given)
    if args.measure:
        print(json.dumps(measure(args, args.measure[0], Path(args.measure[1]), params)))
        return
    result = {"benchmark": "gpu", **about_machine(args), "size": args.size, "images": args.images}
    with tempfile.TemporaryDirectory() as name:
        write_shard(Path(name), params, args.images)
        for kind in args.only:
            try:
                found = in_own_process(sys.argv[1:], kind, Path(name))
            except UserError as error:
                print(f"{kind}: not measured: {error.what}", flush=True)
                continue
            print(f"{kind}: " + ", ".join(f"{k} {v:g}" for k, v in found.items()), flush=True)
            result |= found
    result["peak_mib"] = max((v for k, v in result.items() if k.endswith("_peak_mib")), default=0)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
