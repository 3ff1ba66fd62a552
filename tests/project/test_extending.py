"""The examples of docs/extending.md, run as they stand there."""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import Any

import pytest

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.registry import HOMES, registry_of
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.stages.stage import declared

PAGE = (PROJECT_ROOT / "docs/extending.md").read_text()

#: Title of a section -> its example.
EXAMPLES = {
    part.split("\n")[0]: part.split("```python\n")[1].split("```")[0]
    for part in PAGE.split("\n## ")
    if "```python\n" in part
}

#: Entry points' group -> what registers its kinds, as the table has them.
ROWS = re.findall(r"^\| ([a-z, ]+) \| `(lvlmbench/[a-z_/]+)` \| (.+) \| (.+) \|$", PAGE, re.M)


def registries() -> dict[str, Any]:
    return {name: registry_of(name) for name in HOMES} | {"subtasks": SUBTASKS}


@pytest.mark.parametrize("title", EXAMPLES)
def test_each_example_registers_its_kind(title: str) -> None:
    with ExitStack() as stack:
        for registry in registries().values():
            stack.enter_context(registry.temporarily())
        before = {name: set(registry) for name, registry in registries().items()}
        exec(compile(EXAMPLES[title], title, "exec"), {"__name__": "example"})
        added = [
            kind for name, registry in registries().items() for kind in {*registry} - before[name]
        ]
    # A suite brings its subtask.
    assert len(added) == (2 if title == "A suite" else 1)


def test_the_table_names_every_registry_that_has_a_page_here() -> None:
    groups = {group for row in ROWS for group in re.findall(r"`([a-z_]+)`", row[3])}
    #: Parts of a renderer and of filters, which their own pages describe.
    assert groups == {*HOMES, "subtasks"} - {"text_engines", "ocr_engines", "safety_engines"}
    for _, folder, name, _ in ROWS:
        assert (PROJECT_ROOT / folder).is_dir()
        for decorator in re.findall(r"`([A-Z]+)`", name):
            assert f"@{decorator}.register(" in PAGE or decorator in ("BACKGROUNDS", "SCENARIOS")


def test_every_stage_is_a_folder_rules_and_a_script() -> None:
    for name, stage in declared().items():
        assert (PROJECT_ROOT / "lvlmbench/stages" / name / "stage.py").is_file()
        assert all((PROJECT_ROOT / source).is_file() for source in stage.sources)
