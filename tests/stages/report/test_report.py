"""The report and its figures on a made-up snapshot."""

from __future__ import annotations

import json
import os
import re
from html import unescape
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from lvlmbench import tables
from lvlmbench.analysis import funnel, statistics
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import by_strict
from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import LAST
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures.figure import FIGURES
from lvlmbench.stages.figures.run import read_about
from lvlmbench.stages.report import embed, formatting, illustrations, item_pages
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.overview import Overview
from lvlmbench.stages.report.page import whole
from support.report_answers import HOSTILE, SCRIPT
from support.report_flaws import flaws
from support.report_pages import (
    Outline,
    head,
    make,
    read,
    render,
    run,
    section,
    words,
    write_beside,
)
from support.report_snapshot import UNDRAWN, build, params

#: What a run differs in from another one: these lie beside the report.
OF_THE_RUN = {"provenance.json", "run.html"}


@pytest.mark.long
def test_same_bytes_in_another_process_zone_and_sharding(made: Path, tmp_path: Path) -> None:
    build(tmp_path, shard=5)
    make(tmp_path, seed="1")
    first = {p.name: p.read_bytes() for p in sorted((made / "results").rglob("*.*"))}
    again = {p.name: p.read_bytes() for p in sorted((tmp_path / "results").rglob("*.*"))}
    assert first.keys() == again.keys()
    differing = {n for n in first if first[n] != again[n]}
    assert differing <= OF_THE_RUN <= first.keys()


def test_figures_hold_no_date_program_or_path(made: Path) -> None:
    for path in sorted((made / "results/dysca/figures").iterdir()):
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
    assert len(html.encode()) < 3 << 20
    outline = Outline(html)
    assert outline.stack == []
    scripts = [v for t, k, v in outline.attributes if t == "script" and k == "type"]
    assert outline.tags.count("script") == len(scripts) + 1
    assert set(scripts) == {"application/json"}
    assert outline.tags.count("style") == 1
    for name in ("iframe", "object", "embed", "base", "audio", "video"):
        assert name not in outline.tags
    assert not [a for a in outline.attributes if a[1].startswith("on")]
    for _, key, value in outline.attributes:
        if key in ("src", "href", "xlink:href", "action", "srcset"):
            assert value is not None and re.match(r"#|data:|\w+/|run\.html$", value), value
            assert ".." not in value and not value.startswith("//"), value
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
    assert rules["img-src"] == "data: blob:"


def test_hostile_answers_are_data_and_harmless(html: str) -> None:
    said = [a for i in head(html)["items"] for q in i["questions"] for a in q["answers"]]
    texts = {a["text"] for a in said}
    for text in (SCRIPT, HOSTILE[1], HOSTILE[2], HOSTILE[3]):
        assert text in texts
    assert "HTTP 500 <b>boom</b>" in {a.get("error") for a in said}
    assert max(len(text) for text in texts) < 5000
    assert "x" * 5000 not in html
    assert html.count("<script") == html.count("</script>")
    for part in ("<script>document", "\x00", "</pre></details></main>"):
        assert part not in html
    assert "\u202e" not in html[: html.index('id="browser-data"')]  # data are named when shown


def test_report_tells_what_it_must(html: str) -> None:
    text = words(html)
    for part in ("made-up", "Chance level", "OpenMoji", "CC BY-SA 4.0", "provenance.json",
                 "https://creativecommons.org/licenses/by-sa/4.0/", "Average choice number",
                 "Not rendered: Celebrity, Movie, Anime, TV show"):  # fmt: skip
        assert part in text, part
    assert "models.example/v1" in html
    for key in ("shard_scenes", "shard_images"):
        assert key not in html
    assert not re.search(rf"\b{re.escape(os.uname().nodename)}\b", text)


def test_sections_come_in_their_order_and_the_links_lead_there(html: str) -> None:
    found = re.findall(r'<section id="(\w+)"', html)
    assert found == [
        "overview", "leaderboard", "comparisons", "hallucination", "robustness", "sensitivity",
        "subtasks", "styles", "readings", "cost", "judges", "composition", "funnel", "cleaning",
        "validity", "exports", "run", "parameters", "browser",
    ]  # fmt: skip
    links = html[html.index('aria-label="Sections"') : html.index("</nav>")]
    assert re.findall(r'href="#(\w+)"', links) == found
    ids = set(re.findall(r'\bid="([^"]+)"', html))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= ids


