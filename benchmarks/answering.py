"""Speed of the engine openai_chat against a server of the tests' own, with and without faults.

The server runs in a process of its own on loopback; a share of first attempts is turned away with
Retry-After, fails, hangs, is no JSON or is cut short. What is measured, each with the same requests
(an image of ``--kib`` KiB with each):

``bare``      a loop over ``chat.completions.create`` of the same package with the same transport,
              nothing else: what this machine reaches with it
``clean``     the engine, without faults; the ideal is the smaller of concurrency / latency and bare
``faulty``    the engine, with faults. The time-outs themselves are not counted: what is set against
              clean is the time until the last reply that is no time-out, less the places that
              hanging requests held until then (their seconds / concurrency)

Checked: each question has one reply; each fault the outcome that it must have; the server answered
no request twice and never saw more in flight than allowed. The last line of standard output is one
JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.core.seeding import generator, item_id
from lvlmbench.stages.answer.engine import MODELS, Item, Reply

SERVER = Path(__file__).parents[1] / "tests" / "support" / "server" / "fault_server.py"
FAULTS = {"rejected": 0.10, "failing": 0.05, "hanging": 0.02, "broken": 0.02, "truncated": 0.01}


@contextmanager
def server(*arguments: str) -> Iterator[str]:
    """Base URL of a fault server."""
    process = subprocess.Popen(
        [sys.executable, str(SERVER), *arguments], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


def stats(url: str) -> dict[str, Any]:
    """What the server has counted."""
    with urllib.request.urlopen(f"{url}/stats", timeout=60) as response:  # noqa: S310
        found: dict[str, Any] = json.load(response)
    return found


def images(kib: int) -> list[bytes]:
    """A few images' worth of bytes that no encoder can make smaller."""
    random = generator(0, "benchmark", "answering")
    return [
        b"\x89PNG\r\n\x1a\n" + random.integers(0, 256, kib * 1024, dtype=np.uint8).tobytes()
        for _ in range(16)
    ]


def items(n: int, pictures: list[bytes]) -> Iterator[Item]:
    """Questions about one of the images each."""
    for number in range(n):
        yield Item(
            question_id=item_id("q", number),
            scene_id=item_id("s", number),
            subtask="animal",
            question_type="multiple_choice",
            question=f"Which animal is number {number}?",
            options=("gray wolf", "red fox", "barn owl", "hedgehog"),
            prompt=f"Which animal is number {number}?\n(A) gray wolf (B) red fox\nAnswer:",
            image=pictures[number % len(pictures)],
            image_id=item_id("i", number),
            image_sha256=None,
        )


def bare(url: str, n: int, concurrency: int, pictures: list[bytes]) -> tuple[float, float]:
    """Seconds and CPU seconds of a plain loop over the package's client."""
    import httpx2
    import openai

    async def everything() -> None:
        client = openai.AsyncOpenAI(
            api_key="none",
            base_url=url,
            max_retries=0,
            http_client=openai.DefaultAioHttpClient(
                limits=httpx2.Limits(max_connections=concurrency)
            ),
        )
        source = items(n, pictures)

        async def worker() -> None:
            for item in source:
                assert item.image is not None
                data = base64.b64encode(item.image).decode("ascii")
                picture = {"url": f"data:image/png;base64,{data}"}
                content: list[Any] = [
                    {"type": "image_url", "image_url": picture},
                    {"type": "text", "text": item.prompt},
                ]
                reply = await client.chat.completions.create(
                    model="m",
                    messages=[{"role": "user", "content": content}],
                    max_tokens=512,
                    temperature=0.0,
                )
                assert reply.choices[0].message.content

        await asyncio.gather(*(worker() for _ in range(concurrency)))
        await client.close()

    began, cpu = time.perf_counter(), time.process_time()
    asyncio.run(everything())
    return time.perf_counter() - began, time.process_time() - cpu


@dataclass
class Run:
    """Replies of one run, when each came (seconds from its beginning), and what it took."""

    replies: dict[str, Reply] = field(default_factory=dict)
    came_at: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    cpu_s: float = 0.0

    def apart_from_time_outs(self, concurrency: int) -> tuple[float, float]:
        """Seconds until the last reply that is no time-out, and those that time-outs held."""
        ends = {q: at for q, at in self.came_at.items() if self.replies[q].status != "timeout"}
        last = max(ends.values())
        held = 0.0
        for question, at in self.came_at.items():
            if question not in ends:
                began = at - (self.replies[question].latency_s or 0.0)
                held += max(0.0, min(at, last) - began)
        return last, held / concurrency


