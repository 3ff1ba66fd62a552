"""Jobs that start as forks of a process which has imported what they need."""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lvlmbench.engine import warm
from support.one_line import Command

#: A project whose one script tells about its process.
SERVER = """
import sys
from pathlib import Path
sys.path.insert(0, ROOT)
from lvlmbench.engine.process import die_with_parent
die_with_parent(int(sys.argv[1]))
from lvlmbench.engine.warm import Forked, Server

def run(arguments, server):
    with open("log", "wb") as log:
        environment = {"GIVEN": "there"}
        process = Forked([sys.executable, *arguments], log, environment, server)
    code = process.wait()
    print("code", code, flush=True)
    sys.exit(code % 256)

Server(run).serve()
"""

ASK = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from lvlmbench.engine import warm
code = warm.ask(sys.argv[1:])
sys.exit(77 if code is None else code)
"""

Ask = Callable[..., "subprocess.Popen[str]"]


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 300
    while not holds():
        assert time.monotonic() < deadline, "what was waited for did not come"
        time.sleep(0.02)


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: Path) -> Iterator[Ask]:
    """Asks a server, whose process id lies in the file ``server``."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".lvlmbench").mkdir()
    (tmp_path / "server.py").write_text(SERVER.replace("ROOT", repr(str(root))))
    (tmp_path / "ask.py").write_text(ASK)
    environment = {**os.environ, warm.WARM: ".lvlmbench/warm.sock"}
    command = [sys.executable, "server.py", str(os.getpid())]
    server = subprocess.Popen(command, env=environment)
    Path("server").write_text(str(server.pid))
    _until(Path(".lvlmbench/warm.sock").exists)

    def asking(*arguments: str, **more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "ask.py", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**environment, **more},
        )  # fmt: skip

    yield asking
    server.kill()
    server.wait()


def _gone(pid: str) -> bool:
    try:
        return Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


SLEEPS = "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(600)"


def _sleeping(ask: Ask) -> tuple[subprocess.Popen[str], str]:
    """Who asks for a job that takes long, and the job's process id."""
    Path("job.py").write_text(SLEEPS)
    asked = ask("job.py")
    _until(lambda: Path("pid").exists() and Path("pid").read_text() != "")
    return asked, Path("pid").read_text()


def _said_until(ask: Ask, script: str, last: Callable[[str], bool]) -> list[str]:
    """What a job says, run again until it says what is waited for."""
    said: list[str] = []

    def there() -> bool:
        assert ask(script).wait() == 0
        said.append(Path("log").read_text())
        return last(said[-1])

    _until(there)
    return said


def test_a_job_runs_in_a_fork_with_its_own_streams_and_variables(ask: Ask) -> None:
    Path("job.py").write_text(
        "import os, sys, lvlmbench\nprint(os.getppid(), os.environ, sys.argv)\nsys.exit(3)"
    )
    asked = ask("job.py", "one", "two")
    assert asked.communicate()[0] == "code 3\n"
    assert asked.returncode == 3
    said = Path("log").read_text()
    assert "'GIVEN': 'there'" in said
    assert "['job.py', 'one', 'two']" in said
    # Its parent is a fork of the server, and neither asked for it nor was started anew.
    assert said.split()[0] not in (str(asked.pid), Path("server").read_text())


