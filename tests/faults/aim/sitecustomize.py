"""A kill at a chosen file operation of a chosen program, for windows too short to meet by chance.

Python imports this by itself where the folder is on PYTHONPATH. The environment variable
LVLMBENCH_AIM holds JSON: ``program``, the last part of an argument's path; ``text``, which the
path of the operation must hold; ``nth``, which such operation; ``delay_s``, how long after it;
``whom`` to kill: the process ("self"), its group ("group"), or what runs the jobs ("run");
``mark``, a file that then says what was hit.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import PurePath
from typing import Any

#: Operations that change the file system; ``open`` counts where it is for writing.
_CHANGES = {"os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "open"}


def _paths(event: str, arguments: tuple[Any, ...]) -> list[str]:
    """Paths that an operation changes; none where it only reads."""
    if event == "open":
        mode = arguments[1]
        flags = arguments[2] if isinstance(arguments[2], int) else 0
        if not (
            flags & (os.O_WRONLY | os.O_RDWR) or (isinstance(mode, str) and set(mode) & set("wax+"))
        ):
            return []
        arguments = arguments[:1]
    return [os.fsdecode(a) for a in arguments if isinstance(a, str | bytes | os.PathLike)]


def _aim(aim: dict[str, Any]) -> None:
    """Install the hook that counts and kills."""
    left = int(aim["nth"])

    def strike(event: str, paths: list[str]) -> None:
        time.sleep(aim["delay_s"])
        descriptor = os.open(aim["mark"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.write(descriptor, f"{event} {' '.join(paths)}".encode())
        os.close(descriptor)
        if aim["whom"] == "group":
            os.killpg(0, signal.SIGKILL)
        run = os.environ.get("LVLMBENCH_RUN")
        victim = int(run) if aim["whom"] == "run" and run else os.getpid()
        os.kill(victim, signal.SIGKILL)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal left
        if event not in _CHANGES or left <= 0:
            return
        paths = _paths(event, arguments)
        if not any(aim["text"] in path for path in paths):
            return
        left -= 1
        if left == 0 and aim["delay_s"]:
            threading.Thread(target=strike, args=(event, paths), daemon=True).start()
        elif left == 0:
            strike(event, paths)

    sys.addaudithook(hook)


if "LVLMBENCH_AIM" in os.environ:
    _told = json.loads(os.environ["LVLMBENCH_AIM"])
    if any(PurePath(argument).name == _told["program"] for argument in sys.orig_argv):
        _aim(_told)
