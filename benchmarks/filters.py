"""Speed and memory of the filters on one core: verdicts on images as their job makes them.

Each filter judges the same images in a process of its own. Its memory is the peak beyond what the
interpreter, torch and the tables' library take once imported: weights, the shard, decoded images,
and the libraries that the filter alone needs. The CLIP filter runs with each reference model that
is trained, or with one of random weights where none is; ``--open-clip ViT-L-14`` measures a model
of that architecture, also with random weights. ``--planted 2000`` prints instead what the filters
find of so many planted faults of each kind, and how many good images they remove. The last line of
standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import Params, load_params, validate
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.identity import PROJECT_ROOT, params_id, vocabulary_dir
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.filter.filter import FILTERS, verdict_rows
from lvlmbench.stages.filter.retries import retry_filters
from lvlmbench.stages.reference.folder import NAMES
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.stages.render.shard import make_renderer
from lvlmbench.suites.suite import build_shard

#: A model of about the size of a reference model.
SMALL = {
    "embed_dim": 128,
    "vision_cfg": {"image_size": 64, "layers": 4, "width": 128, "head_width": 32, "patch_size": 8},
    "text_cfg": {"context_length": 40, "vocab_size": 49408, "width": 128, "heads": 4, "layers": 2},
}


def memory_mib(field: str) -> float:
    """``VmRSS`` (now) or ``VmHWM`` (the most so far) of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1024
    raise UserError("/proc/self/status", f"holds no {field}", "run this on Linux")


