"""A chat-completions server that looks at pictures, with errors of its own, or breaks the rules.

Run as its own process: ``python validator_server.py --truth truth.json [--misses 0.2] ...``. It
takes what schema_server.py takes; its ways are those of support/validator_replies.py. Beside that:

``--truth``    JSON of what it would see: see ``Sight`` there
``--misses``   share of defects that it takes for right
``--alarms``   share of what is right that it takes for a defect
``--salt``     which it misses and takes for defects
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # a script sees its own folder alone

import schema_server

from support.validator_replies import WAYS, Sight, reply


class Connection(schema_server.Connection):
    """One client's connection."""

    sight: Sight

    def good(self, body: bytes, vary: float) -> tuple[int, bytes]:
        content = json.loads(body)["messages"][0]["content"]
        urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
        [self.image] = [base64.b64decode(url.partition(",")[2]) for url in urls]
        return super().good(body, vary)

    def says(self, prompt: str, way: str) -> str:
        return reply(self.sight.sees(self.image, prompt), way)


if __name__ == "__main__":
    own = argparse.ArgumentParser(add_help=False)
    own.add_argument("--truth", type=Path, required=True)
    own.add_argument("--misses", type=float, default=0.0)
    own.add_argument("--alarms", type=float, default=0.0)
    own.add_argument("--salt", default="")
    given, sys.argv[1:] = own.parse_known_args()
    truth = json.loads(given.truth.read_text())
    Connection.sight = Sight(truth, given.misses, given.alarms, given.salt)
    schema_server.main(Connection, WAYS, __doc__)