def test_a_crash_leaves_its_traceback_in_the_log_and_the_server_goes_on(ask: Ask) -> None:
    Path("job.py").write_text("1 / 0")
    assert ask("job.py").wait() == 1
    assert "ZeroDivisionError" in Path("log").read_text()
    Path("job.py").write_text("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    asked = ask("job.py")
    assert asked.communicate()[0] == "code -9\n"
    Path("job.py").write_text("print('again')")
    assert ask("job.py").wait() == 0
    assert Path("log").read_text() == "again\n"


def test_what_a_job_imported_the_next_one_finds(ask: Ask) -> None:
    Path("job.py").write_text("import sys; print('jinja2' in sys.modules); import jinja2")
    said = _said_until(ask, "job.py", lambda text: text == "True\n")
    assert said[0] == "False\n"


READS = """
import json
import os
from functools import cache
from pathlib import Path
from lvlmbench.core.kept import kept

@cache
@kept(Path("folder"))
def process(path: Path) -> int:
    if not path.exists():
        raise FileNotFoundError(path)
    return os.getpid()
"""


def test_what_a_job_read_the_next_one_has(ask: Ask) -> None:
    Path("reads.py").write_text(READS)
    Path("given").write_text("")
    Path("job.py").write_text(
        "import os, reads; from pathlib import Path; from lvlmbench.core.kept import made\n"
        "print(os.getpid(), reads.process(Path('given')), made())"
    )
    server = Path("server").read_text()
    said = _said_until(ask, "job.py", lambda text: text.split()[1] == server)
    own, reader, _ = said[0].split(maxsplit=2)
    assert own == reader, "nothing was there before the first job"
    assert said[-1].split(maxsplit=2)[2] == "[['reads:process', 'given']]\n"


def test_who_asks_after_an_edit_of_what_was_read_runs_it(ask: Ask) -> None:
    """What the server has read would be another's."""
    Path("reads.py").write_text(READS)
    Path("given").write_text("")
    Path("folder").mkdir()
    Path("folder", "words").write_text("one")
    Path("job.py").write_text(
        "import reads; from pathlib import Path; reads.process(Path('given'))"
    )
    assert ask("job.py").wait() == 0
    Path("shows.py").write_text("import reads; print(reads.process.cache_info().currsize)")
    _said_until(ask, "shows.py", lambda text: text == "1\n")
    Path("folder", "words").write_text("other")
    assert ask("job.py").wait() == 77


def test_what_can_be_read_no_more_leaves_the_server_as_it_is(ask: Ask) -> None:
    Path("reads.py").write_text(READS)
    Path("given").write_text("")
    Path("job.py").write_text(
        "import os, reads; from pathlib import Path\n"
        "reads.process(Path('given')); os.remove('given')"
    )
    assert ask("job.py").wait() == 0
    Path("job.py").write_text("print('again')")
    assert ask("job.py").wait() == 0
    assert Path("log").read_text() == "again\n"


def test_what_imports_change_in_the_environment_refuses_nobody(ask: Ask) -> None:
    """cv2 sets LD_LIBRARY_PATH."""
    Path("job.py").write_text("import sys; print('cv2' in sys.modules); import cv2")
    _said_until(ask, "job.py", lambda text: text == "True\n")


@pytest.mark.parametrize("other", [{"OMP_NUM_THREADS": "7"}, {"CUDA_VISIBLE_DEVICES": "1"}])
def test_another_environment_is_refused(ask: Ask, other: dict[str, str]) -> None:
    Path("job.py").write_text("print('ran')")
    assert ask("job.py", **other).wait() == 77
    assert not Path("log").exists()
    assert ask("job.py", TMPDIR="/elsewhere", PS1="").wait() == 0


def test_without_a_server_who_asks_runs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(warm.WARM, raising=False)
    assert warm.ask(["job.py"]) is None
    monkeypatch.setenv(warm.WARM, ".lvlmbench/warm.sock")
    assert warm.ask(["job.py"]) is None  # no such file


def test_who_has_not_waited_leaves_no_word_and_no_job(ask: Ask, tmp_path: Path) -> None:
    assert ask("job.py").wait() != 0  # there is no such file; the server is at work
    Path("job.py").write_text("open('ran', 'w')")
    server = int(Path("server").read_text())
    kept = Path("/proc", str(server), "environ").read_text().split("\0")
    environment = dict(each.split("=", 1) for each in kept if each)
    request = json.dumps([["job.py"], sys.executable, str(tmp_path), environment]).encode()
    said, written = os.pipe()
    os.kill(server, signal.SIGSTOP)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(environment[warm.WARM])
        socket.send_fds(connection, [struct.pack("<I", len(request))], [written, written])
        connection.sendall(request)
    os.close(written)
    os.kill(server, signal.SIGCONT)
    with os.fdopen(said) as end:  # until the last process that holds it has ended
        assert end.read() == ""
    assert not Path("ran").exists()


def test_a_job_ends_with_who_asked(ask: Ask) -> None:
    asked, pid = _sleeping(ask)
    asked.send_signal(signal.SIGKILL)
    asked.wait()
    _until(lambda: _gone(pid))
    Path("job.py").write_text("")
    assert ask("job.py").wait() == 0


def test_jobs_end_with_the_server_and_who_asked_hears_of_it(ask: Ask) -> None:
    asked, pid = _sleeping(ask)
    os.kill(int(Path("server").read_text()), signal.SIGKILL)
    assert asked.wait() == warm.KILLED
    _until(lambda: _gone(pid))


def test_a_process_with_threads_does_not_serve() -> None:
    code = (
        "import threading, time; from lvlmbench.engine.warm import check_alone\n"
        "check_alone('one')\n"
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start(); check_alone('two')"
    )
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    assert ended.stderr.startswith("two: starts a thread"), ended.stderr


def test_a_process_that_holds_a_gpu_does_not_serve(tmp_path: Path) -> None:
    code = (
        "import sys; from lvlmbench.engine import warm\n"
        "warm._GPUS = (sys.argv[1],)\n"
        "warm.check_alone('one')\n"
        "file = open(sys.argv[1] + '0', 'w'); warm.check_alone('two')"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "nvidia")],
        capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert ended.stderr.startswith("two: holds a GPU"), ended.stderr


def test_who_asked_is_gone_however_it_went() -> None:
    for unread in (b"", b"told"):
        ours, theirs = socket.socketpair()
        ours.sendall(unread)
        theirs.close()
        assert warm.is_gone(ours)
        ours.close()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"x")
        assert not warm.is_gone(ours)


def test_the_encoder_that_jobs_share_leaves_no_thread(run_python: Command) -> None:
    made = run_python(
        "-c",
        "from lvlmbench.stages.score.encoder import packaged\n"
        "from lvlmbench.engine.warm import check_alone\n"
        "packaged()\ncheck_alone('the encoder')",
    )
    assert made.returncode == 0, made.stderr


def test_ctrl_c_meets_no_job_at_its_imports() -> None:
    """From its first import on that takes any time, a job ends without a traceback."""
    look = """
import _signal, sys
def hear(event, about):
    if event == "import" and about[0] in ("os", "signal", "pathlib"):
        print(about[0], _signal.getsignal(_signal.SIGINT) == _signal.SIG_DFL)
        sys.stdout.flush()
        __import__("posix")._exit(0)
_signal.signal(_signal.SIGINT, _signal.default_int_handler)
text = open(sys.argv[1]).read()
sys.addaudithook(hear)
exec(compile(text, sys.argv[1], "exec"))
"""
    command = [
        sys.executable,
        "-S",
        "-c",
        look,
        str(Path(warm.__file__).parents[2] / "scripts/job.py"),
    ]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.stdout == "os True\n", said.stderr
