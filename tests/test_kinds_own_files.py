"""No kind's name stands in code outside the kind's own file or folder.

Names of files, documents, parameters and tests may name kinds; code may not. A string constant of
the package that equals a registered name must stand in the file that registers it (in the folder,
where that file is a package). Two rules say what else a constant may mean:

- A name that is also a word of the project's data (a column of a table, the name of a stage, a
  suite, a module or a registry, a name in another registry, the package's own) counts only where it
  is held against a kind: compared with or looked up by what is called as the registry's things
  are (``spec.engine == ...``, ``MODELS.get(...)``).
- :data:`FOREIGN` lists words of others that happen to be names, each with its one place.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import lvlmbench
from lvlmbench import tables
from lvlmbench.core.registry import HOMES, Kind, Registry, registry_of

ROOT = Path(lvlmbench.__file__).resolve().parent

#: What things of a registry are called in code, beside the registry's own name in capitals.
CALLED = {
    "suites": {"kind"},
    "aspects": {"families"},
    "examiners": {"examiner", "examiners"},
    "renderers": {"renderer", "fallback", "drawable_by"},
    "styles": {"style"},
    "backgrounds": {"background"},
    "text_engines": {"engine"},
    "ocr_engines": {"engine"},
    "safety_engines": {"engine"},
    "filters": {"registered", "kind"},
    "scenarios": {"registered", "kind", "scenario"},
    "corruptions": {"kind"},
    "models": {"engine", "registered"},
    "judges": {"engine", "registered"},
    "prompt_formats": {"format", "named"},
    "strategies": {"strategy"},
    "metrics": {"metrics"},
    "figures": {"figure"},
    "sections": {"section"},
    "sheets": {"sheet"},
    "exports": {"export", "form"},
}

#: (file, name): a word of another project or of the data, which is no kind there.
FOREIGN = {
    # The condition that every other is held against: the parameters know it before any kind, and
    # a script that is copied beside an export knows it without the package.
    ("config/scenarios.py", "clean"),
    ("stages/exports/bundled/inspect_task.py", "clean"),
    # POPE's word for probes of what often goes with what is there.
    ("analysis/hallucination/probes.py", "adversarial"),
    # Keys of vocabulary files: an entry's glyphs.
    ("scene/vocabulary/keys.py", "pictograph"),
    ("scene/vocabulary/file.py", "pictograph"),
    # The trained models of the stage reference, which the engine registers by their names.
    ("config/reference.py", "reference_a"),
    ("config/reference.py", "reference_b"),
    ("stages/reference/architectures.py", "reference_a"),
    ("stages/reference/architectures.py", "reference_b"),
    # A part of diffusers' pipelines, and a folder of the hub's cache.
    ("stages/render/kinds/diffusion/files.py", "safety_checker"),
    ("stages/render/kinds/diffusion/files.py", "huggingface"),
    # What servers and models say of answers that they refuse.
    ("stages/score/refusal.py", "safety"),
    # Families of the package transformers (``model_type``), not the formats of the same names.
    ("stages/answer/local/kinds/vicuna_v1.py", "llava"),
    ("stages/scenario/kinds/adversarial/blip.py", "instructblip"),
    # A carrier of words, not the style of the same name.
    ("stages/render/kinds/diffusion/text/blanks.py", "neon sign"),
}


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in ROOT.rglob("*.py")}


@cache
def nodes(tree: ast.AST) -> list[ast.AST]:
    """Those parts of a file that may name a kind; each file is walked once for all registries."""
    kinds = (ast.Compare, ast.Call, ast.keyword, ast.Constant)
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


@cache
def words() -> frozenset[str]:
    """Names of columns, stages, registries and the package: words before they are kinds."""
    schemas = (getattr(tables, name) for name in dir(tables) if name.isupper())
    columns = {c for schema in schemas if hasattr(schema, "names") for c in schema.names}
    stages = {path.name for folder in ("stages", "suites") for path in (ROOT / folder).iterdir()}
    layers = {path.stem for path in ROOT.rglob("*.py") if "kinds" not in path.parts}
    return frozenset(columns | stages | layers | set(HOMES) | {ROOT.name})


def home(item: object) -> Path:
    """The file that an item is registered in; its folder where that is a package."""
    made = item.make if isinstance(item, Kind) else item
    path = Path(str(sys.modules[made.__module__].__file__)).resolve()
    return path.parent if path.name == "__init__.py" else path


def is_word(registry: str, name: str) -> bool:
    """Whether a name says nothing by itself: a word, or taken in other registries, too."""
    elsewhere = (kind for kind in HOMES if kind != registry)
    shared = any(name in registry_of(kind).names() for kind in elsewhere)
    return shared or name in words() or registry in ("metrics", "sections")


def said(node: ast.AST) -> str:
    """The last name of an expression: ``engine`` of ``spec.engine``, ``row["engine"]``."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    return ""


