"""Commands of shell examples, each taken by its own program as far as that costs nothing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import yaml

from lvlmbench.commands.main import _parser, main
from lvlmbench.config import load_project
from lvlmbench.config.layers import merge
from lvlmbench.engine.forced import check_targets, meant_lines
from lvlmbench.engine.preflight.project import check_files
from lvlmbench.engine.stages import lies_in
from support.documents.parameters import layers, plan
from support.documents.reading import ROOT, Block, block
from support.documents.shell import Command, commands, statements, type_in

#: Files of parameters that commands name -> the block that shows what such a file holds, and what
#: the page says in words that it holds besides.
CONFIGS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "my-model.yaml": ("README.md: Evaluate your own model: yaml 1", {}),
    "my-snapshot.yaml": ("docs/gpu.md: In short: yaml 1", {}),
    "my-dysca.yaml": ("", {"render": {"diffusion": {"model": "weights/sdxl"}}}),
    "small.yaml": ("docs/judges.md: A free server to try it: yaml 1", {}),
    "valor_bench.yaml": ("docs/valor.md: Your own copy of VALOR-Bench: yaml 1", {}),
    "with-my-examiner.yaml": (
        "docs/autodavis.md: An examiner behind an endpoint: yaml 1",
        {"examiner": {"planners": ["my-examiner"]}},
    ),
}

#: Programs that are not this project's, and whose options nobody here can check.
FOREIGN = {
    ".": "the shell's own: activates what 'make install' has made",
    "cd": "the shell's own",
    "vllm": "a server; it wants a GPU and is not installed here",
    "kubectl": "asks a cluster",
    "docker": "builds and pushes an image; the file that it names is looked for",
}
#: Commands about files, which are run in a folder of their own.
_FILES = ("cp", "mkdir", "cat", "sed", "chmod")
#: Folders of the project whose files git keeps, all of them.
_OURS = ("benchmarks/", "docs/", "profiles/", "scripts/", "tests/")
#: Files that a command before makes where it really runs.
_MADE = ("questions/run.py",)


class Session:
    """What a reader has typed so far in a block: variables, and files in a folder of its own."""

    def __init__(self, example: Block, folder: Path) -> None:
        self.example, self.folder, self.known = example, folder, dict[str, str]()
        shutil.copytree(ROOT / "profiles", folder / "profiles")
        shutil.copy(ROOT / "params.yaml", folder)
        (folder / "results/dysca/exports/croissant").mkdir(parents=True)

    def type_all(self) -> None:
        """Check each command of the block.

        Raises
        ------
        AssertionError, Exception
            One could not be typed so.
        """
        for statement in statements(self.example.text):
            found = [*commands(statement, self.known)]
            if any(each.program in _FILES for each in found):
                type_in(self.folder, statement)
            for command in found:
                self.check(command)

    def check(self, command: Command) -> None:
        """Check one command by its program, and that the project has files that it names."""
        for word in command.words:
            if word.startswith(_OURS):
                assert (ROOT / word).exists() or (self.folder / word).exists(), word
        if command.program in _FILES or command.program in FOREIGN or not command.words:
            return
        assert command.program in PROGRAMS, f"no check of {command.words} is known"
        PROGRAMS[command.program](self, command)

    def files(self, name: str | Path) -> list[Path]:
        """The files that a name of a file of parameters stands for, as they are laid over."""
        name = str(name)
        for folder in (self.folder, ROOT):
            if (folder / name).is_file():
                return [folder / name]
        assert name in CONFIGS, f"{self.example.name}: nothing says what {name} holds"
        shown, more = CONFIGS[name]
        below = self.folder / f"of-{name}"
        found = layers(block(shown), below) if shown else []
        if more:
            below.mkdir(exist_ok=True)
            (below / "more.yaml").write_text(yaml.safe_dump(dict(more)))
            found.append(below / "more.yaml")
        return found

    def all_files(self, names: Iterable[str | Path]) -> list[Path]:
        """:meth:`files` of several names."""
        return [file for name in names for file in self.files(name)]


def _check_lvlmbench(session: Session, command: Command) -> None:
    """Its own parser takes the words; what only reads parameters is run."""
    parsed = _parser().parse_args(command.words[1:])
    words = command.words[1:3]
    if words == ("config", "check"):
        check_files([ROOT / "params.yaml", *session.all_files(parsed.files)])
    suite = getattr(parsed, "suite", None)
    assert suite in (None, *load_project(ROOT / "params.yaml").suites), f"no suite {suite}"
    if words[0] == "exam":
        base = session.folder / "base.yaml"
        held: dict[str, Any] = {}
        for file in session.files(parsed.base):
            held = merge(held, yaml.safe_load(file.read_text()))
        base.write_text(yaml.safe_dump(held))
        said = StringIO()
        with redirect_stdout(said):
            main([*command.words[1:], "--base", str(base)])
        assert said.getvalue()
        if command.out:
            (session.folder / command.out).write_text(said.getvalue())


@cache
def snakemake_parser(profile: Path) -> Any:
    """The parser that Snakemake itself takes its command line with, in the light of a profile."""
    from snakemake.cli import get_argument_parser

    return get_argument_parser(profiles=[str(profile)])


def _check_snakemake(session: Session, command: Command) -> None:
    """Snakemake's parser takes options and profile; targets and parameters are planned."""
    from snakemake.cli import parse_config

    words = list(command.words[1:])
    profile = "profiles/default"
    if "--workflow-profile" in words:
        profile = words[words.index("--workflow-profile") + 1]
    place = next(f / profile for f in (ROOT, session.folder) if (f / profile).is_dir())
    told = snakemake_parser(place).parse_args(words)
    files = session.all_files(told.configfile or ())
    items = plan(files, parse_config(told.config)).items
    check_targets(["snakemake", *words], items)
    assert not [*meant_lines(["snakemake", *words], items.values())]


