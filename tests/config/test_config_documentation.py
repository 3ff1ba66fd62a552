"""Generated documents say what the code says, and say it about everything."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

from lvlmbench.config import documentation, validate
from lvlmbench.core.errors import UserError


def test_committed_documents_are_up_to_date(root: Path) -> None:
    documentation.check(root)


def test_drift_is_found_and_mended(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run 'make docs'"):
        documentation.check(tmp_path)
    documentation.write(tmp_path)
    documentation.check(tmp_path)
    path = tmp_path / "docs/configuration.md"
    path.write_text(path.read_text().replace("512", "513"))
    with pytest.raises(UserError, match=r"docs/configuration\.md: does not say what the code says"):
        documentation.check(tmp_path)


def test_every_key_of_params_is_documented(root: Path) -> None:
    documented = set(re.findall(r"^\| `([^`]+)`", documentation.configuration_markdown(), re.M))

    def keys(tree: object, prefix: str = "") -> set[str]:
        if isinstance(tree, dict):
            found = {f"{prefix}{key}" for key in tree}
            return found.union(*(keys(tree[key], f"{prefix}{key}.") for key in tree))
        if isinstance(tree, list) and tree and isinstance(tree[0], dict):
            return keys(tree[0], f"{prefix[:-1]}[].")
        return set()

    params = yaml.safe_load((root / "params.yaml").read_text())
    used = keys({name: part for name, part in params.items() if name != "suites"})
    for suite in params["suites"].values():
        used |= keys(suite, "suites.NAME.")
    used = {re.sub(r"(\.levels)\.[a-z]+", r"\1.NAME", key) for key in used}
    used.discard("suites.NAME.corpus.composed.levels.NAME")
    assert {key for key in used if "." in key} <= documented
    assert len(documented) > 40


def test_no_meaning_is_empty() -> None:
    for line in documentation.configuration_markdown().splitlines():
        if line.startswith("| `"):
            assert line.rstrip(" |").rsplit(" | ", 1)[1].endswith((".", ")")), line


def test_the_schema_takes_the_examples_and_refuses_a_typo(root: Path) -> None:
    schema = json.loads(documentation.params_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    checker = jsonschema.Draft202012Validator(schema)
    for name in (
        "params.yaml",
        "tests/configs/tiny.yaml",
        "profiles/dysca.yaml",
        "profiles/dysca-models.yaml",
    ):
        checker.validate(yaml.safe_load((root / name).read_text()))
    for bad in ({"rendr": {}}, {"render": {"sise": 1}}, {"render": {"size": 500}}):
        assert not checker.is_valid(bad)
        with pytest.raises(UserError):
            validate(bad)
