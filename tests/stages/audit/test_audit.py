"""The vocabulary audit: by hand, by properties, and as a script."""

from __future__ import annotations

import csv
import io
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lvlmbench import tables
from lvlmbench.config import validate
from lvlmbench.config.cleaning import Audit
from lvlmbench.config.project import project_of
from lvlmbench.stages.audit.audit import COLUMNS, audit_rows, csv_bytes, role
from support.render_scenes import graph

Row = dict[str, Any]
FILTERS = ("integrity", "clip", "ocr")


def scene(
    number: int,
    label: str = "owl",
    foreground_list: str = "animal",
    background: str | None = "beach",
    style: str = "oil",
    text: str | None = None,
    **attributes: Any,
) -> Row:
    row = {
        "scene_id": f"s{number}",
        "foreground_list": foreground_list,
        "foreground": label,
        "attributes": attributes or {"number": 1},
        "background": background,
        "style": style,
        "text": text,
    }
    return row | graph(row)


def verdict(number: int, filter_name: str, keep: bool) -> Row:
    return {"scene_id": f"s{number}", "filter": filter_name, "keep": keep}


def judged(number: int, *rejected_by: str, drawn: bool = True) -> list[Row]:
    """Verdicts on a scene: drawn or not, and rejected by some filters."""
    rows = [verdict(number, "render", drawn)]
    return rows + [verdict(number, name, name not in rejected_by) for name in FILTERS if drawn]


def asked(number: int, scene_number: int, subtask: str, keep: bool) -> tuple[Row, Row]:
    """A question about a scene, and what the consensus says of it."""
    ids = {"question_id": f"q{number}", "scene_id": f"s{scene_number}"}
    return ids | {"subtask": subtask}, ids | {"keep": keep}


def audit(
    scenes: Sequence[Row],
    verdicts: Sequence[Row],
    about: Sequence[tuple[Row, Row]] = (),
    exclude: dict[str, tuple[str, ...]] | None = None,
    threshold: float = 0.1,
    filters: Sequence[str] = FILTERS,
) -> list[Row]:
    return audit_rows(  # type: ignore[return-value]
        tables.SCENES.of(list(scenes)),
        tables.QUESTIONS.of([q for q, _ in about]),
        tables.VERDICTS.of(list(verdicts)),
        tables.CONSENSUS.of([c for _, c in about]),
        filters=filters,
        exclude=exclude or {},
        audit=Audit(threshold=threshold),  # type: ignore[call-arg]
    )


def named(rows: Sequence[Row]) -> dict[tuple[str, str], Row]:
    found = {(row["list"], row["label"]): row for row in rows if not row["in_style"]}
    assert len(found) == len([row for row in rows if not row["in_style"]])
    return found


def test_by_hand() -> None:
    scenes = [scene(i) for i in range(8)] + [scene(i, "fox", style="ink") for i in range(8, 12)]
    verdicts = [v for i in range(6) for v in judged(i, "clip")]
    verdicts += [*judged(6, "clip", "integrity"), *judged(7)]
    verdicts += [*judged(8, "integrity"), *judged(9), *judged(10), *judged(11, drawn=False)]
    about = [
        asked(0, 0, "animal", False), asked(1, 0, "style", True), asked(2, 7, "animal", True),
        asked(3, 9, "background", False),
    ]  # fmt: skip
    rows = audit(scenes, verdicts, about)
    owl = named(rows)["animal", "owl"]
    assert (owl["role"], owl["n"], owl["n_rejected"], owl["rate"]) == ("foreground", 8, 7, 0.875)
    assert (owl["rejected_by_clip"], owl["rejected_by_integrity"], owl["rejected_by_ocr"]) == (
        7, 1, 0,
    )  # fmt: skip
    # As scipy's binomtest(7, 8).proportion_ci(method="wilson") has it.
    assert (owl["low"], owl["high"]) == (0.529112, 0.977583)
    assert not owl["proposed"] and not owl["excluded"]  # against 2 of 3 foxes it is nothing
    assert (owl["n_questions"], owl["n_dropped"], owl["n_with_drops"]) == (2, 1, 1)
    # What the renderer refused is not rejected and not counted. A drop makes a sample wrong, too.
    fox = named(rows)["animal", "fox"]
    assert (fox["n"], fox["n_rejected"], fox["n_with_drops"], fox["n_wrong"]) == (3, 1, 1, 2)
    beach = named(rows)["background", "beach"]
    assert (beach["n"], beach["n_wrong"], beach["n_questions"], beach["n_dropped"]) == (
        11, 9, 1, 1,
    )  # fmt: skip


