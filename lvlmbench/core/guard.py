"""What every entry point does with the errors a user can mend: one line, an exit code."""

from __future__ import annotations

import errno
import functools
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar

from lvlmbench.core.errors import UserError

P = ParamSpec("P")
R = TypeVar("R")

#: Exit code of a mistake that the user can mend.
USER_ERROR = 2
#: Exit code after Ctrl-C, as shells report it (128 + SIGINT).
INTERRUPTED = 130

#: Operating system errors that are about the user's machine and not about this program.
_FIXES = {
    errno.ENOSPC: "free some disk space and run again",
    errno.EDQUOT: "free some of your disk quota and run again",
    errno.EROFS: "work in a folder that can be written",
    errno.EACCES: "make it readable and writable for you, or work elsewhere",
    errno.EPERM: "make it readable and writable for you, or work elsewhere",
    errno.EISDIR: "give the path of a file",
    errno.ENOTDIR: "give a path whose folders are folders",
    errno.ENAMETOOLONG: "use a shorter path",
    errno.EMFILE: "raise the limit of open files (ulimit -n) or use fewer cores",
}

#: Those of them that are about who may write, and where.
_NOT_ALLOWED = (errno.EROFS, errno.EACCES, errno.EPERM)


def as_user_error(error: OSError) -> UserError | None:
    """Return an operating system error in one line; None where it may be a defect of ours."""
    fix = _FIXES.get(error.errno or 0)
    if fix is None:
        return None
    path = error.filename2 or error.filename
    where = os.fsdecode(path) if isinstance(path, str | bytes) else ""
    if where and error.errno in _NOT_ALLOWED and not os.path.lexists(where):
        # What cannot be made there, perhaps under a name that nobody but us knows, is its folder's.
        folder = str(Path(where).parent)
        where = folder if os.access(folder, os.F_OK) else where
    what = (error.strerror or os.strerror(error.errno or 0)).lower()
    return UserError(where or "the file system", what, fix)


def _silence_stdout() -> None:
    """Whoever read our output is gone: keep Python's exit from complaining about it."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # not a real file, e.g. captured by a test
        return


@contextmanager
def guarded() -> Iterator[None]:
    """Turn mendable errors of the block into one line on stderr and an exit code.

    Raises
    ------
    SystemExit
        2 after a :class:`UserError` or an operating system error that the user can mend
        (disk full, no permission ...), 130 after Ctrl-C, 141 after a closed pipe. Every other
        exception passes: it is a defect and its traceback is wanted.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Not every name of a file can be written in every encoding; stderr is so from the start.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        yield
    except UserError as error:
        print(error, file=sys.stderr)
        raise SystemExit(USER_ERROR) from None
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None
    except BrokenPipeError:
        _silence_stdout()
        raise SystemExit(141) from None
    except OSError as error:
        mendable = as_user_error(error)
        if mendable is None:
            raise
        print(mendable, file=sys.stderr)
        raise SystemExit(USER_ERROR) from None


def main_guard(main: Callable[P, R]) -> Callable[P, R]:
    """Wrap the ``main`` of a script in :func:`guarded`."""

    @functools.wraps(main)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        with guarded():
            return main(*args, **kwargs)

    return run
