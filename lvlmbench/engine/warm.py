"""Jobs of one machine start in a process that has imported already what earlier jobs imported.

A run starts one such process beside itself. It waits at a socket below ``.lvlmbench``; a job asks
it for a fork of itself and waits for that to end. So each job has a process of its own, with its
own log, environment and end, as if it had been started from nothing, but Python, torch and the like
are there. What a job has to import, the process imports, too, for the jobs to come, and reads what
a job has to read each time (:mod:`lvlmbench.core.kept`).

Who finds no such process, or one of another environment (a job with more threads, say), or is
refused, runs the job himself. So it is on clusters and in containers.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NoReturn, TypeAlias

if TYPE_CHECKING:  # who asks is to start quickly
    import subprocess

#: Environment variable with the path of the socket, relative to the working directory.
WARM = "LVLMBENCH_WARM"

_SOCKET = ".lvlmbench/warm.sock"
_LOG = ".lvlmbench/log/warm.log"
#: Packages that are imported ahead: they start no thread and touch no GPU.
_AHEAD = (
    "numpy", "pyarrow", "PIL", "torch", "torchvision", "timm", "open_clip", "transformers",
    "tokenizers", "huggingface_hub", "torchattacks", "cv2", "scipy", "pandas",
    "sklearn", "matplotlib", "mpl_toolkits", "jinja2", "resvg_py", "spacy", "thinc",
)  # fmt: skip
#: What a process may take over from who asks, as nothing reads it on import.
_TAKEN_OVER = {"_", "SHLVL", "PWD", "OLDPWD", "PS1", "TMPDIR", "TMP", "TEMPDIR", "TEMP"}
#: What Snakemake sets for each job, here for those of one thread.
ONE_THREAD = dict.fromkeys(
    [f"{n}_NUM_THREADS" for n in ("OMP", "GOTO", "OPENBLAS", "MKL", "NUMEXPR")]
    + ["VECLIB_MAXIMUM_THREADS"],
    "1",
)
#: Has torch ask for GPUs without starting the driver, of which forks could make no use.
_NO_DRIVER = "PYTORCH_NVML_BASED_CUDA_CHECK"
_GPUS = ("/dev/nvidia", "/dev/kfd")
#: A thread of an allocator that sees to itself in a fork.
_HARMLESS = "jemalloc_bg_thd"
_SIZE = struct.Struct("<I")
_YES, _NO = b"y", b"n"
#: Seconds in which who asks must have said what.
_PATIENCE_S = 10.0
#: Seconds in which the process has to say whether it takes a job.
_ANSWER_S = 60.0
#: Bytes of what a job says that it has imported and read, at most.
_TOLD = 1 << 20
#: Exit code of a job that was killed.
KILLED = 128 + signal.SIGKILL


def _settings(environment: Mapping[str, str]) -> dict[str, str]:
    """What must be equal for two processes to have imported the same."""
    return {k: v for k, v in environment.items() if k not in _TAKEN_OVER}


def begin(root: Path, jobs: int) -> subprocess.Popen[bytes]:
    """Start the process that the ``jobs`` of this run may ask; it ends with the run."""
    import subprocess

    os.environ[WARM] = _SOCKET
    Path(_LOG).parent.mkdir(parents=True, exist_ok=True)
    with Path(_LOG).open("wb") as f:
        return subprocess.Popen(
            [sys.executable, root / "scripts/warm.py", str(os.getpid()), code_of(root), str(jobs)],
            stdin=subprocess.DEVNULL,
            stdout=f,
            stderr=f,
            env={**os.environ, **ONE_THREAD},
        )


def end(process: subprocess.Popen[bytes] | None) -> None:
    """End what :func:`begin` started, with its socket: nothing of it stays in the folder."""
    if process is not None:
        process.terminate()
        process.wait()
        Path(_SOCKET).unlink(missing_ok=True)


def code_of(root: Path) -> str:
    """Hash of the code that jobs run."""
    from lvlmbench.engine.hashing import digest, source_digests

    return digest(source_digests(root, ["lvlmbench", "scripts"]))


# --- who asks


def ask(arguments: list[str]) -> int | None:
    """Have a job run in a fork; returns its exit code, None where it must be run here.

    What it prints comes out here. It ends when this process does.
    """
    path = os.environ.get(WARM)
    if not path:
        return None
    asked = [arguments, sys.executable, str(Path.cwd()), dict(os.environ)]
    request = json.dumps(asked).encode()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_ANSWER_S)
        try:
            connection.connect(path)
            socket.send_fds(connection, [_SIZE.pack(len(request))], [1, 2])
            connection.sendall(request)
            if connection.recv(1) != _YES:
                return None
        except OSError:
            return None
        connection.settimeout(None)
        try:
            told = connection.recv(_SIZE.size, socket.MSG_WAITALL)
        except OSError:
            told = b""
    if len(told) == _SIZE.size:
        return int(_SIZE.unpack(told)[0])
    print("the process of this job was killed; is there enough memory?", file=sys.stderr)
    return KILLED


# --- who is asked


class Forked:
    """A process of a job, forked and not started anew: what :class:`subprocess.Popen` is else.

    Parameters
    ----------
    command
        Python, a script and its arguments.
    log
        Takes what it prints.
    environment
        Its variables.
    """

    def __init__(
        self, command: list[str], log: BinaryIO, environment: Mapping[str, str], parent: Server
    ) -> None:
        import multiprocessing

        context = multiprocessing.get_context("fork")
        arguments = (os.getpid(), command, log.fileno(), environment, parent)
        self._process = context.Process(target=_run_script, args=arguments)
        self._process.start()
        parent.watch()

    def wait(self) -> int:
        """Wait for its end; returns the exit code, negative for a signal."""
        self._process.join()
        return self._process.exitcode or 0

    def kill(self) -> None:
        """Kill it, where it has not ended."""
        if self._process.exitcode is None:
            self._process.kill()


def _run_script(
    parent: int, command: list[str], log: int, environment: Mapping[str, str], server: Server
) -> None:
    """In the process of a job: what ``python SCRIPT ARGUMENTS...`` does."""
    import runpy

    from lvlmbench.engine.process import die_with_parent

    die_with_parent(parent)
    server.leave()
    _become(log, log, environment)
    sys.argv = command[1:]
    sys.path[0] = str(Path(command[1]).parent)
    try:
        runpy.run_path(command[1], run_name="__main__")
    finally:
        server.tell()


def _become(out: int, error: int, environment: Mapping[str, str]) -> None:
    """Have the streams and variables that a process started for this has.

    What imports have added to the variables stays, as it would have been added here.
    """
    os.dup2(out, 1)
    os.dup2(error, 2)
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.environ.update(environment)


Run: TypeAlias = Callable[[list[str], "Server"], None]


class Server:
    """Forks a process for each job that asks.

    Parameters
    ----------
    run
        Does what a job's command says; gets this as well, as the maker of :class:`Forked`.
    ahead
        Packages to import before a job has.
    """

    def __init__(self, run: Run, ahead: Sequence[str] = ()) -> None:
        self._run = run
        self._environment = dict(os.environ)  # imports add to it
        self._learnt, self._told = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._wanted = [*ahead]
        self._calls: list[list[str]] = []
        self._asked: socket.socket | None = None
        self._door = socket.socket(socket.AF_UNIX)
        Path(_SOCKET).unlink(missing_ok=True)
        before = os.umask(0o177)
        self._door.bind(_SOCKET)
        os.umask(before)
        self._door.listen(64)

    def serve(self) -> NoReturn:
        """Fork for who asks; import and read what was learnt while nobody does."""
        import multiprocessing
        import select

        while True:
            wait = 0 if self._wanted or self._calls else None
            ready, _, _ = select.select([self._door, self._learnt], [], [], wait)
            multiprocessing.active_children()  # waits for those that have ended
            if self._learnt in ready:
                names, calls = json.loads(self._learnt.recv(_TOLD))
                self._wanted = [*dict.fromkeys([*self._wanted, *names])]
                self._calls += [call for call in calls if call not in self._calls]
            if self._door in ready:
                connection, _ = self._door.accept()
                with connection:
                    self._take(connection)
            elif self._wanted:
                self._import(self._wanted.pop(0))
            elif self._calls:
                self._make(self._calls.pop(0))

    @staticmethod
    def _import(name: str) -> None:
        import importlib

        if name not in sys.modules:
            _ahead(name, lambda: importlib.import_module(name))

    @staticmethod
    def _make(call: list[str]) -> None:
        from lvlmbench.core import kept

        _ahead(call[0], lambda: kept.make(call))

    def _take(self, connection: socket.socket) -> None:
        """Start the process of a job, unless what it asks for is of another environment."""
        import multiprocessing

        from lvlmbench.core import kept

        descriptors: list[int] = []
        try:
            connection.settimeout(_PATIENCE_S)
            size, descriptors, _, _ = socket.recv_fds(connection, _SIZE.size, 2)
            text = connection.makefile("rb").read(*_SIZE.unpack(size))
            arguments, executable, folder, environment = json.loads(text)
            other = _settings(environment).items() ^ _settings(self._environment).items()
            if other or (executable, folder) != (sys.executable, str(Path.cwd())):
                connection.sendall(_NO)
                raise ValueError(f"another environment ({sorted(name for name, _ in other)})")
            if (edited := kept.changed()) is not None:
                connection.sendall(_NO)
                raise ValueError(f"{edited} was edited since it was read")
            connection.settimeout(None)
            multiprocessing.get_context("fork").Process(
                target=self._job,
                args=(os.getpid(), connection, descriptors, arguments, environment),
            ).start()
        except (OSError, ValueError, struct.error) as error:  # who asked is gone, or runs it
            print("refused:", error, flush=True)
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def _job(
        self,
        parent: int,
        connection: socket.socket,
        descriptors: Sequence[int],
        arguments: list[str],
        environment: Mapping[str, str],
    ) -> None:
        """In a process of its own: what ``job.py`` does, for as long as who asked is there."""
        from contextlib import suppress

        from lvlmbench.engine.process import die_with_parent

        die_with_parent(parent)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._asked = connection
        for name in self._environment.keys() - environment.keys():
            del os.environ[name]
        _become(descriptors[0], descriptors[1], environment)
        try:
            connection.sendall(_YES)
        except OSError:  # who asked has not waited, and runs it himself
            return
        code = 1
        try:
            self._run(arguments, self)
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            with suppress(OSError):
                connection.sendall(_SIZE.pack(code))

    def watch(self) -> None:
        """In a job: end once who asked is gone. A thread waits, so not before it has forked."""
        import threading

        asked = self._asked

        def wait() -> None:
            if asked is not None and is_gone(asked):
                os._exit(KILLED)

        threading.Thread(target=wait, daemon=True).start()

    def leave(self) -> None:
        """In the process of a job's script: hold nothing open that others wait for."""
        self._door.close()
        self._learnt.close()
        if self._asked is not None:
            self._asked.close()

    def tell(self) -> None:
        """In the process of a job's script: say what it had to import and to read."""
        from contextlib import suppress

        from lvlmbench.core import kept

        names = [name for name in list(sys.modules) if name.partition(".")[0] in _AHEAD]
        with suppress(OSError):
            self._told.send(json.dumps([names, kept.made()]).encode(), socket.MSG_DONTWAIT)


