"""Create .venv from requirements.lock: python3 scripts/setup_env.py [GROUP ...].

Needs nothing but Python's standard library. Does nothing, in a fraction of a second, when the
groups asked for are already installed as the lock says. What an interrupted or failed
installation leaves behind is never taken for whole: the environment is then built anew.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "lvlmbench-installed.json"
UNFINISHED = ROOT / ".venv.unfinished"
MINIMUM = (3, 11)
ALWAYS = "core"
#: What tools take for their own in the path of the checkout: setuptools and Snakemake, and the
#: shell that make starts.
UNFIT = '{}$`"'
#: Installed last and with its dependencies, which the lock constrains: on a machine with a GPU
#: its wheel asks for CUDA libraries, which it pins itself and which a CPU build does not need.
WITH_DEPENDENCIES = "torch"

Stamp = dict[str, str]


class SetupError(Exception):
    """Set-up cannot go on; the message is the one line to show."""


def read_lock(path: Path) -> dict[str, list[str]]:
    """Requirements (``name==version``) of each group of the lock, in the file's order."""
    groups: dict[str, list[str]] = {}
    current: list[str] | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = line.strip()
        if line.startswith("# group:"):
            current = groups.setdefault(line.removeprefix("# group:").split()[0], [])
        elif line and not line.startswith("#"):
            if current is None or line.count("==") != 1:
                raise SetupError(f"{path.name}:{number}: '{line}' is not name==version in a group")
            current.append(line)
    return groups


def fingerprints(groups: dict[str, list[str]], names: list[str], version: str) -> Stamp:
    """What the stamp holds when these groups are installed here."""
    project = (ROOT / "pyproject.toml").read_bytes()
    stamp = {
        "place": str(VENV),
        "python": version,
        "project": hashlib.sha256(project).hexdigest(),
    }
    for name in names:
        stamp[f"group {name}"] = hashlib.sha256("\n".join(groups[name]).encode()).hexdigest()
    return stamp


def read_stamp() -> Stamp:
    """What is installed; empty where that is not known."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def version_of(python: Path) -> str | None:
    """``major.minor`` of an interpreter, None if it does not run."""
    code = "import sys, pip; print('%d.%d' % sys.version_info[:2])"
    try:
        asked = subprocess.run([python, "-c", code], capture_output=True, text=True)
    except OSError:
        return None
    return asked.stdout.strip() or None if asked.returncode == 0 else None


def run(*command: str | Path) -> None:
    """Run a pip command in the checkout; its output is shown, its failure ends the set-up."""
    if subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, cwd=ROOT).returncode:
        raise SetupError("pip failed (its message is above); mend what it names and run again")


def create() -> None:
    """An empty virtual environment in place of whatever .venv holds."""
    print(f"creating .venv with Python {sys.version.split()[0]}", flush=True)
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", str(VENV)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip
    if made.returncode:
        lines = (made.stdout + made.stderr).strip().splitlines() or ["no message"]
        if "ensurepip" in " ".join(lines):
            version = ".".join(map(str, sys.version_info[:2]))
            raise SetupError(
                f"this Python cannot create virtual environments; install python{version}-venv "
                "(Debian, Ubuntu: apt-get install python3-venv) and run again"
            )
        raise SetupError(f".venv: cannot be created ({lines[-1]}); mend it and run again")


def contents() -> list[str]:
    """What lies in .venv's package folder; every installation or removal changes it."""
    return sorted(path.name for path in VENV.glob("lib/python*/site-packages/*"))


