"""A text-to-image pipeline in the DAG: all subtasks drawn, filtered, attacked; killed, gone on.

Its weights are random, so it draws noise: what filters say of its images means nothing, and their
thresholds are such that some pass and some do not.
"""

from __future__ import annotations

import random
import shutil
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from e2e.clone import Clone
from lvlmbench import tables
from lvlmbench.scene.subtasks import subtasks_of
from support import tiny_clip, tiny_diffusion

pytestmark = [pytest.mark.e2e, pytest.mark.long]

NOISY = ("corruption", "print_attack", "adversarial")
FILTERS = ("integrity", "clip", "ocr", "safety")
TEXT_SCENES = 4
SCENES = len(subtasks_of("dysca")) - 1 + TEXT_SCENES
#: About half of the noise is as like its caption as this.
LIKE = 0.4


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """The project with a tiny SDXL that draws all subtasks; nothing was ever run."""
    models = tmp_path_factory.mktemp("models")
    clip = f"local-dir:{tiny_clip.save_folder(models / 'clip')}"
    home = tmp_path_factory.mktemp("home")
    clone = Clone.origin(tmp_path_factory.mktemp("origin") / "project", home)
    clone.set(
        "corpus",
        drawable_by=None,
        subtasks=list(subtasks_of("dysca")),
        scenes_per_subtask=1,
        scenes={"text": TEXT_SCENES},
        shard_scenes=SCENES,
    )
    alike = {"name": "clip", "clip": {"engine": clip, "threshold": LIKE}}
    clone.set(
        "render",
        renderer="diffusion",
        size=128,
        shard_images=SCENES,
        diffusion={
            "model": str(tiny_diffusion.sdxl(models / "sdxl")),
            "device": "cpu",
            "steps": 2,
            "exact": True,
        },
        retries={"attempts": 1, "filters": [alike, {"name": "ocr"}]},
    )
    clone.set("filter", filters=[alike if name == "clip" else {"name": name} for name in FILTERS])
    attack = {"name": "adversarial", "adversarial": {"proxy": clip, "steps": 2}}
    clone.set(
        "scenarios",
        names=["clean", *NOISY],
        noisy=[{"name": "corruption"}, {"name": "print_attack"}, attack],
    )
    clone.commit("a text-to-image pipeline")
    return clone


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, origin: Clone) -> Clone:
    """A clone in which Snakemake has run, undisturbed."""
    clone = origin.fresh(tmp_path_factory.mktemp("made") / "clone")
    ran = clone.snakemake("--cores", "2")
    print("  snakemake:", ran)
    assert ran["render"] == 1 and ran["filter"] == 4 and ran["scenario"] == 4
    return clone


def rows(clone: Clone, name: str, schema: tables.Table) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tables.read(clone.path / "data/dysca" / name, schema).to_pylist()
    return found


@pytest.fixture(scope="module")
def images(made: Clone) -> dict[str, dict[str, Any]]:
    """The clean images by scene."""
    return {row["scene_id"]: row for row in rows(made, "images/clean", tables.IMAGES)}


