"""``lvlmbench config write``: what files say stands in params.yaml, comments kept."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from lvlmbench.commands.main import main
from lvlmbench.config.layers import load_layers
from lvlmbench.config.writing import write_limit
from lvlmbench.core.errors import UserError
from lvlmbench.core.yaml_file import read_yaml


@pytest.fixture
def base(root: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(root / "params.yaml", tmp_path / "params.yaml"))


def write(base: Path, *files: Path) -> None:
    main(["config", "write", *map(str, files), "--base", str(base)])


def test_the_file_says_what_they_say_laid_over_each_other(base: Path, root: Path) -> None:
    files = [root / "profiles/small.yaml", base.with_name("mine.yaml")]
    files[1].write_text("render: {size: 96}  # small\nconsensus: {wrong: null}\n")
    wanted = load_layers([base, *files])
    write(base, *files)
    assert load_layers([base]) == wanted
    assert "  wrong: null\n" in base.read_text()
    suites = read_yaml(base)["suites"]  # type: ignore[index]
    assert [*suites] == ["dysca", "composed"]  # DVC can leave none out


def test_comments_between_keys_stay(base: Path, root: Path) -> None:
    lines = base.read_text().splitlines()
    commented = []
    for n, line in enumerate(lines):
        if re.match(r"( {0,2})\w+:", line):  # a section, or a part of one
            indent = line[: len(line) - len(line.lstrip())]
            commented.append(f"{indent}# remark {n}")
        commented.append(line)
    base.write_text("\n".join(commented) + "\n")
    remarks = base.read_text().count("# remark")
    assert remarks > 60
    write(base, root / "profiles/small.yaml")
    text = base.read_text()
    assert text.count("# remark") == remarks
    assert text.startswith("# The one configuration file.")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_is_there_already_changes_no_byte(base: Path, root: Path, end: str) -> None:
    base.write_bytes(base.read_bytes().replace(b"\n", end.encode()))
    before = base.read_bytes()
    write(base, root / "params.yaml")
    assert base.read_bytes() == before
    base.with_name("one.yaml").write_text("snapshot: {seed: 5}\n")
    write(base, base.with_name("one.yaml"))
    assert base.read_bytes() == before.replace(b"seed: 20261120", b"seed: 5", 1)


def test_a_link_and_its_mode_stay(base: Path, root: Path) -> None:
    link = base.with_name("link.yaml")
    link.symlink_to(base.name)
    base.chmod(0o600)
    write(link, root / "profiles/small.yaml")
    assert link.is_symlink() and "name: small" in base.read_text()
    assert base.stat().st_mode & 0o777 == 0o600


def test_what_cannot_be_edited_line_by_line_stays(
    base: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base.write_text(json.dumps(read_yaml(base)))  # which is YAML in one line
    before = base.read_bytes()
    with pytest.raises(SystemExit):
        write(base, root / "profiles/small.yaml")
    assert "its lines cannot be edited from here; write the keys by hand" in capsys.readouterr().err
    assert base.read_bytes() == before


MODELS = """\
suites: {dysca: {}, composed: {}}
answer:
    models:  # those that I ask
    # guesses
    - name: chance   # at random
      engine: chance
    - name: mine
      endpoint:
        model: 'org/a'     # its name
        api_key_env: null  # or a name
      engine: openai_chat

    - {name: flat, engine: openai_chat, endpoint: {model: "org/b"}}

# what follows
judge:   {judges: [{name: lexical, engine: lexical}]}
"""


def limit(file: Path, name: str) -> object:
    (model,) = (m for m in load_layers([file]).answer.models if m.name == name)
    return model.model_dump()["endpoint"]["sampling"]["max_tokens_if_cut"]


def test_one_key_of_a_model_is_written_and_no_other_line(base: Path) -> None:
    base.write_text(MODELS)
    assert write_limit(base, "mine", 900) == "endpoint.sampling.max_tokens_if_cut"
    key = "        api_key_env: null  # or a name\n"
    wanted = MODELS.replace(key, f"{key}        sampling: {{max_tokens_if_cut: 900}}\n")
    assert base.read_text() == wanted
    write_limit(base, "mine", 1200)
    assert base.read_text() == wanted.replace("900", "1200")
    write_limit(base, "flat", 700)
    assert limit(base, "flat") == 700
    head = base.read_text().partition("    - name: flat\n")[0]
    assert head == wanted.replace("900", "1200").partition("    - {name: flat")[0]
    assert base.read_text().endswith(MODELS[MODELS.index("\n# what follows") :])
    with pytest.raises(UserError, match="there is no model 'other'"):
        write_limit(base, "other", 900)


@pytest.mark.parametrize(
    "models",
    [
        "\n  - name: c\n    engine: chance\n  -\n    name: a\n    engine: openai_chat\n"
        "    endpoint: {model: m}\n",
        "\n  -\n    name: a\n    engine: openai_chat\n    endpoint:\n      model: m  # its name\n",
        "\n    [{name: a, engine: openai_chat, endpoint: {model: m}}]\n",
    ],
)
def test_lists_may_be_written_in_other_ways(base: Path, models: str) -> None:
    base.write_text(f"answer:\n  models:{models}")
    write_limit(base, "a", 900)
    assert limit(base, "a") == 900
    assert ("# its name" in base.read_text()) == ("# its name" in models)


def test_a_model_in_one_line_with_all_others_is_changed_too(base: Path) -> None:
    base.write_text("answer: {models: [{name: a, engine: openai_chat, endpoint: {model: m}}]}\n")
    write_limit(base, "a", 900)
    assert limit(base, "a") == 900


@pytest.mark.parametrize("said", ["render: {size: 0}", "rendr: {size: 9}", "- a", "a: ["])
def test_a_mistake_writes_nothing(
    base: Path, tmp_path: Path, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before, wrong = base.read_bytes(), tmp_path / "wrong.yaml"
    wrong.write_text(said)
    with pytest.raises(SystemExit) as caught:
        write(base, wrong)
    told = capsys.readouterr().err
    assert caught.value.code == 2 and told.startswith(f"{wrong}:") and told.count("\n") == 1
    assert base.read_bytes() == before


@pytest.mark.parametrize("command", [("check",), ("check", "my.yaml"), ("write", "my.yaml")])
def test_in_another_folder_the_folder_is_told(
    command: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.yaml").touch()
    with pytest.raises(SystemExit):
        main(["config", *command])
    told = "params.yaml: is not in this folder; go to the project's folder first\n"
    assert capsys.readouterr().err == told