def install(groups: dict[str, list[str]], names: list[str]) -> None:
    """Install these groups and the project itself into .venv."""
    lines = [line for name in names for line in groups[name]]
    last = [line for line in lines if line.split("==")[0] == WITH_DEPENDENCIES]
    everything = [line for group in groups.values() for line in group]
    pip: list[str | Path] = [
        PYTHON,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--no-input",
        "install",
    ]
    quiet = [] if sys.stdout.isatty() else ["--quiet"]
    print(f"installing {len(lines)} packages ({', '.join(names)})", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        wanted, lock = Path(folder, "wanted.txt"), Path(folder, "lock.txt")
        wanted.write_text("\n".join(line for line in lines if line not in last) + "\n")
        lock.write_text("\n".join(everything) + "\n")
        # pip would compile on one core; see compile_all.
        run(*pip, *quiet, "--no-deps", "--no-compile", "--requirement", wanted)
        if last:
            # The lock decides: torchattacks declares an old 'requests', which it does not import.
            pinned: list[str | Path] = ["--no-warn-conflicts", "--constraint", lock]
            run(*pip, *quiet, "--no-compile", *pinned, *last)
    # Not by the path of ROOT, which may end like extras: "lvlm [1]".
    run(*pip, "--quiet", "--no-deps", "--no-build-isolation", "--editable", ".")
    compile_all()


def compile_all() -> None:
    """Compile what is installed, on all cores.

    Not at first use: jobs write no byte code, as that of a file edited twice within a second may
    be the older one's. Some packages carry templates that no Python compiles, so failures pass.
    """
    print("compiling", flush=True)
    folder = next((VENV / "lib").glob("python*/site-packages"))
    subprocess.run(
        [PYTHON, "-m", "compileall", "-q", "-j", "0", folder],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def set_up(asked: list[str]) -> None:
    """Bring .venv to where it holds the groups asked for, and still those it held before."""
    if unfit := sorted({*str(ROOT)} & {*UNFIT}):
        raise SetupError(
            f"{ROOT}: the path holds {' '.join(unfit)}, which tools take for something else; "
            "rename the folder, or clone elsewhere, and run again"
        )
    groups = read_lock(ROOT / "requirements.lock")
    for name in asked:
        if name not in groups:
            raise SetupError(f"'{name}' is not a group; use some of: {', '.join(groups)}")
    wanted = [name for name in groups if name == ALWAYS or name in asked]
    stamp, version = read_stamp(), version_of(PYTHON)
    whole = not UNFINISHED.exists() and version is not None
    if whole and fingerprints(groups, wanted, version or "").items() <= stamp.items():
        return
    if VENV.is_symlink():  # set-up empties what is there, or installs over it
        place = repr(str(VENV.readlink()))
        raise SetupError(f".venv: is a link to {place}; remove the link and run again")
    moved = stamp and (stamp.get("place"), stamp.get("python")) != (str(VENV), version)
    UNFINISHED.touch()
    if not whole or moved:
        create()
        stamp, version = {}, version_of(PYTHON)
    if version is None or tuple(map(int, version.split("."))) < MINIMUM:
        UNFINISHED.unlink()
        raise SetupError(f".venv: its Python ({version}) is too old; delete .venv and run again")
    names = [name for name in groups if name in wanted or f"group {name}" in stamp]
    new = fingerprints(groups, names, version)
    before = contents()
    try:
        install(groups, [n for n in names if new[f"group {n}"] != stamp.get(f"group {n}")])
    except SetupError:
        if stamp and contents() == before:  # e.g. no network: what was there is still whole
            UNFINISHED.unlink()
        raise
    temporary = STAMP.with_suffix(".tmp")
    temporary.write_text(json.dumps(new, indent=1) + "\n", encoding="utf-8")
    temporary.replace(STAMP)
    UNFINISHED.unlink()


def main() -> int:
    """Entry point; returns the exit code."""
    parser = argparse.ArgumentParser(description="Create .venv from requirements.lock.")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help="groups besides core, or 'all'")
    asked = parser.parse_args().groups
    try:
        if sys.version_info < MINIMUM:
            raise SetupError("Python 3.11 or newer is needed; name one: make PYTHON=python3.11 ...")
        if "all" in asked:
            asked = list(read_lock(ROOT / "requirements.lock"))
        with (ROOT / ".venv.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two makes at once: the second waits
            set_up(asked)
    except KeyboardInterrupt:
        print("set-up: interrupted; run again to start over", file=sys.stderr)
        return 130
    except (SetupError, OSError) as error:
        print(f"set-up: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    os.environ.pop("PYTHONHOME", None)
    sys.exit(main())
