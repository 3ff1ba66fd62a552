"""A chat-completions server that plans and asks exams, or breaks the rules as real ones do.

Run as its own process: ``python examiner_server.py [--ways valid,fenced] ...``. It takes what
schema_server.py takes; its ways are those of support/examiner_replies.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # a script sees its own folder alone

import schema_server

from support import planner_replies
from support.examiner_replies import WAYS, reply
from support.planner_replies import is_plan


class Connection(schema_server.Connection):
    """One client's connection."""

    def says(self, prompt: str, way: str) -> str:
        return planner_replies.reply(prompt, way) if is_plan(prompt) else reply(prompt, way)


if __name__ == "__main__":
    schema_server.main(Connection, WAYS, __doc__)
