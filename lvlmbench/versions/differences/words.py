"""What changed between two versions, for people: plain text or Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lvlmbench.core.amounts import amount
from lvlmbench.versions.verify_words import printable

Json = dict[str, Any]

#: Lines of a section that are shown; the rest is counted.
LISTED = 20
#: Characters of a value that are shown.
_SHOWN = 80


def _value(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _sides(told: Mapping[str, Any]) -> str:
    """``old → new`` where either may be absent."""
    old = _value(told["old"]) if "old" in told else "(not there)"
    new = _value(told["new"]) if "new" in told else "(gone)"
    return f"{old} → {new}"


def _some(names: Iterable[str], most: int = 8) -> str:
    found = list(names)
    more = f" and {len(found) - most} more" if len(found) > most else ""
    return f"{', '.join(found[:most])}{more}"


def _params(found: Json) -> Iterator[str]:
    for each in found["params"]:
        yield f"{each['key']}: {_sides(each)}"


def _code(found: Json) -> Iterator[str]:
    for each in found["code"]:
        stages = _some(f"{k} ({n})" if n > 1 else k for k, n in each["stages"].items())
        files = [f for f in each["files"] if f != each["source"]]
        which = f": {_some(files, 5)}" if files else ""
        word = {"added": "new", "removed": "no longer read"}.get(
            each.get("declared", ""), "changed"
        )
        yield f"{each['source']} {word}{which} (read by {stages})"


def _vocabulary(found: Json) -> Iterator[str]:
    for name, told in found["vocabulary"].items():
        parts = [f"list {told['list']}"] if "list" in told else []
        for word in ("added", "removed", "changed"):
            if told[word]:
                parts.append(f"{len(told[word])} {word} ({_some(told[word])})")
        parts += ["settings changed"] if told.get("settings") else []
        yield f"{name}: {'; '.join(parts)}"


def _packages(found: Json) -> Iterator[str]:
    for name, told in found["packages"].items():
        yield f"{name}: {_sides(told)}"


def _asked(found: Json) -> Iterator[str]:
    for key in ("models", "examiners", "scenarios"):
        one = key.removesuffix("s")
        for word in ("added", "removed"):
            if names := found[key].get(word):
                yield f"{one if len(names) == 1 else key} {word}: {_some(names)}"


def _rows(told: Json, one: str) -> Iterator[str]:
    """About rows of a table: how many, and which kinds of them were added, removed, changed."""
    moved = {word: sum(told[word].values()) for word in ("added", "removed", "changed")}
    counts = ", ".join(f"{n:,} {word}" for word, n in moved.items() if n)
    yield f"{told['old']:,} → {amount(told['new'], one)}: {counts or 'the same'}"
    for word, total in moved.items():
        groups = {k: n for k, n in told[word].items() if k}
        if total and groups:
            most = sorted(groups.items(), key=lambda item: (-item[1], item[0]))
            yield f"  {word}: {_some((f'{name} {n:,}' for name, n in most), 10)}"


def _items(found: Json) -> Iterator[str]:
    for key, one in (("scenes", "scene"), ("questions", "question")):
        if found[key]:
            yield from _rows(found[key], one)
    for scenario, told in found["images"].items():
        first, *_ = _rows(told, "image")
        yield f"images, {scenario}: {first}"
    if kept := found["kept"]:
        line = f"planned images that all filters keep: {_kept(kept, 'old')} → {_kept(kept, 'new')}"
        if kept["in_both"]:
            line += (
                f"; of {kept['in_both']:,} in both, {kept['newly_kept']:,} newly kept and "
                f"{kept['newly_dropped']:,} newly dropped"
            )
        yield line


def _kept(told: Json, side: str) -> str:
    return f"{told[side]:,} of {told[f'of_{side}']:,}"


def _percent(side: Json) -> str:
    return "none" if side["value"] is None else f"{side['value']:.2f}"


def _failures(old: Json, new: Json) -> str:
    """Counts that changed."""
    words = {"n": "scored", "n_unscored": "unscored", "n_refused": "refused"}
    words |= {"n_truncated": "truncated", "n_failed": "failed"}
    told = [f"{w} {old[k]:,} → {new[k]:,}" for k, w in words.items() if old[k] != new[k]]
    return f"; {', '.join(told)}" if told else ""


def _scores(found: Json) -> Iterator[str]:
    for each in found["scores"]:
        who = f"{each['model']}, {each['scenario']}"
        if "old" not in each or "new" not in each:
            word, side = ("added", "new") if "new" in each else ("removed", "old")
            yield f"{who}: {word}, headline {_percent(each[side])}"
            continue
        line = f"{who}: {_percent(each['old'])} → {_percent(each['new'])}"
        told = "" if each["difference"] is None else f" ({_difference(each)})"
        yield line + told + _failures(each["old"], each["new"])


def _difference(each: Json) -> str:
    """A difference, with its interval where it has one."""
    told = f"{each['difference']:+.2f}"
    if "within" not in each:
        return told
    if each["low"] == each["high"]:  # on both sides all answers score alike
        return f"{told}, and neither side spreads: BEYOND" if each["difference"] else "equal"
    verdict = "within" if each["within"] else "BEYOND"
    return f"{told}, {each['low']:+.2f} to {each['high']:+.2f}: {verdict} the interval"


def _artifacts(found: Json) -> Iterator[str]:
    for word, names in found["artifacts"].items():
        if names:
            said = "have other bytes" if word == "changed" else word
            yield f"{amount(len(names), 'output')} {said}"


def _outputs(found: Json) -> Iterator[str]:
    for word, names in found["artifacts"].items():
        yield from (f"{'other bytes' if word == 'changed' else word}: {name}" for name in names)


def verdict(found: Json) -> str:
    """Return in one line whether scores differ by more than chance."""
    if any(note.startswith("scores: ") for note in found["notes"]):
        return "verdict: none: scores could not be compared"
    if not found["scores"]:
        return "verdict: no score changed"
    beyond = sum(each.get("within") is False for each in found["scores"])
    within = sum(each.get("within") is True for each in found["scores"])
    rest = len(found["scores"]) - beyond - within
    more = f", {rest} cannot be held against the other" if rest else ""
    return f"verdict: {amount(beyond, 'score')} BEYOND the interval, {within} within{more}"


_SECTIONS = (
    ("Parameters", _params),
    ("Code", _code),
    ("Vocabulary", _vocabulary),
    ("Packages", _packages),
    ("Models, examiners and scenarios", _asked),
    ("Items", _items),
    ("Artifacts (--outputs names them)", _artifacts),
    ("Not compared", lambda found: iter(found["notes"])),
    ("Scores (headlines; differences with their 95 % interval)", _scores),
)


def _literal(text: str) -> str:
    """Text of a model or a prompt as Markdown that shows it and does nothing else."""
    return re.sub(r"[\\`*\[<&]", r"\\\g<0>", text)


def lines(found: Json, markdown: bool = False, outputs: bool = False) -> Iterator[str]:
    """What :func:`lvlmbench.versions.differences.run.differences` gives, line by line.

    Scores come last, with a verdict; ``outputs`` says whether outputs are named, not counted.
    """
    a, b = ("this folder" if found[side] == "." else found[side] for side in ("a", "b"))
    names = f"{a} and {b}"
    if found["same"]:
        yield printable(f"{names}: the same")
        return
    head = f"From {a} to {b}"
    yield printable(f"# {_literal(head)}" if markdown else f"{head}:")
    for title, tell in _SECTIONS:
        named = outputs and tell is _artifacts
        told = [printable(line) for line in (_outputs if named else tell)(found)]
        most = len(told) if named else LISTED
        if not told:
            continue
        title = title.partition(" (--outputs")[0] if named else title
        yield ""
        yield f"## {title}\n" if markdown else title
        for line in told[:most]:
            yield f"- {_literal(line.strip())}" if markdown else f"  {line}"
        if len(told) > most:
            yield f"{'- ' if markdown else '  '}and {len(told) - most} more (all with --json)"
    yield ""
    yield verdict(found)
