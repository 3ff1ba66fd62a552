"""Speed and memory of scoring at the scale of Dysca: 617,000 answers in four scenarios, two cores.

The corpus is the project's own, of as many scenes as the answers need (46,700; Table 2), so that
each reference caption is met in all scenarios. The answers are made up, in the forms that models
give: of closed questions :data:`CLOSED` are the shares of bare letters, letters with text,
sentences, option texts and explanations of about 60 words; captions have 8 to 60 words, log-normal
about a median of ``--median-words``, and speak of what scenes show, one or more. 1 % each are
refusals, empty, and failures.

Then the scripts of the pipeline run as processes, ``--jobs`` at a time with one thread each and an
empty cache: ``score`` for each scenario, then consensus, metrics and comparisons. Memory is summed
over the processes that run at the same time: ``peak_mib`` counts the pages of libraries and weights
that they share for each, ``peak_shared_once_mib`` once. Making the answers is not counted. The last
line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from lvlmbench import tables
from lvlmbench.config import Params, load_params, validate
from lvlmbench.config.identity import PROJECT_ROOT, params_id, vocabulary_dir
from lvlmbench.config.project import project_of
from lvlmbench.config.shards import scene_range, scene_shards
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.core.seeding import generator, item_id
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.suites.suite import build_shard

SCENARIOS = ["clean", "corruption", "print_attack", "adversarial"]
#: Scenes a subtask and questions a scenario of the full scale.
SCENES, QUESTIONS = 2335, 154_250
#: Scenes whose answers make a shard.
SHARD = 200

#: Share of each form of a closed answer; {L} is the letter, {T} the option's text.
CLOSED = {
    "{L}": 0.2,
    "({L})": 0.1,
    "{L}. {T}": 0.2,
    "({L}) {T}": 0.1,
    "The answer is ({L}) {T}.": 0.1,
    "Based on the image, the correct option is {L}.": 0.05,
    "{T}": 0.1,
    "{X} Therefore, the answer is ({L}) {T}.": 0.07,
    "Let us look at the image closely. {X} **Answer: {L}**": 0.05,
    "I'm sorry, but I can't help with identifying what this image shows.": 0.01,
    "": 0.01,
    "error": 0.01,
}
#: Share of closed answers that choose the right option.
RIGHT = 0.6
OPENINGS = ["The image shows", "This is", "In this picture there is", "We see", "It depicts"]
LINKS = ["next to", "together with", "which reminds one of", "in front of", "rather than"]


@dataclass
class Said:
    """Makes up answers, from what the scenes of the corpus show."""

    captions: list[str]
    median_words: float
    words: int = 0
    n_captions: int = 0

    def text(self, draw: np.random.Generator, words: int) -> str:
        """A sentence or more of so many words."""
        found = OPENINGS[draw.integers(len(OPENINGS))].split()
        while len(found) < words:
            caption = self.captions[draw.integers(len(self.captions))].rstrip(".")
            found += f"{caption[0].lower()}{caption[1:]}".split()
            found.append(LINKS[draw.integers(len(LINKS))])
        return " ".join(found[:words]).rstrip(",") + "."

    def caption(self, draw: np.random.Generator) -> tuple[str, str]:
        """Text and status of an answer to a free-form question."""
        luck = draw.random()
        if luck < 0.03:
            return (("I can't help with describing this image.", "answered"), ("", "answered"),
                    ("", "error"))[int(luck * 100)]  # fmt: skip
        words = int(np.clip(self.median_words * np.exp(0.5 * draw.standard_normal()), 8, 60))
        self.words, self.n_captions = self.words + words, self.n_captions + 1
        return self.text(draw, words), "answered"

    def choice(self, draw: np.random.Generator, options: list[str], right: int) -> tuple[str, str]:
        """Text and status of an answer to a closed question."""
        form = list(CLOSED)[int(draw.choice(len(CLOSED), p=list(CLOSED.values())))]
        if form == "error":
            return "", "error"
        index = right if draw.random() < RIGHT else int(draw.integers(len(options)))
        said = {"{L}": "ABCDEFGH"[index], "{T}": options[index]}
        if "{X}" in form:
            said["{X}"] = self.text(draw, 50)
        for key, value in said.items():
            form = form.replace(key, value)
        return form, "answered"


def corpus(folder: Path, params: Params) -> tuple[list[dict[str, Any]], list[str]]:
    """Write scenes and questions; gives the questions and the scenes' captions."""
    vocabulary = load_vocabulary(vocabulary_dir(params))
    asked: list[dict[str, Any]] = []
    captions: list[str] = []
    for shard in range(scene_shards(params)):
        scenes, questions = build_shard(params, vocabulary, *scene_range(params, shard))
        for name, table in (("scenes", scenes), ("questions", questions)):
            schema = tables.SCENES if name == "scenes" else tables.QUESTIONS
            path = folder / name / tables.part_name(shard)
            tables.write(table, path, schema, params_id(params))
        columns = ["question_id", "scene_id", "question_type", "options", "answer_index"]
        asked += questions.select(columns).to_pylist()
        captions += scenes["caption"].to_pylist()
    return asked, captions


