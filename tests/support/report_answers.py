"""Made-up answers of the report's snapshot: what was asked, what came back, and what it took."""

from __future__ import annotations

import json
from typing import Any

from lvlmbench.core.seeding import generator, item_id

Row = dict[str, Any]

#: How often a model picks the right option knowingly.
SKILL = {"model-a": 0.6, "reference_a": 0.4}
#: US dollars for a million prompt and completion tokens of model-a.
PRICES = (2.0, 8.0)

SCRIPT = "<script>document.title='pwned';window.pwned=1</script>"
#: What no report may let through: markup, attributes, control and direction characters, length.
HOSTILE = [
    SCRIPT,
    '"><img src=x onerror="window.pwned=1">',
    "</pre></details></main><h1>broken out</h1><!--",
    "{{ 7*7 }}{% raw %}${alert(1)}",
    "null \x00 bell \x07 escape \x1b[31m",
    "right-to-left \u202egnp.exe\u202c and \u2067isolate\u2069",
    "zero\u200bwidth \ufeff tag \U000e0041\U000e0042",
    "z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308a" * 40,
    "# heading\n**bold** [link](javascript:alert(1))\n\n| a | b |\n|---|---|\n",
    "x" * 1_000_000,
    "A long answer that goes on. " * 60,
    "",
    "\u0642\u0637\u0629 \u65e5\u672c\u8a9e \U0001f98a",
]
#: An answer that declines in words.
DECLINED = "I'm sorry, but I can't help with that."
#: Names under which the hostile model's server answers; the last is that of few answers.
SERVED = ("<b>tiny</b>-\u202e0-2", "small", SCRIPT + "n" * 300)


def _asked(model: str, question: Row) -> Row:
    """The prompt and what else decides the reply."""
    lettered = [f"({'ABCD'[i]}) {text}" for i, text in enumerate(question["options"])]
    settings: Row = {"seed": 11}
    if model not in ("chance", "reference_a"):
        settings = {"model": "small", "temperature": 0.0, "max_tokens": 512}
    if model == "hostile":
        settings["stop"] = "</dd><script>window.pwned=1</script>"
    return {
        "prompt": "\n".join([question["question"], *lettered, "Answer <at once>."]),
        "parameters": json.dumps(settings, sort_keys=True),
    }


def _taken(model: str, position: int, answered: bool) -> Row:
    """Tokens, dollars, seconds and requests of one answer; nothing of models that guess here."""
    rng = generator(6, model, str(position))
    if model in ("chance", "reference_a"):
        return {"attempts": 1}
    attempts = 3 if position % 17 == 5 else 1
    if not answered:
        return {"attempts": 5}
    tokens = 200 + int(rng.integers(40)), 5 + int(rng.integers(30))
    cost = sum(n * price for n, price in zip(tokens, PRICES, strict=True)) / 1e6
    name = SERVED[(position % 40 == 0) * 2 or position % 2] if model == "hostile" else "small"
    return {
        "attempts": attempts,
        "prompt_tokens": tokens[0],
        "completion_tokens": tokens[1],
        "cost_usd": cost if model == "model-a" else None,
        "latency_s": round(float(rng.gamma(2.0, 0.4)), 3),
        "served_model": name,
    }


def answered(
    model: str,
    position: int,
    question: Row,
    scenario: str = "clean",
    image_id: str | None = None,
    eyesight: float = 1.0,
) -> Row:
    """One row of answers; ``eyesight`` is the share of a model's skill that is left."""
    about = f"{scenario}/{image_id}/" if image_id and model != "chance" else ""
    rng = generator(9, model, about + question["question_id"])
    options, status, error = question["options"], "answered", None
    text = "The image shows a red fox." if eyesight > 0.5 else "A barn, perhaps."
    if options:
        picked = int(rng.integers(len(options)))
        if model != "chance" and rng.random() < SKILL.get(model, 0.0) * eyesight:
            picked = question["answer_index"]
        text = f"({'ABCD'[picked]})"
    if model == "hostile":
        text = HOSTILE[position % len(HOSTILE)]
        if position % 9 == 4:
            status, error, text = "error", "HTTP 500 <b>boom</b>", ""
        elif position % 9 == 7:
            text = DECLINED
        elif position % 18 == 10:
            status, text = "refused", ""
    return {
        "model": model,
        "scenario": scenario,
        "question_id": question["question_id"],
        "image_id": image_id or item_id(question["scene_id"], "clean"),
        "text": text,
        "status": status,
        "error": error,
        **_asked(model, question),
        **_taken(model, position, status == "answered"),
    }
