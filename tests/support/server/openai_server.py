"""A chat-completions server that behaves in the ways real ones do, for tests on loopback.

Run as its own process: ``python openai_server.py [--key KEY] [--truth FILE] [--port PORT]``. The
first line on standard output is its base URL. The model id in a request chooses the behavior:

``letter-X``        always "(X)"
``truth``           what FILE (JSON: "<sha256 of the image>|<prompt>" -> text) says
``mixed``           one of MIXED by a hash of the request: verbose, hostile, refusing, failing ...
``mix-NAME``        that one of MIXED
``mix-nested-N``    N lists in each other
``slow``            "(A)" after 0.1 s
``stuck``           no answer for a minute
``status-NNN``      always this HTTP status
``logprobs``        "(B)", with the log-probabilities of its tokens where they are asked for
``always-429-N``    HTTP 429 for prompts that hold the number N, else "(A)"
``new-limit``       HTTP 400 unless the limit is called max_completion_tokens

``GET /stats`` gives, by request, how often it came and how often it was answered in full.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

LONG = "There is more to see. " * 4700  # about 100 KB

#: Behaviors of ``mixed``. "first" ones fail once for each request and then answer "(B)".
MIXED = (
    "plain",
    "verbose",
    "wrong",
    "empty",
    "refusal",
    "content_filter",
    "policy_400",
    "bad_400",
    "first_429",
    "first_429_date",
    "first_500",
    "first_drop",
    "malformed",
    "no_choices",
    "hostile",
    "control",
    "surrogate",
    "long",
    "parts",
)

TEXTS = {
    "plain": "(B)",
    "verbose": "Let me look. It is neither (A) nor (C). The answer is **(B)**.",
    "wrong": "(A)",
    "empty": "",
    "hostile": "<script>alert('x')</script><img src=x onerror=alert(1)> (B)",
    "control": "\x00\x1b[31m(B)\x07\u202e\u2028",
    "long": f"{LONG}\n(B)",
}

#: Log-probabilities of "(B)", token by token, the letter's with a rival.
LETTERS = [
    {"token": "(", "logprob": -0.1, "top_logprobs": [{"token": "(", "logprob": -0.1}]},
    {
        "token": "B",
        "logprob": -0.25,
        "top_logprobs": [{"token": "B", "logprob": -0.25}, {"token": "A", "logprob": -1.5}],
    },
    {"token": ")", "logprob": 0.0, "top_logprobs": []},
]


def completion(text: Any, finish: str = "stop", **message: Any) -> dict[str, Any]:
    """Body of a successful reply."""
    return {
        "id": "chatcmpl-test",
        "object": "chat.completion",
        "created": 0,
        "model": "test",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, **message},
                "finish_reason": finish,
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


def failure(message: str, code: str | None = None, param: str | None = None) -> dict[str, Any]:
    """Body of a failed request."""
    return {"error": {"message": message, "type": "test", "code": code, "param": param}}


def request_of(messages: list[dict[str, Any]]) -> str:
    """What names a request: "<sha256 of the last image>|<prompt>"; of a dialogue and of several
    images also all that was said before, and the hashes of the other images."""
    images, said = [], []
    for message in messages:
        content = message["content"]
        if message["role"] == "assistant":
            said.append(f"assistant: {content}")
            continue
        for part in content:
            if part["type"] == "text":
                said.append(part["text"])
            else:
                data = base64.b64decode(part["image_url"]["url"].partition(";base64,")[2])
                images.append(hashlib.sha256(data).hexdigest())
    return "|".join([*(images or [hashlib.sha256(b"").hexdigest()]), *said])


class Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    protocol_version = "HTTP/1.1"
    path_asked = "/v1/chat/completions"
    key: str | None = None
    truth: ClassVar[dict[str, str]] = {}
    lock = threading.Lock()
    asked: ClassVar[Counter[str]] = Counter()
    answered: ClassVar[Counter[str]] = Counter()

    def log_message(self, *_: object) -> None:
        """Silence."""

    def do_GET(self) -> None:
        with self.lock:
            stats = {"asked": dict(self.asked), "answered": dict(self.answered)}
        self.reply(200, stats)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != self.path_asked:
            return self.reply(404, failure("no such path"))
        sent = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if self.key is not None and sent != self.key:
            return self.reply(401, failure(f"Incorrect API key provided: {sent}.\nTry again."))
        request = self.name_of(body)
        with self.lock:
            self.asked[request] += 1
            times = self.asked[request]
        self.answer(body, request, times)
        with self.lock:
            self.answered[request] += 1

    def name_of(self, body: dict[str, Any]) -> str:
        return request_of(body["messages"])

    def answer(self, body: dict[str, Any], request: str, times: int) -> None:
        model = body["model"]
        if model.startswith("letter-"):
            self.reply(200, completion(f"({model[-1]})"))
        elif model == "truth":
            self.reply(200, completion(self.truth[request]))
        elif model.startswith("status-"):
            self.reply(int(model[7:]), failure("this is how it is"))
        elif model == "slow":
            time.sleep(0.1)
            self.reply(200, completion("(A)"))
        elif model == "stuck":
            time.sleep(60)
        elif model == "logprobs":
            body_out = completion("(B)")
            if body.get("logprobs") is True and body.get("top_logprobs") == 20:
                body_out["choices"][0]["logprobs"] = {"content": LETTERS}
            self.reply(200, body_out)
        elif model.startswith("always-429-"):
            if f"number {model[11:]}?" in request:
                self.reply(429, failure("slow down"), {"retry-after-ms": "10"})
            else:
                self.reply(200, completion("(A)"))
        elif model == "spent":
            self.reply(429, failure("You exceeded your current quota", "insufficient_quota"))
        elif model == "new-limit":
            if "max_tokens" in body:
                message = "Unsupported parameter: 'max_tokens'"
                self.reply(400, failure(message, "unsupported_parameter", "max_tokens"))
            else:
                self.reply(200, completion(f"limit {body['max_completion_tokens']} (B)"))
        elif model.startswith("mix-"):
            self.mixed(model[4:], times)
        elif model == "mixed":
            digest = hashlib.sha256(request.encode()).digest()
            self.mixed(MIXED[digest[0] % len(MIXED)], times)
        else:
            self.reply(404, failure(f"The model `{model}` does not exist", "model_not_found"))

    def mixed(self, kind: str, times: int) -> None:
        if kind in TEXTS:
            self.reply(200, completion(TEXTS[kind]))
        elif kind.startswith("first_") and times > 1:
            self.reply(200, completion("(B)"))
        elif kind == "first_429":
            self.reply(429, failure("slow down"), {"Retry-After": "1"})
        elif kind == "first_429_date":
            date = self.date_time_string(int(time.time()) + 2)
            self.reply(429, failure("slow down"), {"Retry-After": date})
        elif kind == "first_500":
            self.reply(500, failure("hiccup"))
        elif kind == "first_drop":
            self.close_connection = True
            self.connection.close()
        elif kind == "refusal":
            self.reply(200, completion(None, refusal="I won't answer that."))
        elif kind == "content_filter":
            self.reply(200, completion("", finish="content_filter"))
        elif kind == "policy_400":
            self.reply(400, failure("Rejected by the safety system", "content_policy_violation"))
        elif kind == "bad_400":
            self.reply(400, failure("The image could not be parsed"))
        elif kind == "malformed":
            self.send(200, b'{"choices": [{"message": {"content": "(B', {})
        elif kind.startswith("nested-"):
            depth = int(kind[7:])
            self.send(200, b"[" * depth + b"]" * depth, {})
        elif kind == "no_choices":
            self.reply(200, {"object": "chat.completion", "choices": []})
        elif kind == "surrogate":
            self.reply(200, completion("\ud800 (B) \U0001f98a"))
        elif kind == "parts":
            parts = [{"type": "text", "text": "It is "}, {"type": "text", "text": "(B)"}]
            self.reply(200, completion(parts))
        else:
            raise ValueError(kind)

    def reply(self, status: int, body: object, headers: dict[str, str] | None = None) -> None:
        self.send(status, json.dumps(body).encode(), headers or {})

    def send(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):  # the client was killed meanwhile
            self.close_connection = True


class Server(ThreadingHTTPServer):
    """Many clients at once; a killed client is no error worth printing."""

    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_: object) -> None:
        """Silence."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--key")
    parser.add_argument("--truth")
    parser.add_argument("--port", type=int, default=0)
    args = parser.parse_args()
    Handler.key = args.key
    if args.truth:
        Handler.truth = json.loads(Path(args.truth).read_text(encoding="utf-8"))
    server = Server(("127.0.0.1", args.port), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