def test_figures_in_the_page_are_those_that_have_something_to_show(made: Path, html: str) -> None:
    folder = made / "results/dysca/figures"
    names = [
        n
        for n in FIGURES.names()
        if FIGURES.get(n, "test").place < LAST and (folder / f"{n}.json").is_file()
    ]
    about = {n: read_about(folder, n) for n in names if n != "published_results"}
    shown = map(unescape, re.findall(r'aria-label="Figure: ([^"]+)"', html))
    # Those of single subtasks rest on too few questions here.
    coarse = {"subtask_scores", "subtask_heatmap", "radar", "task_clusters"}
    about = {name: one for name, one in about.items() if name not in coarse}
    assert {*shown} == {a.title for a in about.values() if a.why_not is None} != set()
    assert any(a.why_not for a in about.values())  # those about noisy scenarios
    for name, one in about.items():
        if one.why_not is None:
            for form in ("csv", "pdf", "svg"):
                assert f'href="dysca/figures/{name}.{form}"' in html
                assert (folder / f"{name}.{form}").is_file()


def test_figures_that_were_not_asked_for_are_not_missed(made: Path, tmp_path: Path) -> None:
    few = params(figures={"names": ["funnel"]})
    html = render(read(made, few), made / "results/dysca")
    assert re.findall(r'<figure class="figure[^>]*>', html) == ['<figure class="figure small">']
    with pytest.raises(UserError, match=r"funnel.json: is missing or damaged"):
        illustrations.build(few, tmp_path)


def test_openmoji_is_credited_only_where_it_is_used(made: Path) -> None:
    other = read(made)
    images = {
        name: table.drop_columns("renderer").append_column(
            "renderer", pa.array(["diffusion"] * len(table))
        )
        for name, table in other.images.items()
    }
    vars(other)["images"] = images
    html = render(other, made / "results/dysca")
    assert "OpenMoji" not in html
    assert "the same pictographs" not in html


@pytest.mark.long
def test_tables_say_how_it_is_known_what_images_show(made: Path) -> None:
    """Every section with scores says whether truth was measured or is a description alone."""
    notes = {}
    for name, share in (("pictograph", 0.0), ("mixed", 0.5), ("diffusion", 1.0)):
        other = read(made)
        vars(other)["images"] = {
            of: table.drop_columns("renderer").append_column(
                "renderer",
                pa.array(
                    ["diffusion" if i < share * len(table) else "pictograph"
                     for i in range(len(table))]
                ),
            )
            for of, table in other.images.items()
        }  # fmt: skip
        html = render(other, made / "results/dysca")
        notes[name] = re.findall(r"<p class=.about.>Truth: <b>([^<]*)</b>\. ([\d,]*)", html)
        assert len(notes[name]) >= 5 and len({*notes[name]}) == 1
    assert notes["pictograph"][0] == ("measured", "")
    assert notes["mixed"][0][0] == "description and measured"
    assert notes["diffusion"][0][0] == "description"
    halves = [int(notes[name][0][1].replace(",", "")) for name in ("mixed", "diffusion")]
    assert 0 < halves[0] < halves[1]


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
    found = funnel.build(Snapshot(snapshot.params, root, snapshot.results))
    scenes = [loss for loss in found.losses if loss.unit == "scenes"]
    assert len(scenes) == funnel.MAX_REASONS + 1
    assert sum(loss.count for loss in scenes) == 60


def test_leaderboard_ends_with_the_floor(snapshot: Snapshot) -> None:
    rows = Leaderboard(snapshot).ranked()["clean"]
    assert [r.kind for r in rows] == ["model", "model", "reference", "guesser", "floor", "floor"]
    assert by_strict(rows).keys() == {0}  # of one model fewer answers were scored
    strict = [r.strict.value for r in rows[:2] if r.strict and r.strict.value is not None]
    assert len(strict) == 2 and strict == sorted(strict, reverse=True)
    floor, constant = (
        {k: v.value for k, v in r.by_type.items() if v and v.value is not None} for r in rows[-2:]
    )
    assert floor == pytest.approx({"multiple_choice": 25.0, "true_false": 50.0})
    assert not rows[-2].model and rows[-1].model.startswith("multiple choice: always (")
    assert all(constant[kind] >= floor[kind] for kind in floor)


