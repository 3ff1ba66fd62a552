"""Which items read the vocabulary: who says that it does not has no code that could."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import validate_project
from lvlmbench.core.registry import kinds_of
from lvlmbench.engine.asking import ANY, asked
from lvlmbench.engine.stages import pipeline
from lvlmbench.stages.stage import VOCABULARY, declared

ROOT = Path(__file__).parents[2]
FOLDER = "data/vocabulary"

#: Imports it with the words for an attack, and calls nothing of it.
NAMES_ONLY = {"report": "adversarial/aims.py"}


def file_of(module: str) -> Path:
    path = ROOT / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def said(path: Path) -> tuple[tuple[Path, ...], bool]:
    """Files that a file imports, and whether it asks for the vocabulary's folder."""
    modules, asks = list[Path](), False
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lvlmbench"):
            for alias in node.names:
                module = file_of(f"{node.module}.{alias.name}")
                modules.append(module if module.is_file() else file_of(str(node.module)))
                asks |= alias.name == "vocabulary_dir"
        elif isinstance(node, ast.Import):
            names = (alias.name for alias in node.names)
            modules += [file_of(name) for name in names if name.startswith("lvlmbench")]
    return tuple(modules), asks


def readers(starts: Iterable[Path]) -> list[str]:
    """Files that ask for it, of those that these import."""
    todo, seen, found = [*starts], set[Path](), list[str]()
    while todo:
        if (path := todo.pop()) in seen:
            continue
        seen.add(path)
        modules, asks = said(path)
        todo += modules
        found += [path.relative_to(ROOT).as_posix()] if asks else []
    return found


@pytest.mark.parametrize(
    "registry", ["renderers", "text_engines", "filters", "scenarios", "models", "judges"]
)
def test_a_kind_says_whether_it_reads_the_vocabulary(registry: str) -> None:
    known = kinds_of(registry)
    for kind in known.ordered():
        if kind.name in known.ours():
            own = file_of(kind.make.__module__)
            # Who runs another kind, by its name, reads what that reads.
            runs = {registry, ANY} & asked(own.read_bytes(), ast.parse(own.read_bytes()))
            assert kind.vocabulary is bool(readers([own]) or runs), kind.name


def test_a_stage_that_declares_no_vocabulary_reads_none() -> None:
    for name, stage in declared().items():
        if any(read.startswith(VOCABULARY) for read in stage.reads):
            continue
        scripts = [ROOT / f"scripts/{script}.py" for script in stage.scripts or (name,)]
        found = readers([*scripts, *(ROOT / f"lvlmbench/stages/{name}").rglob("*.py")])
        allowed = NAMES_ONLY.get(name, "-")
        assert [path for path in found if not path.endswith(allowed)] == [], name


def test_items_read_the_vocabulary_where_their_kind_does() -> None:
    served: dict[str, Any] = {"engine": "openai_chat", "endpoint": {"model": "m"}}
    noisy = [{"name": "blind"}, {"name": "print_attack"}]
    names = ["clean", "blind", "print_attack"]
    found = pipeline(
        validate_project({
            "reference": {"models": ["reference_a"]},
            "filter": {"filters": [{"name": "integrity"}, {"name": "clip"}]},
            "suites": {"dysca": {"scenarios": {"names": names, "noisy": noisy}}},
            "answer": {"models": [
                {"name": "chance", "engine": "chance"}, {"name": "far", **served},
            ]},
            "judge": {"judges": [
                {"name": "lexical", "engine": "lexical"},
                {"name": "asked", **served},
            ]},
        }),
        ROOT,
    ).items  # fmt: skip
    reads = {name for name, item in found.items() if FOLDER in item.deps}
    asked = {"filter": ("integrity", "clip"), "scenario": names, "answer": ("chance", "far")}
    for stage, values in asked.items():
        ends = [f"{value}/clean" if stage == "answer" else value for value in values]
        expected = [value in ("clip", "print_attack", "chance") for value in values]
        assert [f"{stage}/dysca/{end}" in reads for end in ends] == expected
    whole = {"scenes", "questions", "hallucination"}
    assert {f"{stage}/dysca" for stage in whole} <= reads
    # Its jobs are given what the vocabulary says of the entries that the scenes name.
    assert "render/dysca" not in reads
    assert "data/dysca/entries" in found["render/dysca"].deps
    none = {"score", "metrics", "consensus", "exports", "figures", "distances", "validity"}
    assert not {name for name in reads if name.split("/")[0] in none}
    assert "report" not in reads
    assert f"{FOLDER}/style.yaml" in found["validity/dysca"].deps
