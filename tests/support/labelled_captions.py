"""Captions that are labelled by hand: what they say, what the picture holds, how the two meet.

A file of ``tests/data/captions`` holds captions of one subset and one half::

    == obj-001 | object | short plain
    A brown dog lies on a sofa. There is no cat.
    -- features
    o1 dog; o1.color brown; o2 sofa / couch; o1.on.o2
    -- claims
    dog; dog color brown; dog does lie ?; sofa; dog on sofa; not cat -

The short form of features is told in caption_features, that of claims in caption_claims.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lvlmbench.core.errors import UserError
from lvlmbench.scene.claims import Claim, Feature, Match
from support.caption_claims import read_claims
from support.caption_features import read_features

FOLDER = Path(__file__).resolve().parents[1] / "data" / "captions"
SUBSETS = ("object", "attribute", "people", "positional", "comparative")
STYLES = (
    "short", "medium", "long", "plain", "flowing", "bullets", "numbered", "british", "telegram",
    "verbose", "pronouns", "passive", "lists", "negation", "hedges", "synonyms", "plurals",
    "numerals", "parentheses", "adversarial",
)  # fmt: skip


@dataclass(frozen=True)
class Labelled:
    """A caption and its labels."""

    id: str
    subset: str
    styles: tuple[str, ...]
    text: str
    features: tuple[Feature, ...]
    claims: tuple[Claim, ...]
    matches: tuple[Match, ...]


def half(name: str) -> str:
    """Return the half of an id: ``dev`` where its SHA-256 begins with an even digit."""
    return "test" if int(hashlib.sha256(name.encode()).hexdigest()[0], 16) % 2 else "dev"


def blocks(path: Path) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield each ``==`` heading of a file with its (file:line, line) pairs, heading included."""
    block: list[tuple[str, str]] = []
    heading = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        where = f"{path.name}:{number}"
        if line.startswith("== "):
            if block:
                yield heading, block
            heading, block = line.removeprefix("== "), [(where, line)]
        elif block:
            block.append((where, line))
        elif line.strip() and not line.startswith("#"):
            raise UserError(where, "a line before the first '=='", "begin with '== id | …'")
    if block:
        yield heading, block


def sections(
    lines: list[tuple[str, str]], names: tuple[str, ...]
) -> dict[str, list[tuple[str, str]]]:
    """Return the lines of a block by the ``-- name`` above them; the first ones are ``""``."""
    out: dict[str, list[tuple[str, str]]] = {"": []}
    now = ""
    for where, line in lines:
        if line.startswith("-- "):
            now = line.removeprefix("-- ").strip()
            if now not in names or now in out:
                raise UserError(where, f"'{now}' cannot stand here", f"one of {', '.join(names)}")
            out[now] = []
        else:
            out[now].append((where, line))
    if missing := [name for name in names if name not in out]:
        raise UserError(lines[0][0], f"no '-- {missing[0]}' below", "add it")
    return out


def pieces(lines: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return what ``;`` and lines part, each with its file:line."""
    return [(where, p.strip()) for where, line in lines for p in line.split(";") if p.strip()]


def read_file(path: Path) -> list[Labelled]:
    """Return the captions of a file.

    Raises
    ------
    UserError
        Where a label does not read or speaks against the text or the features.
    """
    return [_caption(heading, lines) for heading, lines in blocks(path)]


def _caption(heading: str, lines: list[tuple[str, str]]) -> Labelled:
    where = lines[0][0]
    parts = [part.strip() for part in heading.split("|")]
    if len(parts) != 3 or parts[1] not in SUBSETS:
        raise UserError(where, f"'{heading}' is no heading", "write 'id | subset | styles'")
    styles = tuple(parts[2].split())
    if unknown := [style for style in styles if style not in STYLES]:
        raise UserError(where, f"unknown style '{unknown[0]}'", f"one of {', '.join(STYLES)}")
    found = sections(lines[1:], ("features", "claims"))
    text = "\n".join(line for _, line in found[""]).strip()
    features = read_features(pieces(found["features"]))
    claims, matches = read_claims(text, features, pieces(found["claims"]))
    return Labelled(parts[0], parts[1], styles, text, tuple(features), tuple(claims),
                    tuple(matches))  # fmt: skip


def captions(which: str) -> list[Labelled]:
    """Return the captions of a half (``dev`` or ``test``), in the order of files and lines."""
    return [each for path in sorted(FOLDER.glob(f"{which}-*.txt")) for each in read_file(path)]


@dataclass(frozen=True)
class Read:
    """A caption with what it says and nothing more: there is no picture."""

    id: str
    text: str
    claims: tuple[Claim, ...]


def read_only() -> list[Read]:
    """Return the captions of ``read/``: claims alone, in the order of files and lines."""
    out = []
    for path in sorted((FOLDER / "read").glob("hand-*.txt")):
        for heading, lines in blocks(path):
            found = sections(lines[1:], ("claims",))
            text = "\n".join(line for _, line in found[""]).strip()
            said = [(where, f"{piece} ?") for where, piece in pieces(found["claims"])]
            name = heading.split("|")[0].strip()
            out.append(Read(name, text, tuple(read_claims(text, [], said)[0])))
    return out


def labelled_again(name: str = "again") -> list[tuple[Labelled, tuple[Claim, ...]]]:
    """Return captions with the claims of a second reading: ``again``, or that of ``others``."""
    known = {caption.id: caption for which in ("dev", "test") for caption in captions(which)}
    out = []
    for heading, lines in blocks(FOLDER / f"{name}.txt"):
        caption = known[heading.strip()]
        said = [(where, f"{piece} ?") for where, piece in pieces(lines[1:])]
        out.append((caption, tuple(read_claims(caption.text, [], said)[0])))
    return out
