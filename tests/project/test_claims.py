"""Numbers and claims of README, CHANGELOG and docs, held against what the code does."""

from __future__ import annotations

import csv
import re

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.config.layers import load_layers
from lvlmbench.config.loading import load_params
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.exports.check import check_exports
from lvlmbench.stages.exports.export import EXPORTS
from lvlmbench.stages.figures.figure import FIGURES
from lvlmbench.stages.filter.kinds.clip import Clip
from lvlmbench.stages.filter.kinds.ocr import Ocr
from lvlmbench.stages.render.shard import make_renderer
from lvlmbench.stages.stage import declared
from lvlmbench.suites.suite import suite_of
from support.planned import printed_scenarios


def text(name: str) -> str:
    return " ".join((PROJECT_ROOT / name).read_text(encoding="utf-8").split())


@pytest.mark.long
def test_the_readme_names_the_styles_that_the_default_draws() -> None:
    project = load_layers([PROJECT_ROOT / "params.yaml"])
    styles = set()
    for name in project.suites:
        params = project.suite(name)
        vocabulary, suite = load_vocabulary(vocabulary_dir(params)), suite_of(params)
        renderer = make_renderer(params, vocabulary)
        scenes = suite.scenes(params, vocabulary, 0, params.corpus.n_scenes)
        shown = pa.concat_tables([scenes, suite.restyled(params, vocabulary, scenes)])
        drawn = (row for row in shown.to_pylist() if renderer.refuses(row) is None)
        styles |= {row["style"] for row in drawn if row["style"] is not None}
    (said,) = re.findall(r"A default run, .*?, has (\d+) image styles", text("README.md"))
    assert int(said) == len(styles)


def test_the_page_of_the_report_names_the_figures_of_the_paper_that_are_drawn() -> None:
    found: dict[str, set[int]] = {"table": set(), "figure": set()}
    for name in FIGURES.names():
        source = FIGURES.get(name, "x").source or ""
        for kind, number in re.findall(r"Dysca, (table|figure) (\d+)", source):
            found[kind].add(int(number))
    page = text("docs/report.md")
    said = re.search(r"Dysca's tables ([\d, ]+) and figures ([\d, ]+) from", page)
    assert said is not None
    for kind, numbers in zip(found, said.groups(), strict=True):
        assert {int(n) for n in numbers.split(",")} == found[kind]
    assert found == {"table": {*range(1, 5)}, "figure": {*range(1, 7)}}  # all of the paper's


def test_the_changelog_names_the_schema_version() -> None:
    said = re.findall(r"schema version (\d+)", text("CHANGELOG.md"))
    assert said[0] == tables.SCHEMA_VERSION


def test_the_preset_says_which_models_clean() -> None:
    path = "profiles/dysca.yaml"
    params = load_layers([PROJECT_ROOT / "params.yaml", PROJECT_ROOT / path]).suite("dysca")
    said = text(path).split(" snapshot:")[0].replace(" # ", " ")
    assert "PP-OCRv3 and CLIP-L-14 clean as in section 3.3" in said
    for filters in (params.filter.filters, params.render.retries.filters):
        own = {f.registered: f for f in filters}
        ocr, clip = own["ocr"].own(Ocr), own["clip"].own(Clip)
        assert ocr.engine == "paddleocr"
        assert (clip.engine, clip.pretrained) == ("ViT-L-14", "openai")
        settings = ocr.of(ocr.made_by("ocr"))
        names = settings.detection_model, settings.recognition_model
        assert ["PP-OCRv3" in str(name) for name in names] == [True, True]
    assert "without that file no model votes" in said
    assert [m.name for m in params.answer.models] == ["chance"]


def test_the_preset_counts_what_its_consensus_keeps() -> None:
    default = load_params(PROJECT_ROOT / "params.yaml", "dysca")
    files = [PROJECT_ROOT / name for name in ("params.yaml", "profiles/dysca.yaml")]
    preset = load_layers(files).suite("dysca")
    assert default.statistics.questions == "all"
    assert (preset.consensus.apply, preset.statistics.questions) == ("always", "consensus")


