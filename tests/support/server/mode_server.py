"""A chat-completions server that fails in the ways of tests/data/replies/faults.jsonl.

Run as its own process: ``python mode_server.py``; the first line on standard output is its base
URL. The model's name is the fault's id. Each request meets it as often as the fault says, and then
gets "(B)"; where the fault is about a parameter's name, until the request has the other one.
``{ms+21600}`` in a fault stands for a time in six hours, in milliseconds of the epoch.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar

import openai_server

FAULTS = Path(__file__).parents[2] / "data" / "replies" / "faults.jsonl"
MODES = {mode["id"]: mode for mode in map(json.loads, FAULTS.read_text("utf-8").splitlines())}


class Handler(openai_server.Handler):
    """Answers one connection."""

    met: ClassVar[Counter[tuple[str, str]]] = Counter()

    def answer(self, body: dict[str, Any], request: str, times: int) -> None:
        mode = MODES[body["model"]]
        with self.lock:
            self.met[mode["id"], request] += 1
            times = self.met[mode["id"], request]
        wanted = mode["expect"].get("sends")
        passed = times > mode["times"] if wanted is None else wanted.keys() <= body.keys()
        if body.get("stream") is not False:
            return self.reply(500, openai_server.failure("this client did not say stream: false"))
        if passed:
            return self.reply(200, openai_server.completion("(B)"))
        data = mode["raw"].encode() if "raw" in mode else json.dumps(mode["body"]).encode()
        soon = str(1000 * int(time.time() + 21600 + 5))
        data = data.replace(b"{ms+21600}", soon.encode())
        headers = {n: v.replace("{ms+21600}", soon) for n, v in mode["headers"].items()}
        return self.send(mode["status"], data, headers)

    def send(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        kind = {"Content-Type": "application/json"} | headers
        for name, value in {**kind, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    server = openai_server.Server(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    server.serve_forever()
