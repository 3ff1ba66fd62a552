"""Made-up data for the sample browser, hostile strings included, and a page around it."""

from __future__ import annotations

import base64
import colorsys
import hashlib
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from PIL import Image, ImageDraw

from lvlmbench.core.seeding import generator
from lvlmbench.stages import report

TEMPLATES = Path(report.__file__).parent / "templates"
SCRIPTS = (
    "report.js", "browser_index.js", "browser_claims.js", "browser_pairs.js", "browser_item.js",
    "browser.js",
)  # fmt: skip
STYLES_OF_PAGE = ("report.css", "browser.css")

MODELS = [
    ("large", "model"), ("small", "model"), ("<img src=x onerror=window.pwned=1>", "model"),
    ("\u202eowned&co", "brought"), ("reference_a", "reference"), ("chance", "guesser"),
]  # fmt: skip
SCENARIOS = [
    ("clean", "Clean"), ("corruption", "Corruption"), ("print_attack", "Print attack"),
    ("adversarial", "Adversarial attack"), ("blind", "Blind"),
]  # fmt: skip
SUBTASKS = ["animal", "food", "landmark", "color", "tv_show", "style", "background", "text"]
STYLES = ["comic book", "mosaic", "oil painting", "photograph", "pixel art", "watercolor", "=x&y#z"]
TYPES = [
    ("multiple_choice", "Multiple choice"), ("true_false", "True or false"),
    ("free_form", "Free form"),
]  # fmt: skip
OUTCOMES = [
    ("right", "Right"), ("wrong", "Wrong"), ("caption", "Caption"), ("unscored", "Unscored"),
    ("refused", "Refused"), ("truncated", "Truncated"), ("failed", "Failed"),
    ("dropped", "Dropped by consensus"),
]  # fmt: skip
#: Answers that would do harm or break the page if they were more than text.
HOSTILE = [
    "</script><script>window.pwned=1</script>",
    '<img src=x onerror="window.pwned=1"><svg onload=window.pwned=1>',
    "\u202egnp.exe\u202c and \u200bhidden \x00\x07 \ud800 half",
    "Z" + "\u0301\u0310\u0323" * 60 + "algo",
    "w" * 900,
    "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd, \u0645\u0631\u062d\u0628\u0627 (B)",
    "line one\nline two\u2028line three\r\n\tindented",
    "javascript:alert(1) {{ 7*7 }} ${7*7} <!--",
]
WORDS = ["a", "fox", "an", "owl", "in", "snow", "near", "water", "under", "old", "trees", "with"]


@dataclass(frozen=True)
class About:
    """What the section says of itself."""

    shown: int
    available: int
    thumbnail_px: int
    left_out: str
    pages: int = 0
    shows: bool = True


@dataclass(frozen=True)
class Browser:
    """Made-up counterpart of what the report builds from tables."""

    head: str
    chunks: list[str]
    about: About


