"""The templates of ``dvc plots``: drawn as DVC fills them, labels held against numbers."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
import vl_convert
import yaml
from dvc_render.vega import VegaRenderer

from lvlmbench.stages.metrics.plots import write_plots
from lvlmbench.stages.metrics.rows import Key

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / ".dvc" / "plots"
Row = dict[str, Any]
#: Not in the order of the alphabet, and one that no list of ours knows.
MODELS = ("vision-2", "chance", "a_model")
SCENARIOS = ("clean", "corruption", "blind", "my own one")
SUBTASKS = ("text", "animal", "age")


def metric_rows(shift: float) -> list[Row]:
    """Rows of the metrics table, model by model as there; each value once. One model was not asked
    in one scenario, one subtask is not asked in another."""
    rows: list[Row] = []
    for m, model in enumerate(MODELS):
        for s, scenario in enumerate(SCENARIOS):
            if (model, scenario) == ("chance", "corruption"):
                continue
            about = {"questions": "all", "model": model, "scenario": scenario}
            for n, subtask in enumerate(("all", *SUBTASKS)):
                if (scenario, subtask) == ("blind", "text"):
                    continue
                value = round(2 + 24 * m + 6 * s + 1.3 * n + shift, 2)
                metric = "headline" if subtask == "all" else "score"
                numbers = {"value": value, "low": value - 1, "high": value + 1, "n": 9}
                key = Key(subtask=subtask)._asdict()
                rows.append({**about, **key, "metric": metric, **numbers, "n_unscored": 0})
    return rows


def plots() -> dict[str, tuple[str, str]]:
    """Template -> the file and the column on the y axis that dvc.yaml draws with it."""
    found = {}
    for entry in yaml.safe_load((ROOT / "dvc.yaml").read_text())["plots"]:
        for about in entry.values():
            if "template" in about:
                ((file, y),) = about["y"].items()
                found[about["template"]] = (Path(file).name, y)
    return found


def points(folder: Path, file: str, revisions: dict[str, float]) -> list[Row]:
    """What DVC hands to a template: the rows of a file at each revision."""
    found: list[Row] = []
    for name, shift in revisions.items():
        write_plots(metric_rows(shift), folder / name)
        with (folder / name / file).open(newline="") as text:
            found += [{**row, "rev": name} for row in csv.DictReader(text)]
    for row in found:
        row |= {k: float(row[k]) for k in ("value", "low", "high")}
    return found


def drawn(node: Any, x: float = 0, y: float = 0) -> list[Row]:
    """Texts and points of a scene graph, with their places on the page."""
    found: list[Row] = []
    for item in node["items"]:
        place = {"x": x + item.get("x", 0), "y": y + item.get("y", 0)}
        if node["marktype"] in ("text", "symbol"):
            about = {"mark": node["marktype"], "role": node.get("role"), "fill": item.get("fill")}
            found.append({**about, **place, "text": item.get("text")})
        for child in item.get("items", []):
            found += drawn(child, place["x"], place["y"])
    return found


def nearest(labels: list[Row], axis: str, place: float) -> str:
    return str(min(labels, key=lambda label: abs(label[axis] - place))["text"])


def readings(spec: Row) -> set[tuple[str, ...]]:
    """What a reader reads off: revision (by color), headers above and beside, label on the y
    axis, value on the x axis."""
    marks = drawn(vl_convert.vegalite_to_scenegraph(spec, vl_version="5.8")["scenegraph"])
    texts = [m for m in marks if m["mark"] == "text"]
    headers = [t for t in texts if t["role"] == "title-text" and t["text"] != spec["title"]["text"]]
    above = [t for t in headers if t["text"] in MODELS]
    beside = [t for t in headers if t["text"] in SCENARIOS]
    assert len(above) + len(beside) == len(headers)
    ticks = [t for t in texts if t["role"] == "axis-label"]
    bottom = max(t["y"] for t in ticks)
    x_ticks = [t for t in ticks if t["y"] == bottom]
    y_ticks = [t for t in ticks if t["y"] != bottom]
    legend = {
        s["fill"]: nearest([t for t in texts if t["role"] == "legend-label"], "y", s["y"])
        for s in marks
        if s["role"] == "legend-symbol"
    }
    found = set()
    for point in (m for m in marks if m["mark"] == "symbol" and m["role"] == "mark"):
        model = nearest(above, "x", point["x"])
        column = min(above, key=lambda label: abs(label["x"] - point["x"]))["x"]
        scale = [t for t in x_ticks if abs(t["x"] - column) < 130]
        first, last = min(scale, key=lambda t: t["x"]), max(scale, key=lambda t: t["x"])
        low, high = float(first["text"]), float(last["text"])
        share = (point["x"] + 0.5 - first["x"]) / (last["x"] - first["x"])
        value = f"{low + share * (high - low):.1f}"
        header = (nearest(beside, "y", point["y"]),) if beside else ()
        name = legend[point["fill"]]
        found.add((name, model, *header, nearest(y_ticks, "y", point["y"]), value))
    return found


@pytest.mark.parametrize("template", sorted(path.stem for path in TEMPLATES.glob("*.json")))
@pytest.mark.parametrize("revisions", [{"workspace": 0.0}, {"HEAD": 0.0, "workspace": 0.5}])
def test_what_a_plot_says_is_what_the_file_says(
    tmp_path: Path, template: str, revisions: dict[str, float]
) -> None:
    file, y = plots()[template]
    rows = points(tmp_path, file, revisions)
    renderer = VegaRenderer(
        rows, file, template=template, template_dir=str(TEMPLATES), x="value", y=y, title="A title",
        x_label="score (%)",
    )  # fmt: skip
    filled = renderer.get_filled_template()
    spec = json.loads(filled) if isinstance(filled, str) else filled
    keys = ["rev", "model", *(["scenario"] if y != "scenario" else []), y]
    said = {(*(row[k] for k in keys), f"{row['value']:.1f}") for row in rows}
    assert len(said) == len(rows)
    assert readings(spec) == said


def test_each_template_is_in_use() -> None:
    assert set(plots()) == {path.stem for path in TEMPLATES.glob("*.json")}