@pytest.fixture(scope="module")
def attempts(made: Clone) -> dict[str, list[dict[str, Any]]]:
    """The attempts at each scene, in their order."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows(made, "attempts", tables.ATTEMPTS):
        found[row["scene_id"]].append(row)
    return found


def test_all_subtasks_are_drawn(made: Clone, images: dict[str, dict[str, Any]]) -> None:
    scenes = rows(made, "scenes", tables.SCENES)
    assert {scene["scene_id"] for scene in scenes} == images.keys()
    assert {scene["subtask"] for scene in scenes} == set(subtasks_of("dysca"))
    assert {row["renderer"] for row in images.values()} == {"diffusion"}
    assert len({row["sha256"] for row in images.values()}) == SCENES
    assert all(row["keep"] for row in rows(made, "verdicts/render", tables.VERDICTS))


def test_rejected_images_are_drawn_again_and_all_attempts_are_kept(
    images: dict[str, dict[str, Any]], attempts: dict[str, list[dict[str, Any]]]
) -> None:
    assert attempts.keys() == images.keys()
    for scene, tries in attempts.items():
        assert [t["attempt"] for t in tries] == list(range(len(tries)))
        assert tries[-1]["seed"] == images[scene]["seed"], "the last one is the image"
        assert len({t["seed"] for t in tries}) == len(tries) <= 2
        # After the first one there is another one only where a filter rejected it.
        assert [t["outcome"] for t in tries[:-1]] == ["rejected"] * (len(tries) - 1)
        assert len(tries) == 2 or tries[0]["outcome"] == "kept"
        assert all(t["exact"] and t["batch"] == 1 for t in tries)
    rejecting = Counter(t["filter"] for tries in attempts.values() for t in tries)
    print("  attempts rejected by:", dict(rejecting))
    assert 0 < sum(len(tries) == 2 for tries in attempts.values()) < SCENES
    assert rejecting["clip"] > 0


def test_words_are_composited_and_prompts_not_cut(
    attempts: dict[str, list[dict[str, Any]]],
) -> None:
    tries = [t for some in attempts.values() for t in some]
    methods = {(t["subtask"] == "text", t["method"]) for t in tries}
    assert methods == {(True, "composited"), (False, "text-to-image")}
    assert any(t["prompt_chunks"] > 1 for t in tries), "some prompts are long"
    assert {t["prompt_tokens_cut"] for t in tries} == {0}


def test_filters_judge_all_and_scenarios_show_all(
    made: Clone, images: dict[str, dict[str, Any]]
) -> None:
    kept: Counter[str] = Counter()
    for name in FILTERS:
        verdicts = rows(made, f"verdicts/{name}", tables.VERDICTS)
        assert {verdict["scene_id"] for verdict in verdicts} == images.keys()
        kept[name] = sum(verdict["keep"] for verdict in verdicts)
    print("  kept:", dict(kept))
    assert 0 < kept["clip"] < SCENES == kept["integrity"]
    asked = rows(made, "answers/chance/clean", tables.ANSWERS)
    assert asked
    words = {row["scene_id"] for row in rows(made, "scenes", tables.SCENES)
             if row["subtask"] == "text"}  # fmt: skip
    for name in NOISY:
        shown = rows(made, f"images/{name}", tables.IMAGES)
        left_out = words if name == "print_attack" else set()
        assert {row["scene_id"] for row in shown} == images.keys() - left_out
        assert not {row["sha256"] for row in shown} & {row["sha256"] for row in images.values()}


def test_the_report_tells_how_images_were_made(made: Clone) -> None:
    report = (made.path / "results" / "report.html").read_text()
    assert 'id="rendering"' in report and "composited" in report


@pytest.mark.long
def test_killed_at_an_image_it_goes_on(made: Clone, tmp_path: Path) -> None:
    """The same bytes as without the kill, on more cores, and no finished image is drawn again.

    What comes after drawing keeps its published files where what it reads has the same bytes.
    """
    clone = made.copy(tmp_path / "clone")
    shutil.rmtree(clone.path / ".lvlmbench/build")
    (clone.path / "data/seals/render/dysca.json").unlink()
    enough = random.randint(1, SCENES)
    drawn = "training/render-dysca-00000/[0-9a-f]*.json"
    assert clone.killed("snakemake", "--cores", "1", once=lambda: len(clone.built(drawn)) >= enough)
    kept = len(clone.built(drawn))
    print(f"  killed at image {enough}, when {kept} were finished")
    assert not clone.built("data/dysca/images/clean/part-00000.parquet")
    clone.run("snakemake", "--cores", "2")
    (log,) = clone.built("log/render-dysca-00000.log")
    said = log.read_text()
    print("  after kill -9:", said.splitlines()[-1])
    assert f", {kept} kept from before" in said
    assert clone.artifacts() == made.artifacts()
