"""Where code of others is wrong: file and line, for one line in place of a traceback."""

from __future__ import annotations

import inspect
import re
import traceback
from collections.abc import Callable
from typing import Any

from lvlmbench.core.errors import UserError

#: What a traceback says of one frame.
_FRAME = re.compile(r'^ +File "([^"]+)", line (\d+)', re.M)
#: Of what an error says after the last frame: its kind, and its message.
_ERROR = re.compile(r"^([A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Warning)?)(?:: (.*))?$")
#: Paths of frames that others are to blame for.
_LIBRARIES = ("site-packages", "/lib/python3", "<frozen", "<string>", ".pxi", ".pyx")


def place_of(error: BaseException, beside: str = "") -> str:
    """Return file and line where an error arose; empty where nothing tells.

    Of what arises while a module is imported it is the module's own line, not of what it calls.

    Parameters
    ----------
    beside
        Text of the paths of files that do not count, where others were gone through, too.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if "importlib" not in f.filename and not f.filename.startswith("<")]
    told = [f for f in own if not beside or beside not in f.filename] or own
    imported = [f.filename for f in told if f.name == "<module>"][-1:]
    told = [f for f in told if f.filename in imported] or told
    return f"{told[-1].filename}:{told[-1].lineno}" if told else ""


def said_by(error: BaseException) -> str:
    """Return kind and message of an error, without a place that :func:`place_of` tells."""
    what = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {what}" if what else type(error).__name__


def told_in(log: str) -> str:
    """Return what the last traceback of a log is about, e.g. ``KeyError: 'x' at my/file.py:7``.

    The place is the last one that lies in no library. Empty where there is no traceback.
    """
    text = log.rpartition("Traceback (most recent call last):")[2]
    frames = _FRAME.findall(text)
    last = next((line for line in reversed(text.splitlines()) if line.strip()), "")
    if not frames or text == log or _ERROR.match(last) is None:
        return ""
    own = [frame for frame in frames if not any(part in frame[0] for part in _LIBRARIES)]
    file, line = (own or frames)[-1]
    return f"{last} at {file}:{line}"


def source_of(part: Callable[..., Any] | type) -> str:
    """Return file and line of a function or class; its name where it has none."""
    try:
        file, line = inspect.getsourcefile(part), inspect.getsourcelines(part)[1]
    except (OSError, TypeError):
        return getattr(part, "__qualname__", repr(part))
    return f"{file}:{line}"


def check_call(part: Callable[..., Any], where: str, *given: str) -> None:
    """Check that a registered function can be called with so many arguments.

    Raises
    ------
    UserError
        It cannot; the line names its file.
    """
    try:
        inspect.signature(part).bind(*given)
    except TypeError as error:
        name = getattr(part, "__name__", repr(part))
        what = f"{name}() of {source_of(part)} cannot be called ({error})"
        raise UserError(where, what, f"have it take: {', '.join(given)}") from None
    except ValueError:  # of what is not written in Python nothing is known
        return


def check_made(
    made: object, of: str, *names: str, example: str, maker: Callable[..., Any] | None = None
) -> None:
    """Check that what a registered function has made has what others look for in it.

    Parameters
    ----------
    of
        What it is the maker of, e.g. ``engine 'mine'``.
    names
        Attributes and methods that it must have.
    example
        The page that shows one whole.
    maker
        The registered function, where it is at hand.

    Raises
    ------
    UserError
        It lacks some; the line names its file. Or nothing was made.
    """
    if made is None:
        where = of if maker is None else f"{of}: {source_of(maker)}"
        fix = f"return one: {example} shows it whole"
        raise UserError(where, "its function returns nothing", fix)
    lacking = [name for name in names if not hasattr(made, name)]
    if lacking:
        kind = type(made)
        raise UserError(
            f"{of}: {source_of(kind)}: {kind.__name__}",
            f"has no {', no '.join(lacking)}",
            f"add what is missing: {example} shows one whole",
        )
