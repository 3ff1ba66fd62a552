"""Which code a script runs: the modules that it imports, and theirs, as folders of the package."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from lvlmbench.engine.builds import STATE
from lvlmbench.engine.hashing import remember, remembered

PACKAGE = "lvlmbench"
#: Layers whose folders are boxes of their own: ``stages/render`` is one, ``core`` another.
SPLIT = ("stages", "suites")
#: Modules that decide no byte of what a stage makes.
SURROUNDINGS = (f"{PACKAGE}/__init__.py", *(f"{PACKAGE}/{layer}/__init__.py" for layer in SPLIT))
#: A folder whose modules register themselves: who imports the registry runs them all.
KINDS = "kinds"
#: What makes registries.
_REGISTRIES = ("Registry", "Kinds")
#: Registries of which an item runs the kinds that its parameters name, and no others, and code that
#: asks one of them: by its variable, or by its name.
RUN_ALONE = ("filters", "scenarios", "models", "judges")
_NAMES = {name.upper(): name for name in RUN_ALONE}
#: What asks by a name, and who asks for what its code does not tell.
_FINDS, _ANY = ("kinds_of", "import_module"), "*"
_MAY_ASK = re.compile("|".join((*_NAMES, *_FINDS, r"_of\(")).encode())
#: Code that asks them what parameters may say, which decides nothing beside the parameters.
_FOR_PARAMETERS = (f"{PACKAGE}/config/", f"{PACKAGE}/core/")


#: How many files' imports are remembered at most, of those that were not looked up.
_MOST = 5000


class _Memory:
    """What files import, by the hash of their text: to parse them takes seconds."""

    def __init__(self, file: Path) -> None:
        self._file, self._known = file, remembered(file)
        self._used: set[str] = set()
        self._changed = False

    def said(self, text: bytes) -> tuple[list[str], list[str], list[str]]:
        """Names that a file imports, wherever in it, the folders that its registries import, and
        the registries that it asks for kinds, of :data:`RUN_ALONE`, or ``*``."""
        key = hashlib.blake2b(text, digest_size=16, person=b"2").hexdigest()
        self._used.add(key)
        if key not in self._known:
            self._known[key], self._changed = [*_said(text)], True
        names, folders, asked = self._known[key]
        return names, folders, asked

    def save(self) -> None:
        """Keep what was learnt, where a run keeps its state."""
        if self._changed and self._file.parent.is_dir():
            if len(self._known) > _MOST + len(self._used):
                self._known = {key: self._known[key] for key in self._used}
            remember(self._file, self._known)
            self._changed = False


@cache
def _memory(file: Path) -> _Memory:
    return _Memory(file)


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    todo: list[ast.AST] = [*tree.body]
    while todo:
        node = todo.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            todo += getattr(node, part, ())


def _said(text: bytes) -> tuple[list[str], list[str], list[str]]:
    names, folders = set[str](), set[str]()
    tree = ast.parse(text)
    asked = _asked(tree) if _MAY_ASK.search(text) else set()
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
            given = [each.value for each in node.value.args if isinstance(each, ast.Constant)]
            made = getattr(node.value.func, "id", None) in _REGISTRIES and len(given) == 2
            folders |= {str(given[1])} if made else set()
    return sorted(filter(_ours, names)), sorted(filter(_ours, folders)), sorted(asked)


def _asked(tree: ast.Module) -> set[str]:
    """The registries that code has in hand, but to register a kind; ``*`` where it does not say."""
    found = set[str]()
    registering = {id(n.value) for n in ast.walk(tree)
                   if isinstance(n, ast.Attribute) and n.attr == "register"}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and id(node) not in registering:
            name = node.id if isinstance(node, ast.Name) else node.attr
            found |= {_NAMES[name]} if isinstance(node.ctx, ast.Load) and name in _NAMES else set()
        elif isinstance(node, ast.ImportFrom | ast.Import):
            found |= {_NAMES[a.name] for a in node.names if a.asname and a.name in _NAMES}
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = str(getattr(node.func, "id", None) or getattr(node.func, "attr", ""))
        given = str(node.args[0].value) if isinstance(node.args[0], ast.Constant) else ""
        if called in _FINDS and (not given or _ours(given)):
            found.add(_ANY)
        elif called.endswith("_of") and given in RUN_ALONE:
            found.add(given)
    return found


def _ours(name: str) -> bool:
    return name.split(".")[0] == PACKAGE


@cache
def imported(root: Path, file: Path) -> frozenset[Path]:
    """Return the files of the package that a Python file imports, wherever in it.

    A registry, where one is made, imports the files of the folder that it names.
    """
    found = set(_by_name(root, file))
    for name in _told(file)[1]:
        folder = root.joinpath(*name.split("."))
        found |= {*folder.glob("*.py"), *folder.glob("*/__init__.py")}
    return frozenset(found)


@cache
def _told(file: Path) -> tuple[list[str], list[str], list[str]]:
    return _memory(Path(STATE, "imported.json").absolute()).said(file.read_bytes())


@cache
def _by_name(root: Path, file: Path) -> frozenset[Path]:
    stems = {tuple(parts[:n]) for parts in (name.split(".") for name in _told(file)[0])
             for n in range(1, len(parts) + 1)}  # fmt: skip
    return frozenset(file for stem in stems for file in _files(root.joinpath(*stem)))


@cache
def _files(stem: Path) -> tuple[Path, ...]:
    return tuple(f for f in (stem.with_suffix(".py"), stem / "__init__.py") if f.is_file())


@cache
def _kinds(folder: Path) -> tuple[Path, ...]:
    return tuple((folder / KINDS).rglob("*.py"))


def closure(root: Path, script: Path) -> set[str]:
    """Return the package's files that a script runs, as paths below ``root``.

    A registry imports the modules of a folder by their names, so whatever lies in the folder
    ``kinds`` of a package that is imported belongs to it.
    """
    seen: set[Path] = set()
    todo = [script]
    while todo:
        file = todo.pop()
        if file in seen:
            continue
        seen.add(file)
        todo += imported(root, file)
        if file.name == "__init__.py":
            todo += _kinds(file.parent)
    _memory(Path(STATE, "imported.json").absolute()).save()
    found = {file.relative_to(root).as_posix() for file in seen - {script}}
    return found - set(SURROUNDINGS)


def boxes(root: Path, script: Path) -> list[str]:
    """Return the folders of the package that hold what a script runs, sorted."""
    found = set()
    for file in closure(root, script):
        parts = file.split("/")
        found.add("/".join(parts[: 3 if parts[1] in SPLIT else 2]))
    return sorted(found)


def run_alone(
    root: Path,
    sources: Iterable[str],
    folders: Mapping[str, str],
    own: Mapping[str, Collection[str]],
) -> dict[str, set[str]]:
    """Return the folders of which scripts need some kinds alone, with the names of those.

    A kind that something imports by its name is needed too. A folder is left out whose registry is
    asked for more, as its kinds may then decide something.

    Parameters
    ----------
    sources
        Scripts, and whatever else is no code of Python's.
    folders
        Folders of the kinds of :data:`RUN_ALONE`.
    own
        Modules of the kinds that are asked for by their names, as files, by registry.
    """
    todo = [root / path for path in (*sources, *(m for each in own.values() for m in each))]
    todo, seen = [file for file in todo if file.suffix == ".py" and file.is_file()], set[Path]()
    closed = set(folders.values())
    while todo:
        file = todo.pop()
        if file in seen:
            continue
        seen.add(file)
        todo += _by_name(root, file)
        opened = [name.replace(".", "/") for name in _told(file)[1]]
        if file.name == "__init__.py":
            opened.append(f"{file.parent.relative_to(root).as_posix()}/{KINDS}")
        for folder in opened:
            todo += () if folder in closed else _below(root / folder)
    found = {}
    paths = {file.relative_to(root).as_posix(): file for file in seen}
    for registry, folder in folders.items():
        inside = {path for path in paths if path.startswith(f"{folder}/")}
        asking = (
            inside if registry in own else {p for p in paths if not p.startswith(_FOR_PARAMETERS)}
        )
        unsaid = any(_ANY in _told(paths[path])[2] for path in inside)
        if not unsaid and not any(registry in _told(paths[path])[2] for path in asking):
            found[folder] = {path.removeprefix(f"{folder}/").split("/")[0] for path in inside}
    return found


@cache
def _below(folder: Path) -> tuple[Path, ...]:
    return tuple(folder.rglob("*.py"))


def opened(root: Path, code: Iterable[str], needed: Mapping[str, Collection[str]]) -> list[str]:
    """Return code with folders opened, without what nobody needs of them.

    Parameters
    ----------
    needed
        What is needed of each folder, by the names of its entries.
    """
    found: list[str] = []
    for box in code:
        if not any(f"{folder}/".startswith(f"{box}/") for folder in needed):
            found.append(box)
            continue
        entries = [entry for entry in sorted((root / box).iterdir()) if _holds_code(entry)]
        names = [entry.name for entry in entries]
        data = {entry.name for entry in entries if not _python(entry)}
        kept = {"__init__.py", *data, *needed.get(box, names)}
        found += opened(root, [f"{box}/{name}" for name in names if name in kept], needed)
    return found


def _python(entry: Path) -> bool:
    return entry.suffix == ".py" or (entry.is_dir() and any(entry.rglob("*.py")))


def _holds_code(entry: Path) -> bool:
    files = (file for file in entry.rglob("*") if file.is_file()) if entry.is_dir() else [entry]
    return any("__pycache__" not in file.parts for file in files)