def write_scenario(
    folder: Path, params: Params, scenario: str, asked: Sequence[dict[str, Any]], said: Said
) -> None:
    """Shards of images, without pictures, and of one model's answers to these questions."""
    scenes = list(dict.fromkeys(question["scene_id"] for question in asked))
    shard_of = {scene: i // SHARD for i, scene in enumerate(scenes)}
    answers: list[list[dict[str, object]]] = [[] for _ in range(-(-len(scenes) // SHARD))]
    images: list[list[dict[str, object]]] = [[] for _ in answers]
    done = {"kind": "blur", "severity": 3, "parameters": "{}"} if scenario != "clean" else None
    for scene in scenes:
        image = {"image_id": item_id("i", scene, scenario), "scene_id": scene}
        images[shard_of[scene]].append(image | {"scenario": scenario, "perturbation": done})
    draw = generator(1, "benchmark", scenario)
    for question in asked:
        if question["question_type"] == "free_form":
            text, status = said.caption(draw)
        else:
            text, status = said.choice(draw, question["options"], question["answer_index"])
        answers[shard_of[question["scene_id"]]].append(
            {
                "model": "m",
                "scenario": scenario,
                "question_id": question["question_id"],
                "image_id": item_id("i", question["scene_id"], scenario),
                "text": text,
                "status": status,
            }
        )
    snapshot = params_id(params)
    for i, (pictures, replies) in enumerate(zip(images, answers, strict=True)):
        name = tables.part_name(i)
        tables.write_rows(pictures, folder / "images" / scenario / name, tables.IMAGES, snapshot)
        tables.write_rows(replies, folder / "answers" / scenario / name, tables.ANSWERS, snapshot)


def make(folder: Path, config: Path, n: int, median_words: float) -> Said:
    """Write corpus, images and ``n`` answers, spread over the scenarios."""
    given = load_params(config, "dysca").model_dump(mode="json")
    scenes = -(-n * SCENES // (len(SCENARIOS) * QUESTIONS))
    given["corpus"]["scenes_per_subtask"], given["corpus"]["scenes"] = max(scenes, 5), {}
    given["scenarios"]["names"] = SCENARIOS
    given["answer"]["models"] = [{"name": "m", "engine": "chance"}]
    params = validate(given)
    (folder / "config.json").write_text(project_of(params).model_dump_json())
    asked, captions = corpus(folder, params)
    asked = asked[: -(-n // len(SCENARIOS))]
    said = Said(captions, median_words)
    for scenario in SCENARIOS:
        write_scenario(folder, params, scenario, asked, said)
    return said


def command(folder: Path, script: str, *arguments: str, **tables_of: str) -> list[str]:
    """A script of the pipeline with these arguments and with the shards of these folders."""
    found = [sys.executable, str(PROJECT_ROOT / "scripts" / f"{script}.py")]
    found += ["--config", str(folder / "config.json"), *arguments]
    for option, pattern in tables_of.items():
        found += [f"--{option}", *map(str, sorted(folder.glob(f"{pattern}/part-*.parquet")))]
    return found


def memory_mib(pids: Iterable[int]) -> tuple[float, float]:
    """Memory that processes hold now in all: shared pages counted for each, and once."""
    found = {"Rss:": 0, "Pss:": 0}
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:  # it has just ended
            continue
        for line in lines:
            name, number, *_ = line.split()
            if name in found:
                found[name] += int(number)
    return found["Rss:"] / 1024, found["Pss:"] / 1024


@dataclass
class Used:
    """What some processes took: seconds, processor seconds, and peak MiB, in two ways to count."""

    seconds: float = 0.0
    processor: float = 0.0
    resident: float = 0.0
    shared_once: float = 0.0


def run(commands: dict[str, list[str]], at_once: int, folder: Path) -> Used:
    """Run processes, so many at once."""
    # A Popen that is let go of would wait for its process itself.
    running: dict[int, tuple[str, float, subprocess.Popen[bytes]]] = {}
    waiting = list(commands.items())
    began, used = time.monotonic(), Used()
    while waiting or running:
        while waiting and len(running) < at_once:
            name, arguments = waiting.pop(0)
            with (folder / f"{name}.log").open("wb") as log:
                started = subprocess.Popen(arguments, cwd=folder, stdout=log, stderr=log)
            running[started.pid] = (name, time.monotonic(), started)
        resident, shared_once = memory_mib(running)
        used.resident = max(used.resident, resident)
        used.shared_once = max(used.shared_once, shared_once)
        pid, status, usage = os.wait4(-1, os.WNOHANG)
        if not pid:
            time.sleep(0.2)
            continue
        name, since, _ = running.pop(pid)
        if status:
            last = (folder / f"{name}.log").read_text().strip().split("\n")[-1]
            raise UserError(name, f"failed ({last})", f"see {folder}; --keep keeps it")
        processor = usage.ru_utime + usage.ru_stime
        used.processor += processor
        print(
            f"{name:24s} {time.monotonic() - since:7.1f} s, processor {processor:7.1f} s, "
            f"peak {usage.ru_maxrss / 1024:5.0f} MiB",
            flush=True,
        )
    used.seconds = time.monotonic() - began
    return used


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, default=PROJECT_ROOT / "params.yaml")
    parser.add_argument("--answers", type=int, default=4 * QUESTIONS)
    parser.add_argument("--median-words", type=float, default=20, help="of captions")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    parser.add_argument("--keep", type=Path, help="a new folder for the files, which stay")
    return parser.parse_args()


@main_guard
def main() -> None:
    """Make the answers, score them and print what it took."""
    args = _arguments()

    with tempfile.TemporaryDirectory() as temporary:
        folder = (args.keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        begin = time.monotonic()
        said = make(folder, args.config, args.answers, args.median_words)
        mean_words = said.words / max(1, said.n_captions)
        n = len(SCENARIOS) * -(-args.answers // len(SCENARIOS))
        print(
            f"{n} answers, {said.n_captions} of them captions of {mean_words:.1f} words on "
            f"average, made in {time.monotonic() - begin:.0f} s",
            flush=True,
        )
        corpus_of = {"questions": "questions", "scenes": "scenes"}
        scores = {
            f"score {s}": command(
                folder, "score", "--model", "m", "--scenario", s,
                "--out", f"scores/{s}/{tables.part_name(0)}", "--cache", "vectors.sqlite",
                answers=f"answers/{s}", images=f"images/{s}", **corpus_of,
            )
            for s in SCENARIOS
        }  # fmt: skip
        scored = run(scores, args.jobs, folder)
        consensus = command(
            folder, "consensus", "--out", f"consensus/{tables.part_name(0)}",
            scores="scores/clean", questions="questions",
        )  # fmt: skip
        parts = [run({"consensus": consensus}, args.jobs, folder)]
        metrics = command(
            folder, "metrics", "--out-parquet", "metrics.parquet", "--out-json", "metrics.json",
            scores="scores/*", consensus="consensus", questions="questions",
        )  # fmt: skip
        compared = command(folder, "comparisons", "--out", "comparisons.parquet", scores="scores/*")
        parts.append(run({"metrics": metrics, "comparisons": compared}, args.jobs, folder))
        kept_mib = (folder / "vectors.sqlite").stat().st_size / 2**20
    rest_s = sum(part.seconds for part in parts)
    print(f"scores: {scored.seconds:.1f} s, processor {scored.processor:.1f} s")
    print(f"consensus, metrics, comparisons: {rest_s:.1f} s")
    print(f"kept for later runs: {kept_mib:.0f} MiB")
    parts.append(scored)
    figures = {
        "benchmark": "scoring",
        "answers_per_s": round(n / scored.seconds, 1),
        "peak_mib": round(max(part.resident for part in parts), 1),
        "peak_shared_once_mib": round(max(part.shared_once for part in parts), 1),
        "score_s": round(scored.seconds, 1),
        "score_cpu_s": round(scored.processor, 1),
        "metrics_s": round(rest_s, 1),
        "answers": n,
        "captions": said.n_captions,
        "mean_words": round(mean_words, 1),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
