"""Which code a script runs: the modules that it imports, and theirs, as folders of the package."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from lvlmbench.core.files import linked_below
from lvlmbench.engine import asking
from lvlmbench.engine.asking import (
    ANY,
    ASKED,
    HOMES,
    PACKAGE,
    SUITES,
    asked,
    called,
    constant,
)
from lvlmbench.engine.builds import STATE
from lvlmbench.engine.hashing import remember, remembered

#: Layers whose folders are boxes of their own: ``stages/render`` is one, ``core`` another.
SPLIT = ("stages", "suites")
#: Modules that decide no byte of what a stage makes.
SURROUNDINGS = (f"{PACKAGE}/__init__.py", *(f"{PACKAGE}/{layer}/__init__.py" for layer in SPLIT))
#: A folder whose modules register themselves: who imports the registry runs them all.
KINDS = "kinds"
#: What makes registries.
_REGISTRIES = ("Registry", "Kinds")
#: What imports all modules of a package.
_LOADS = "import_modules"
#: Code that asks them what parameters may say, which decides nothing beside the parameters.
_FOR_PARAMETERS = (f"{PACKAGE}/config/", f"{PACKAGE}/core/")
#: Code that asks for suites and subtasks to check what users write, or makes their registries.
CHECKS = (*_FOR_PARAMETERS, f"{PACKAGE}/scene/", *HOMES)
#: Layers above the suites: a suite that imports one may register what others run.
_ABOVE = tuple(f"{PACKAGE}.{layer}" for layer in ("stages", "engine", "labelling", "versions"))


#: How many files' imports are remembered at most, of those that were not looked up.
_MOST = 5000


#: What reads code: where that changes, what was learnt is learnt anew.
_RULES = hashlib.blake2b(
    b"".join(Path(str(file)).read_bytes() for file in (__file__, asking.__file__)), digest_size=16
).digest()


class _Memory:
    """What files import, by the hash of their text: to parse them takes seconds."""

    def __init__(self, file: Path) -> None:
        self._file, self._known = file, remembered(file)
        self._used: set[str] = set()
        self._changed = False

    def said(self, text: bytes) -> tuple[list[str], list[str], list[str]]:
        """Names that a file imports, wherever in it, the folders that its registries import, and
        the registries that it asks, as :func:`.asking.asked` says."""
        key = hashlib.blake2b(text, digest_size=16, key=_RULES).hexdigest()
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
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            home = "." * node.level + (f"{node.module}." if node.module else "")
            names |= {home + alias.name for alias in node.names}
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
            given = [each.value for each in node.value.args if isinstance(each, ast.Constant)]
            made = getattr(node.value.func, "id", None) in _REGISTRIES and len(given) == 2
            folders |= {str(given[1])} if made else set()
    loads = (n for n in ast.walk(tree) if isinstance(n, ast.Call) and called(n) == _LOADS)
    folders |= {constant(call) for call in loads}
    asks = asked(text, tree)
    return sorted(filter(_may_be_ours, names)), sorted(filter(_ours, folders)), sorted(asks)


def _ours(name: str) -> bool:
    return name.split(".")[0] == PACKAGE


def _may_be_ours(name: str) -> bool:
    return _ours(name) or name.startswith(".")  # relative to where it stands


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
    at = file.relative_to(root).parts if file.is_relative_to(root) else ()
    own = at[:-1] if at[:1] == (PACKAGE,) else ()
    names = (_whole(name, own) for name in _told(file)[0] if _ours(name) or own)
    stems = {parts[:n] for parts in names for n in range(1, len(parts) + 1)}
    return frozenset(file for stem in stems for file in _files(root.joinpath(*stem)))


def _whole(name: str, package: tuple[str, ...]) -> tuple[str, ...]:
    """The parts of a module's name; of one with dots before it, from the package that it is in."""
    left = name.lstrip(".")
    above = len(name) - len(left)
    return (*(package[: len(package) + 1 - above] if above else ()), *left.split("."))


@cache
def _files(stem: Path) -> tuple[Path, ...]:
    return tuple(f for f in (stem.with_suffix(".py"), stem / "__init__.py") if f.is_file())


@cache
def _kinds(folder: Path) -> tuple[Path, ...]:
    return _below(folder / KINDS)


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


