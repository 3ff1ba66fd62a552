"""Files of labels: what is taken in, what is refused in one line, and that nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.labelling.given import Given, read_folder, read_labels, take_in
from lvlmbench.labelling.sheet import LABELS

A, B, C = "a" * 32, "b" * 32, "c" * 32
KNOWN = {("dysca", "removals"): dict.fromkeys([A, B, C], LABELS)}


def form(
    rater: str = "anna", labels: dict[str, Any] | None = None, **changes: Any
) -> dict[str, Any]:
    said = {A: {"label": "right"}} if labels is None else labels
    return {
        "format": "lvlmbench-labels-1", "sheet": "removals", "suite": "dysca", "rater": rater,
        "labels": said,
    } | changes  # fmt: skip


def write(path: Path, data: Any) -> Path:
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return path


def taken(folder: Path, *data: dict[str, Any], replace: bool = False) -> list[tuple[str, int, int]]:
    given = [(Path(f"file-{n}"), Given.model_validate(each)) for n, each in enumerate(data)]
    return [(t.rater, t.n, t.new) for t in take_in(given, KNOWN, folder, replace)]


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        ("", ["is no file of labels"]),
        ("[1, 2", ["is no file of labels"]),
        ("[" * 100_000, ["is no file of labels"]),
        ("\udcff", ["is no file of labels"]),
        ('{"format": "a", "format": "b"}', ["'format' stands there twice"]),
        ([], ["valid dictionary"]),
        (form(format="1"), ["format", "lvlmbench-labels-1"]),
        (form(rater="Anna B."), ["rater", "small letters"]),
        (form(rater="../../etc"), ["rater", "small letters"]),
        (form(suite="../x"), ["suite"]),
        (form(labels={"x": {"label": "right"}}), ["labels.x"]),
        (form(labels={A: {"label": "maybe"}}), ["label", "right, wrong, unclear"]),
        (form(labels={A: {"label": "right", "note": "n" * 2001}}), ["note", "2000"]),
        (form(labels={A: "right"}), [A]),
        (form(extra=1), ["extra"]),
    ],
)
def test_what_is_no_file_of_labels_is_one_line(tmp_path: Path, data: Any, parts: list[str]) -> None:
    path = tmp_path / "labels.json"
    if isinstance(data, str):
        path.write_bytes(data.encode(errors="surrogateescape"))
    else:
        write(path, data)
    with pytest.raises(UserError) as caught:
        read_labels(path)
    said = str(caught.value)
    assert said.startswith(f"{path}") and "\n" not in said
    for part in parts:
        assert part in said, said


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        read_labels(tmp_path / "none.json")


def test_labels_are_kept_and_added_to(tmp_path: Path) -> None:
    assert taken(tmp_path, form()) == [("anna", 1, 1)]
    more = form(labels={B: {"label": "wrong", "note": "a hawk"}, A: {"label": "right"}})
    assert taken(tmp_path, more, form("ben")) == [("anna", 2, 1), ("ben", 1, 1)]
    found = read_folder(tmp_path, "dysca", "removals")
    assert [given.rater for given in found] == ["anna", "ben"]
    assert found[0].labels[B].note == "a hawk"
    assert read_folder(tmp_path, "composed", "removals") == []


def test_the_same_labels_give_the_same_bytes(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    labels = {A: {"label": "right"}, B: {"label": "wrong"}, C: {"label": "unclear"}}
    taken(one, form(labels=labels))
    for item in (C, A, B):
        taken(other, form(labels={item: labels[item]}))
    name = Path("dysca/removals/anna.json")
    assert (one / name).read_bytes() == (other / name).read_bytes()


def test_labels_of_unknown_items_are_refused_whole(tmp_path: Path) -> None:
    stranger = form("ben", {A: {"label": "right"}, "d" * 32: {"label": "wrong"}})
    with pytest.raises(UserError, match=r"file-1: 1 of 2 labels are of no item of this snapshot"):
        taken(tmp_path, form(), stranger)
    assert not list(tmp_path.iterdir())


def test_two_people_of_one_name_are_told(tmp_path: Path) -> None:
    taken(tmp_path, form(labels={A: {"label": "right"}, B: {"label": "right"}}))
    other = form(labels={A: {"label": "right"}, B: {"label": "wrong"}})
    with pytest.raises(UserError, match=r"rater 'anna' has labelled 1 of these items otherwise"):
        taken(tmp_path, other)
    assert read_folder(tmp_path, "dysca", "removals")[0].labels[B].label == "right"
    with pytest.raises(UserError, match="--replace"):  # within one command, too
        taken(tmp_path / "new", form(), form(labels={A: {"label": "wrong"}}))
    assert taken(tmp_path, other, replace=True) == [("anna", 2, 0)]
    assert read_folder(tmp_path, "dysca", "removals")[0].labels[B].label == "wrong"


def test_a_file_that_lies_elsewhere_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "dysca" / "removals"
    folder.mkdir(parents=True)
    write(folder / "carl.json", form("anna"))
    with pytest.raises(UserError, match="holds labels of rater 'anna'"):
        read_folder(tmp_path, "dysca", "removals")
