"""What is said of keys that are in the wrong place, or are a slip of one in another section."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import validate_project
from lvlmbench.config.layers import load_layers
from lvlmbench.core.errors import UserError
from lvlmbench.core.yaml_file import read_layer

SERVED = {"name": "a", "engine": "openai_chat"}
#: (parameters, what to do about them)
HINTS: list[tuple[dict[str, Any], str]] = [
    ({"sede": 7}, "did you mean 'snapshot.seed'? Write 'snapshot: {seed: ...}'"),
    ({"seed": 7}, "did you mean 'snapshot.seed'? Write 'snapshot: {seed: ...}'"),
    ({"render": {"seed": 7}}, "did you mean 'snapshot.seed'? Write 'snapshot: {seed: ...}'"),
    ({"snapshot.seed": 7}, "write 'snapshot: {seed: ...}'"),
    ({"snapshot:seed": 7}, "write 'snapshot: {seed: ...}'"),
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
