"""``lvlmbench label`` from the sheet to the report."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from lvlmbench.commands.main import main
from lvlmbench.config.project import project_of
from lvlmbench.labelling.kinds.questions import questions
from support.report_pages import beside, read, shared
from support.report_snapshot import params


class Site:
    """A copy of the made-up snapshot, and a folder of labels of its own."""

    def __init__(self, root: Path, labels: Path) -> None:
        self.root, self.labels = root, labels

    def run(self, *arguments: str | Path) -> None:
        main(["label", *map(str, arguments), "--snapshot", str(self.root)])

    def form(self, rater: str, say: dict[str, str], **changes: Any) -> Path:
        labels = {item: {"label": label} for item, label in say.items()}
        data = {"format": "lvlmbench-labels-1", "sheet": "removals", "suite": "dysca",
                "rater": rater, "labels": labels} | changes  # fmt: skip
        path = self.root / f"from-{rater}.json"
        path.write_text(json.dumps(data))
        return path


@pytest.fixture
def site(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Site:
    root, labels = tmp_path / "snapshot", tmp_path / "labels"
    shutil.copytree(shared(tmp_path_factory), root)
    project = project_of(params()).model_dump(mode="json", exclude_unset=True)
    (root / "params.yaml").write_text(yaml.safe_dump(project | {"labels": {"folder": str(labels)}}))
    return Site(root, labels)


def on_sheet(page: Path) -> list[str]:
    held = re.search(r'id="data">(.*?)</script>', page.read_text(), re.S)
    assert held is not None
    return [item["id"] for item in json.loads(held[1])["items"]]


def one_line(capfd: pytest.CaptureFixture[str], *parts: str) -> None:
    lines = capfd.readouterr().err.strip().splitlines()
    assert len(lines) == 1, lines
    for part in parts:
        assert part in lines[0], lines[0]


@pytest.mark.long
def test_a_sheet_out_labels_in_and_the_report_tells(
    site: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    out = site.root / "removals.html"
    site.run("export", "removals", "--out", out, "--items", "3")
    told = capfd.readouterr().out
    items = on_sheet(out)
    assert f"{out}: {len(items)} items" in told and "3 of" in told
    assert sum(int(n) for n in re.findall(r"^  (\d+) of", told, re.M)) == len(items)
    wrong = dict.fromkeys(items[:4], "wrong") | dict.fromkeys(items[4:], "right")
    site.run("import", site.form("anna", wrong), site.form("ben", dict.fromkeys(items, "right")))
    assert f"{len(items)} labels of anna" in capfd.readouterr().out
    from lvlmbench.stages.report import page, people

    snapshot = read(site.root)
    found = people.build(snapshot, site.labels)["removals"]
    assert found is not None
    assert sum(group.labelled for group in found.groups) == len(items)
    assert sum(group.unclear for group in found.groups) == 4
    text = page.render(snapshot, beside(site.root / "results/dysca", labels=site.labels))
    assert "What people say of it" in text and "anna" in text and "Krippendorff" in text
    asked = [item for item in questions(snapshot) if item.right][:3]
    for name in ("anna", "ben"):
        right = {item.item_id: item.right for item in asked}
        site.run("import", site.form(name, right, sheet="questions"))
    text = page.render(snapshot, beside(site.root / "results/dysca", labels=site.labels))
    assert "A person is right" in text and "Fleiss" in text and "100%" in text
    text = page.render(snapshot, beside(site.root / "results/dysca"))
    assert re.search(r"Nobody has labelled [a-z, ]*\bremovals yet: ", text)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["export", "removal", "--out", "x.html"], ["'removal' is not known", "'removals'"]),
        (["export", "removals", "--out", "x.html", "--items", "0"], ["--items 0", "at least 1"]),
        (["export", "removals", "--out", "x.html", "--suite", "other"], ["no suite 'other'"]),
        (["import", "none.json"], ["none.json", "cannot be read"]),
    ],
)
def test_mistakes_are_one_line(
    site: Site, capfd: pytest.CaptureFixture[str], arguments: list[str], parts: list[str]
) -> None:
    with pytest.raises(SystemExit):
        site.run(*arguments)
    one_line(capfd, *parts)


def test_a_file_about_something_else_is_one_line(
    site: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    for change, part in (
        ({"suite": "composed"}, "the snapshot has no suite 'composed'"),
        ({"sheet": "claims-of-old"}, "'claims-of-old' is not known"),
        ({"labels": {"d" * 32: {"label": "right"}}}, "1 of 1 labels are of no item"),
    ):
        with pytest.raises(SystemExit):
            site.run("import", site.form("anna", {}, **change))
        one_line(capfd, part)
    assert not site.labels.exists()


def test_a_damaged_file_of_labels_ends_the_report_in_one_line(site: Site) -> None:
    from lvlmbench.core.errors import UserError
    from lvlmbench.stages.report import people

    folder = site.labels / "dysca" / "removals"
    folder.mkdir(parents=True)
    (folder / "anna.json").write_text("{")
    with pytest.raises(UserError, match=r"anna\.json: is no file of labels"):
        people.build(read(site.root), site.labels)
