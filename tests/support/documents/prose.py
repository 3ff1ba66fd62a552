"""Commands that stand in sentences, often without what they need: their words are known."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from lvlmbench.commands.main import _parser
from support.documents.programs import snakemake_parser
from support.documents.reading import PAGES, ROOT
from support.documents.shell import Command, commands

_BEGINS = re.compile(r"(?:[A-Z_]+=\S+ )*(?:lvlmbench|snakemake|make|dvc|python3?) [a-z-]")
_FENCED = re.compile(r"^```.*?^```", re.M | re.S)


def mentioned() -> list[str]:
    """Commands between single backticks on all pages, each once."""
    found: dict[str, None] = {}
    for page in PAGES:
        text = _FENCED.sub("", (ROOT / page).read_text(encoding="utf-8"))
        spans = (" ".join(span.split()) for span in re.findall(r"`([^`]+)`", text))
        found |= dict.fromkeys(span for span in spans if _BEGINS.match(span))
    return list(found)


def unknown(text: str) -> list[str]:
    """The words of a command that its program does not know: names of commands, options, files.

    Raises
    ------
    KeyError
        Nothing here knows the program.
    """
    (command,) = commands(text.replace("…", ""))
    return [*PROGRAMS[command.program](command)]


def _below(
    parser: argparse.ArgumentParser, words: Sequence[str]
) -> tuple[argparse.ArgumentParser, list[str]]:
    """The parser of the command that words begin with, and the words that name no command."""
    rest = list(words)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction) and rest and rest[0] in action.choices:
            return _below(action.choices[rest[0]], rest[1:])
    if any(isinstance(action, argparse._SubParsersAction) for action in parser._actions):
        return parser, rest
    return parser, [word for word in rest if word.startswith("-")]


def _parsed(parser: argparse.ArgumentParser, words: Sequence[str]) -> Iterator[str]:
    found, rest = _below(parser, words)
    yield from (word for word in rest if word not in found._option_string_actions)


def _lvlmbench(command: Command) -> Iterator[str]:
    return _parsed(_parser(), command.words[1:])


def _dvc(command: Command) -> Iterator[str]:
    from dvc.cli.parser import get_main_parser

    return _parsed(get_main_parser(), command.words[1:])


@cache
def _rules() -> frozenset[str]:
    files = [ROOT / "Snakefile", *(ROOT / "rules").glob("*.smk")]
    return frozenset(
        name for f in files for name in re.findall(r"^rule (\w+):", f.read_text(), re.M)
    )


def _snakemake(command: Command) -> Iterator[str]:
    known = snakemake_parser(ROOT / "profiles/default")._option_string_actions
    for before, word in zip(command.words, command.words[1:], strict=False):
        plain = re.fullmatch(r"[a-z_]+", word) and before in ("snakemake", "-R", "all")
        if (word.startswith("-") and word not in known) or (plain and word not in _rules()):
            yield word


def _make(command: Command) -> Iterator[str]:
    makefile = (ROOT / "Makefile").read_text()
    targets = re.findall(r"^([a-z-]+):", makefile, re.M)
    variables = re.findall(r"^KNOWN = (.*)$", makefile, re.M)[0].split()
    for word in command.words[1:]:
        if word.partition("=")[0] not in (*targets, *variables):
            yield word


#: Modules that are run, and files of them that name what they take.
_MODULES = {
    "tests.planted": "tests/planted.py",
    "tests.support.planted": "tests/support/planted/__main__.py",
}


#: Modules that are run -> the file of each that names what it takes.
_MODULES = {
    "tests.planted": "tests/planted.py",
    "tests.support.planted": "tests/support/planted/__main__.py",
}


def _python(command: Command) -> Iterator[str]:
    script, *words = command.words[1:]
    if script == "-m":
        script, *words = words
    name = _MODULES.get(script, script)
    place = ROOT / name
    if script == "pytest":
        yield from (word for word in words if "/" in word and not (ROOT / word).exists())
    elif not place.is_file():
        yield script
    else:
        of = {"scripts/setup_env.py": [ROOT / "requirements.lock"]}
        files = of.get(name, [place, *place.parent.glob("harness/*.py")])
        named = [word for word in words if re.fullmatch(r"(--)?[a-z][a-z-]*", word)]
        if name == "tests/planted.py":  # what a check takes itself is its own
            named = named[:1]
        text = "".join(file.read_text() for file in files)
        yield from (w for w in named if not re.search(rf'"{w}"|^# group: {w}\b', text, re.M))


#: Program -> what yields the words that it does not know.
PROGRAMS: Mapping[str, Callable[[Command], Iterator[str]]] = {
    "lvlmbench": _lvlmbench,
    "snakemake": _snakemake,
    "make": _make,
    "dvc": _dvc,
    "python": _python,
    "python3": _python,
}
