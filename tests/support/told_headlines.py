"""Headlines as each of their readers prints them: model -> its number in the clean scenario."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from lvlmbench.commands.main import main
from lvlmbench.config import Project
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.engine.outcome import outcome_lines

Numbers = dict[str, str]


def of_console(project: Project, root: Path) -> dict[str, Numbers]:
    """Suite -> what a finished run says."""
    lines = [*outcome_lines(project, root / "results/report.html")]
    found = {}
    for suite in project.suites:
        about = f"{suite}: " if len(project.suites) > 1 else ""
        (line,) = (x for x in lines if x.startswith(about) and f"({CLEAN}" in x)
        said = line.partition("): ")[2].split("; ")
        found[suite] = {part.split()[0]: part.split()[1].rstrip(",") for part in said}
    return found


def of_command(root: Path, suite: str, capsys: pytest.CaptureFixture[str]) -> Numbers:
    """What ``lvlmbench scores`` says where nothing is asked of it."""
    capsys.readouterr()
    main(["scores", "--snapshot", str(root), "--suite", suite, "--format", "json"])
    rows = json.loads(capsys.readouterr().out)
    return {
        row["model"]: f"{row['value']:.1f}"
        for row in rows
        if (row["metric"], row["scenario"]) == ("headline", CLEAN)
    }


def of_json(root: Path, suite: str) -> Numbers:
    """What metrics.json holds."""
    tree = json.loads((root / "results" / suite / "metrics.json").read_text())
    return {model: f"{of[CLEAN]['headline']:.1f}" for model, of in tree.items()}


def of_page(page: str) -> Numbers:
    """What the table of results on a suite's page shows."""
    board = page.partition('<section id="leaderboard"')[2].partition("</table>")[0]
    found = {}
    for row in re.findall(r"<tr.*?</tr>", board, re.DOTALL):
        model = re.search(r'<th scope="row">([\w-]+)', row)
        value = re.search(r'class="num score total">\s*<span class="value">([^<]+)<', row)
        if (
            model
            and value
            and (said := html.unescape(value[1])) != "\N{EN DASH}"
            and model[1] != "Chance"
        ):
            found[model[1]] = said
    return found
