"""A server of the OpenAI images API that behaves in the ways real ones do, for tests on loopback.

Run as its own process: ``python images_server.py [--key KEY] [--port PORT]``. The first line on
standard output is its base URL. The model id in a request chooses the behavior:

``plain``       a picture whose colors follow from prompt and seed, in the size that is asked for
``revised``     the same, with the prompt that was drawn instead, the model's name and usage
``slow``        the same after 0.1 s
``webp``        the same in another format, as a data URL
``strict``      HTTP 400 for a request with ``response_format``, else the same
``first-NNN``   this HTTP status (429 with Retry-After) for each request's first time, then the same
``drop``        the connection ends the first time, then the same
``always-500``  HTTP 500
``refusing``    HTTP 400 by policy;  ``moderated``: by the code of newer models
``hanging``     no reply for a minute
``damaged``     bytes that are no picture;  ``cut``: half of one;  ``garbled``: no Base64
``small``       half the size that is asked for
``nothing``     HTTP 200 without pictures
``address``     where a picture could be fetched
``sizeless``    HTTP 400 for the size, whatever it is
``leaking``     the key that was sent, wherever a reply has room for it
``written``     a picture that holds its prompt in its pixels, for scripted validators
``spoilt``      the same after 0.05 s; the first picture of each prompt shows something else
``mixed``       one of MIXED by a hash of the prompt

``GET /stats`` gives, by request, how often it came and how often it was answered in full, and the
most requests that were in flight at once.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import io
import sys
import time
from pathlib import Path
from typing import Any, ClassVar

sys.path.insert(0, str(Path(__file__).parents[2]))  # a script sees its own folder alone

import openai_server
from openai_server import failure

from support.colored_fields import picture
from support.written_pictures import spoiled, written

MIXED = ("plain", "revised", "first-429", "first-500", "drop", "refusing", "damaged", "small")


def reply_with(file: bytes, **more: Any) -> dict[str, Any]:
    """Body of a successful reply."""
    return {"created": 0, "data": [{"b64_json": base64.b64encode(file).decode(), **more}]}


class Handler(openai_server.Handler):
    """Answers one connection."""

    path_asked = "/v1/images/generations"
    now = most = 0  # in flight
    drawn: ClassVar[set[str]] = set()  # prompts

    def do_GET(self) -> None:
        with self.lock:
            counts = {"asked": dict(self.asked), "answered": dict(self.answered)}
        self.reply(200, {**counts, "in_flight": {"most": Handler.most}})

    def name_of(self, body: dict[str, Any]) -> str:
        return f"{body['model']}|{body.get('seed')}|{body['prompt']}"

    def answer(self, body: dict[str, Any], request: str, times: int) -> None:
        way = body["model"]
        if way == "mixed":
            way = MIXED[hashlib.sha256(body["prompt"].encode()).digest()[0] % len(MIXED)]
        if body["n"] != 1 or (way != "strict" and body.get("response_format") != "b64_json"):
            return self.reply(400, failure("one picture at a time, as b64_json"))
        status = way.rpartition("-")[2]
        if way == "drop" and times == 1:
            self.close_connection = True
            return self.connection.close()
        if (way.startswith("first-") and times == 1) or way.startswith("always-"):
            headers = {"Retry-After": "0.2"} if status == "429" else None
            return self.reply(int(status), failure("not now"), headers)
        if way in ("refusing", "moderated"):
            codes = {"refusing": "content_policy_violation", "moderated": "moderation_blocked"}
            return self.reply(400, failure("Your request was rejected.", codes[way]))
        if way == "strict" and "response_format" in body:
            said = "Unknown parameter: 'response_format'."
            return self.reply(400, failure(said, "unknown_parameter", "response_format"))
        if way == "sizeless":
            return self.reply(400, failure("Invalid value: 'size'", "invalid_value", "size"))
        if way == "leaking":
            return self.leak()
        with self.lock:
            Handler.now += 1
            Handler.most = max(Handler.most, Handler.now)
        time.sleep({"hanging": 60.0, "slow": 0.1, "spoilt": 0.05}.get(way, 0.0))
        with self.lock:
            Handler.now -= 1
        return self.reply(200, self.made(way, body))

    def leak(self) -> None:
        sent = self.headers.get("Authorization", "").removeprefix("Bearer ")
        self.reply(400, failure(f"{sent} is not allowed to", sent))

    def made(self, way: str, body: dict[str, Any]) -> dict[str, Any]:
        prompt, side = body["prompt"], int(body["size"].partition("x")[0])
        if way in ("written", "spoilt"):
            with self.lock:
                first = prompt not in self.drawn
                self.drawn.add(prompt)
            shown = spoiled(prompt) if way == "spoilt" and first else prompt
            found = written(shown, body.get("seed") or 0, side)
            sink = io.BytesIO()
            found.save(sink, "PNG")
            return reply_with(sink.getvalue())
        file = picture(prompt, body.get("seed"), side // 2 if way == "small" else side)
        if way == "damaged":
            return reply_with(b"not a picture")
        if way == "cut":
            return reply_with(file[: len(file) // 2])
        if way == "garbled":
            return {"created": 0, "data": [{"b64_json": "!"}]}
        if way == "nothing":
            return {"created": 0, "data": []}
        if way == "address":
            return {"created": 0, "data": [{"url": "http://127.0.0.1/a.png"}]}
        if way == "webp":
            found = reply_with(picture(prompt, body.get("seed"), side, "WEBP"))
            found["data"][0]["b64_json"] = "data:image/webp;base64," + found["data"][0]["b64_json"]
            return found
        if way == "revised":
            usage = {"input_tokens": 12, "output_tokens": 1056, "total_tokens": 1068}
            found = reply_with(file, revised_prompt=f"{prompt}, in detail")
            return {**found, "model": "painter-2", "usage": usage}
        return reply_with(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--key")
    parser.add_argument("--port", type=int, default=0)
    args = parser.parse_args()
    Handler.key = args.key
    server = openai_server.Server(("127.0.0.1", args.port), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