def test_an_entry_of_one_sample_is_counted_in_numbers() -> None:
    written = csv_bytes(
        audit([scene(0)], judged(0, "clip"), [asked(0, 0, "animal", True)]), FILTERS
    )
    (owl,) = (r for r in csv.DictReader(io.StringIO(written.decode())) if r["label"] == "owl")
    assert {key: value for key, value in owl.items() if value in {"true", "false"}} == {
        "proposed": "false",
        "excluded": "false",
    }
    assert (owl["n_wrong"], owl["n_with_drops"], owl["n_dropped"]) == ("1", "0", "0")


def test_what_is_an_entry() -> None:
    scenes = [
        scene(0, "person", "person", age="child", expression="happy"),
        scene(1, "umbrella", "object", color="red"),
        scene(2, "sign", "carrier", background=None, text="planet"),
    ]
    rows = audit(scenes, [v for i in range(3) for v in judged(i)])
    assert {(row["list"], row["label"], row["role"]) for row in rows} == {
        ("age", "child", "attribute"), ("expression", "happy", "attribute"),
        ("color", "red", "attribute"), ("object", "umbrella", "foreground"),
        ("carrier", "sign", "foreground"), ("background", "beach", "background"),
        ("style", "oil", "style"),
    }  # fmt: skip
    assert role("text") == "text"


def test_excluded_entries_are_listed_without_images() -> None:
    scenes = [scene(0), scene(1, "fox")]
    verdicts = [*judged(0, drawn=False), *judged(1)]
    rows = audit(scenes, verdicts, exclude={"animal": ("owl",), "style": ("ink", "mosaic")})
    assert {row["label"]: row["excluded"] for row in rows} == {
        "fox": False, "beach": False, "oil": False, "owl": True, "ink": True, "mosaic": True,
    }  # fmt: skip
    owl = named(rows)["animal", "owl"]
    assert (owl["n"], owl["rate"], owl["low"], owl["p"]) == (0, None, None, None)
    assert not owl["proposed"]


def test_without_filters_nothing_is_judged() -> None:
    rows = audit([scene(0)], [verdict(0, "render", True)], filters=())
    assert {(row["n"], row["rate"], row["proposed"]) for row in rows} == {(0, None, False)}
    # What the consensus dropped counts without them, too.
    told = audit([scene(0)], [verdict(0, "render", True)], [asked(0, 0, "animal", False)],
                 filters=())  # fmt: skip
    assert {(row["n"], row["n_wrong"]) for row in told} == {(1, 1)}
    # Verdicts of a filter that is no longer configured do not count either.
    assert audit([scene(0)], judged(0, "clip"), filters=()) == rows


def test_no_scenes_no_rows() -> None:
    assert audit([], []) == []
    assert csv_bytes([], ["clip"]) == (",".join([*COLUMNS, "rejected_by_clip"]) + "\n").encode()


_SCENE = st.tuples(
    st.sampled_from(["owl", "fox", "ant"]), st.sampled_from(["oil", "ink"]),
    st.none() | st.sampled_from(["beach", "cave"]), st.booleans(),
    st.sets(st.sampled_from(FILTERS)),
)  # fmt: skip


def _made(drawn: list[tuple]) -> tuple[list[Row], list[Row], list[tuple[Row, Row]]]:
    scenes, verdicts, about = [], [], []
    for i, (label, style, background, is_drawn, rejected) in enumerate(drawn):
        scenes.append(scene(i, label, background=background, style=style))
        verdicts += judged(i, *sorted(rejected), drawn=is_drawn)
        if is_drawn and not rejected:
            about += [asked(2 * i, i, "animal", i % 2 > 0), asked(2 * i + 1, i, "style", i % 3 > 0)]
    return scenes, verdicts, about


@settings(deadline=None, max_examples=30)
@given(st.lists(_SCENE, max_size=25), st.randoms(use_true_random=False))
def test_order_changes_nothing(drawn: list[tuple], shuffler: Any) -> None:
    parts = _made(drawn)
    found = audit(*parts)
    for part in parts:
        shuffler.shuffle(part)
    assert csv_bytes(audit(*parts), FILTERS) == csv_bytes(found, FILTERS)


