"""Parameters: defaults, limits, the merge of files, and what mistakes look like."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench.config import Params, identity, load_params, validate
from lvlmbench.config.identity import params_id
from lvlmbench.config.layers import load_layers, merge
from lvlmbench.config.project import project_of
from lvlmbench.config.sections import Shared
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import digest
from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.stages.filter.kinds.clip import Clip
from lvlmbench.suites.composed.settings import Composing

ENDPOINT = {"base_url": "http://127.0.0.1:8000/v1", "model": "m", "api_key_env": None}

#: (parameters, what the line must hold)
MISTAKES: list[tuple[Any, list[str]]] = [
    ({"renderr": {}}, ["renderr: is not a known key", "did you mean 'render'?"]),
    ({"render": {"sise": 512}}, ["render.sise: is not a known key", "did you mean 'size'?"]),
    (
        {"render": {"diffusion": {"batch_size": 0}}},
        ["render.diffusion.batch_size: should be auto, or a number from 1 to 4096 (got 0)"],
    ),
    ({"score": {"zzz": 1}}, ["score.zzz: is not a known key", "batch_size, caption_encoder"]),
    ({"answer": {"models": [{"name": "a", "engin": "chance"}]}}, ["answer.models.0.engin"]),
    ({"render": {"size": 0}}, ["render.size", "(got 0)"]),
    ({"render": {"size": 500}}, ["render.size", "not a multiple of 8; use 496 or 504"]),
    ({"render": {"size": "big"}}, ["render.size", '(got "big")']),
    ({"render": None}, ["render", "(got null)"]),
    ({"corpus": {"subtasks": ["animal", "animals"]}}, ["corpus", "'animals' is not a subtask"]),
    ({"corpus": {"subtasks": ["animal", "animal"]}}, ["corpus", "listed twice"]),
    ({"corpus": {"subtasks": []}}, ["corpus.subtasks"]),
    ({"corpus": {"scenes": {"cat": 3}}}, ["corpus", "'cat' is not a subtask"]),
    (
        {"corpus": {"subtasks": ["animal", "depth"]}},
        ["corpus: 'depth' is not a subtask of dysca; use some of: style, background, color"],
    ),
    (
        {"kind": "composed", "corpus": {"scenes": {"counting": 3, "sise": 2}}},
        ["corpus: 'sise' is not a subtask of composed; did you mean 'size'?"],
    ),
    ({"corpus": {"scenes": {"text": 0}}}, ["corpus.scenes.text", "(got 0)"]),
    ({"corpus": {"scenes_per_subtask": 0}}, ["corpus.scenes_per_subtask", "(got 0)"]),
    ({"vocabulary": {"folder": "../x"}}, ["vocabulary.folder", "inside the project"]),
    ({"corpus": {"type_proportions": {"free_form": 0.9}}}, ["type_proportions", "not to 1"]),
    ({"snapshot": {"seed": -1}}, ["snapshot.seed", "(got -1)"]),
    ({"snapshot": {"name": "a b"}}, ["snapshot.name", '(got "a b")']),
    ({"scenarios": {"names": ["foggy"]}}, ["scenarios", "there is no scenario 'foggy'"]),
    ({"answer": {"models": []}}, ["answer.models"]),
    (
        {"answer": {"models": [{"name": "a", "engine": "chance"}] * 2}},
        ["two models are called 'a'"],
    ),
    (
        {"answer": {"models": [{"name": "a", "engine": "openai_chat"}]}},
        ["answer.models.0", "needs 'endpoint'"],
    ),
    ({"snapshot": {"seed": True}}, ["snapshot.seed", "true and false mean nothing here"]),
    ({"corpus": {"scenes": {"text": True}}}, ["corpus.scenes.text", "true and false"]),
    ({"corpus": {"subtasks": "text"}}, ["corpus.subtasks: should be a list", '(got "text")']),
    ({"render": 5}, ["render: should be a section"]),
    ({"filter": {"filters": ["integrity"]}}, ["filter.filters.0", "write '- name: integrity'"]),
    (
        {"filter": {"filters": [{"name": "integrity"}] * 2}},
        ["filter.filters", "'integrity' is listed twice"],
    ),
    ({"filter": {"filters": [{"name": "render"}]}}, ["filter.filters", "leave it out"]),
    (
        {"filter": {"filters": [{"name": "fine", "kind": "integrity", "ocr": {}}]}},
        ["filter.filters.0", "'ocr' is of no use to the kind 'integrity'"],
    ),
    (
        {"filter": {"filters": [{"name": "ocr", "ocr": {"engin": "rapidocr"}}]}},
        ["filter.filters.0.ocr.engin", "did you mean 'engine'?"],
    ),
    (
        {"filter": {"filters": [{"name": "clip", "clip": {"threshold": 25}}]}},
        ["filter.filters.0.clip.threshold", "(got 25)"],
    ),
    ({"reference": {"models": ["reference_a"] * 2}}, ["reference.models", "listed twice"]),
    ({"reference": {"scenes": {"training": 3}}}, ["reference.scenes.training", "(got 3)"]),
    ({"reference": {"false_rejections": 0}}, ["reference.false_rejections", "(got 0)"]),
    ({"consensus": {"models": 0}}, ["consensus.models", "(got 0)"]),
    ({"audit": {"threshold": 2}}, ["audit.threshold", "(got 2)"]),
    ({"vocabulary": {"exclude": {"animal": "owl"}}}, ["vocabulary.exclude.animal"]),
    ({"judge": {"judges": [{"name": "all", "engine": "lexical"}]}}, ["judge.judges", "'all'"]),
    ({"scenarios": {"names": ["clean"] * 2}}, ["scenarios.names", "'clean' is listed twice"]),
    ({"snapshot": {"name": False}}, ["snapshot.name", "nor do yes, no, on and off"]),
    ({"snapshot": {"name": 2026}}, ["snapshot.name: should be text: put it in quotes (got 2026)"]),
    ({"snapshot": {"seed": "seven"}}, ["snapshot.seed: should be a whole number"]),
    ({"answer": {"models": [{"engine": "chance"}]}}, ["answer.models.0.name: is missing"]),
    ({"answer": {"models": []}}, ["answer.models: should hold at least 1"]),
    ([1, 2], ["is not a mapping of sections"]),
    ("render", ["is not a mapping of sections"]),
]


@pytest.mark.parametrize(("data", "parts"), MISTAKES)
def test_a_mistake_is_one_line_that_says_where_and_what_to_do(data: Any, parts: list[str]) -> None:
    with pytest.raises(UserError) as caught:
        validate(data, "mine.yaml")
    line = str(caught.value)
    assert line.startswith("mine.yaml")
    assert "\n" not in line and "; " in line
    for part in parts:
        assert part in line
    assert "wrong, too" not in line  # it is one


def test_a_scenario_that_is_misspelt_where_it_is_described_is_mended_there() -> None:
    scenarios = {"names": ["clean", "corruption"], "noisy": [{"name": "coruption"}]}
    with pytest.raises(UserError, match="write 'corruption' where 'coruption' stands"):
        validate({"suite": "dysca", "kind": "dysca", "scenarios": scenarios}, "mine.yaml")


def test_a_scenario_that_is_misspelt_among_the_names_is_told_there() -> None:
    scenarios = {"names": ["clean", "coruption"], "noisy": [{"name": "corruption"}]}
    with pytest.raises(UserError) as caught:
        validate({"suite": "dysca", "kind": "dysca", "scenarios": scenarios}, "mine.yaml")
    told = "there is no scenario 'coruption' under 'noisy'; did you mean 'corruption'?"
    assert str(caught.value) == f"mine.yaml: scenarios.names: {told}"


def test_the_places_of_all_mistakes_are_told_at_once() -> None:
    first: Any = {"snapshot": {"sede": 7}, "judge": {"judges": 3}}
    with pytest.raises(UserError) as caught:
        validate(first | {"answer": {"models": [{"nam": "a", "engine": "chance"}]}}, "mine.yaml")
    told = "did you mean 'seed'? (wrong, too: answer.models.0.nam, judge.judges)"
    assert str(caught.value) == f"mine.yaml: snapshot.sede: is not a known key; {told}"
    with pytest.raises(UserError, match=r"wrong, too: (snapshot\.[b-e], ){4}2 more\)"):
        validate({"snapshot": dict.fromkeys("abcdefg", 1)}, "mine.yaml")


@pytest.mark.parametrize(
    ("key", "value", "part"),
    [
        ("base_url", "https://me:hunter2@host/v1", "hold no user, password or query"),
        ("base_url", "https://host/v1?key=hunter2", "give a key by 'api_key_env'"),
        ("base_url", "hunter2", "base_url"),
        ("base_url", "http://[hunter2", "names no server"),
        ("base_url", "http://hunter2:99999/v1", "names no server"),
        ("base_url", "http://hunter2..com/v1", "names no server"),
        ("api_key_env", "sk-hunter2", "api_key_env: should be the name of an environment variable"),
        ("timeout_s", float("inf"), "timeout_s"),
        ("price_per_million", [-1, 2], "price_per_million.0"),
        ("price_per_million", [float("nan"), 2], "price_per_million.0"),
    ],
)
def test_an_endpoint_is_checked_and_no_key_repeated(key: str, value: object, part: str) -> None:
    model = {"name": "a", "engine": "openai_chat", "endpoint": {**ENDPOINT, key: value}}
    with pytest.raises(UserError) as caught:
        validate({"answer": {"models": [model]}})
    assert part in str(caught.value) and "hunter2" not in str(caught.value)


@pytest.mark.parametrize("section", ["corpus", "scenarios", *Shared.model_fields])
@pytest.mark.parametrize("value", [None, 3, "x", [1]])
def test_a_section_that_is_no_mapping_is_refused(section: str, value: object) -> None:
    with pytest.raises(UserError, match=section):
        validate({section: value})


def test_the_file_says_no_more_than_the_defaults(root: Path) -> None:
    """params.yaml spells the defaults out, so that a reader sees them and code needs no file.

    It switches on what the suite's own section holds, and the scenario that shows some of it; of
    composed scenes it has more, with more questions about each.
    """
    written, defaults = load_params(root / "params.yaml", "dysca"), Params()
    switched_on = {"restyled"}
    own = written.corpus.model_dump(exclude={"dysca"})
    assert own == defaults.corpus.model_dump()
    assert {*written.scenarios.names} - {*defaults.scenarios.names} == switched_on
    noisy = tuple(each for each in written.scenarios.noisy if each.name not in switched_on)
    assert noisy == defaults.scenarios.noisy
    rest = {"corpus": defaults.corpus, "scenarios": defaults.scenarios}
    assert written.model_copy(update=rest) == defaults
    assert validate({}) == validate(None) == Params()
    others = {"corruption_curve", "print_attack", "adversarial"}
    plain = Params().scenarios
    scenarios = {
        "names": [name for name in plain.names if name not in others],
        "noisy": [each.model_dump() for each in plain.noisy if each.name not in others],
    }
    scenarios["noisy"][0] = {"name": "corruption", "corruption": {"scenes_per_subtask": 12}}
    own = Composing().model_dump() | {"questions": 3}
    corpus = {"scenes_per_subtask": 30, "composed": own}
    second = {"suite": "composed", "kind": "composed", "corpus": corpus, "scenarios": scenarios}
    assert load_params(root / "params.yaml", "composed") == validate(second)


def test_params_hold_every_subtask_and_its_count() -> None:
    params = validate({"corpus": {"scenes_per_subtask": 5, "scenes": {"text": 2}}})
    assert params.corpus.subtasks == subtasks_of("dysca")
    assert params.corpus.n_scenes == 5 * 19 + 2
    few = validate({"corpus": {"subtasks": ["text"], "scenes": {"animal": 9}}})
    assert few.corpus.n_scenes == few.corpus.count("text") == 10
    assert few.corpus.count("animal") == 0


def test_a_key_that_stands_twice_in_json_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "params.json"
    path.write_text('{"snapshot": {"seed": 1}, "snapshot": {"seed": 2}}')
    with pytest.raises(UserError, match="snapshot"):
        load_params(path)


def test_json_carries_parameters_unchanged(tmp_path: Path) -> None:
    models = [{"name": "m", "engine": "openai_chat", "endpoint": ENDPOINT}]
    params = validate({"answer": {"models": models}, "corpus": {"drawable_by": None}})
    path = tmp_path / "config.json"
    path.write_text(project_of(params).model_dump_json())
    assert load_params(path) == params


def test_values_cannot_be_changed_after_loading() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Params().render.size = 8  # type: ignore[misc]


def test_a_filter_has_its_settings_without_saying_so() -> None:
    params = validate({"filter": {"filters": [{"name": "clip"}, {"name": "b", "kind": "clip"}]}})
    spelled = {"engine": "reference_a", "text": None, "threshold": None}
    for spec in params.filter.filters:
        assert spelled.items() <= spec.own(Clip).model_dump().items()
    assert params.filter.filters[1].registered == "clip"


def test_the_example_and_the_preset_validate(root: Path) -> None:
    tiny = load_layers([root / "params.yaml", root / "tests/configs/tiny.yaml"])
    assert tiny.snapshot.name.startswith("tiny")
    preset = load_layers([root / "params.yaml", root / "profiles/dysca.yaml"])
    suite = preset.suite()  # the only one; Table 2 of the paper
    assert preset.render.size == 1024
    assert suite.scenarios.names[-1] == "blind" and len(suite.scenarios.names) == 4 + 1
    assert suite.corpus.n_scenes == 46_700
    assert round(suite.corpus.n_scenes * suite.corpus.questions_per_scene, -3) == 156_000


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (b"render: {size: 512", [":1", "is not valid YAML"]),
        (b"a:\n  - b\n c: d\n", [":3", "is not valid YAML"]),
        (b"render:\n\tsize: 3\n", ["is not valid YAML"]),
        (b"\xff\xfe\x00", ["UTF-8"]),
        (b"!!python/object:os.system {}\n", ["is not valid YAML"]),
    ],
)
def test_a_file_that_is_no_yaml_is_one_line(tmp_path: Path, text: bytes, parts: list[str]) -> None:
    path = tmp_path / "p.yaml"
    path.write_bytes(text)
    with pytest.raises(UserError) as caught:
        load_params(path)
    for part in [str(path), *parts]:
        assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"gone\.yaml: cannot be read \(No such file"):
        load_params(tmp_path / "gone.yaml")
    with pytest.raises(UserError, match="cannot be read"):
        load_params(tmp_path)


TREES = st.recursive(
    st.integers() | st.none() | st.lists(st.integers(), max_size=2),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, min_size=1, max_size=3),
    max_leaves=8,
).filter(lambda tree: isinstance(tree, dict))


@given(TREES, TREES)
def test_merge_is_what_snakemake_does_with_configuration_files(below: Any, above: Any) -> None:
    from snakemake.utils import update_config

    theirs = json.loads(json.dumps(below))
    update_config(theirs, above)
    assert merge(below, above) == theirs


def test_the_file_with_the_mistake_is_named(tmp_path: Path) -> None:
    texts = {
        "a": {"render": {"size": 64}},
        "b": {"render": {"size": 63}},
        "c": {"snapshot": {"seed": 1}},
        "d": {"render": {"size": 128}},
    }
    for name, data in texts.items():
        (tmp_path / name).write_text(yaml.safe_dump(data))
    a, b, c, d = (tmp_path / name for name in texts)
    with pytest.raises(UserError, match=r"/b: render\.size"):
        load_layers([a, b, c])
    params = load_layers([a, b, c, d])
    assert (params.render.size, params.snapshot.seed) == (128, 1)


def test_the_id_of_parameters_follows_content_not_layout() -> None:
    def identity(**corpus: object) -> str:
        return params_id(validate({"corpus": corpus}))

    assert identity() == identity(shard_scenes=3)
    assert identity() != identity(scenes_per_subtask=21)
    other_models = validate({"answer": {"models": [{"name": "x", "engine": "chance"}]}})
    assert identity() == params_id(other_models)
    assert identity() != params_id(validate({"snapshot": {"seed": 1}}))
    assert identity() != params_id(validate({"render": {"size": 256}}))
    assert identity() == params_id(validate({"render": {"shard_images": 7}}))


def test_a_key_with_a_new_name_makes_no_other_id(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []

    def seen(*parts: str, size: int) -> bytes:
        hashed.append(parts[1])
        return digest(*parts, size=size)

    monkeypatch.setattr(identity, "digest", seen)
    retries = {"attempts": 1, "filters": [{"name": "integrity"}]}
    params_id(validate({"render": {"retries": retries}}))
    render = json.loads(hashed[0])["render"]
    assert render["rework"]["attempts"] == 1 and "retries" not in render  # its first name