def is_gone(connection: socket.socket) -> bool:
    """Wait; True if the other end is gone, False if it says something."""
    try:
        return not connection.recv(1)
    except OSError:  # it went without reading what was sent to it
        return True


def _ahead(what: str, do: Callable[[], object]) -> None:
    """Do what jobs to come are spared, so that forks of this process can live with it."""
    import gc
    from contextlib import suppress

    asked = _NO_DRIVER in os.environ
    os.environ.setdefault(_NO_DRIVER, "1")
    with suppress(Exception):  # e.g. a file that is gone by now; a job sees for itself
        do()
    if not asked:
        del os.environ[_NO_DRIVER]
    gc.freeze()  # or each fork would copy all of it once it collects garbage
    check_alone(what)


def check_alone(what: str) -> None:
    """End this process if it has threads, or holds a GPU, which a fork would lack."""
    names = [file.read_text().strip() for file in Path("/proc/self/task").glob("*/comm")]
    held = [os.path.realpath(file) for file in Path("/proc/self/fd").iterdir()]
    if len(names) - names.count(_HARMLESS) > 1:
        why = "starts a thread"
    elif any(file.startswith(_GPUS) for file in held):
        why = "holds a GPU"
    else:
        return
    Path(_SOCKET).unlink(missing_ok=True)
    raise SystemExit(f"{what}: {why}; jobs start by themselves")