def test_the_preset_passes_on_the_four_scenarios_and_one_copy_of_each_image() -> None:
    path = "profiles/dysca.yaml"
    params = load_layers([PROJECT_ROOT / "params.yaml", PROJECT_ROOT / path]).suite("dysca")
    check_exports(params, path)
    printed = PROJECT_ROOT / "data" / "published" / "dysca_table2.csv"
    assert {*params.exports.scenarios} == printed_scenarios(printed)
    forms = {name: EXPORTS.get(name, path) for name in params.exports.formats}
    # The others refer to it, or hold no picture; a form with pictures of its own is as large.
    assert {need for form in forms.values() for need in form.needs} == {"huggingface"}
    assert not {"inspect_ai", "vlmevalkit"} & {*forms}
    (shown,) = re.findall(r"export of all: (\w+)", text("docs/performance.md"))
    assert shown in forms


def test_the_models_that_clean_are_the_best_six_of_table_3() -> None:
    files = ("params.yaml", "profiles/dysca.yaml", "profiles/dysca-models.yaml")
    params = load_layers([PROJECT_ROOT / name for name in files]).suite("dysca")
    with (PROJECT_ROOT / "data/published/dysca_table3.csv").open(encoding="utf-8") as file:
        best = sorted(csv.DictReader(file), key=lambda row: -float(row["clean"]))[:6]
    floor, *six = params.answer.models
    assert (floor.name, params.consensus.models) == ("chance", len(six))
    for model, row in zip(six, best, strict=True):
        assert model.name == row["model"].lower()
        for ours, theirs in (
            (model.language_model, row["language_model"]),
            (model.visual_encoder, row["visual_encoder"]),
        ):
            assert (ours or "/") == theirs


def test_the_groups_of_the_cluster_profile_are_of_rules_that_there_are() -> None:
    profile = read_yaml(PROJECT_ROOT / "profiles/slurm/config.yaml")
    files = (PROJECT_ROOT / "rules").glob("*.smk")
    rules = {name for f in files for name in re.findall(r"^ *rule (\w+):", f.read_text(), re.M)}
    grouped = dict(group.split("=") for group in profile["groups"])
    components = {component.split("=")[0] for component in profile["group-components"]}
    assert {*grouped} <= rules and components <= {*grouped.values()}
    quick = {name for name in declared() if name not in ("render", "reference", "answer")}
    renamed = {"figures": "figure", "exports": "export"}
    assert {renamed.get(name, name) for name in quick} <= {*grouped}


@pytest.mark.parametrize("value", ["112 to 160 px", "40 to 100 %", "cyan"])
def test_what_the_published_code_prints_is_told(value: str) -> None:
    assert "Neither paper gives its values" not in text("docs/scenarios.md")
    assert value in text("docs/scenarios.md")


def test_what_a_rule_of_a_suite_writes_has_the_name_of_the_suite() -> None:
    for rules in (PROJECT_ROOT / "rules").glob("*.smk"):
        paths = re.findall(r'"(\{build\}/[^"]+)"', rules.read_text(encoding="utf-8"))
        assert len({"{suite}" in path for path in paths}) <= 1, rules.name


#: Names of files that a reader makes, or that stand for any.
_TO_BE_MADE = {"profiles/mine/config.yaml", "data/vocabulary/NAME.yaml"}


def test_files_that_documents_and_vocabulary_name_are_there() -> None:
    folders = "lvlmbench|docs|data|scripts|tests|rules|benchmarks|profiles|envs"
    named = re.compile(rf"(?<![\w/.{{-])((?:{folders})/[\w/.-]+\.(?:py|md|yaml|csv|smk|png))\b")
    places = ["README.md", "CONTRIBUTING.md", "CREDITS.md", "params.yaml"]
    found = [PROJECT_ROOT / place for place in places]
    for pattern in ("docs/*.md", "data/*/*.yaml", "data/*/*.md", "rules/*.smk", "profiles/*.yaml"):
        found += sorted(PROJECT_ROOT.glob(pattern))
    assert len(found) > 50
    missing = [
        f"{path.relative_to(PROJECT_ROOT)}: {name}"
        for path in found
        for name in named.findall(path.read_text(encoding="utf-8"))
        if name not in _TO_BE_MADE and not (PROJECT_ROOT / name).exists()
    ]
    assert not missing
