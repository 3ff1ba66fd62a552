"""A small project with a pinned version, for the tests of versions and verifications."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.core.exactness import Exactness
from lvlmbench.versions.facts import file_facts, table_facts
from lvlmbench.versions.manifest import FORMAT, Environment, Manifest, SnapshotFacts, StageFacts

TABLE = "data/images/clean"
PART = f"{TABLE}/part-00000.parquet"
PAGE = "results/figures/one.csv"


def image(number: int, **other: Any) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(tables.IMAGES.names)
    picture = {"bytes": bytes([number]) * 400, "path": f"{number}.png"}
    return row | {"image_id": f"i{number}", "sha256": str(number), "image": picture} | other


def write_images(path: Path, *rows: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    tables.write_rows([*rows], path, tables.IMAGES, "id")


def stage(exact: Exactness, inputs: list[str], outs: list[str]) -> StageFacts:
    return StageFacts(
        exact=exact, why="", code={}, inputs=dict.fromkeys(inputs), outs=dict.fromkeys(outs)
    )


def make_project(tmp_path: Path) -> tuple[Path, Manifest]:
    """Two tables' shards and a page, with their manifest."""
    folder = tmp_path / "project"
    write_images(folder / PART, *(image(n) for n in range(6)))
    write_images(folder / TABLE / "part-00001.parquet", image(7))
    (folder / PAGE).parent.mkdir(parents=True)
    (folder / PAGE).write_text("a,b\n1,2\n")
    files = [path for path in folder.rglob("*") if path.is_file()]
    manifest = Manifest(
        format=FORMAT,
        name="v1",
        snapshot=SnapshotFacts(name="small", seed=7, id="0"),
        params={},
        vocabulary="",
        locks={},
        environment=Environment(
            python="", platform="", processor="other", gpus=[], packages={"numpy": "1", "ruff": "1"}
        ),
        stages={
            "render": stage(Exactness.EVERYWHERE, [], [TABLE]),
            "reference/a": stage(Exactness.HARDWARE, [], ["data/reference/a"]),
            "answer/m/clean": stage(
                Exactness.ARTIFACT, [TABLE, "data/reference/a"], ["data/answers"]
            ),
            "figures": stage(Exactness.HARDWARE, ["data/answers"], ["results/figures"]),
        },
        files={str(path.relative_to(folder)): file_facts(path) for path in files},
        tables={TABLE: table_facts(folder / TABLE)},
    )
    return folder, manifest