def _check_make(session: Session, command: Command) -> None:
    """A dry run of make: its target and its variables are there; what it would type is checked."""
    alone = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    done = subprocess.run(
        [*command.words[:1], "-n", *command.words[1:]],
        cwd=ROOT, env=alone, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for statement in statements(done.stdout):
        if "snakemake --" in statement or "lvlmbench " in statement:
            for typed in commands(statement):
                if typed.program in ("snakemake", "lvlmbench"):
                    PROGRAMS[typed.program](session, typed)


def _check_dvc(session: Session, command: Command) -> None:
    """DVC's parser takes the words, and what is fetched is something that a stage makes."""
    from dvc.cli.parser import get_main_parser

    parsed = get_main_parser().parse_args(command.words[1:])
    path = getattr(parsed, "path", None)
    if command.words[1] in ("get", "list") and path:
        outs = [out for item in plan([]).items.values() for out in item.outs]
        assert any(lies_in(out, path) or lies_in(path, out) for out in outs), path


@cache
def _help(command: tuple[str, ...]) -> str:
    done = subprocess.run(
        [*command, "--help"], cwd=ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "400"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def _has_options(program: tuple[str, ...], words: Sequence[str]) -> None:
    """The help of a program tells of the options among words."""
    for word in words:
        if word.startswith("--"):
            assert re.search(rf"{re.escape(word)}\b", _help(program)), f"{program}: no {word}"


def _check_python(session: Session, command: Command) -> None:
    """Scripts are there and take the options; tests are there; other code compiles."""
    script, *rest = command.words[1:]
    if script == "-c":
        compile(rest[0], session.example.name, "exec")
    elif script == "-m":
        assert rest[0] == "pytest", rest
        assert any(word.startswith("tests/") for word in rest), rest
    elif script not in _MADE:
        assert (ROOT / script).is_file(), script
        at = rest.index("snakemake") if "snakemake" in rest else len(rest)
        _has_options((sys.executable, script), rest[:at])
        if script == "scripts/setup_env.py":
            groups = re.findall(r"^# group: (\w+)", (ROOT / "requirements.lock").read_text(), re.M)
            assert {*rest} <= {*groups}, rest
        if rest[at:]:
            _check_snakemake(session, Command(tuple(rest[at:])))


def _check_git(session: Session, command: Command) -> None:
    """The first word is a command of git."""
    asked = ["git", "--list-cmds=main"]
    known = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    assert command.words[1] in known, command.words


def _check_hf(session: Session, command: Command) -> None:
    """The program's help tells of the options."""
    program = Path(sys.executable).with_name("hf")
    _has_options((str(program), command.words[1]), command.words[2:])


def _check_export(session: Session, command: Command) -> None:
    """The variables are those that options of Snakemake are read from."""
    parser = snakemake_parser(ROOT / "profiles/kubernetes")
    known = {getattr(action, "env_var", None) for action in parser._actions}
    for word in command.words[1:]:
        assert word.partition("=")[0] in known, word


#: Program -> what checks its commands.
PROGRAMS: Mapping[str, Callable[[Session, Command], None]] = {
    "lvlmbench": _check_lvlmbench,
    "snakemake": _check_snakemake,
    "make": _check_make,
    "dvc": _check_dvc,
    "python": _check_python,
    "python3": _check_python,
    "git": _check_git,
    "hf": _check_hf,
    "export": _check_export,
}
