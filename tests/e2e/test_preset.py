"""The preset of the paper, profiles/dysca.yaml, run from end to end at a hundredth of its scale.

What differs is laid over it here: 23 scenes a subtask where the preset has 2,335; images of 128 px
in 2 steps (at 1024 px and 50 steps a CPU takes minutes for one, tiny as the weights are); and what
a machine without a hub lacks. SDXL, TextDiffuser-2, InstructBLIP and CLIP, with a threshold of its
own, are tiny and random; rapidocr reads, with the PP-OCRv6 of its wheel. So images are noise,
CLIP's verdicts mean nothing, and no word can be read. A server that says the same letter always
stands for each of the six models of profiles/dysca-models.yaml.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from e2e.clone import ROOT, Clone
from lvlmbench import tables
from lvlmbench.config.layers import load_layers
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.stages.scenario.kinds.corruption.settings import first_kinds
from support import published_code as theirs
from support import tiny_blip, tiny_clip, tiny_diffusion
from support.answer_tables import running_server
from support.planned import planned

pytestmark = [pytest.mark.e2e, pytest.mark.long]

PRESET = ("profiles/dysca.yaml", "profiles/dysca-models.yaml")
SCENES = 23
#: What each of the six says; so all are wrong exactly where (D) is right.
LETTERS = "AAABBC"
NOISY = ("corruption", "print_attack", "adversarial")
#: A cosine that some of the noise has with its prompt, and some has not.
LIKE = 0.3


def judged(specs: list[dict[str, Any]], clip: str) -> list[dict[str, Any]]:
    """The preset's filters, with engines that are at hand."""
    own = {
        "clip": {"engine": clip, "pretrained": None, "threshold": LIKE},
        "ocr": {"engine": "rapidocr", "detection_model": None, "recognition_model": None},
    }
    return [
        spec
        | ({spec["name"]: spec[spec["name"]] | own[spec["name"]]} if spec["name"] in own else {})
        for spec in specs
    ]


def smaller(models: Path, url: str) -> dict[str, Any]:
    """What is laid over the preset."""
    preset, asked = (read_yaml(ROOT / path) for path in PRESET)
    clip = f"local-dir:{tiny_clip.save_folder(models / 'clip')}"
    noisy = preset["suites"]["dysca"]["scenarios"]["noisy"]
    (attack,) = (spec["adversarial"] for spec in noisy if spec["name"] == "adversarial")
    attack["proxy"] = f"transformers:{tiny_blip.save(models / 'blip', 'instructblip')}"
    chance, *six = asked["answer"]["models"]
    for model, letter in zip(six, LETTERS, strict=True):
        model["endpoint"] = {"base_url": url, "model": f"letter-{letter}", "api_key_env": None}
    return {
        "suites": {
            "dysca": {"corpus": {"scenes_per_subtask": SCENES}, "scenarios": {"noisy": noisy}}
        },
        "render": {
            "size": 128,
            "diffusion": {
                "model": str(tiny_diffusion.sdxl(models / "sdxl")),
                "variant": None,
                "dtype": "float32",
                "steps": 2,
                "text": {"model": str(tiny_diffusion.textdiffuser2(models / "textdiffuser2"))},
            },
            "retries": {"filters": judged(preset["render"]["retries"]["filters"], clip)},
        },
        "filter": {"filters": judged(preset["filter"]["filters"], clip)},
        "answer": {"models": [chance, *six]},
        "validity": {"kmmd": {"encoder": clip, "pretrained": None}},
    }


def rows(clone: Clone, name: str, schema: tables.Table) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tables.read(clone.path / "data/dysca" / name, schema).to_pylist()
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """A clone in which the preset has run; ``overlay.yaml`` is what was laid over it."""
    clone = Clone.origin(
        tmp_path_factory.mktemp("preset") / "clone", tmp_path_factory.mktemp("home")
    )
    shutil.copy(ROOT / "params.yaml", clone.path)
    with running_server() as url:
        over = smaller(tmp_path_factory.mktemp("models"), url)
        (clone.path / "overlay.yaml").write_text(yaml.safe_dump(over))
        layers = ("--configfile", *PRESET, "overlay.yaml")
        said = clone.run("snakemake", "--cores", "2", *layers, timeout_s=5400)
    print(said[-2000:])
    return clone


