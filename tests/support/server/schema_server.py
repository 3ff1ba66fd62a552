"""A chat-completions server whose replies have a form, or break it in the ways that real ones do.

Run as its own process: ``python schema_server.py [--ways valid,fenced] [--takes json_schema] ...``.
The first line on standard output is its base URL. Beside what fault_server.py takes:

``--ways``     what replies are, of support/broken_replies.py and ``refused``, each by a hash of the
               request; ``all`` of them
``--takes``    the forms that may be asked for, of json_schema and json_object
``--refuses``  how other forms are turned away: ``named`` (HTTP 400 that says so), ``named-422`` and
               the like, ``unnamed`` (HTTP 400 that says nothing)

A prompt that says "answer with HTTP 400" has that for an answer. ``GET /stats`` also gives how many
requests were replied to in each way; one that came twice, as its client had hung up, is one.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import fault_server

sys.path.insert(0, str(Path(__file__).parents[2]))  # a script sees its own folder alone

from support.broken_replies import WAYS, reply

REFUSED = "refused"


def purpose_of(prompt: str) -> str:
    """What is asked for, by the keys of the schema in the prompt."""
    keys = {"matches": '"verdict"', "claims": '"quote"', "invented": '"invented"'}
    return next((purpose for purpose, key in keys.items() if key in prompt), "pair")


class State(fault_server.State):
    """What all connections share, and how the server behaves."""

    ways: tuple[str, ...]
    takes: frozenset[str]
    refuses: str
    #: Hash of each request -> the way of its reply.
    replies: dict[str, str]

    def stats(self) -> bytes:
        ways = Counter(self.replies.values())
        return json.dumps(json.loads(super().stats()) | {"ways": ways}).encode()

    def refuse(self, form: str) -> tuple[int, bytes]:
        """Status and body for a form that is not taken."""
        words, _, code = self.refuses.partition("-")
        named = f"'response_format' of type '{form}' is not supported"
        message = named if words == "named" else "Bad request"
        return int(code or 400), json.dumps({"error": {"message": message}}).encode()


class Connection(fault_server.Connection):
    """One client's connection."""

    state: State

    def good(self, body: bytes, vary: float) -> tuple[int, bytes]:
        asked: dict[str, Any] = json.loads(body)
        form = asked.get("response_format", {"type": "text"})["type"]
        if form != "text" and form not in self.state.takes:
            return self.state.refuse(form)
        content = asked["messages"][0]["content"]
        prompt = content if isinstance(content, str) else content[-1]["text"]
        if "answer with HTTP 400" in prompt:
            return 400, b'{"error": {"message": "Bad request"}}'
        number = int.from_bytes(hashlib.sha256(b"way" + body).digest()[:4], "little")
        way = self.state.ways[number % len(self.state.ways)]
        self.state.replies[hashlib.sha256(body).hexdigest()] = way
        if way == REFUSED:
            return 200, fault_server.completion("", refusal="I will not judge this.")
        text = self.says(prompt, way)
        return 200, fault_server.completion(text, "length" if way == "truncated" else "stop")

    def says(self, prompt: str, way: str) -> str:
        """The reply to a prompt, in one of the ways."""
        return reply(purpose_of(prompt), prompt, way)


def main(
    connection: type[Connection] = Connection, ways: Sequence[str] = WAYS, about: str | None = None
) -> None:
    parser = fault_server.arguments(about or __doc__)
    parser.add_argument("--ways", default="valid", help="what replies are")
    parser.add_argument("--takes", default="json_schema,json_object", help="forms")
    parser.add_argument("--refuses", default="named", help="how other forms are turned away")
    args = parser.parse_args()
    state = State(args.latency, {name: getattr(args, name) for name in fault_server.FAULTS})
    state.ways = (*ways, REFUSED) if args.ways == "all" else tuple(args.ways.split(","))
    state.takes = frozenset(filter(None, args.takes.split(",")))
    state.refuses, state.replies = args.refuses, {}
    asyncio.run(fault_server.serve(state, args.port, connection))


if __name__ == "__main__":
    main()
