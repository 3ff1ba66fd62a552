"""A question as messages of a chat, with what was said before it."""

from __future__ import annotations

from typing import Any

from lvlmbench.stages.exports.source import Example


def messages(example: Example, image: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the messages up to the prompt, ``image`` the part that shows the picture.

    It goes with the first message of the user. Without earlier turns that is the only one.
    """
    content, found = [image], []
    for turn in example.turns:
        content.append({"type": "text", "text": turn.question})
        found.append({"role": "user", "content": content})
        answered = [{"type": "text", "text": turn.answer}]
        found.append({"role": "assistant", "content": answered})
        content = []
    content.append({"type": "text", "text": example.prompt})
    return [*found, {"role": "user", "content": content}]
