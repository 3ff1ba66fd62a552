"""Calling git and DVC as programs: lists of arguments, no shell; their mistakes become one line."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from lvlmbench.core.errors import UserError
from lvlmbench.engine.process import die_with_parent

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")

#: How lines begin that say what is wrong.
_TELLING = ("ERROR:", "fatal:", "error:")


def meaningful(said: str) -> str:
    """The last line of a program's output that says what is wrong; else its last line."""
    plain = _ESCAPES.sub("", said).replace("\r", "\n")
    lines = [line.strip() for line in plain.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(_TELLING)]
    found = (telling or lines or ["it said nothing"])[-1]
    for start in _TELLING:
        found = found.removeprefix(start)
    return found.strip()


def find_programs() -> None:
    """Both programs are there.

    Raises
    ------
    UserError
        One is not.
    """
    if shutil.which("git") is None:
        raise UserError(
            "git", "is not installed", "install it (Debian, Ubuntu: apt-get install git)"
        )
    if importlib.util.find_spec("dvc") is None:
        raise UserError(sys.executable, "has no DVC", "activate .venv and run again")


def git(project: Path, *arguments: str, fix: str = "see 'git status'") -> str:
    """What a git command prints.

    git works in a session of its own and is waited for: neither Ctrl-C nor a kill of our process
    group stops it half way, which would leave its index locked.

    Raises
    ------
    UserError
        It failed; ``fix`` is what the user is told to do.
    """
    environment = os.environ | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
    if arguments[0] == "status":
        environment["GIT_OPTIONAL_LOCKS"] = "0"
    process = subprocess.Popen(
        ["git", "-C", str(project), *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="surrogateescape",
        start_new_session=True,
    )
    try:
        said, wrong = process.communicate()
    except BaseException:
        process.wait()
        raise
    if process.returncode:
        raise UserError(f"git {arguments[0]}", meaningful(wrong or said), fix)
    return said


def git_says(project: Path, *arguments: str) -> bool:
    """Whether a git command succeeds."""
    try:
        git(project, *arguments)
    except UserError:
        return False
    return True


def dvc(
    project: Path,
    *arguments: str,
    fix: str,
    environment: Mapping[str, str] | None = None,
    show: bool = False,
) -> str:
    """What a command of DVC prints on its standard output.

    It ends with this process, however that ends: its locks then end with it.

    Parameters
    ----------
    fix
        What the user is told to do where it fails.
    environment
        Variables that it gets beside ours.
    show
        Whether what it writes to the terminal, such as a bar of progress, is to be seen there.

    Raises
    ------
    UserError
        It failed.
    """
    parent = os.getpid()
    shown = show and sys.stderr.isatty()
    process = subprocess.run(
        [sys.executable, "-m", "dvc", *arguments],
        cwd=project,
        env=os.environ | {"DVC_NO_ANALYTICS": "1"} | dict(environment or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=None if shown else subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        preexec_fn=lambda: die_with_parent(parent),
        check=False,
    )
    if process.returncode:
        wrong = "failed, as told above" if shown else meaningful(process.stderr or process.stdout)
        raise UserError(f"dvc {arguments[0]}", wrong, fix)
    return process.stdout