def escaped(value: Any) -> str:
    """JSON that can stand within a script element."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def picture(number: int, size: int = 96) -> str:
    """A small drawn JPEG in base64; every number looks different."""
    hue = number * 0.137 % 1
    ground, figure = (
        tuple(round(255 * c) for c in colorsys.hsv_to_rgb((hue + turn) % 1, 0.35, value))
        for turn, value in ((0.0, 0.95), (0.4, 0.6))
    )
    image = Image.new("RGB", (size, size), ground)
    draw = ImageDraw.Draw(image)
    draw.ellipse((size * 0.2, size * 0.25, size * 0.7, size * 0.8), fill=figure)
    draw.rectangle((0, size * 0.85, size, size), fill=figure)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=70)
    return base64.b64encode(out.getvalue()).decode("ascii")


def _answer(rng: Any, kind: int, m: int, s: int, hostile: str | None) -> dict[str, Any]:
    draw = float(rng.random())
    status, error, sim, parsed, reading = "answered", None, None, None, ""
    if draw < 0.03:
        outcome, status, error, text = 5, "error", "HTTP 500: <b>internal</b>", ""
    elif draw < 0.06:
        outcome, text, reading = 4, "I cannot help with that.", "declines to answer"
    elif draw < 0.1:
        outcome, text, reading = 3, "Hard to say.", "no option recognized"
    elif kind == 2:
        outcome, sim = 2, round(100 * float(rng.random()), 1)
        text = "This is " + " ".join(rng.choice(WORDS, size=24)) + "."
        reading = f"similarity to the reference {sim:.1f}"
    else:
        outcome = int(draw < 0.45)
        parsed = int(rng.integers(4 if kind == 0 else 2))
        text = f"The answer is ({'ABCD'[parsed]})."
        reading = f"read as ({'ABCD'[parsed]}), by its letter"
    if hostile is not None and status == "answered":
        text = hostile
    told = {"reading": reading, "parsed": parsed, "sim": sim, "status": status, "error": error}
    unusual = {k: v for k, v in told.items() if v not in (None, "", "answered")}
    return {"m": m, "s": s, "o": outcome, "text": text} | unusual


def _question(rng: Any, scene: int, number: int, subtask: int) -> dict[str, Any]:
    kind = (scene + number) % 3
    options = [["a red fox", "a barn owl", "</title><b>a hedgehog", "a \u202eturtle"],
               ["True", "False"], []][kind]  # fmt: skip
    text = [
        f"Which animal of scene {scene} is near the water?\nLook closely.",
        f"Is it true that scene {scene} shows an <i>owl</i>?",
        f"Describe scene {scene} in one sentence.",
    ][kind]
    answers = []
    for m in range(len(MODELS)):
        for s in range(len(SCENARIOS)):
            odd = m == 2 and (scene + s) % 3 == 0
            hostile = HOSTILE[(scene + s + number) % len(HOSTILE)] if odd else None
            if (m, s) != (3, 4):
                answers.append(_answer(rng, kind, m, s, hostile))
    if scene == 0 and number == 0:
        answers[0] |= {"text": "uniqueneedle " + "long answer " * 320, "cut": 1_000_000}
    other = {"options": ["a crow <b>", "a red fox"], "right": 1, "s": [3, 4]}
    return ({"elsewhere": [other]} if (scene, number) == (3, 0) else {}) | {
        "id": f"q{scene}-{number}", "subtask": subtask, "type": kind, "text": text,
        "options": options, "right": None if kind == 2 else (scene + number) % len(options),
        "chance": None if kind == 2 else 1 / len(options), "dropped": (scene + number) % 17 == 3,
        "prompts": [{"text": f"<image>\n{text}\nAnswer <at once>.", "models": [0, 1, 2, 3]},
                    {"text": text, "models": [4, 5]}],
        "answers": answers,
    }  # fmt: skip


def _item(scene: int, drawn: int) -> dict[str, Any]:
    rng = generator(0, "browser", str(scene))
    subtask = scene % len(SUBTASKS)
    shows = []
    for s, (name, _) in enumerate(SCENARIOS):
        done = {"corruption": ["Gaussian noise", "severity 3"],
                "adversarial": ["changed by at most 8/255 (L\u221e)", "proxy small"],
                "print_attack": ["white, 24 px, turned by 5\u00b0"]}.get(name, [])  # fmt: skip
        blind = name == "blind"
        shows.append({
            "s": s, "q": 1 if name == "print_attack" else None,
            "p": None if blind else (scene * 4 + s) % drawn, "done": done,
            "printed": "a barn owl <script>window.pwned=1</script>" if s == 2 else None,
            "image_id": "" if blind else f"i{scene}-{s}", "sha256": None, "w": 96, "h": 96,
        })  # fmt: skip
    shows.append(shows[3] | {"kind": "difference", "done": ["the change, times 10"]})
    part = {"part": 3} if scene == 5 else {}
    return part | {
        "id": hashlib.sha256(str(scene).encode()).hexdigest()[:16], "subtask": subtask,
        "style": scene % len(STYLES),
        "facts": [["Foreground", "red fox"], ["Background", HOSTILE[scene % len(HOSTILE)][:40]]],
        "prompt": f"scene {scene}: " + " ".join(rng.choice(WORDS, size=18)),
        "caption": f"A picture of scene {scene} with <em>a fox</em>.",
        "tag": "second try" if scene % 9 == 4 else None, "pictures": shows,
        "questions": [_question(rng, scene, n, (subtask + n) % len(SUBTASKS)) for n in range(2)],
    }  # fmt: skip


def browser(items: int, drawn: int = 64, chunk: int = 20) -> Browser:
    """Data of a browser with so many items, over ``drawn`` different pictures."""
    pictures = [picture(k) for k in range(drawn)]
    chunks = [pictures[k : k + chunk] for k in range(0, drawn, chunk)]

    def named(pairs: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
        return [{"name": name, "label": label} for name, label in pairs]

    head = {
        "version": 1, "mime": "image/jpeg",
        "models": [{"name": name, "kind": kind} for name, kind in MODELS],
        "scenarios": named(SCENARIOS),
        "subtasks": named([(s, s.replace("_", " ").capitalize()) for s in SUBTASKS]),
        "styles": named([(s, s.capitalize()) for s in STYLES]),
        "types": named(TYPES), "outcomes": named(OUTCOMES),
        "items": [_item(scene, drawn) for scene in range(items)],
        "chunks": [len(c) for c in chunks],
    }  # fmt: skip
    return Browser(escaped(head), [escaped(c) for c in chunks], About(items, items + 83, 96, ""))


PAGE = """<!DOCTYPE html>
<html lang="en" data-suite="dysca"><head><meta charset="utf-8"><title>made-up</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
style-src 'unsafe-inline'; script-src 'sha256-{{ digest }}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<style>{{ css|safe }}</style></head><body>
<div class="bar"><div class="wrap"><nav aria-label="Sections"><a href="#first">First</a>\
<a href="#browser">Browse</a></nav></div></div>
<main class="wrap"><h1>made-up</h1><section id="first"><h2>First</h2><p>Before.</p></section>
{% include "browser.html.j2" %}
</main><footer><div class="wrap"><p>After.</p></div></footer>
{% include "browser_data.html.j2" %}
<script>{{ script|safe }}</script></body></html>"""


def page(path: Path, made: Browser) -> Path:
    """Write a page that holds the browser's section alone, under the report's own rules."""
    loader = jinja2.ChoiceLoader(
        [jinja2.DictLoader({"page": PAGE}), jinja2.FileSystemLoader(TEMPLATES)]
    )
    env = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    script = "\n".join((TEMPLATES / name).read_text(encoding="utf-8").strip() for name in SCRIPTS)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    css = "\n".join((TEMPLATES / name).read_text(encoding="utf-8") for name in STYLES_OF_PAGE)
    text = env.get_template("page").render(browser=made, script=script, digest=digest, css=css)
    path.write_text(text, encoding="utf-8")
    return path
