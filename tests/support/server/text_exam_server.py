"""A chat-completions server that fills all roles of an exam on pictures of texts.

Run as its own process: ``python text_exam_server.py ...``. It takes what schema_server.py takes,
and replies as support/text_exam_replies.py says.
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # a script sees its own folder alone

import schema_server

from support.text_exam_replies import reply


class Connection(schema_server.Connection):
    """One client's connection."""

    def good(self, body: bytes, vary: float) -> tuple[int, bytes]:
        content = json.loads(body)["messages"][0]["content"]
        parts = [] if isinstance(content, str) else content
        urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
        images = [base64.b64decode(url.partition(",")[2]) for url in urls]
        self.image = images[0] if images else None
        return super().good(body, vary)

    def says(self, prompt: str, way: str) -> str:
        return reply(prompt, self.image)


if __name__ == "__main__":
    schema_server.main(Connection, ("valid",), __doc__)
