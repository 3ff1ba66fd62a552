"""``lvlmbench suite check``: counts, slips, and a line for whatever is wrong in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from lvlmbench.commands.main import main
from lvlmbench.core.errors import UserError
from lvlmbench.suites import claimed
from lvlmbench.suites.suite import SUITES, suite_of
from lvlmbench.suites.valor_bench.copy import open_copy
from lvlmbench.suites.valor_bench.formats import FILES
from lvlmbench.suites.valor_bench.rows import check
from support import own_copy

ANNOTATION = "human_annotation"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return own_copy.write(tmp_path / "mine")


def checked(
    folder: Path, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, list[str], list[str]]:
    """Exit code, lines of stdout, lines of stderr."""
    try:
        code = main(["suite", "check", str(folder), *more])
    except SystemExit as end:
        code = int(end.code or 0)
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    return code, told.out.splitlines(), told.err.splitlines()


def test_counts_stand_beside_those_of_paper_and_release(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = checked(folder, capsys)
    assert (code, err) == (0, [])
    counted = dict(line.split(": ", 1) for line in out[: len(FILES)])
    assert counted == {
        claimed.OBJECTS: "2 pictures, all there (paper 50, released 50); 10 labels (released "
        "1072); 9 distinct in a picture (released 778); 8 distinct by lemma",
        claimed.ATTRIBUTES: "2 pictures, all there (paper 27, released 27); 6 entries (released "
        "251); 1 with alternatives (released 21)",
        claimed.PEOPLE: "2 pictures, all there (paper 34, released 35); 3 persons (released 165); "
        "6 garments (released 433)",
        claimed.POSITIONS: "2 pictures, all there (paper 50, released 50); 5 relations (released "
        "649); 1 with a paraphrase (released 280); 1 to the image (released 233); 0 in words that "
        "are not read",
        claimed.SIZES: "2 pictures, all there (paper 50, released 40); 7 ranks (released 284)",
    }
    assert f"released prompts: {claimed.OBJECTS}; ours are sent for the others" in out
    assert [f"passed over: {slip}" for slip in own_copy.SLIPS] == [
        line for line in out if line.startswith("passed over")
    ]
    assert out[-1].startswith("write into the suite's corpus: scenes: {valor_objects: 2, ")


def _gone(folder: Path) -> None:
    (folder / ANNOTATION / "attribute_object.json").unlink()


def _broken(folder: Path) -> None:
    path = folder / ANNOTATION / "relation_comparative.json"
    path.write_text(path.read_text()[:-10])


def _no_picture(folder: Path) -> None:
    (folder / "images" / "fruit.jpg").unlink()


def _no_pictures(folder: Path) -> None:
    (folder / "images").rename(folder / "photos")


def _cut(folder: Path) -> None:
    path = folder / "images" / "square.jpg"
    path.write_bytes(path.read_bytes()[:200])


def _wide(folder: Path) -> None:
    Image.new("1", (16_385, 1)).save(folder / "images" / "desk.png")


def _of_32_bits(folder: Path) -> None:
    Image.new("F", (8, 8)).save(folder / "images" / "desk.png", "TIFF")


def _bad_line(folder: Path) -> None:
    with (folder / ANNOTATION / "object_existence.jsonl").open("a") as file:
        file.write('{"image_id": "yard", "gt_objects": "dog"}\n{"image_id": \n')


def _no_key(folder: Path) -> None:
    _rewrite(folder, claimed.PEOPLE, {"beach": {"1": {"object": "(red, hat)"}}})


def _no_text(folder: Path) -> None:
    _rewrite(folder, claimed.SIZES, {"street": {"1": ["house"]}})


def _control(folder: Path) -> None:
    _rewrite(folder, claimed.SIZES, {"street": {"1": "house\u001b[31m"}})


def _surrogate(folder: Path) -> None:
    path = folder / ANNOTATION / FILES[claimed.SIZES].file
    path.write_text('{"street": {"1": "\\ud800"}}')


def _deep(folder: Path) -> None:
    path = folder / ANNOTATION / FILES[claimed.SIZES].file
    path.write_text("[" * 100_000)


def _list(folder: Path) -> None:
    _rewrite(folder, claimed.SIZES, [1, 2])


def _empty_prompt(folder: Path) -> None:
    (folder / "generation" / "attribute_people.txt").write_text(" \n")


def _signs_label(folder: Path) -> None:
    row = {"image_id": "garden", "gt_objects": ["dog", "-"]}
    (folder / ANNOTATION / FILES[claimed.OBJECTS].file).write_text(json.dumps(row))


def _signs_noun(folder: Path) -> None:
    _rewrite(folder, claimed.ATTRIBUTES, {"fruit": {"1": "(red, -)"}})


def _signs_person(folder: Path) -> None:
    _rewrite(folder, claimed.PEOPLE, {"beach": {"1": {"person": "!!", "object": "(red, hat)"}}})


def _signs_garment(folder: Path) -> None:
    _rewrite(folder, claimed.PEOPLE, {"beach": {"1": {"person": "boy", "object": "(?, !)"}}})


def _signs_relation(folder: Path) -> None:
    _rewrite(folder, claimed.POSITIONS, {"yard": {"0": ["..."]}})


def _signs_rank(folder: Path) -> None:
    _rewrite(folder, claimed.SIZES, {"street": {"1": "!!! / ??"}})


def _long_number(folder: Path) -> None:
    _rewrite(folder, claimed.SIZES, {"street": {"1" * 5000: "house"}})


def _rewrite(folder: Path, subset: str, held: object) -> None:
    (folder / ANNOTATION / FILES[subset].file).write_text(json.dumps(held, indent=1))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_gone, ["attribute_object.json: cannot be read (No such file or directory)"]),
        (_broken, ["relation_comparative.json:1", "is not valid JSON"]),
        (_no_picture, ["attribute_object.json:2: there is no picture 'fruit' in images"]),
        (_no_pictures, ["images: is not a folder"]),
        (_cut, ["images/square.jpg: is no picture that can be decoded to its end"]),
        (_wide, ["images/desk.png: has 16385 x 1 pixels; give one of at most 16384 a side"]),
        (_of_32_bits, ["images/desk.png: has pixels of 32 bits"]),
        (_bad_line, ["object_existence.jsonl:3: gt_objects is no list"]),
        (_no_key, ["attribute_people.json:3: the key 'person' is missing"]),
        (_no_text, ["relation_comparative.json:2: '1' of street is no text"]),
        (_control, ["'1' of street is no plain text"]),
        (_surrogate, ["'1' of street is no plain text"]),
        (_deep, ["is not JSON that can be read"]),
        (_list, ["relation_comparative.json: is no JSON object"]),
        (_signs_label, ["object_existence.jsonl:1: a label has no word: -"]),
        (_signs_noun, ["attribute_object.json:2: '1' of fruit names nothing: (red, -)"]),
        (_signs_person, ["attribute_people.json:3: person in '1' of beach has no word: !!"]),
        (_signs_garment, ["attribute_people.json:3: '1' of beach names nothing: (?, !)"]),
        (_signs_relation, ["relation_positional.json:2: '0' of yard has no word: ..."]),
        (_signs_rank, ["relation_comparative.json:2: '1' of street has no word: !!! / ??"]),
        (_long_number, ["relation_comparative.json:2: a number of 'street' has over 100 digits"]),
        (_empty_prompt, ["generation/attribute_people.txt: is empty"]),
    ],
)
def test_what_is_wrong_is_one_line(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[Path], None],
    said: list[str],
) -> None:
    spoil(folder)
    code, out, err = checked(folder, capsys)
    assert code == 2
    assert all(line.isprintable() for line in (*out, *err))
    for part in said:
        assert any(part in line for line in err), err
    if spoil in (_cut, _wide, _of_32_bits):  # a run decodes its pictures when it comes to them
        check(own_copy.params(folder), "params.yaml")
        return
    with pytest.raises(UserError) as told:
        check(own_copy.params(folder), "params.yaml")
    assert str(told.value) in err


def test_pictures_may_lie_elsewhere(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "images").rename(folder.parent / "photos")
    code, _, err = checked(folder, capsys, "--images", str(folder.parent / "photos"))
    assert (code, err) == (0, [])


def test_two_files_of_one_name_are_told_of(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = (folder / "images" / "fruit.jpg").read_bytes()
    (folder / "images" / "fruit.jpeg").write_bytes(picture)
    (folder / "images" / "garden.jpg").rename(folder / "images" / "garden.png")
    code, out, _ = checked(folder, capsys)
    assert code == 0
    said = "'fruit' may be any of images/fruit.jpg, images/fruit.jpeg, which are the same"
    assert any(said in line for line in out)
    assert any("'garden.jpg' is taken for garden.png" in line for line in out)


def _one_name(folder: Path, *places: str) -> None:
    """An entry of two subsets each, of a picture called 1, and a picture in each of some places."""
    row = {"image_id": "1", "gt_objects": ["dog"]}
    (folder / ANNOTATION / FILES[claimed.OBJECTS].file).write_text(json.dumps(row))
    _rewrite(folder, claimed.SIZES, {"1": {"1": "house", "2": "car"}})
    for at, place in enumerate(places):
        path = folder / "images" / place / "1.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (8 + at, 8), "red").save(path)


def test_a_picture_is_looked_for_in_the_folder_of_its_subset(folder: Path) -> None:
    _one_name(folder, "object_existence", "relation_comparative", "attribute_people")
    copy = open_copy(folder, None, (claimed.OBJECTS, claimed.SIZES))
    assert copy.told.mistakes == []
    places = [found[0].path.relative_to(folder).as_posix() for found in copy.shown.values()]
    assert places == ["images/object_existence/1.png", "images/relation_comparative/1.png"]


def test_which_picture_is_meant_is_never_guessed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _one_name(folder, "a", "b")
    code, _, err = checked(folder, capsys)
    assert (code, len(err)) == (2, 2)
    said = "object_existence.jsonl:1: '1' may be images/a/1.png or images/b/1.png, which differ"
    assert said in err[0]
    with pytest.raises(UserError, match="which differ"):
        check(own_copy.params(folder, scenes=1), "params.yaml")


def test_of_what_stands_twice_the_first_counts(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"image_id": "garden", "gt_objects": [label]} for label in ("dog", "cat")]
    text = "\n".join(map(json.dumps, rows))
    (folder / ANNOTATION / FILES[claimed.OBJECTS].file).write_text(text)
    sizes = '{"street": {"1": "dog", "1": "owl"}, "street": {"1": "cat"}}'
    (folder / ANNOTATION / FILES[claimed.SIZES].file).write_text(sizes)
    code, out, _ = checked(folder, capsys)
    assert code == 0
    for said in (
        "object_existence.jsonl:2: 'garden' stands twice; the first counts",
        "relation_comparative.json: 'street' stands twice; the first counts",
        "relation_comparative.json:1: '1' of street stands twice; the first counts",
    ):
        assert f"passed over: {ANNOTATION}/{said}" in out
    shown = open_copy(folder, None, (claimed.OBJECTS, claimed.SIZES)).shown
    assert [each.entry.items for found in shown.values() for each in found] == [
        ("dog",),
        (("dog",),),
    ]


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_other_folders_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / "empty").mkdir()
    code, out, err = checked(tmp_path / name, capsys)
    assert (code, out, len(err)) == (2, [], 1)


def test_no_more_is_asked_for_than_is_there(folder: Path) -> None:
    suite = SUITES.get("valor_bench", "")
    assert suite.check is not None
    suite.check(own_copy.params(folder), "params.yaml")
    with pytest.raises(UserError) as told:
        suite.check(own_copy.params(folder, scenes=3), "params.yaml")
    assert "asks for 3 pictures of valor_objects" in str(told.value)
    assert "write scenes: {valor_objects: 2, valor_attributes: 2, " in str(told.value)
    less = own_copy.params(folder, scenes=1)
    assert "1 of 2 of valor_objects" in suite_of(less).notices(less)[0]
    assert suite_of(own_copy.params(folder)).notices(own_copy.params(folder)) == []


def test_a_folder_must_be_named() -> None:
    with pytest.raises(UserError) as told:
        check(own_copy.params(Path("x")).model_copy(update={"corpus": _unnamed()}), "params.yaml")
    assert "names no folder" in str(told.value)


def _unnamed() -> object:
    from lvlmbench.config import validate

    return validate({"kind": "valor_bench"}).corpus