@settings(deadline=None, max_examples=30)
@given(st.lists(_SCENE, max_size=25))
def test_counts_add_up(drawn: list[tuple]) -> None:
    scenes, verdicts, about = _made(drawn)
    rows = audit(scenes, verdicts, about, exclude={"animal": ("yak",)})
    is_drawn = [d for d in drawn if d[3]]
    for name in ("animal", "style"):
        of_list = [row for row in rows if row["list"] == name and not row["in_style"]]
        assert sum(row["n"] for row in of_list) == len(is_drawn)
        assert sum(row["n_rejected"] for row in of_list) == sum(bool(d[4]) for d in is_drawn)
        assert sum(row["n_questions"] for row in of_list) == len(about) / 2
    for row in rows:
        by = [row[f"rejected_by_{name}"] for name in FILTERS]
        assert max(by) <= row["n_rejected"] <= min(sum(by), row["n"])
        assert row["n_dropped"] <= row["n_questions"]
        assert row["excluded"] == (row["label"] == "yak")
        if row["n"]:
            assert 0 <= row["low"] <= row["rate"] <= row["high"] <= 1
            assert not row["proposed"] or row["excess_low"] > 0.1
            assert row["n_wrong_alone"] <= row["n_alone"] <= row["n"]
    assert [row["proposed"] for row in rows] == sorted((r["proposed"] for r in rows), reverse=True)


def test_script_writes_one_file(
    tmp_path: Path, run_python: Callable[..., subprocess.CompletedProcess[str]], root: Path
) -> None:
    scenes = [scene(i, 'a "big", owl') for i in range(9)]
    scenes += [scene(i, "fox", style="ink") for i in range(9, 29)]
    verdicts = [v for i in range(9) for v in judged(i, "clip")]
    verdicts += [v for i in range(9, 29) for v in judged(i)]
    about = [asked(0, 9, "animal", True)]
    config = validate(
        {
            "filter": {"filters": [{"name": name} for name in FILTERS]},
            "vocabulary": {"exclude": {"animal": ["ant"]}},
        }
    )
    (tmp_path / "config.json").write_text(project_of(config).model_dump_json())

    def write(name: str, rows: Sequence[Row], schema: tables.Table) -> Path:
        path = tmp_path / f"{name}.parquet"
        tables.write_rows(list(rows), path, schema, "x")
        return path

    arguments = ["--config", tmp_path / "config.json"]
    arguments += ["--scenes", write("s0", scenes[:4], tables.SCENES)]
    arguments += [write("s1", scenes[4:], tables.SCENES)]
    arguments += ["--questions", write("q", [q for q, _ in about], tables.QUESTIONS)]
    arguments += ["--verdicts", *(
        write(name, [v for v in verdicts if v["filter"] == name], tables.VERDICTS)
        for name in ("render", *FILTERS)
    )]  # fmt: skip
    arguments += ["--consensus", write("c", [c for _, c in about], tables.CONSENSUS)]
    out = tmp_path / "results" / "vocabulary_audit.csv"
    done = run_python(root / "scripts/audit.py", *arguments, "--out", out)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "1 of 6 entries proposed\n"
    text = out.read_bytes().decode()
    assert text == csv_bytes(
        audit(scenes, verdicts, about, {"animal": ("ant",)}), FILTERS
    ).decode()  # fmt: skip
    read = {(row["list"], row["label"]): row for row in csv.DictReader(io.StringIO(text))}
    owl, fox = read["animal", 'a "big", owl'], read["animal", "fox"]
    assert (owl["low"], owl["high"], owl["proposed"]) == ("0.700855", "1.000000", "true")
    assert owl["exclude"] == 'animal: ["a \\"big\\", owl"]'
    assert (fox["rate"], fox["n_questions"], fox["n_dropped"]) == ("0.000000", "1", "0")
    assert (read["animal", "ant"]["excluded"], read["animal", "ant"]["low"]) == ("true", "")
    assert list(out.parent.iterdir()) == [out]


@pytest.mark.long
@pytest.mark.parametrize("missing", ["--verdicts", "--consensus"])
def test_a_missing_table_is_one_line(
    tmp_path: Path,
    run_python: Callable[..., subprocess.CompletedProcess[str]],
    root: Path,
    missing: str,
) -> None:
    (tmp_path / "config.json").write_text(project_of(validate({})).model_dump_json())
    given_tables = {
        "--scenes": tables.SCENES, "--questions": tables.QUESTIONS,
        "--verdicts": tables.VERDICTS, "--consensus": tables.CONSENSUS,
    }  # fmt: skip
    arguments: list[str | Path] = ["--config", tmp_path / "config.json"]
    for option, schema in given_tables.items():
        path = tmp_path / f"{option[2:]}.parquet"
        if option != missing:
            tables.write_rows([], path, schema, "x")
        arguments += [option, path]
    done = run_python(root / "scripts/audit.py", *arguments, "--out", tmp_path / "audit.csv")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert f"{missing[2:]}.parquet" in done.stderr
    assert not (tmp_path / "audit.csv").exists()
