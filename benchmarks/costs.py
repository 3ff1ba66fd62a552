"""Costs of the full scale: processor hours, GPU hours, disk and tokens, from measured rates.

What a run of ``profiles/dysca.yaml`` shows and asks in the four scenarios of Dysca's Table 2 is
counted from its corpus (:mod:`support.planned`), prompts and right answers are counted in tokens of
CLIP's BPE (every ``--every`` th question), PNG sizes are measured on pictographs and on noise at
the configured size; rates of one core are those of docs/performance.md (:data:`RATES`). What nobody
has measured here is an assumption and a parameter of this script: images a second of a GPU, tokens
of an image, a price. ``--write`` puts the tables into a document, between its markers ``costs``.
The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from benchmarks.harness import table
from lvlmbench.config import Params, validate
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.config.layers import load_layers
from lvlmbench.config.shards import scene_range, scene_shards
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.render.shard import make_renderer, png_bytes
from lvlmbench.stages.scenario.pixels import encode
from lvlmbench.suites.suite import build_shard, suite_of

sys.path.insert(0, str(PROJECT_ROOT / "tests"))

from support.planned import Planned, planned, printed_scenarios  # type: ignore[import-not-found]

PRINTED = PROJECT_ROOT / "data" / "published" / "dysca_table2.csv"

#: Images or answers a second and core at 1024 px (docs/performance.md and docs/gpu.md).
RATES = {
    "corruption": 23.4,
    "print attack": 27.5,
    "filter: integrity": 191 / 4,  # measured at 512 px; its time follows the pixels
    "filter: rapidocr, the text subtask alone": 1 / 0.3,
    "scores of a model": 617_000 / 917,
}
#: GiB an image takes: photographs of medium detail (docs/gpu.md), in GiB of 2.3 MiB.
PHOTOGRAPH_MIB = 2.3
#: Bytes of an export by the bytes of the images that it is of, in the default snapshot.
EXPORTS = {"huggingface": 1.01, "inspect_ai": 1.0, "vlmevalkit": 3.5}
#: Whose pictures croissant and lmms_eval refer to: what the preset exports of all scenarios.
SHARED = "huggingface"


@dataclass
class Tokens:
    """Mean tokens of the prompt's text and of a right answer, by question type."""

    prompt: dict[str, float]
    answer: dict[str, float]


def layered(config: Path) -> Params:
    """params.yaml below a file of parameters, with the scenarios of Table 2 alone."""
    params = load_layers([PROJECT_ROOT / "params.yaml", config]).suite("dysca")
    names = [name for name in params.scenarios.names if name in printed_scenarios(PRINTED)]
    scenarios = params.scenarios.model_copy(update={"names": names})
    return params.model_copy(update={"scenarios": scenarios})


def count(params: Params, every: int) -> tuple[dict[str, Planned], Tokens]:
    """What is planned in each scenario, and how long prompts and right answers are."""
    from lvlmbench.core import torchvision_hook

    torchvision_hook.install()
    from open_clip.tokenizer import SimpleTokenizer

    encoded = SimpleTokenizer().encode
    vocabulary, suite = load_vocabulary(vocabulary_dir(params)), suite_of(params)
    shards = [
        build_shard(params, vocabulary, *scene_range(params, i))
        for i in range(scene_shards(params))
    ]
    n, prompt, answer = Counter[str](), Counter[str](), Counter[str]()
    for _, questions in shards:
        for row in questions.select(
            ["question_type", "question", "options", "answer", "answer_index"]
        ).to_pylist()[::every]:
            kind, options = row["question_type"], row["options"] or []
            said = f"({'ABCD'[row['answer_index']]}) {row['answer']}" if options else row["answer"]
            n[kind] += 1
            prompt[kind] += len(encoded(suite.prompt(params, kind, row["question"], options)))
            answer[kind] += len(encoded(said))
    means = ({kind: total[kind] / n[kind] for kind in sorted(n)} for total in (prompt, answer))
    return planned(params, shards), Tokens(*means)


