"""What a newcomer reads holds: links lead somewhere, snippets are valid."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
import yaml

from lvlmbench.config import validate
from support.documents.reading import blocks

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors(path: Path) -> set[str]:
    heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", head).strip().lower().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(document: Path) -> None:
    for target in LINK.findall(document.read_text(encoding="utf-8")):
        if target.startswith(("https://", "http://", "mailto:")):
            continue
        place, _, anchor = target.partition("#")
        path = (document.parent / place).resolve() if place else document
        assert path.exists(), f"{document.name}: {target}"
        if anchor:
            assert anchor in anchors(path), f"{document.name}: {target}"


def test_the_readmes_parameters_are_valid() -> None:
    whole, other = (yaml.safe_load(each.text) for each in blocks("README.md", "yaml"))
    params = validate(whole, "README.md")
    assert [model.engine for model in params.answer.models] == ["chance", "openai_chat"]
    whole["answer"]["models"][1:] = other  # what it says to write in place of the served model
    params = validate(whole, "README.md")
    assert [model.engine for model in params.answer.models] == ["chance", "transformers_vlm"]


def test_make_targets_that_documents_name_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.M))
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        named = set(re.findall(r"(?:`|^)make ([a-z-]+)", text, re.M))
        assert named <= targets, f"{document.name}: {named - targets}"


def test_console_commands_that_documents_name_exist(capsys: pytest.CaptureFixture[str]) -> None:
    from lvlmbench.commands.main import main

    named = {
        match
        for document in DOCUMENTS
        for match in re.findall(
            r"(?:`|^)lvlmbench (config check|config docs|[a-z-]+)", document.read_text(), re.M
        )
    }
    assert {"config check", "hash"} <= named
    for command in named:
        with pytest.raises(SystemExit) as caught:
            main([*command.split(), "--help"])
        assert caught.value.code == 0, command
    assert "usage: lvlmbench" in capsys.readouterr().out


def test_no_target_follows_configfile() -> None:
    """``--configfile`` takes all words up to the next option: a target after it is a file."""
    for document in [*DOCUMENTS, ROOT / "Makefile"]:
        assert not re.search(r"--configfile [^\s`]+ [^-\s#`$]", document.read_text()), document.name


def test_the_version_is_one() -> None:
    from lvlmbench import __version__

    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text()
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == __version__


#: Where files are that name pages of the documentation.
SOURCES = ("*.md", "*.py", "*.smk", "*.yaml", "*.yml", "Dockerfile", "Snakefile", "Makefile")
PAGE = re.compile(r"\bdocs/([a-z][a-z-]*\.(?:md|json))")


def tracked(*patterns: str) -> list[Path]:
    """Files under version control; in an archive, all."""
    said = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return [path for line in said.stdout.splitlines() if (path := ROOT / line).is_file()]


def test_pages_that_code_and_settings_name_exist() -> None:
    pages = {path.name for path in (ROOT / "docs").iterdir()}
    missing = {
        f"{path.relative_to(ROOT)}: docs/{page}"
        for path in tracked(*SOURCES)
        if path.name != "CHANGELOG.md"  # which tells history
        and path.parent.name != "vocabulary"  # whose bytes are part of each snapshot's id
        for page in PAGE.findall(path.read_text(encoding="utf-8"))
        if page not in pages
    }
    assert not missing, sorted(missing)


@pytest.mark.parametrize("document", PAGES, ids=lambda p: p.name)
def test_paths_of_code_that_documents_name_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = re.findall(r"`((?:lvlmbench|scripts|rules|tests|benchmarks)/[\w./-]*)`", text)
    named += re.findall(r"python ((?:scripts|benchmarks|tests)/[\w/]+\.py)", text)
    made = {"benchmarks/results"}
    assert not [path for path in named if path not in made and not (ROOT / path).exists()]


def test_the_readme_is_short_and_the_pages_are_few() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120
    # 21 since docs/dysca.md: a table of the whole paper is as long as a page of its own.
    # 23 since docs/judges.md, and docs/claims.md, which people who label read alone.
    # 24 since docs/autodavis.md: a suite is a page, as docs/composed.md.
    # 26 for docs/valor.md and a page of one more suite.
    # 27 for docs/first-hour.md: what each task runs, with the line that it ends with.
    assert len([*(ROOT / "docs").glob("*.md")]) <= 27


def test_the_readme_leads_to_every_page() -> None:
    linked = set(re.findall(r"\(docs/([a-z-]+\.md)", (ROOT / "README.md").read_text()))
    assert linked == {path.name for path in (ROOT / "docs").glob("*.md")}


def test_make_is_silent_about_a_run_that_ctrl_c_has_ended(tmp_path: Path) -> None:
    """The run's own last line tells how to go on; what failed, or ended well, is as ever."""
    text = (ROOT / "Makefile").read_text()
    recipes = re.findall(r"^\t@\$\(BEGIN\) \$\(ACTIVE\) snakemake .*", text, re.M)
    assert len(recipes) == text.count("$(ACTIVE) snakemake $(QUIET)") == text.count("$(END)") == 4
    begin, end = (re.findall(rf"^{name} = .*$", text, re.M)[0] for name in ("BEGIN", "END"))
    run = "sh -c 'echo up; sleep 9'"
    (tmp_path / "Makefile").write_text(
        f"{begin}\n{end}\nlong:\n\t@$(BEGIN) {run} $(END)\n\t@echo next\n"
        "bad:\n\t@$(BEGIN) false $(END)\nwell:\n\t@$(BEGIN) true $(END)\n"
    )

    # The tests may be run by a make themselves; this one is to be nobody's.
    alone = {
        name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))
    }

    def make(target: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ["make", target], cwd=tmp_path, text=True, start_new_session=True, env=alone,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )  # fmt: skip

    made = make("long")
    assert made.stdout is not None and made.stdout.readline() == "up\n"
    os.killpg(made.pid, signal.SIGINT)
    assert (made.communicate()[0], made.returncode) == ("", -signal.SIGINT)
    for target, code in (("bad", 2), ("well", 0)):
        made = make(target)
        said, _ = made.communicate()
        assert (made.returncode, "Error 1" in said) == (code, target == "bad")
