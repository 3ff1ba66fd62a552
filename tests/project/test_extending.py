"""What docs/extending.md says of registries and stages; test_docs_examples.py has its examples."""

from __future__ import annotations

import re

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.registry import HOMES
from lvlmbench.stages.stage import declared

PAGE = (PROJECT_ROOT / "docs/extending.md").read_text()

#: Entry points' group -> what registers its kinds, as the table has them.
ROWS = re.findall(r"^\| ([a-z, ]+) \| `(lvlmbench/[a-z_/]+)` \| (.+) \| (.+) \|$", PAGE, re.M)


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