def engine(url: str, n: int, concurrency: int, timeout_s: float, pictures: list[bytes]) -> Run:
    """The engine's replies to ``n`` questions."""
    endpoint = {
        "base_url": url,
        "model": "m",
        "api_key_env": None,
        "concurrency": concurrency,
        "timeout_s": timeout_s,
    }
    model = {"name": "m", "engine": "openai_chat", "endpoint": endpoint}
    params = validate({"answer": {"models": [model]}})
    asked = MODELS.get("openai_chat", "benchmark")(params, params.answer.models[0], {})
    found = Run()
    began, cpu = time.perf_counter(), time.process_time()
    for item, reply in asked.answer(items(n, pictures)):
        if item.question_id in found.replies:
            raise UserError(f"question {item.question_id}", "has two replies", "this is a bug")
        found.replies[item.question_id] = reply
        found.came_at[item.question_id] = time.perf_counter() - began
    found.seconds, found.cpu_s = time.perf_counter() - began, time.process_time() - cpu
    return found


def check(replies: dict[str, Reply], seen: dict[str, Any], n: int, concurrency: int) -> None:
    """Whether every request has come to what it must come to.

    Raises
    ------
    UserError
        It has not.
    """
    statuses = Counter(reply.status for reply in replies.values())
    faults = Counter(seen["faults"])
    asked, answered = Counter(seen["asked"]), Counter(seen["answered"])
    repeated = faults["rejected"] + faults["failing"] + faults["truncated"]
    wanted = {
        "replies": (len(replies), n),
        "time-outs": (statuses["timeout"], faults["hanging"]),
        "errors": (statuses["error"], faults["broken"]),
        "answers": (statuses["answered"], n - faults["hanging"] - faults["broken"]),
        "answers by the server": (sum(answered.values()), statuses["answered"]),
        "questions that came to the server": (len(asked), n),
        "requests": (sum(asked.values()), n + repeated),
        "most answers to one question": (max(answered.values()), 1),
        "most requests for one question": (max(asked.values()), 1 + bool(repeated)),
    }
    for what, (found, expected) in wanted.items():
        if found != expected:
            raise UserError(what, f"{found}, not {expected}", "see what was lost or sent twice")
    if seen["most_in_flight"] > concurrency:
        found = seen["most_in_flight"]
        raise UserError("in flight", f"{found} at once, not {concurrency}", "mend the slots")


@main_guard
def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.1, help="seconds")
    parser.add_argument("--timeout", type=float, default=5.0, help="seconds")
    parser.add_argument("--kib", type=int, default=64, help="size of an image")
    parser.add_argument("--require", action="store_true", help="fail where a bound is not kept")
    args = parser.parse_args()
    n, concurrency = args.requests, args.concurrency
    pictures = images(args.kib)
    latency = ["--latency", str(args.latency)]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LVLMBENCH_CACHE_DIR"] = folder
        with server(*latency) as url:
            engine(url, concurrency, concurrency, args.timeout, pictures)  # imports, first calls
            bare(url, concurrency, concurrency, pictures)
            bare_s, bare_cpu = bare(url, n, concurrency, pictures)
        with server(*latency) as url:
            clean = engine(url, n, concurrency, args.timeout, pictures)
            check(clean.replies, stats(url), n, concurrency)
        shares = [part for name, share in FAULTS.items() for part in (f"--{name}", str(share))]
        with server(*latency, *shares) as url:
            faulty = engine(url, n, concurrency, args.timeout, pictures)
            seen = stats(url)
            check(faulty.replies, seen, n, concurrency)
    last_s, held_s = faulty.apart_from_time_outs(concurrency)
    ideal = min(concurrency / args.latency, n / bare_s)
    figures = {
        "bare_per_s": n / bare_s,
        "clean_per_s": n / clean.seconds,
        "share_of_ideal": n / clean.seconds / ideal,
        "share_of_latency_bound": n / clean.seconds / (concurrency / args.latency),
        "faulty_s": faulty.seconds,
        "until_last_reply_s": last_s,
        "held_by_hangs_s": held_s,
        "faulty_to_clean": (last_s - held_s) / clean.seconds,
        "bare_cpu_ms": bare_cpu / n * 1e3,
        "clean_cpu_ms": clean.cpu_s / n * 1e3,
        "faulty_cpu_ms": faulty.cpu_s / n * 1e3,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(f"faults: {seen['faults']}; most in flight {seen['most_in_flight']}")
    print(f"bare loop    {figures['bare_per_s']:7.0f}/s  {figures['bare_cpu_ms']:.2f} ms CPU each")
    print(
        f"engine       {figures['clean_per_s']:7.0f}/s  {figures['clean_cpu_ms']:.2f} ms CPU each"
    )
    print(f"             {figures['share_of_ideal']:.3f} of the ideal {ideal:.0f}/s (0.95 wanted)")
    print(
        f"with faults  {last_s:.1f} s, of which hangs {held_s:.1f} s; clean {clean.seconds:.1f} s"
    )
    print(f"             {figures['faulty_to_clean']:.3f} times the time (1.3 allowed)")
    rounded = {name: round(value, 4) for name, value in figures.items()}
    print(json.dumps({"benchmark": "answering", "requests": n, **rounded}))
    if args.require and (figures["share_of_ideal"] < 0.95 or figures["faulty_to_clean"] > 1.3):
        raise UserError(
            "benchmarks/answering.py", "a bound is not kept", "run it on an idle machine"
        )


if __name__ == "__main__":
    main()
