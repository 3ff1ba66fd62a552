"""The report and its figures on a made-up snapshot."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from report_answers import HOSTILE, SCRIPT
from report_snapshot import UNDRAWN, build, noisy_params, params

from lvlmbench import tables
from lvlmbench.analysis import funnel, statistics
from lvlmbench.analysis.inputs import Snapshot
from lvlmbench.analysis.standings import Standings
from lvlmbench.config import Params
from lvlmbench.errors import UserError
from lvlmbench.report import charts, embed, page

SCRIPTS = Path(__file__).parents[1] / "scripts"
#: What the script of the report takes beside what the one of the figures takes.
EXTRA = [
    "--figures", "results/figures", "--audit", "results/vocabulary_audit.csv",
    "--comparisons", "results/comparisons.parquet",
]  # fmt: skip


def run(
    name: str, root: Path, *arguments: str, seed: str = "0"
) -> subprocess.CompletedProcess[str]:
    """Run one of the two scripts on the snapshot in ``root``, as the pipeline does."""
    command = [
        sys.executable, str(SCRIPTS / f"{name}.py"), "--config", "config.json", "--data", "data",
        "--metrics", "results/metrics.parquet", *arguments,
    ]  # fmt: skip
    env = os.environ | {
        "PYTHONHASHSEED": seed,
        "TZ": "Asia/Tokyo" if seed == "0" else "UTC",
        "PYTHONPATH": str(SCRIPTS.parent),
    }
    return subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)


def make(root: Path, seed: str = "0") -> None:
    """Figures and report of the snapshot in ``root``."""
    for name, out in (("figures", "results/figures"), ("report", "results/report.html")):
        extra = EXTRA if name == "report" else []
        done = run(name, root, *extra, "--out", out, seed=seed)
        assert done.returncode == 0, done.stderr


def shared(factory: pytest.TempPathFactory, noisy: bool = False) -> Path:
    """The made-up snapshot with its report, in clean or in every scenario: made once for all
    tests, none of which changes it."""
    return _shared(factory.getbasetemp(), noisy)


@cache
def _shared(folder: Path, noisy: bool) -> Path:
    root = folder / ("shared-noisy" if noisy else "shared")
    build(root, noisy_params() if noisy else None)
    make(root)
    return root


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared(tmp_path_factory)


@pytest.fixture(scope="module")
def snapshot(made: Path) -> Snapshot:
    return read(made)


@pytest.fixture(scope="module")
def html(made: Path) -> str:
    return (made / "results" / "report.html").read_text()


def read(root: Path, p: Params | None = None) -> Snapshot:
    """The snapshot that :func:`build` wrote to ``root``."""
    results = root / "results"
    return Snapshot(
        p or params(), root / "data", results / "metrics.parquet",
        results / "vocabulary_audit.csv", results / "comparisons.parquet",
    )  # fmt: skip


class Outline(HTMLParser):
    """Tags, attributes and visible text of a page; complains about tags left open."""

    VOID = frozenset({"meta", "link", "img", "br", "input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.stack: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, k, v) for k, v in attrs]
        if tag not in self.VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, k, v) for k, v in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_same_bytes_in_another_process_zone_and_sharding(made: Path, tmp_path: Path) -> None:
    build(tmp_path, shard=5)
    make(tmp_path, seed="1")
    first = {p.name: p.read_bytes() for p in sorted((made / "results").rglob("*.*"))}
    again = {p.name: p.read_bytes() for p in sorted((tmp_path / "results").rglob("*.*"))}
    assert first.keys() == again.keys()
    differing = {n for n in first if first[n] != again[n]}
    assert differing <= {"provenance.json"}
    assert {f"{n}.{e}" for n in charts.FIGURES for e in ("pdf", "svg")} <= first.keys()


def test_figures_hold_no_date_program_or_path(made: Path) -> None:
    for path in sorted((made / "results" / "figures").iterdir()):
        data = path.read_bytes()
        for word in (b"CreationDate", b"ModDate", b"Producer", b"/Creator", b"<dc:date>",
                     b"dc:creator", str(made).encode()):  # fmt: skip
            assert word not in data, (path.name, word)


def test_figures_use_the_font_that_comes_with_matplotlib() -> None:
    import matplotlib
    from matplotlib import font_manager

    found = Path(font_manager.findfont("DejaVu Sans", fallback_to_default=False))
    assert found.is_relative_to(matplotlib.get_data_path())


def test_report_is_whole_small_and_self_contained(html: str) -> None:
    assert len(html.encode()) < 2 << 20
    outline = Outline(html)
    assert outline.stack == []
    assert outline.tags.count("script") == 1
    assert outline.tags.count("style") == 1
    for name in ("iframe", "object", "embed", "base", "audio", "video"):
        assert name not in outline.tags
    assert not [a for a in outline.attributes if a[1].startswith("on")]
    for tag, key, value in outline.attributes:
        if key in ("src", "href", "xlink:href", "action", "srcset"):
            assert value is not None and re.match(r"#|data:", value), (tag, key, value)
    assert "url(http" not in html and "@import" not in html


def test_ids_in_the_page_are_unique(html: str) -> None:
    ids = [v for _, k, v in Outline(html).attributes if k == "id"]
    assert len(ids) == len(set(ids))


def test_content_security_policy_allows_our_script_alone(html: str) -> None:
    import base64
    import hashlib

    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    script = re.search(r"<script>(.*?)</script>", html, re.DOTALL)
    assert policy and script
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    rules = dict(r.split(" ", 1) for r in policy[1].split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == f"'sha256-{digest}'"
    assert rules["img-src"] == "data:"


def test_hostile_answers_are_shown_and_harmless(html: str) -> None:
    outline = Outline(html)
    words = "".join(outline.words)
    for text in (SCRIPT, HOSTILE[1], HOSTILE[2], HOSTILE[3]):
        assert text in words
    assert "U+202E" in words and "U+0000" in words
    assert "\u202e" not in html and "\x00" not in html
    assert "x" * 5000 not in html
    assert "996,000 more characters" in words
    assert "HTTP 500 <b>boom</b>" in words


def test_report_tells_what_it_must(html: str) -> None:
    words = re.sub(r"\s+", " ", "".join(Outline(html).words))
    for text in ("made-up", "Chance level", "OpenMoji", "CC BY-SA 4.0", "provenance.json",
                 "https://creativecommons.org/licenses/by-sa/4.0/", "Average choice number",
                 "Not rendered: Celebrity, Movie, Anime, TV show"):  # fmt: skip
        assert text in words, text
    assert "models.example/v1" in html
    for key in ("shard_scenes", "shard_images"):
        assert key not in html
    assert not re.search(rf"\b{re.escape(os.uname().nodename)}\b", words)


def test_openmoji_is_credited_only_where_it_is_used(made: Path) -> None:
    other = read(made)
    images = {
        name: table.drop_columns("renderer").append_column(
            "renderer", pa.array(["diffusion"] * len(table))
        )
        for name, table in other.images.items()
    }
    vars(other)["images"] = images
    html = page.render(other, made / "results" / "figures")
    assert "OpenMoji" not in html
    assert "the same pictographs" not in html


def test_provenance_lies_beside_the_report(made: Path) -> None:
    facts = json.loads((made / "results" / "provenance.json").read_text())
    assert facts["python"].startswith("3.")
    assert facts["packages"]["pyarrow"]
    assert re.match(r"\d{4}-\d\d-\d\dT", facts["written"])


def test_statistics_count_what_was_asked(snapshot: Snapshot) -> None:
    lines = {s.label: s.value for s in statistics.table2(snapshot)}
    asked = snapshot.asked["clean"].to_pylist()
    assert lines["Total questions"] == str(len(asked))
    assert lines["Average choice number"] == "3.0"
    assert lines["Unique images"] == str(len({q["scene_id"] for q in asked}))
    assert lines["Average question length (words)"] == "6.0"
    texts = {(q["question"], tuple(q["options"])) for q in asked}
    assert lines["Unique questions (text and options)"] == str(len(texts))
    shares = [float(v.split("(")[1][:-2]) for k, v in lines.items() if k in
              ("Multiple choice", "True or false", "Free form")]  # fmt: skip
    assert sum(shares) == pytest.approx(100, abs=0.2)


def test_asked_is_what_models_were_asked(snapshot: Snapshot) -> None:
    answers = tables.read(snapshot.data / "answers" / "chance" / "clean", tables.ANSWERS)
    asked = snapshot.asked["clean"]["question_id"].to_pylist()
    assert sorted(answers["question_id"].to_pylist()) == sorted(asked)


def test_funnel_accounts_for_every_scene(snapshot: Snapshot) -> None:
    found = funnel.build(snapshot)
    counts = {s.label: s.count for s in found.steps}
    assert counts["Scenes planned"] == 60
    assert counts["After exclusions"] == 59
    assert counts["Rendered"] == 59 - 3 * len(UNDRAWN)
    lost = sum(loss.count for loss in found.losses if loss.unit == "scenes")
    assert counts["Scenes planned"] - lost == counts["Kept by OCR"] == counts["Asked about"]
    lost = sum(loss.count for loss in found.losses if loss.unit == "questions")
    assert counts["Questions asked"] - lost == counts["Kept by consensus"]
    assert 0 < lost == len(snapshot.dropped)
    steps = [loss.step for loss in found.losses]
    assert {"Vocabulary", "Render", "Filter: CLIP", "Filter: OCR", "Consensus"} <= set(steps)
    reasons = [loss.reason for loss in found.losses if loss.step == "Vocabulary"]
    assert reasons == ["excluded from the vocabulary: animal 'barn owl'"]
    assert sorted(found.undrawn_subtasks) == sorted(UNDRAWN)
    for loss in found.losses:
        assert loss.count == sum(count for _, count in loss.subtasks)


def test_many_reasons_are_summed_not_dropped(snapshot: Snapshot, tmp_path: Path) -> None:
    import shutil

    root = tmp_path / "data"
    shutil.copytree(snapshot.data, root)
    verdicts = snapshot.rendered.to_pylist()
    for i, row in enumerate(verdicts):
        row |= {"keep": False, "reason": f"reason {i}"}
    shutil.rmtree(root / "verdicts" / "render")
    tables.write_rows(verdicts, root / "verdicts" / "render" / "part-00000.parquet",
                      tables.VERDICTS, "s")  # fmt: skip
    found = funnel.build(Snapshot(snapshot.params, root, snapshot.metrics_path))
    scenes = [loss for loss in found.losses if loss.unit == "scenes"]
    assert len(scenes) == funnel.MAX_REASONS + 1
    assert sum(loss.count for loss in scenes) == 60


def test_leaderboard_ends_with_the_floor(snapshot: Snapshot) -> None:
    rows = Standings(snapshot).leaderboard()["clean"]
    assert [r.kind for r in rows] == ["model", "model", "reference", "guesser", "floor"]
    totals = [r.total.value for r in rows[:2] if r.total and r.total.value is not None]
    assert totals == sorted(totals, reverse=True)
    floor = {k: v.value for k, v in rows[-1].by_type.items() if v}
    assert floor == pytest.approx({"multiple_choice": 25.0, "true_false": 50.0})


def test_a_missing_metric_is_a_dash_and_not_a_zero(snapshot: Snapshot, tmp_path: Path) -> None:
    rows = [r for r in snapshot.metrics.to_pylist() if r["question_type"] != "free_form"]
    rows = [r | {"value": float("nan")} if r["metric"] == "sq" else r for r in rows]
    path = tmp_path / "metrics.parquet"
    tables.write_rows(rows, path, tables.METRICS, "s")
    standings = Standings(Snapshot(snapshot.params, snapshot.data, path))
    row = standings.leaderboard()["clean"][0]
    assert row.by_type["free_form"] is None
    assert row.sq is not None and row.sq.value is None
    assert page.number(None) == "\N{EN DASH}"


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("results/metrics.parquet", None),
        ("data/corpus/scenes/part-00000.parquet", "x"),
        ("config.json", '{"reprot": {}}'),
    ],
)
def test_mistakes_are_one_line_and_leave_nothing(
    tmp_path: Path, path: str, content: str | None
) -> None:
    build(tmp_path)
    (tmp_path / path).unlink()
    if content is not None:
        (tmp_path / path).write_text(content)
    for name in ("figures", "report"):
        extra = EXTRA if name == "report" else []
        done = run(name, tmp_path, *extra, "--out", f"results/{name}.out")
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert path in done.stderr
        assert not (tmp_path / "results" / f"{name}.out").exists()


def test_missing_figures_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"funnel.svg: is missing"):
        embed.inline_svg(tmp_path / "funnel.svg", "x")


def test_inline_figures_follow_the_colors_of_the_page(made: Path) -> None:
    for name in charts.FIGURES:
        text = str(embed.inline_svg(made / "results" / "figures" / f"{name}.svg", 'a "b" <c>'))
        assert not re.search(r"#[0-9a-f]{6}", text), name
        assert 'aria-label="a &#34;b&#34; &lt;c&gt;"' in text


def test_chance_levels_are_means_over_what_was_asked(snapshot: Snapshot) -> None:
    asked = snapshot.asked["clean"]
    levels = Standings(snapshot).chance("clean", "style")
    assert set(levels) == {"multiple_choice", "true_false"}
    assert set(levels["multiple_choice"]) <= set(snapshot.styles)
    assert pc.min(asked["chance"]).as_py() == 0.25
