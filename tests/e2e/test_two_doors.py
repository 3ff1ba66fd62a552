"""One DAG, two doors: Snakemake and DVC find each other's work, and nothing is made twice.

Each test prints what it saw; run with ``pytest -s tests/e2e`` to read it.
"""

from __future__ import annotations

import html
import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from e2e.clone import EVERYTHING, Clone, jobs
from lvlmbench.config.layers import load_layers
from support.told_headlines import of_command, of_console, of_json, of_page

pytestmark = pytest.mark.e2e

LATE = {"report": 1}
NOTHING: dict[str, int] = {}
IMAGES = "data/dysca/rendered/part-*"
UP_TO_DATE = "Data and pipelines are up to date."


def say(what: str, seen: object) -> None:
    print(f"  {what}: {seen or 'nothing to do'}")


@pytest.fixture
def clone(made: Clone, tmp_path: Path) -> Clone:
    """A copy of the made clone that a test may change."""
    return made.copy(tmp_path / "clone")


def test_a_snakemake_first_then_dvc_has_nothing_to_do(made: Clone) -> None:
    status = made.run("dvc", "status").strip()
    say("snakemake, dvc commit -f, dvc status", status)
    assert status == UP_TO_DATE
    say("dvc repro", again := made.dvc_repro())
    assert again == NOTHING
    say("snakemake -n", again := made.snakemake("-n"))
    assert again == NOTHING
    assert made.run("git", "status", "--short") == ""