def png_mib(size: int, scenes: int) -> dict[str, float]:
    """Mean MiB of PNGs of this size: pictographs as drawn, and noise, which no codec shortens."""
    params = validate({"render": {"size": size}})
    vocabulary = load_vocabulary(vocabulary_dir(params))
    renderer = make_renderer(params, vocabulary)
    planned_scenes = build_shard(params, vocabulary, 0, params.corpus.n_scenes)[0].to_pylist()
    step = max(1, len(planned_scenes) // scenes)
    drawn = [s for s in planned_scenes[::step] if renderer.refuses(s) is None]
    sizes = [len(png_bytes(renderer.draw(scene).image)) for scene in drawn]
    noise = np.random.default_rng(1).integers(0, 256, (size, size, 3)).astype(np.uint8)
    return {
        "pictographs": sum(sizes) / len(sizes) / 2**20,
        "noise": len(encode(noise)) / 2**20,
    }


def _table(head: str, rows: list[str]) -> str:
    return "\n".join([f"| {head} |", "|---" * (head.count("|") + 1) + "|", *rows])


def gpu_table(scenes: int, attempts: list[float], rates: list[float]) -> str:
    """GPU hours of drawing the clean images."""
    rows = [
        f"| {rate:g} | "
        + " | ".join(f"{scenes * f / 3600 / rate:,.1f}" for f in attempts)
        + f" | {scenes * attempts[-1] / 3600 / rate / 8:,.1f} |"
        for rate in rates
    ]
    columns = " | ".join(f"{f:g} attempts a scene" for f in attempts)
    return _table(f"images a second and GPU | {columns} | the last, on 8 GPUs", rows)


def core_table(found: dict[str, Planned], scenes: int) -> tuple[str, float]:
    """Core hours by what is done, and their sum."""
    n = {
        "corruption": found["corruption"].images,
        "print attack": found["print_attack"].images,
        "filter: integrity": scenes,
        "filter: rapidocr, the text subtask alone": scenes // 20,
        "scores of a model": sum(each.questions for each in found.values()),
    }
    hours = {what: n[what] / rate / 3600 for what, rate in RATES.items()}
    rows = [f"| {w} | {n[w]:,} | {RATES[w]:,.1f} | {hours[w]:.2f} |" for w in RATES]
    total = sum(hours.values())
    return _table("work | items | a second and core | core hours", rows), total


def disk_table(found: dict[str, Planned], sizes: dict[str, float]) -> str:
    """GiB of the images of each scenario, and of exports: of the clean ones in each form that holds
    pictures, and of all in the one that other forms refer to."""
    head = " | ".join(f"{name}, {mib:.2f} MiB" for name, mib in sizes.items())
    rows = []
    for name, each in found.items():
        gib = " | ".join(f"{each.images * mib / 1024:,.0f} GiB" for mib in sizes.values())
        rows.append(f"| {name} | {each.images:,} | {gib} |")
    total = sum(each.images for each in found.values())
    whole = " | ".join(f"{total * mib / 1024:,.0f} GiB" for mib in sizes.values())
    rows.append(f"| all | {total:,} | {whole} |")
    exported = [("clean", name, found["clean"].images) for name in EXPORTS]
    exported.append(("all", SHARED, total))
    for of, name, images in exported:
        mibs = (EXPORTS[name] * images * mib for mib in sizes.values())
        gib = " | ".join(f"{mib / 1024:,.0f} GiB" for mib in mibs)
        rows.append(f"| export of {of}: {name} | | {gib} |")
    return _table(f"scenario | images | {head}", rows)


def token_table(
    found: dict[str, Planned], tokens: Tokens, image: int, prices: tuple[float, float]
) -> tuple[str, dict[str, float]]:
    """Millions of tokens of one model by scenario, and what they cost at example prices."""
    rows, all_in, all_out = [], 0.0, 0.0
    for name, each in found.items():
        text = sum(n * tokens.prompt[kind] for kind, n in each.types.items()) / 1e6
        pictures = each.questions * image / 1e6
        out = sum(n * tokens.answer[kind] for kind, n in each.types.items()) / 1e6
        cost = (text + pictures) * prices[0] + out * prices[1]
        told = f"{text:.1f} | {pictures:.1f} | {out:.2f} | {cost:,.0f}"
        rows.append(f"| {name} | {each.questions:,} | {told} |")
        all_in, all_out = all_in + text + pictures, all_out + out
    total = all_in * prices[0] + all_out * prices[1]
    asked = sum(each.questions for each in found.values())
    rows.append(f"| all | {asked:,} | | {all_in:.1f} in all | {all_out:.2f} | {total:,.0f} |")
    head = "scenario | questions | text, M tokens | images, M tokens | answers, M tokens | cost"
    return _table(head, rows), {"in_millions": all_in, "out_millions": all_out, "cost": total}


@main_guard
def main() -> None:
    """Count, measure, multiply and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    config = PROJECT_ROOT / "profiles" / "dysca.yaml"
    parser.add_argument("--config", type=Path, default=config)
    parser.add_argument("--every", type=int, default=20, help="of the questions, for tokens")
    parser.add_argument("--drawn", type=int, default=40, help="pictographs, for sizes")
    parser.add_argument("--image-tokens", type=int, default=1000, help="an assumption")
    parser.add_argument("--price", type=float, nargs=2, default=(1.0, 4.0), metavar=("IN", "OUT"))
    parser.add_argument("--gpu-rates", type=float, nargs="+", default=[0.25, 0.5, 1, 2, 4])
    parser.add_argument("--attempts", type=float, nargs="+", default=[1, 1.25, 1.62])
    parser.add_argument("--write", type=Path, help="document whose tables are to be replaced")
    args = parser.parse_args()

    params = layered(args.config)
    found, tokens = count(params, args.every)
    sizes = png_mib(params.render.size, args.drawn)
    scenes = params.corpus.n_scenes
    columns = {
        "pictographs (measured)": sizes["pictographs"],
        "photographs (see gpu.md)": PHOTOGRAPH_MIB,
        "noise (measured)": sizes["noise"],
    }
    cores, core_hours = core_table(found, scenes)
    prices = (args.price[0], args.price[1])
    asked, cost = token_table(found, tokens, args.image_tokens, prices)
    kinds = ", ".join(
        f"{kind.replace('_', ' ')} {tokens.prompt[kind]:.0f} and {tokens.answer[kind]:.0f}"
        for kind in tokens.prompt
    )
    text = "\n\n".join(
        [
            "GPU hours for drawing, `scenes * attempts / (3600 * rate)`; rates are assumptions:",
            gpu_table(scenes, args.attempts, args.gpu_rates),
            f"Core hours of what was measured by the image or answer, {core_hours:.1f} in all:",
            cores,
            f"Disk at {params.render.size} px:",
            disk_table(found, columns),
            f"Tokens of one model. Measured, prompt text and right answer in mean tokens of CLIP's "
            f"BPE: {kinds}. Assumed: {args.image_tokens:,} tokens an image; as an example a price "
            f"of {prices[0]:g} a million tokens in and {prices[1]:g} out:",
            asked,
        ]
    )
    print(text)
    if args.write:
        table.put(args.write, "costs", text)
    figures: dict[str, Any] = {
        "benchmark": "costs",
        "images": sum(each.images for each in found.values()),
        "questions": sum(each.questions for each in found.values()),
        "core_hours": round(core_hours, 2),
        "png_mib": {name: round(mib, 3) for name, mib in sizes.items()},
        "prompt_tokens": {k: round(v, 1) for k, v in tokens.prompt.items()},
        "answer_tokens": {k: round(v, 1) for k, v in tokens.answer.items()},
        **{name: round(value, 1) for name, value in cost.items()},
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