def test_a_missing_metric_is_a_dash_and_not_a_zero(snapshot: Snapshot, tmp_path: Path) -> None:
    first = Leaderboard(snapshot).ranked()["clean"][0].model
    rows = [r for r in snapshot.metrics.to_pylist() if r["question_type"] != "free_form"]
    gone = {"value": float("nan")}
    rows = [r | gone if (r["metric"], r["model"]) == ("sq", first) else r for r in rows]
    path = tmp_path / "metrics.parquet"
    tables.write_rows(rows, path, tables.METRICS, "s")
    leaderboard = Leaderboard(Snapshot(snapshot.params, snapshot.data, tmp_path))
    row = leaderboard.ranked()["clean"][0]
    assert row.by_type["free_form"] is None
    missing = [found for column, found in row.beside.items() if column.of.measure == "sq"]
    assert missing and all(found is not None and found.value is None for found in missing)
    assert formatting.number(None) == "\N{EN DASH}"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("results/dysca/metrics.parquet", None),
        ("data/dysca/scenes/part-00000.parquet", "x"),
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
    write_beside(tmp_path)
    done = run(tmp_path, "--out", "results/report.out")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert path in done.stderr
    assert not (tmp_path / "results" / "report.out").exists()


def test_missing_figures_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"funnel.svg: is missing"):
        embed.inline_svg(tmp_path / "funnel.svg", "x")


def test_inline_figures_follow_the_colors_of_the_page(made: Path) -> None:
    for name in ("funnel", "question_types", "style_scores", "subtask_scores"):
        text = str(embed.inline_svg(made / "results/dysca/figures" / f"{name}.svg", 'a "b" <c>'))
        assert not re.search(r"#[0-9a-f]{6}", text), name
        assert 'aria-label="a &#34;b&#34; &lt;c&gt;"' in text


def test_figures_whose_colors_are_a_scale_keep_them(made: Path) -> None:
    text = str(embed.inline_svg(made / "results/dysca/figures" / "funnel.svg", "x", follow=False))
    assert re.search(r"#[0-9a-f]{6}", text) and "var(" not in text


def test_chance_levels_are_means_over_what_was_asked(snapshot: Snapshot) -> None:
    asked = snapshot.asked["clean"]
    levels = Leaderboard(snapshot).chance("clean", "style")
    assert set(levels) == {"multiple_choice", "true_false"}
    assert set(levels["multiple_choice"]) <= set(snapshot.styles)
    assert pc.min(asked["chance"]).as_py() == 0.25


def test_a_report_of_several_suites_holds_the_page_of_each() -> None:
    pages = {"one": "<p title='a'>1 & 2</p>", "two": "<p>3</p>"}
    html = whole("<both>", pages, Overview({}, {}, ["<nothing>"]))
    assert "<h1>&lt;both&gt;</h1>" in html
    found = re.findall(r'<section id="suite-(\w+)"[^>]*>\s*<iframe [^>]*srcdoc=\'([^\']*)\'', html)
    assert {name: unescape(page) for name, page in found} == pages
    assert html.index('id="overview"') < html.index('id="suite-one"'), "the overview is first"
    assert "&lt;nothing&gt;" in html
    assert re.findall(r'<a href="#suite-(\w+)"', html) == ["one", "two"]
    assert whole("alone", {"one": pages["one"]}, Overview({}, {}, [])) == pages["one"]


def test_a_page_of_one_scenario_has_no_flaw_and_says_what_to_name(html: str) -> None:
    assert list(flaws(html)) == []
    assert "Only the clean scenario was run." in words(section(html, "robustness"))


def test_what_is_wrong_in_a_page_of_another_process_is_one_line(tmp_path: Path) -> None:
    missing = Snapshot(params(), tmp_path / "data", tmp_path / "results")
    beside = Beside(tmp_path, None, None, tmp_path)
    with pytest.raises(UserError) as error:
        item_pages.pages({"dysca": (missing, beside)}, tmp_path)
    assert str(tmp_path / "data") in str(error.value) and error.value.fix