def test_all_scenes_are_shown_in_the_scenarios_of_the_paper(made: Clone) -> None:
    layers = [made.path / path for path in ("params.yaml", *PRESET, "overlay.yaml")]
    params = load_layers(layers).suite("dysca")
    shards = [
        tuple(tables.read(made.path / "data/dysca" / name, schema) for name, schema in
              (("scenes", tables.SCENES), ("questions", tables.QUESTIONS)))
    ]  # fmt: skip
    expected = planned(params, shards)
    assert {*expected} == {"clean", "blind", *NOISY}
    scenes = rows(made, "scenes", tables.SCENES)
    assert Counter(s["subtask"] for s in scenes) == dict.fromkeys(subtasks_of("dysca"), SCENES)
    for name, each in expected.items():
        images = rows(made, f"images/{name}", tables.IMAGES)
        print(f"  {name}: {len(images)} images, {dict(each.types)} planned")
        assert len(images) == each.images
    methods = Counter(t["method"] for t in rows(made, "attempts", tables.ATTEMPTS))
    print("  attempts:", dict(methods))
    assert methods.keys() == {"text-to-image", "textdiffuser2"}


def test_what_is_done_to_images_is_what_the_published_code_does(made: Clone) -> None:
    done = {
        name: [row["perturbation"] for row in rows(made, f"images/{name}", tables.IMAGES)]
        for name in NOISY
    }

    def told(name: str, kind: str, key: str) -> set[float]:
        given = [json.loads(p["parameters"]) for p in done[name] if p["kind"] == kind]
        return {abs(each[key]) for each in given}

    assert {p["kind"] for p in done["corruption"]} == {*first_kinds()}
    assert told("corruption", "jpeg_compression", "quality") == {theirs.JPEG_QUALITY}
    degrees = told("corruption", "rotation", "degrees")
    assert (min(degrees), max(degrees)) == theirs.ROTATION_DEGREES
    factors = told("corruption", "shear", "factor")
    assert (min(factors), max(factors)) == theirs.SHEAR_FACTORS
    for kind, variance in (
        ("gaussian_noise", theirs.GAUSSIAN_VARIANCE),
        ("speckle_noise", theirs.SPECKLE_VARIANCE),
    ):
        (sigma,) = told("corruption", kind, "sigma")
        assert sigma**2 == pytest.approx(variance, rel=1e-3)
    assert told("corruption", "shot_noise", "photons") == {theirs.POISSON_LEVELS}
    opacities = told("print_attack", "print_attack", "drawn_opacity")
    assert opacities == {min(alpha, 255) / 255 for alpha in theirs.PRINT_ALPHAS}
    sizes = told("print_attack", "print_attack", "size_px")
    wanted = {size * 128 // theirs.SIDE for size in theirs.PRINT_SIZES_PX}
    assert wanted <= sizes and max(sizes) == max(wanted), "long words are smaller, none larger"
    assert told("print_attack", "print_attack", "angle") == {abs(a) for a in theirs.PRINT_ANGLES}
    assert {p["proxy"].split(":")[0] for p in done["adversarial"]} == {"transformers"}


def test_what_all_six_miss_is_dropped(made: Clone) -> None:
    questions = {row["question_id"]: row for row in rows(made, "questions", tables.QUESTIONS)}
    voted = rows(made, "consensus", tables.CONSENSUS)
    dropped = {row["question_id"] for row in voted if not row["keep"]}
    print(f"  consensus: {len(dropped)} of {len(voted)} questions dropped")
    assert {len(row["models"]) for row in voted} == {len(LETTERS)}
    assert dropped == {
        row["question_id"] for row in voted if questions[row["question_id"]]["answer_index"] == 3
    }
    assert 0 < len(dropped) < len(voted)


def test_the_four_scenarios_are_passed_on(made: Clone) -> None:
    exports = made.path / "results/dysca/exports"
    asked = {
        name: len(rows(made, f"answers/glm-4v/{name}", tables.ANSWERS))
        for name in ("clean", *NOISY)
    }
    forms = sorted(path.parent.name for path in exports.glob("*/manifest.json"))
    assert forms == ["croissant", "documents", "huggingface", "lmms_eval"]
    for form in ("croissant", "huggingface", "lmms_eval"):
        manifest = json.loads((exports / form / "manifest.json").read_text())
        assert manifest["rows"] == asked, form
    print("  exported:", asked)


def test_the_report_has_all_of_it(made: Clone) -> None:
    report = (made.path / "results/report.html").read_text()
    for spec in read_yaml(ROOT / PRESET[1])["answer"]["models"]:
        assert spec["name"] in report
    assert 'id="rendering"' in report
    verdicts = {
        name: Counter(row["keep"] for row in rows(made, f"verdicts/{name}", tables.VERDICTS))
        for name in ("integrity", "clip", "ocr")
    }
    print("  verdicts:", {name: dict(kept) for name, kept in verdicts.items()})
    assert verdicts["integrity"][False] == 0 and verdicts["clip"][True] > 0
    assert verdicts["ocr"][False] == SCENES, "noise holds no word"
    asked = Counter[str]()
    for name in ("clean", "blind", *NOISY):
        answers = rows(made, f"answers/glm-4v/{name}", tables.ANSWERS)
        assert {row["status"] for row in answers} == {"answered"}
        asked[name] = len(answers)
    print("  questions asked:", dict(asked))
    assert re.search(r"dysca-full", report)
