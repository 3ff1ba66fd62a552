"""The lists of data/replies: what servers and chat templates write around an answer."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError
from lvlmbench.core.kept import kept
from lvlmbench.core.yaml_file import read_yaml

#: The folder, as stages name what they read.
REPLIES = "data/replies"
FOLDER = PROJECT_ROOT / REPLIES


@cache
@kept(FOLDER)
def marks() -> dict[str, Any]:
    """Return the marks that stand around an answer (``marks.yaml``).

    Raises
    ------
    UserError
        The file lacks a list, or holds something else than texts.
    """
    lists = _read(
        FOLDER / "marks.yaml",
        texts=(
            *("thought_names", "answer_names", "answer_begins", "turn_ends", "questions"),
            *("answers", "speaker_openers", "speaker_closers", "user_marks", "assistant_marks"),
            *("system_prompts", "options", "beside_reasoning", "only_in_marks"),
        ),
        pairs=("forms", "thought_pairs", "thought_blocks", "answer_pairs"),
    )
    speakers = lists.get("speakers")
    if not isinstance(speakers, dict) or set(speakers) != {"user", "assistant", "system"}:
        raise _wrong(FOLDER / "marks.yaml", "speakers", "user, assistant and system, a list each")
    for names in speakers.values():
        if not _are_texts(names):
            raise _wrong(FOLDER / "marks.yaml", "speakers", "lists of texts")
    return lists


#: Meanings of finish reasons; of a reason with several words the first of these counts.
_MEANINGS = ("failed", "filtered", "length", "complete")


@cache
@kept(FOLDER)
def finish_reasons() -> dict[str, str]:
    """Return what finish reasons mean (``finish_reasons.yaml``): reason -> name of its list.

    Raises
    ------
    UserError
        The file lacks a list, or names a reason in two.
    """
    path = FOLDER / "finish_reasons.yaml"
    lists = _read(path, texts=_MEANINGS)
    found: dict[str, str] = {}
    for name in _MEANINGS:
        for reason in map(plain, lists[name]):
            if found.setdefault(reason, name) != name:
                what = f"'{reason}' stands in the lists {found[reason]} and {name}"
                raise UserError(str(path), what, "keep one")
    return found


#: What stands before a reason in names of enumerations.
_PREFIX = re.compile(r"^(?:finish|stop|done|end)reason(?=.)")


@cache
def finish_meaning(reason: str) -> str | None:
    """Return what a finish reason means: ``complete``, ``length``, ``filtered`` or ``failed``.

    None where no list holds it. Where its parts ("content_filter: RECITATION",
    "FinishReason.MAX_TOKENS") mean different things, failure counts first, then a filter.
    """
    known = finish_reasons()
    whole = _PREFIX.sub("", plain(reason))
    if whole in known:
        return known[whole]
    parts = {known.get(plain(part)) for part in re.split(r"[:./|,;()]+", reason)} - {None}
    if not parts:
        parts = {known[name] for name in known if "*" in name and fnmatchcase(whole, name)}
    return next((meaning for meaning in _MEANINGS if meaning in parts), None)


#: Kinds of error.
ERRORS = (
    "refused", "spent", "quota", "key", "denied", "missing", "busy", "passing", "request",
)  # fmt: skip


@cache
@kept(FOLDER)
def error_codes() -> dict[str, dict[str, Any]]:
    """Return what names and words of errors mean (``errors.yaml``), by kind of error.

    Raises
    ------
    UserError
        The file lacks a list.
    """
    path = FOLDER / "errors.yaml"
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise _wrong(path, "the file", "kinds of errors")
    for kind in {*content, *ERRORS}:
        lists: Any = content.get(kind)
        known = kind in ERRORS and isinstance(lists, dict) and {*lists} <= {"codes", "words"}
        if not known or not all(map(_are_texts, lists.values())):
            kinds = ", ".join(ERRORS)
            raise _wrong(path, str(kind), f"lists of texts, codes and words; the kinds are {kinds}")
        for words in lists.get("words", ()):
            try:
                re.compile(words)
            except re.error as error:
                raise UserError(f"{path}: {kind}", f"'{words}': {error}", "correct it") from None
    return content


@cache
@kept(FOLDER)
def meanings() -> dict[str, Any]:
    """Return what words of replies mean (``meanings.yaml``).

    Raises
    ------
    UserError
        The file lacks a list, or holds something else than texts.
    """
    path = FOLDER / "meanings.yaml"
    lists = _read(path, texts=("last", "measures", "describing"), pairs=("opposites",))
    for name in ("synonyms", "numbers"):
        words = lists.get(name)
        if not isinstance(words, dict) or not words or not all(map(_are_texts, words.values())):
            raise _wrong(path, name, "a list of texts for each word")
    for name in ("ordinals", "kinds"):
        if not isinstance(lists.get(name), list) or not all(map(_are_texts, lists[name])):
            raise _wrong(path, name, "lists of texts")
    return lists


def check_lists() -> None:
    """Check the lists before a run computes anything: users may have added to them.

    Raises
    ------
    UserError
        A list is missing or holds something else than it should.
    """
    marks(), finish_reasons(), error_codes(), meanings()


def plain(name: str) -> str:
    """Return a name as it is compared: letters and digits alone, stars kept, all of them small.

    ``MAX_TOKENS``, ``max-tokens`` and ``maxTokens`` are one name.
    """
    return "".join(sign for sign in name.casefold() if sign.isalnum() or sign == "*")


def _read(path: Path, texts: tuple[str, ...], pairs: tuple[str, ...] = ()) -> dict[str, Any]:
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise _wrong(path, "the file", "lists of texts")
    for name in texts:
        if not _are_texts(content.get(name)):
            raise _wrong(path, name, "a list of texts, one at least")
    for name in pairs:
        given = content.get(name)
        if not (isinstance(given, list) and given):
            raise _wrong(path, name, "a list of pairs of texts, one at least")
        if not all(_are_texts(pair) and len(pair) == 2 for pair in given):
            raise _wrong(path, name, "a list of pairs of texts")
    return content


def _are_texts(given: object) -> bool:
    return (
        isinstance(given, list)
        and bool(given)
        and all(isinstance(each, str) and each for each in given)
    )


def _wrong(path: Path, name: str, holds: str) -> UserError:
    return UserError(f"{path}: {name}", f"must hold {holds}", "write it so, texts in quotes")
