"""A chat-completions server that repeats the key it is sent wherever a reply has room for it.

Run as its own process: ``python echo_server.py``; the first line on standard output is its base
URL. What it does with a request is decided by a hash of it. ``GET /stats`` as openai_server.py.
"""

from __future__ import annotations

import hashlib
from typing import Any

import openai_server

#: Where the key goes; the ones that fail do so once for each request, and then answer with it.
WAYS = ("answer", "refusal", "finish", "model", "first_500", "first_429", "bad_400", "broken")


class Handler(openai_server.Handler):
    """Answers one connection."""

    def answer(self, body: dict[str, Any], request: str, times: int) -> None:
        sent = self.headers.get("Authorization", "").removeprefix("Bearer ")
        way = WAYS[hashlib.sha256(request.encode()).digest()[0] % len(WAYS)]
        said = openai_server.completion(f"With {sent} you get (B) for {sent}.")
        failed = openai_server.failure(f"Key {sent} is over\nits limit: {'-' * 200} {sent}", sent)
        if way == "refusal":
            said = openai_server.completion(None, refusal=f"Not for {sent}.")
        elif way == "finish":
            said = openai_server.completion("(B)", finish=sent)
        elif way == "model":
            said = openai_server.completion("(B)") | {"model": f"org/model-of-{sent}"}
        elif way == "bad_400":
            return self.reply(400, failed, {"x-request-id": sent})
        elif way == "broken":
            return self.send(200, f'{{"choices": {sent}'.encode(), {})
        elif way == "first_500" and times == 1:
            return self.reply(500, failed)
        elif way == "first_429" and times == 1:
            return self.reply(429, failed, {"Retry-After": "0"})
        return self.reply(200, said)


if __name__ == "__main__":
    server = openai_server.Server(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    server.serve_forever()