class Needed(NamedTuple):
    """What an item's code needs.

    Attributes
    ----------
    kinds
        Names of the entries that it needs, by the folders of which it does not need all.
    asks
        What its code asks for, as :func:`.asking.asked` says, but where it checks what users write.
    """

    kinds: dict[str, set[str]]
    asks: frozenset[str]


def run_alone(
    root: Path,
    sources: Iterable[str],
    folders: Mapping[str, str],
    own: Mapping[str, Collection[str]],
) -> Needed:
    """Return the folders of which scripts need some kinds alone, with the names of those.

    A kind that something imports by its name is needed too; of a suite all files are then. A folder
    is left out whose registry is asked for more, as its kinds may then decide something.

    Parameters
    ----------
    sources
        Scripts, and whatever else is no code of Python's.
    folders
        Folders of the kinds, by registry.
    own
        Modules of the kinds that are asked for by their names, as files, by registry.
    """
    code = [root / path for path in (*sources, *(m for each in own.values() for m in each))]
    suites = root / folders.get(SUITES, "-")
    code += [file for each in _registering(suites) for file in _below(each)]
    closed = dict(folders)
    while True:  # what is needed as a whole may ask for more
        run = _reached(root, code, {*closed.values()}, suites)
        asks = {file.relative_to(root).as_posix(): _told(file)[2] for file in run}
        kept = {name: f for name, f in closed.items() if not _asked(name, f, asks, {*own})}
        if kept == closed:
            break
        closed = kept
    found = {
        folder: {
            path.removeprefix(f"{folder}/").split("/")[0]
            for path in asks
            if path.startswith(f"{folder}/")
        }
        for folder in closed.values()
    }
    said = {each for path, of in asks.items() if not path.startswith(CHECKS) for each in of}
    return Needed(found, frozenset(said))


def _reached(root: Path, code: Iterable[Path], closed: Collection[str], suites: Path) -> set[Path]:
    """Files that code runs, but for kinds in closed folders that nothing imports by name."""
    todo, seen = [file for file in code if file.suffix == ".py" and file.is_file()], set[Path]()
    while todo:
        file = todo.pop()
        if file in seen:
            continue
        seen.add(file)
        todo += _by_name(root, file)
        if suites in file.parents and file.parent != suites:
            todo += _below(suites / file.relative_to(suites).parts[0])
        opened = [name.replace(".", "/") for name in _told(file)[1]]
        if file.name == "__init__.py":
            opened.append(f"{file.parent.relative_to(root).as_posix()}/{KINDS}")
        for folder in opened:
            todo += () if folder in closed else _below(root / folder)
    return seen


def _asked(
    registry: str, folder: str, asks: Mapping[str, Collection[str]], own: Collection[str]
) -> bool:
    """Whether files ask a registry for more than what the parameters name of it."""
    inside = {path for path in asks if path.startswith(f"{folder}/")}
    exempt = CHECKS if registry == SUITES else _FOR_PARAMETERS
    asking = {path for path in asks if not path.startswith(exempt)}
    unsaid = asking if registry in ASKED else inside
    if registry in own and registry != SUITES:
        asking = inside
    return any(ANY in asks[path] for path in unsaid) or any(registry in asks[p] for p in asking)


@cache
def _registering(suites: Path) -> tuple[Path, ...]:
    """Suites that import a layer above them: what they register there, others may run."""
    folders = (each for each in suites.iterdir() if each.is_dir()) if suites.is_dir() else ()
    return tuple(
        folder
        for folder in folders
        if any(name.startswith(_ABOVE) for file in _below(folder) for name in _told(file)[0])
    )


@cache
def _below(folder: Path) -> tuple[Path, ...]:
    return tuple(path for path in linked_below(folder) if path.suffix == ".py")


def opened(root: Path, code: Iterable[str], needed: Mapping[str, Collection[str]]) -> list[str]:
    """Return code with folders opened, without what nobody needs of them.

    Parameters
    ----------
    needed
        What is needed of each folder, by the names of its entries.
    """
    found: list[str] = []
    for box in code:
        folder, _, name = box.rpartition("/")
        known = (*needed.get(folder, (name,)), "__init__.py")
        if name not in known and _python(root / box):
            continue
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
    return entry.suffix == ".py" or (
        entry.is_dir() and any(path.suffix == ".py" for path in linked_below(entry))
    )


def _holds_code(entry: Path) -> bool:
    files = linked_below(entry) if entry.is_dir() else [entry]
    return any("__pycache__" not in file.parts for file in files)