def test_all_print_the_same_headlines(made: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    project = load_layers([made.path / "params.yaml"])
    whole = html.unescape((made.path / "results/report.html").read_text())
    for suite, wanted in of_console(project, made.path).items():
        say(f"headlines of {suite}", wanted)
        page = whole.partition(f'<section id="suite-{suite}"')[2].partition("</iframe>")[0]
        assert of_page(page or whole) == wanted
        assert of_command(made.path, suite, capsys) == wanted
        assert of_json(made.path, suite) == wanted


@pytest.mark.long
def test_b_dvc_first_then_snakemake_does_the_rest(
    made: Clone, origin: Clone, tmp_path: Path
) -> None:
    clone = origin.fresh(tmp_path / "clone")
    say("dvc repro filter", first := clone.dvc_repro("filter"))
    assert {"scenes", "render", "filter"} <= {*first} < {*EVERYTHING}
    say("snakemake", then := clone.snakemake("--cores", "2"))
    assert Counter(first) + Counter(then) == EVERYTHING
    assert clone.artifacts() == made.artifacts()


@pytest.mark.long
def test_b_dvc_first_then_snakemake_has_nothing_to_do(
    made: Clone, origin: Clone, tmp_path: Path
) -> None:
    clone = origin.fresh(tmp_path / "clone")
    say("dvc repro", first := clone.dvc_repro())
    assert first == EVERYTHING
    say("snakemake -n", again := clone.snakemake("-n"))
    assert again == NOTHING
    assert clone.artifacts() == made.artifacts()


@pytest.mark.long
def test_c_late_parameter_and_back(clone: Clone) -> None:
    before = clone.artifacts()
    clone.set("report", items=2)
    say("snakemake -n after a late parameter", seen := clone.snakemake("-n"))
    assert seen == LATE
    say("dvc repro", seen := clone.dvc_repro())
    assert seen == LATE
    say("snakemake -n", seen := clone.snakemake("-n"))
    assert seen == NOTHING
    assert clone.artifacts() != before
    clone.set("report", items=4)
    say("the parameter back, dvc repro", seen := clone.dvc_repro())
    assert seen == NOTHING
    say("snakemake -n", seen := clone.snakemake("-n"))
    assert seen == NOTHING
    assert clone.artifacts() == before
    clone.set("report", items=3)
    say("another late parameter, snakemake", seen := clone.snakemake())
    assert seen == LATE
    clone.run("dvc", "commit", "-f")
    assert clone.run("dvc", "status").strip() == UP_TO_DATE


@pytest.mark.long
@pytest.mark.parametrize("door", ["snakemake", pytest.param("dvc", marks=pytest.mark.long)])
def test_c_early_parameter_and_back(clone: Clone, door: str) -> None:
    before = clone.artifacts()
    clone.set("snapshot", seed=8)
    seen = clone.snakemake() if door == "snakemake" else clone.dvc_repro()
    say(f"{door} after an early parameter", seen)
    assert seen == {rule: n for rule, n in EVERYTHING.items() if rule != "reference_scenes"}
    say("snakemake -n", seen := clone.snakemake("-n"))
    assert seen == NOTHING
    after = clone.artifacts()
    same = {name for name in before if after[name] == before[name]}
    data = {name for name in same if name.startswith("data/")}
    assert data == {name for name in before if name.startswith("data/") and "reference" in name}
    told = {
        "results/report.html",
        *(f"results/dysca/{n}.csv" for n in ("figures/subtask_scores", "plots/totals")),
    }
    assert not told & same and told <= set(before)
    clone.set("snapshot", seed=7)
    say("the parameter back, dvc repro", seen := clone.dvc_repro())
    assert seen == NOTHING
    say("snakemake -n", seen := clone.snakemake("-n"))
    assert seen == NOTHING
    assert clone.artifacts() == before


@pytest.mark.long
def test_c_image_size_is_not_restored_as_another(clone: Clone) -> None:
    """DVC's run cache does not compare parameters called "size"; our commands hold its value."""
    clone.set("render", size=72)
    say("dvc repro render after another size", seen := clone.dvc_repro("render"))
    assert seen == {"scenes": 2, "render": 2}


@pytest.mark.long
def test_c_unrelated_edit(clone: Clone) -> None:
    (clone.path / "README.md").write_text("Edited.\n")
    say("snakemake -n after an edit of README.md", seen := clone.snakemake("-n"))
    assert seen == NOTHING
    assert clone.run("dvc", "status").strip() == UP_TO_DATE


@pytest.mark.long
def test_c_edit_that_changes_no_byte(clone: Clone) -> None:
    """Code that comes to the same images asks no model again. What filters looks again: it reads
    what renderers declare."""
    before = clone.artifacts()
    with (clone.path / "lvlmbench/stages/render/shard.py").open("a") as f:
        f.write("# A comment.\n")
    ran = clone.run("snakemake")
    logs = clone.path.glob(".lvlmbench/build/*/log/*.log")
    reused = {log.name for log in logs if "took the published outputs" in log.read_text()}
    say("taken as published after a comment in the renderer", sorted(reused))
    assert {
        f"{name}.log"
        for name in ("answer-dysca-chance-clean-00000", "score-dysca-chance-clean", "metrics-dysca")
    } <= reused, ran
    assert not any(name.startswith(("render", "reference_scenes", "filter")) for name in reused)
    after = clone.artifacts()
    again = ("render/dysca", "reference_scenes", "filter/dysca/integrity")
    drawn = {f"data/seals/{name}.json" for name in again}
    told = {f"data/seals/{name}.json" for name in ("exports/dysca", "validity/dysca", "report")}
    # Those that tell who drew run again, to the same bytes.
    assert {n for n in before if before[n] != after[n]} == drawn | told


def test_d_second_clone_pulls_and_has_nothing_to_do(made: Clone, tmp_path: Path) -> None:
    second = made.fresh(tmp_path / "second")
    second.run("dvc", "pull")
    say("second clone, dvc pull, snakemake -n", seen := second.snakemake("-n"))
    assert seen == NOTHING
    say("snakemake", seen := second.snakemake())
    assert seen == NOTHING
    say("dvc repro", seen := second.dvc_repro())
    assert seen == NOTHING
    assert second.artifacts() == made.artifacts()


@pytest.mark.long
def test_d_older_version_comes_back(clone: Clone) -> None:
    before = clone.artifacts()
    clone.set("report", items=1)
    clone.snakemake()
    clone.run("dvc", "commit", "-f")
    clone.commit("another snapshot")
    clone.run("git", "checkout", "-q", "HEAD~1")
    clone.run("dvc", "checkout")
    say("git checkout, dvc checkout, snakemake -n", seen := clone.snakemake("-n"))
    assert seen == NOTHING
    assert clone.artifacts() == before


@pytest.mark.long
def test_e_one_core_and_a_kill_change_no_byte(made: Clone, origin: Clone, tmp_path: Path) -> None:
    """On one core, killed in the middle, and the same command again with nothing else typed."""
    clone = origin.fresh(tmp_path / "clone")
    clone.killed("snakemake", "--cores", "1", once=lambda: bool(clone.built(IMAGES)))
    assert not (clone.path / "data/dysca/rendered").exists(), "published half-made"
    say("after kill -9, snakemake --cores 1", seen := clone.snakemake("--cores", "1"))
    assert sum(seen.values()) < sum(EVERYTHING.values())
    assert clone.artifacts() == made.artifacts()


@pytest.mark.long
def test_e_killed_dvc_goes_on(made: Clone, origin: Clone, tmp_path: Path) -> None:
    clone = origin.fresh(tmp_path / "clone")
    clone.killed("dvc", "repro", "render", once=lambda: bool(clone.built(IMAGES)))
    say("after kill -9, dvc repro render", seen := clone.dvc_repro("render"))
    assert "scenes" not in seen
    expected = {n: h for n, h in made.artifacts().items() if n.startswith("data/dysca/rendered/")}
    assert expected
    assert {
        n: h for n, h in clone.artifacts().items() if n.startswith("data/dysca/rendered/")
    } == expected


@pytest.mark.long
def test_e_killed_dvc_goes_on_with_what_it_made_ahead(clone: Clone) -> None:
    """One run makes what ``dvc repro`` asks for; killed in it, nothing finished is made again."""
    clone.set("snapshot", seed=8)
    scores = "data/dysca/scores/*/*"
    before = len(clone.built(scores))
    clone.killed("dvc", "repro", once=lambda: len(clone.built(scores)) > before)
    left = clone.snakemake("-n")
    said = clone.run("dvc", "repro")
    say("after kill -9, dvc repro", seen := jobs(said))
    assert seen == left and "scenes" not in seen
    assert said.count("published, as it was made with the stages before it") > 10
    assert clone.snakemake("-n") == NOTHING


@pytest.mark.long
def test_e_shard_sizes_change_no_row_and_leave_nothing_behind(clone: Clone) -> None:
    before = clone.rows()
    clone.set("corpus", shard_scenes=12)
    clone.set("render", shard_images=5)
    say("snakemake with other shard sizes", seen := clone.snakemake())
    other = EVERYTHING | {
        "scenes": 1,
        "questions": 1,
        "render": 3,
        "filter": 3,
        "scenario": 6,
        "answer": 6,
    }
    assert seen == {rule: n for rule, n in other.items() if rule != "reference_scenes"}
    parts = [p.name for p in sorted((clone.path / "data/dysca/rendered").iterdir())]
    assert parts == ["part-00000.parquet", "part-00001.parquet", "part-00002.parquet"]
    assert len(list((clone.path / "data/dysca/scenes").iterdir())) == 1
    assert clone.rows() == before
    clone.set("corpus", shard_scenes=7)
    clone.set("render", shard_images=6)
    say("the shard sizes back, dvc repro", seen := clone.dvc_repro())
    assert seen == NOTHING
    parts = [p.name for p in sorted((clone.path / "data/dysca/rendered").iterdir())]
    assert parts == ["part-00000.parquet", "part-00001.parquet"]


@pytest.mark.long
def test_adding_a_model_asks_that_model_only(clone: Clone) -> None:
    chance = {"name": "chance", "engine": "chance"}
    clone.set("answer", models=[chance, {"name": "second", "engine": "chance"}])
    say("snakemake with one more model", seen := clone.snakemake())
    assert seen == {
        **{"answer": 4, "judge": 2, "score": 2, "consensus": 1, "audit": 1},
        **{"metrics": 1, "comparisons": 1, "hallucination": 1, "validity": 1, "figure": 1},
        **{
            "dialogue": 1,
            "export": 1,
            "exports_index": 1,
            "report": 1,
        },  # which questions the consensus keeps
    }
    clone.set("answer", models=[chance])
    # DVC sees the scores of both models below data/scores, so its run cache has no such consensus.
    say("without it again, dvc repro", seen := clone.dvc_repro())
    assert seen == {"consensus": 1}
    assert not (clone.path / "data/dysca/answers/second").exists()
    assert clone.run("dvc", "status").strip() == UP_TO_DATE


@pytest.mark.long
def test_adding_a_scenario_asks_in_that_scenario_only(clone: Clone) -> None:
    before = clone.artifacts()
    other = {"name": "other", "kind": "other_image"}
    clone.set("scenarios", names=["clean", "other", "blind"], noisy=[other, {"name": "blind"}])
    say("snakemake with one more scenario", seen := clone.snakemake())
    assert seen == {
        **{"scenario": 2, "answer": 2, "judge": 1, "score": 1, "consensus": 1, "audit": 1},
        **{"metrics": 1, "comparisons": 1, "validity": 1, "distances": 1, "figure": 1},
        **{"hallucination": 1, "dialogue": 1, "export": 1, "exports_index": 1, "report": 1},
    }
    clone.set("scenarios", names=["clean", "other"], noisy=[other])
    say("without it again, dvc repro", seen := clone.dvc_repro())
    assert "scenario" not in seen and "answer" not in seen
    assert not (clone.path / "data/dysca/images/blind").exists()
    assert not (clone.path / "data/dysca/answers/chance/blind").exists()
    assert {n for n, h in clone.artifacts().items() if before.get(n) != h} == set()
    assert clone.run("dvc", "status").strip() == UP_TO_DATE


@pytest.mark.long
def test_what_changed_between_two_versions_is_told_by_dvc(clone: Clone) -> None:
    """``dvc metrics diff``, ``params diff``, ``plots diff`` and ``exp show``."""
    clone.set("snapshot", seed=8)
    clone.snakemake()
    clone.run("dvc", "commit", "-f")
    found = json.loads(clone.run("dvc", "metrics", "diff", "--json", "HEAD"))
    changed = found["results/dysca/metrics.json"]
    total = changed["chance.clean.total"]
    assert total["diff"] == pytest.approx(total["new"] - total["old"])
    assert all(0 <= total[k] <= 100 for k in ("old", "new"))
    assert len(changed) < 30  # what one reads, not all there is
    told = json.loads(clone.run("dvc", "params", "diff", "--json", "HEAD"))
    assert told == {"params.yaml": {"snapshot.seed": {"old": 7, "new": 8, "diff": 1}}}
    page = Path(
        clone.run("dvc", "plots", "diff", "HEAD", "-o", "plots").split("file://")[1].strip()
    )
    html = page.read_text()
    for title in ("Total scores by scenario (dysca)", "Scores by subtask (dysca)"):
        assert title in html
    assert '"rev": "HEAD"' in html and '"rev": "workspace"' in html and '"low"' in html
    shown = clone.run("dvc", "exp", "show", "--csv", "--only-changed")
    assert "chance.clean.total" in shown and "snapshot.seed" in shown


@pytest.mark.long
def test_damaged_file_is_made_again(clone: Clone) -> None:
    """Same name, same length, other bytes: content decides."""
    before = clone.artifacts()
    file = clone.path / "data/dysca/verdicts/integrity/part-00001.parquet"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.unlink()
    file.write_bytes(data)
    say("snakemake -n after damage", seen := clone.snakemake("-n"))
    assert seen["answer"] == 4
    clone.snakemake()
    assert clone.artifacts() == before


@pytest.mark.long
def test_working_directory_elsewhere(made: Clone, tmp_path: Path) -> None:
    """``--directory`` and ``--configfile``: the project is only read."""
    config = tmp_path / "config.yaml"
    config.write_text("report: {items: 1}\n")
    other = tmp_path / "other"
    project = made.artifacts()
    command = ("--directory", str(other), "--configfile", str(config))
    say("snakemake --directory", seen := made.snakemake(*command))
    assert seen == EVERYTHING
    assert made.snakemake(*command, "-n") == NOTHING
    assert Clone(other, made.home).rows() == made.rows()
    assert made.artifacts() == project
    shutil.rmtree(other / ".lvlmbench")
    assert made.snakemake(*command, "-n") == NOTHING