def write_images(folder: Path, params: Params, count: int) -> None:
    """``count`` images of all subtasks but text, and ``count`` of text, each with its scenes."""
    vocabulary = load_vocabulary(vocabulary_dir(params))
    renderer = make_renderer(params, vocabulary)
    scenes = build_shard(params, vocabulary, 0, params.corpus.n_scenes)[0]
    drawn = [scene for scene in scenes.to_pylist() if renderer.refuses(scene) is None]
    for name, wanted in (("pictures", False), ("text", True)):
        some = [scene for scene in drawn if (scene["subtask"] == "text") is wanted]
        some = some[:: max(1, len(some) // count)][:count]
        table = pa.Table.from_pylist(some, schema=tables.SCENES.schema)
        images, *_ = render_shard(params, vocabulary, table, renderer, retry_filters(params))
        tables.write(images, folder / f"{name}-images.parquet", tables.IMAGES, params_id(params))
        tables.write(table, folder / f"{name}-scenes.parquet", tables.SCENES, params_id(params))


def untrained(folder: Path, architecture: str | None) -> dict[str, Any]:
    """Settings of a CLIP filter with random weights, which are written to ``folder``."""
    from lvlmbench.core import torchvision_hook

    torchvision_hook.install()
    import open_clip
    from safetensors.torch import save_file

    if architecture is None:
        config = {"model_cfg": SMALL, "preprocess_cfg": {}}
        (folder / "open_clip_config.json").write_text(json.dumps(config))
        model = open_clip.CLIP(**SMALL)
        chosen = {"engine": f"local-dir:{folder}"}
    elif architecture not in open_clip.list_models():
        raise UserError("--open-clip", f"open_clip has no model '{architecture}'", "name another")
    else:
        model = open_clip.create_model(architecture, pretrained_text=False)
        chosen = {
            "engine": architecture,
            "pretrained": str(folder / "open_clip_model.safetensors"),
        }
    save_file(model.state_dict(), folder / "open_clip_model.safetensors")
    return {**chosen, "threshold": -1, "device": "cpu"}


def plans(args: argparse.Namespace, folder: Path) -> dict[str, dict[str, Any]]:
    """What to measure: a name for it -> the filter, the images and where the weights lie."""
    found: dict[str, dict[str, Any]] = {"integrity": {"filter": {"name": "integrity"}}}
    trained = [n for n in NAMES if (args.weights / n / "calibration.json").is_file()]
    for name in trained:
        found[f"clip_{name}"] = {"filter": {"name": "clip", "clip": {"engine": name}}}
    models = [args.open_clip] if args.open_clip else [] if trained else [None]
    for number, architecture in enumerate(models):
        place = folder / f"model{number}"
        place.mkdir()
        spec = {"name": "clip", "clip": untrained(place, architecture)}
        found["clip_untrained" if architecture is None else f"clip_{architecture}"] = {
            "filter": spec
        }
    if "ocr" in FILTERS.names():
        engines: dict[str, dict[str, Any]] = {"rapidocr": {}}
        if args.paddle_detection and args.paddle_recognition:
            engines["paddleocr"] = {
                "detection_dir": str(args.paddle_detection),
                "recognition_dir": str(args.paddle_recognition),
                "runtime": args.paddle_runtime,
            }
        for engine, more in engines.items():
            spec = {"name": "ocr", "ocr": {"engine": engine, **more}}
            found[f"ocr_{engine}"] = {"filter": spec, "images": "text"}
    if "safety" in FILTERS.names():
        # Pictographs pass unseen; here they pass for another renderer's.
        found["safety_nudenet"] = {"filter": {"name": "safety"}, "renderer": "diffusion"}
    return found


def measure(plan: dict[str, Any], folder: Path, params: Params, weights: Path) -> dict[str, Any]:
    """One filter, in this process: images a second, and memory beyond the imports."""
    import torch

    torch.set_num_threads(1)
    gc.collect()
    before = memory_mib("VmRSS")
    kind = plan.get("images", "pictures")
    images = tables.read([folder / f"{kind}-images.parquet"], tables.IMAGES)
    scenes = tables.read([folder / f"{kind}-scenes.parquet"], tables.SCENES)
    if "renderer" in plan:
        column = pa.array([plan["renderer"]] * images.num_rows, pa.string())
        images = images.set_column(images.schema.get_field_index("renderer"), "renderer", column)
    spec = FilterSpec.model_validate(plan["filter"])
    begin = time.perf_counter()
    judge = FILTERS.get(spec.registered, "benchmark")(
        params, spec, {name: weights / name for name in NAMES}
    )
    verdict_rows(judge, images.slice(0, 1), scenes)  # what is loaded with the first image
    loaded = time.perf_counter()
    start = time.process_time()
    rows = verdict_rows(judge, images, scenes)
    seconds = time.process_time() - start
    return {
        "images": len(rows),
        "per_s": round(len(rows) / seconds, 2),
        "load_s": round(loaded - begin, 2),
        "extra_mib": round(memory_mib("VmHWM") - before, 1),
        "base_mib": round(before, 1),
    }


def in_own_process(plan: dict[str, Any], folder: Path, args: argparse.Namespace) -> dict[str, Any]:
    """:func:`measure` in a fresh interpreter.

    Raises
    ------
    UserError
        The filter cannot run here.
    """
    command = [sys.executable, __file__, "--config", str(args.config), "--size", str(args.size)]
    command += ["--weights", str(args.weights), "--measure", json.dumps(plan), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise UserError("", last, "")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def planted(items: int, weights: Path) -> int:
    """Print what the filters find of planted faults; the exit code of ``tests.planted``."""
    command = [sys.executable, "-m", "tests.planted", "clip", "--items", str(items)]
    command += ["--weights", str(weights.resolve())]
    return subprocess.run(command, cwd=PROJECT_ROOT, check=False).returncode


@main_guard
def main() -> None:
    """Measure each filter and print a line about it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, default=PROJECT_ROOT / "params.yaml")
    parser.add_argument("--size", type=int, default=512, help="side of the images in pixels")
    parser.add_argument("--images", type=int, default=100, help="images that a filter judges")
    parser.add_argument("--weights", type=Path, default=PROJECT_ROOT / "data" / "pinned")
    parser.add_argument("--open-clip", help="an architecture, such as ViT-L-14, to measure, too")
    parser.add_argument("--paddle-detection", type=Path, help="folder of paddleocr's detector")
    parser.add_argument("--paddle-recognition", type=Path, help="folder of its recognizer")
    parser.add_argument("--paddle-runtime", choices=("paddle", "onnxruntime"), default="paddle")
    parser.add_argument(
        "--planted", type=int, nargs="?", const=2000, help="plant so many faults of each kind"
    )
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()

    if args.planted is not None:
        raise SystemExit(planted(args.planted, args.weights))
    given = load_params(args.config, "dysca").model_dump(mode="json")
    given["render"]["size"] = args.size
    params = validate(given)
    if args.measure:
        plan, folder = json.loads(args.measure[0]), Path(args.measure[1])
        print(json.dumps(measure(plan, folder, params, args.weights)))
        return
    given["corpus"] |= {"scenes_per_subtask": max(20, args.images), "scenes": {}}
    result: dict[str, Any] = {"benchmark": "filters", "size": args.size}
    peak = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_images(folder, validate(given), args.images)
        for what, plan in plans(args, folder).items():
            try:
                found = in_own_process(plan, folder, args)
            except UserError as error:
                print(f"{what:24s} not measured: {error.what}")
                continue
            print(
                f"{what:24s} {found['per_s']:8.1f} images/s  {found['extra_mib']:7.0f} MiB beyond "
                f"{found['base_mib']:.0f} MiB, loaded in {found['load_s']:.1f} s"
            )
            result |= {f"{what}_per_s": found["per_s"], f"{what}_mib": found["extra_mib"]}
            peak = max(peak, found["extra_mib"])
    result["peak_mib"] = peak
    print(json.dumps(result))


if __name__ == "__main__":
    main()