def constants(node: ast.AST) -> Iterator[ast.Constant]:
    parts = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
    yield from (p for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str))


def held(tree: ast.AST, called: set[str]) -> Iterator[ast.Constant]:
    """Constants that are compared with, or looked up among, things of a registry."""
    for node in nodes(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if called & {said(side) for side in sides}:
                for side in sides:
                    yield from constants(side)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("get", "find", "register") and said(node.func.value) in called:
                for argument in node.args[:1]:
                    yield from constants(argument)
        elif isinstance(node, ast.keyword) and node.arg in called:
            yield from constants(node.value)


def written(tree: ast.AST) -> Iterator[ast.Constant]:
    yield from (n for n in nodes(tree) if isinstance(n, ast.Constant) and type(n.value) is str)


def foreign(registry: Registry[object], trees: dict[Path, ast.Module]) -> list[str]:
    """Places that name a kind of a registry elsewhere than where it is at home."""
    called = CALLED[registry.kind] | {registry.kind.upper()}
    homes = {name: home(registry.get(name, "test")) for name in registry}
    found = []
    for path, tree in trees.items():
        place = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
        strict = [(c, False) for c in written(tree)]
        for constant, in_context in [*strict, *((c, True) for c in held(tree, called))]:
            name = str(constant.value)
            if name not in homes or in_context != is_word(registry.kind, name):
                continue
            at_home = path == homes[name] or homes[name] in path.parents
            if not at_home and (place, name) not in FOREIGN:
                found.append(f"{place}:{constant.lineno}: '{name}' of {registry.kind}")
    return found


@pytest.mark.parametrize("kind", HOMES)
def test_no_kind_is_named_outside_its_own_file(kind: str) -> None:
    assert foreign(registry_of(kind), trees()) == []


def test_every_registry_has_its_words() -> None:
    for module in HOMES.values():
        importlib.import_module(module)
    assert set(CALLED) == set(HOMES)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("filters", "if spec.registered == 'clip': ..."),
        ("filters", "LABELS = {'ocr': 'OCR'}"),
        ("models", "floor = [m for m in models if m.engine == 'chance']"),
        ("models", "MODELS.get('chance', '')"),
        ("strategies", "if params.score.strategy in ('dysca', 'logprobs'): ..."),
        ("text_engines", "made(engine='prompt')"),
        ("scenarios", "ORDER = ('blind', 'clean')"),
    ],
)
def test_a_name_elsewhere_is_found(kind: str, code: str) -> None:
    assert foreign(registry_of(kind), {Path("/elsewhere.py"): ast.parse(code)})


@pytest.mark.parametrize(
    ("kind", "code"),
    [("models", "level = questions['chance']"), ("text_engines", "row['prompt'] == 'prompt'")],
)
def test_a_column_is_no_kind(kind: str, code: str) -> None:
    assert not foreign(registry_of(kind), {Path("/elsewhere.py"): ast.parse(code)})


def test_no_exception_is_left_over() -> None:
    for place, name in FOREIGN:
        assert name in {c.value for c in written(trees()[ROOT / place])}, (place, name)
