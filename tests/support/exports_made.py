"""What tests of exports to other tools share: a small snapshot written for them, and examples that
are hard to tell."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PIL import Image

from lvlmbench.config import Params, validate
from lvlmbench.stages.exports.export import Example, Source
from lvlmbench.stages.exports.run import write
from support import report_snapshot, submissions_snapshot

ROOT = Path(__file__).resolve().parents[2]
#: The second one has a name that is no name of a split.
SCENARIOS = ("clean", "print-attack")

#: Texts that tables, JSON lines, YAML and templates are tempted to read as something else.
HOSTILE = (
    "tab\there", "line\nend", "carriage\rreturn", "both\r\nends", 'a "quoted" word', "it's", "None",
    "NA", "null", "nan", "2", "-1.5e3", "true", " padded ", "{braces} {{more}}", "%s", "\u202eleft",
    "\u2028separator", "=1+1", "!function utils.mean", "[1, 2]", "zero\0byte",
    "\ud7ff\U0001f98a", "#",
)  # fmt: skip


def params(scenarios: Sequence[str] = SCENARIOS) -> Params:
    """Parameters of the small snapshot, these scenarios exported."""
    data = submissions_snapshot.params().model_dump(mode="json")
    data["scenarios"] = {
        "names": list(SCENARIOS),
        "noisy": [{"name": "print-attack", "kind": "print_attack"}],
    }
    data["exports"]["scenarios"] = list(scenarios)
    return validate(data)


def build(root: Path, shard: int = 3, scenarios: Sequence[str] = SCENARIOS) -> Source:
    """The snapshot below ``root``, with images in shards of so many."""
    report_snapshot.build(root, submissions_snapshot.params(), shard=shard)
    images = root / "data/dysca/images"
    (images / "print_attack").rename(images / SCENARIOS[1])
    return Source(params(scenarios), root / "data/dysca")


def written(source: Source, root: Path, *kinds: str) -> Path:
    """The folder of the last of these forms, each written below ``root``."""
    for kind in kinds:
        write(kind, source, root / kind)
    return root / kinds[-1]


def files(folder: Path) -> dict[str, str]:
    """Hashes of all files below a folder, by path."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def picture(number: int) -> bytes:
    """A PNG file of its own for each number."""
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8), (number % 256, 40, 90)).save(buffer, "PNG")
    return buffer.getvalue()


def example(number: int = 0, **changes: Any) -> Example:
    """A question with four options; ``changes`` replace fields."""
    image = picture(number)
    made = Example(
        item_id=f"{number:032x}",
        scenario="clean",
        question_id=f"q{number}",
        image_id=f"i{number}",
        scene_id=f"s{number}",
        subtask="animal",
        granularity="fine",
        question_type="multiple_choice",
        question="Which animal is shown?",
        options=("red fox", "barn owl", "hedgehog", "gray wolf"),
        answer="barn owl",
        answer_index=1,
        chance=0.25,
        prompt="Which animal is shown?\nOptions: ...",
        image=image,
        image_sha256=hashlib.sha256(image).hexdigest(),
        width=8,
        height=8,
        perturbation=None,
        kept=True,
        scene={"style": "mosaic"},
    )
    return replace(made, **changes)


@dataclass(frozen=True)
class Told(Source):
    """A snapshot whose questions are given; facts come from its tables."""

    given: tuple[Example, ...] = ()

    def examples(self, scenario: str) -> Iterator[Example]:
        """The questions given."""
        yield from self.given


def run(script: Path | str, *arguments: object, home: Path) -> list[Any]:
    """Lines of JSON that a script writes, run elsewhere, offline, with a home of its own."""
    environment = {
        **os.environ,
        "HOME": str(home), "XDG_DATA_HOME": str(home), "XDG_CACHE_HOME": str(home),
        "HF_HOME": str(home / "hf"), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1",
        "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    home.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, str(script), *map(str, arguments)],
        cwd=home, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith(("{", "["))]
