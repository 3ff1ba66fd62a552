"""The example of docs/valor.md: what it shows can be written as it stands there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import yaml

from lvlmbench.config.layers import load_layers
from lvlmbench.engine.preflight.private import check_apart
from lvlmbench.suites.valor_bench.counts import PICTURES
from lvlmbench.suites.valor_bench.formats import ANNOTATION, FILES
from support.documents.reading import block

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/valor.md").read_text().split("\n## Your own copy of VALOR-Bench\n")[1]
PAGE = PAGE.split("\n## ")[0]


def test_the_example_is_a_suite_of_a_copy(tmp_path: Path) -> None:
    file = tmp_path / "valor_bench.yaml"
    file.write_text(block("docs/valor.md: Your own copy of VALOR-Bench: yaml 1").text)
    project = load_layers([ROOT / "params.yaml", file])
    params = project.suite("own")
    assert params.private
    released = {name: released for name, (_, released) in PICTURES.items()}
    assert {name: params.corpus.count(name) for name in params.corpus.subtasks} == released
    check_apart(project, yaml.safe_load((ROOT / "params.yaml").read_text()))
    [folder] = params.corpus.read(params.kind)
    asked = ["git", "check-ignore", "--quiet", f"{folder}/images/1.jpg"]
    assert subprocess.run(asked, cwd=ROOT, check=False).returncode == 0


def test_the_page_names_each_file() -> None:
    named = re.findall(rf"`{ANNOTATION}/([a-z_.]+)`", PAGE)
    assert named == [each.file for each in FILES.values()]
