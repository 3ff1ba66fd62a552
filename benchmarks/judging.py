"""Speed of a judge that is a server: the share of requests times latency by concurrency reached.

The server runs in a process of its own on loopback, takes ``--latency`` for each reply and replies
in the form that is asked for. The judge reads claims, holds them against features and compares
answers, a third of ``--requests`` each, with an empty cache and ``--concurrency`` in flight.

``clean``    all replies are good: the time is set against requests * latency / concurrency
``broken``   a share of the replies (``--broken``) has not its form and is asked for again: set
             against all calls * latency / concurrency
``again``    the same once more: all is in the cache, nothing is asked

Checked: each answer has an outcome; the server answered no request twice. The last line of
standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.claims import Claim, Feature, Truth
from lvlmbench.stages.judge.judge import Answer, Judge, Pair
from lvlmbench.stages.judge.making import judge_of

SERVER = Path(__file__).parents[1] / "tests" / "support" / "server" / "schema_server.py"

#: What answers are judged by, and one of some 120 words.
TRUTH = Truth(
    tuple(
        Feature(f"o{n}{part}", kind, word, relation, value=value)
        for n, word in enumerate(("dog", "cat", "house", "car", "tree", "boat", "lamp", "chair"))
        for part, kind, relation, value in (
            ("", "object", None, None),
            (".color", "attribute", "color", "red"),
            (".place", "place", "at", "left"),
        )
    )
)
WORDS = "There is a red car to the left of a house, and a dog sits next to the tree. " * 7
CLAIMS = tuple(Claim(n, "object", f"thing{n}", end=5) for n in range(24))


@contextmanager
def server(*arguments: str) -> Iterator[str]:
    """Base URL of a server."""
    command = [sys.executable, str(SERVER), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def stats(url: str) -> dict[str, Any]:
    """What the server has counted."""
    with urllib.request.urlopen(f"{url}/stats", timeout=60) as response:  # noqa: S310
        found: dict[str, Any] = json.load(response)
    return found


def judge_at(url: str, cache: Path, concurrency: int) -> Judge:
    """A judge that asks the server."""
    endpoint = {"base_url": url, "model": "m", "api_key_env": None, "concurrency": concurrency}
    judge = {"name": "served", "engine": "openai_chat", "endpoint": endpoint}
    return judge_of(validate({"judge": {"judges": [judge]}}), "served", cache)


@dataclass(frozen=True)
class Run:
    """What judging came to: outcomes, calls, seconds and processor seconds."""

    outcomes: int
    calls: int
    seconds: float
    cpu_s: float

    def share(self, latency: float, concurrency: int) -> float:
        """Share of the speed that latency and concurrency allow."""
        return self.calls * latency / concurrency / self.seconds


def judged(judge: Judge, requests: int) -> Run:
    """Read, hold and compare, a third of the requests each."""
    some = [Answer(f"a{n}", "What is there?", f"{n}. {WORDS}", TRUTH) for n in range(requests // 3)]
    began, cpu = time.perf_counter(), time.process_time()
    outcomes = sum(1 for _ in judge.read(some))
    outcomes += sum(1 for _ in judge.hold([(answer, CLAIMS) for answer in some]))
    pairs = [Pair(a.key, a.question, a.text, WORDS, TRUTH) for a in some]
    outcomes += sum(1 for _ in judge.compare(pairs))
    seconds, cpu_s = time.perf_counter() - began, time.process_time() - cpu
    return Run(outcomes, len(judge.requests), seconds, cpu_s)


def measured(args: argparse.Namespace, folder: Path, ways: str) -> tuple[Run, Run]:
    """A run with an empty cache, and one after it.

    Raises
    ------
    UserError
        An outcome is missing, or something was answered twice.
    """
    cache, wanted = folder / f"{ways[-5:]}.sqlite", args.requests // 3 * 3
    with server("--latency", str(args.latency), "--ways", ways) as url:
        first, again = (
            judged(judge_at(url, cache, args.concurrency), args.requests) for _ in range(2)
        )
        answered = stats(url)["answered"]
    checks = {
        "outcomes": (first.outcomes, wanted),
        "outcomes of the second run": (again.outcomes, wanted),
        "replies": (sum(answered.values()), first.calls),
        "most replies to one request": (max(answered.values()), 1),
    }
    for what, (found, expected) in checks.items():
        if found != expected:
            raise UserError(what, f"{found}, not {expected}", "see what was lost or sent twice")
    return first, again


@main_guard
def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--requests", type=int, default=3072)
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--latency", type=float, default=1.0, help="seconds")
    parser.add_argument("--broken", type=int, default=10, help="percent of replies, 1 to 50")
    parser.add_argument("--require", action="store_true", help="fail where the bound is not kept")
    args = parser.parse_args()
    good = ",".join(["valid"] * (100 // args.broken - 1))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LVLMBENCH_CACHE_DIR"] = folder
        with server() as url:  # imports, first calls
            judged(judge_at(url, Path(folder, "warm.sqlite"), args.concurrency), 30)
        clean, again = measured(args, Path(folder), "valid")
        broken, _ = measured(args, Path(folder), f"{good},sorry")
    shares = {
        "clean_share": clean.share(args.latency, args.concurrency),
        "broken_share": broken.share(args.latency, args.concurrency),
    }
    figures = {
        **shares,
        "clean_per_s": clean.calls / clean.seconds,
        "broken_calls": broken.calls,
        "clean_cpu_ms": clean.cpu_s / clean.calls * 1e3,
        "again_per_s": again.calls / again.seconds,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    for name, run in {"clean": clean, "broken": broken, "again": again}.items():
        print(f"{name:8} {run.calls:6} calls in {run.seconds:5.1f} s, {run.cpu_s:5.1f} s CPU")
    print(f"shares {shares['clean_share']:.3f} (0.95 wanted) and {shares['broken_share']:.3f}")
    rounded = {name: round(value, 4) for name, value in figures.items()}
    print(json.dumps({"benchmark": "judging", "requests": args.requests, **rounded}))
    if args.require and shares["clean_share"] < 0.95:
        raise UserError("benchmarks/judging.py", "a bound is not kept", "run it on an idle machine")


if __name__ == "__main__":
    main()
