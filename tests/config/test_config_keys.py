"""What is said of keys that are in the wrong place, or are a slip of one in another section."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import validate_project
from lvlmbench.config.layers import Layers, load_layers
from lvlmbench.core.errors import UserError
from lvlmbench.core.yaml_file import read_layer

SERVED = {"name": "a", "engine": "openai_chat"}
COUNT = "corpus.scenes_per_subtask"
#: (parameters, what to do about them)
HINTS: list[tuple[dict[str, Any], str]] = [
    ({"sede": 7}, "did you mean 'snapshot.seed'? Write 'snapshot: {seed: ...}'"),
    ({"seed": 7}, "did you mean 'snapshot.seed'? Write 'snapshot: {seed: ...}'"),
    ({"render": {"seed": 7}}, "did you mean 'snapshot.seed'? Write 'snapshot: {seed: ...}'"),
    ({"snapshot.seed": 7}, "write 'snapshot: {seed: ...}'"),
    ({"snapshot:seed": 7}, "write 'snapshot: {seed: ...}'"),
    ({f"suites.dysca.{COUNT}": 3}, "write 'suites: {dysca: {corpus: {scenes_per_subtask: ...}}}'"),
    ({"suites": {f"dysca.{COUNT}": 3}}, "write 'dysca: {corpus: {scenes_per_subtask: ...}}'"),
    ({"suites": {"dysca": {COUNT: 3}}}, "write 'corpus: {scenes_per_subtask: ...}'"),
    ({"suites": {"mine.corpus": {}}}, "write 'mine: {corpus: ...}'"),
    ({"snapshot.sede": 7}, "write 'snapshot: {sede: ...}'"),
    ({"render": {"shard_images.x": 4}}, "did you mean 'shard_images'?"),
    ({"suites.dysca.x": 3}, "write 'suites: {dysca: {x: ...}}'"),
    ({"answer.models.0.name": "a"}, "write 'answer: {models: [{name: ...}]}'"),
    ({"renderer": "pictograph"}, "did you mean 'render.renderer'? Write 'render: {renderer: ..."),
    ({"renderer": {"size": 512}}, "did you mean 'render'?"),
    ({"statistic": {"resamples": 9}}, "did you mean 'statistics'?"),
    ({"dysca": {"corpus": {}}}, "write 'suites: {dysca: ...}'"),
    ({"corpus": {}}, "write 'suites: {dysca: {corpus: ...}}'"),
    ({"suites": {"x": {"kind": "dysca", "scenes_per_subtask": 3}}}, "'corpus: {scenes_per_subt"),
    ({"resamples": 9}, "did you mean 'statistics.resamples', 'validity.resamples'?"),
    ({"base_url": "http://x"}, "'answer.models[].endpoint.base_url'"),
    ({"answer": {"models": [SERVED | {"base_url": "http://x"}]}}, "'endpoint: {base_url: ...}'"),
    ({"answer": {"model": [SERVED]}}, "did you mean 'models'?"),
    ({"answer": {"models": [SERVED | {"endpoint": {"modl": "m"}}]}}, "did you mean 'model'?"),
    ({"xyzzy": 1}, "use one of: answer, audit, consensus,"),
]


@pytest.mark.parametrize(("data", "fix"), HINTS)
def test_a_key_elsewhere_is_named_with_its_section(data: dict[str, Any], fix: str) -> None:
    with pytest.raises(UserError) as caught:
        validate_project(data, "mine.yaml")
    assert fix in caught.value.fix
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ({"figures": {"names": [1]}}, "figures.names.0: should be text"),
        (
            {"suites": {3: {"kind": "dysca"}}},
            "suites.3: the key is no text to YAML (got 3); put",
        ),
        ({"suites": {None: {}}}, "suites.null: the key is no text to YAML (got null); put the key"),
        ({"figures": {"names": 5}}, "figures.names: should be a list, or 'all' (got 5)"),
        ({"report": {"items": "x"}}, "report.items: should be a whole number, or 'all' (got"),
        ({"report": {"items": -1}}, "report.items: should be greater than or equal to 0"),
        ({"render": {"size": None}}, "render.size: should be a whole number (got null); write one"),
        ({3: 4}, "3: the key is no text to YAML"),
        ({"suites": {"Dysca": {}}}, "suites.Dysca: the name should be small letters"),
        ({"suites": {"a.b": {"kind": "dysca"}}}, "suites.a.b: the name should be small letters"),
        ({"suites": {"dysca.v2": {}}}, "suites.dysca.v2: the name should be small letters"),
    ],
)
def test_a_place_is_one_that_stands_in_the_file(data: dict[object, Any], line: str) -> None:
    with pytest.raises(UserError) as caught:
        validate_project(data, "mine.yaml")
    assert str(caught.value).startswith(f"mine.yaml: {line}")


@pytest.mark.parametrize(
    ("text", "config", "where"),
    [
        ("vocabulary: {folder: nosuch}", {}, "mine.yaml: vocabulary.folder: nosuch"),
        ("snapshot: {seed: 7}", {}, "params.yaml: vocabulary.folder: nosuch"),
        ("", {"vocabulary": {"folder": "nosuch"}}, "--config: vocabulary.folder: nosuch"),
    ],
)
def test_what_is_found_later_is_told_of_the_file_that_has_the_key(
    tmp_path: Path, text: str, config: dict[str, Any], where: str
) -> None:
    base, mine = tmp_path / "params.yaml", tmp_path / "mine.yaml"
    base.write_text("vocabulary: {folder: words}\n")
    mine.write_text(text)
    error = UserError("params.yaml: vocabulary.folder: nosuch", "is not a folder", "name one")
    with pytest.raises(UserError) as caught, Layers([base, mine], config).named():
        raise error
    assert str(caught.value).removeprefix(f"{tmp_path}/") == f"{where}: is not a folder; name one"


@pytest.mark.parametrize(("text", "what"), [("", "holds nothing"), ("- a\n", "holds no keys")])
def test_a_file_laid_over_the_parameters_holds_keys(tmp_path: Path, text: str, what: str) -> None:
    base, mine = tmp_path / "params.yaml", tmp_path / "mine.yaml"
    base.touch()
    mine.write_text(text)
    for read in (read_layer, lambda file: load_layers([base, file])):
        with pytest.raises(UserError, match=f"mine.yaml: {what}.*such as"):
            read(mine)


def test_a_tab_is_named(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("snapshot:\n\tseed: 7\n")
    with pytest.raises(UserError, match=r"mine\.yaml:2: .*there is a tab.*write blanks"):
        read_layer(mine)
