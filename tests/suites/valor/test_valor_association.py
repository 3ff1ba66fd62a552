"""Statistics of association, counted by hand; annotations of users, right and wrong."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.config import validate
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError
from lvlmbench.suites.graphs.stock import stock_of
from lvlmbench.suites.valor.association import sources
from lvlmbench.suites.valor.association.counts import (
    STATISTICS,
    Counts,
    Fact,
    Statistics,
    counted,
)
from lvlmbench.suites.valor.association.drawable import associated
from lvlmbench.suites.valor.association.selection import Selection
from lvlmbench.suites.valor.association.settings import Associating
from lvlmbench.suites.valor.association.sources import read
from support.render_scenes import vocabulary

#: Image -> what it shows. A cup stands in five images, with a spoon in four of them, a plate in two
#: and a cat in one; a cat in two, with a cup in one of them; a dog is alone.
_IMAGES = {
    "1": ("cup", "spoon"),
    "2": ("cup", "spoon", "plate"),
    "3": ("cup", "spoon", "plate"),
    "4": ("cup", "spoon"),
    "5": ("cup", "cat"),
    "6": ("cat",),
    "7": ("dog",),
}
_MORE = (
    Fact("1", "cup", "white"),
    Fact("1", "cup", "white"),
    Fact("2", "cup", "white"),
    Fact("3", "cup", "blue"),
    Fact("1", "cup", None, "beside", "spoon"),
    Fact("5", "cat", None, "behind", "cup"),
)


def by_hand() -> Counts:
    facts = [Fact(image, thing) for image, things in _IMAGES.items() for thing in things]
    return counted([*facts, *_MORE])


def test_counts_are_of_images() -> None:
    counts = by_hand()
    assert dict(counts.images) == {"cup": 5, "spoon": 4, "plate": 2, "cat": 2, "dog": 1}
    assert counts.seen("object", "cup") == {"spoon": 4, "plate": 2, "cat": 1}
    assert counts.seen("attribute", "cup") == {"white": 2, "blue": 1}
    assert counts.seen("relation", "cup") == {"beside spoon": 1}
    assert counts.seen("relation", "cat") == {"behind cup": 1}
    assert counts.seen("object", "dog") == {}
    assert counts.share("object", "cup", "spoon") == 0.8
    assert counts.share("object", "cup", "dog") == counts.share("object", "bus", "cup") == 0.0


def test_the_six_statistics_are_those_counted_by_hand() -> None:
    counts = by_hand()
    # P: spoon 4/5, plate 2/5, cat 1/5; mean 7/15.
    cup = Statistics(7, 0.8, 7 / 15, 0.8 - 7 / 15, 7 / 15 - 0.2, 0.6)
    assert counts.statistics("object", "cup") == pytest.approx(cup)
    # Over all four other objects, the dog counts as 0: mean 7/20, least 0.
    every = Statistics(7, 0.8, 0.35, 0.45, 0.35, 0.8)
    assert counts.statistics("object", "cup", every=4) == pytest.approx(every)
    assert Selection(counts, rare="all", support=5).anchors("avg")[0].value == pytest.approx(0.35)
    assert counts.statistics("object", "cat") == pytest.approx((1, 0.5, 0.5, 0, 0, 0))
    white = Statistics(3, 0.4, 0.3, 0.1, 0.1, 0.2)
    assert counts.statistics("attribute", "cup") == pytest.approx(white)
    assert counts.statistics("object", "dog") is None
    assert STATISTICS == ("frequency", "max", "avg", "max_avg", "avg_min", "max_min")


def test_o_i_h_and_c_are_those_selected_by_hand() -> None:
    one = Selection(by_hand(), support=2, features=1)
    # Largest P: a plate and a spoon are always with a cup, a plate with a spoon as well.
    assert [each.object for each in one.anchors("max")] == ["plate", "spoon", "cup", "cat"]
    assert [each.object for each in one.anchors("frequency")] == ["cup", "spoon", "plate", "cat"]
    assert [each.object for each in one.anchors("max_min")] == ["cup", "spoon", "cat", "plate"]
    top = one.anchors("frequency")[0]
    assert (top.object, top.statistic, top.value, top.support) == ("cup", "frequency", 7, 5)
    assert one.most("cup") == ["spoon"]
    assert one.least("cup") == ["cat"]
    # Where what is never seen counts as well, the dog is least associated.
    assert Selection(by_hand(), 2, 1, rare="all").least("cup") == ["dog"]
    # Of images with a cup and a cat, image 5 is without a spoon.
    found = list(one.chosen([top]))
    assert [(each.image, each.shown, each.lacks) for each in found] == [("5", "cat", ("spoon",))]
    # Of the H of all chosen objects, a cup is one: nothing of C is left.
    every = Selection(by_hand(), 2, 1, expected="all")
    assert [each.image for each in every.chosen(every.anchors("frequency"))] == []


def test_few_images_support_nothing() -> None:
    assert [each.object for each in Selection(by_hand(), support=5).anchors("avg")] == ["cup"]
    assert Selection(by_hand()).anchors("avg") == []


def test_every_source_of_the_same_images_counts_alike(tmp_path: Path) -> None:
    names = ["cup", "spoon", "plate", "cat", "dog"]
    coco = {
        "images": [{"id": int(image)} for image in _IMAGES],
        "categories": [{"id": n, "name": name} for n, name in enumerate(names)],
        "annotations": [
            {"image_id": int(image), "category_id": names.index(thing)}
            for image, things in _IMAGES.items()
            for thing in (*things, things[0])
        ],
    }
    (tmp_path / "coco.json").write_text(json.dumps(coco))
    gqa: dict[str, Any] = {
        image: {"objects": {str(n): {"name": thing} for n, thing in enumerate(things)}}
        for image, things in _IMAGES.items()
    }
    gqa["1"]["objects"]["0"] |= {
        "attributes": ["White"], "relations": [{"name": "beside", "object": "1"}],
    }  # fmt: skip
    gqa["2"]["objects"]["0"]["attributes"] = ["white"]
    gqa["3"]["objects"]["0"]["attributes"] = ["blue"]
    gqa["5"]["objects"]["1"]["relations"] = [{"name": "behind", "object": "0"}]
    (tmp_path / "gqa.json").write_text(json.dumps(gqa))
    lines = [f"{image},{thing},,," for image, things in _IMAGES.items() for thing in things]
    lines += [",".join(part or "" for part in fact) for fact in _MORE]
    (tmp_path / "facts.csv").write_text(
        "image,object,attribute,relation,object2\n" + "\n".join(lines)
    )
    counts = by_hand()
    assert read(tmp_path / "facts.csv") == read(tmp_path / "gqa.json") == counts
    found = read(tmp_path / "coco.json")
    assert (found.images, found.together["object"]) == (counts.images, counts.together["object"])


#: Name of a file, what it holds, and what the line must say.
_WRONG = [
    ("a.csv", "image,object\n1,", "a.csv:2: has no object; write one"),
    ("a.csv", "image,object,relation,object2\n1,cup,on,\n", "has a relation without object2"),
    ("a.csv", "name,count\n1,2\n", "has neither of the two sets of columns"),
    ("a.csv", "", "has neither of the two sets of columns"),
    ("a.csv", "image,object\n1,cup,red\n", "a.csv:2: has more or fewer values"),
    ("a.csv", 'image,object\n1,"cup\n', "is no CSV"),
    ("a.csv", "object,images,kind,feature,together\ncup,5,object,cat,six\n", "together is 'six'"),
    ("a.csv", "object,images,kind,feature,together\ncup,5,object,cat,6\n", "more than images"),
    ("a.csv", "object,images,kind,feature,together\ncup,5,color,red,1\n", "'color' is no kind"),
    (
        "a.csv",
        "object,images,kind,feature,together\ncup,5,object,cat,1\ncup,6,object,dog,1\n",
        "a.csv:3: 'cup' has other images above",
    ),
    (
        "a.csv",
        "object,images,kind,feature,together\ncup,5,object,cat,1\ncup,5,object,cat,2\n",
        "'cup' and 'cat' stand there twice",
    ),
    (
        "a.csv",
        "object,images,kind,feature,together\ncup,5,object,cat,0\ncup,5,object,cat,2\n",
        "'cup' and 'cat' stand there twice",
    ),
    (
        "a.csv",
        f"object,images,kind,feature,together\ncup,{'9' * 5000},object,cat,0\n",
        "a.csv:2: images is '9+.*', more than 2147483647; write fewer",
    ),
    (
        "a.csv",
        "object,images,kind,feature,together\ncup,2147483648,object,cat,0\n",
        "images is '2147483648', more than 2147483647",
    ),
    ("a.json", "{", "is no JSON"),
    ("a.json", f'{{"annotations": [{"9" * 5000}]}}', "a number of too many digits"),
    ("a.json", "[" * 100_000, "is no JSON"),
    ("a.json", "[]", "is neither of COCO's form nor of GQA's"),
    ("a.json", '{"annotations": 3, "categories": []}', "categories|annotations is no list"),
    ("a.json", '{"annotations": [{"category_id": 4}], "categories": []}', "is not listed"),
    (
        "a.json",
        '{"annotations": [{"category_id": []}], "categories": []}',
        r"annotations: item 0: category_id is \[\], no id",
    ),
    (
        "a.json",
        '{"annotations": [{"category_id": 1}], "categories": [{"id": 1, "name": "cup"}]}',
        "annotations: item 0: image_id is None, no id",
    ),
    ("a.json", '{"annotations": [], "categories": [{"id": 1, "name": 2}]}', "no name"),
    ("a.json", '{"1": {"objects": {"2": {"name": " "}}}}', "no name"),
    ("a.json", '{"1": {"objects": {"2": {"name": "cup", "attributes": 5}}}}', "are no list"),
    (
        "a.json",
        '{"1": {"objects": {"2": {"name": "cup", "relations": [{"name": "on", "object": "9"}]}}}}',
        "a relation of 2 is with '9', which is not there",
    ),
]


@pytest.mark.parametrize(("name", "text", "said"), _WRONG)
def test_a_wrong_annotation_is_one_line(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UserError, match=said) as caught:
        read(tmp_path / name)
    assert len(str(caught.value).splitlines()) == 1 and name in str(caught.value)


def test_bytes_and_places_that_are_no_annotation_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "b.csv", tmp_path / "none", tmp_path / "empty"):
        if path.name == "empty":
            path.mkdir()
        with pytest.raises(UserError) as caught:
            read(path)
        assert len(str(caught.value).splitlines()) == 1


#: A file of each form, to be spoiled.
_WHOLE = {
    "a.json": '{"categories": [{"id": 1, "name": "cup"}], "annotations": '
    '[{"image_id": 3, "category_id": 1}]}',
    "b.json": '{"7": {"objects": {"1": {"name": "cup", "attributes": ["red"], "relations": '
    '[{"name": "on", "object": "2"}]}, "2": {"name": "table"}}}}',
    "c.csv": "image,object,attribute,relation,object2\n1,cup,red,on,table\n2,cat,,,\n",
    "d.csv": "object,images,kind,feature,together\ncup,5,object,cat,3\n",
}
_NASTY = (*'{}[]":,\n\x00', "null", "1e9", "-1", "\ud7ff", "true", '"', "[[", "{}", "")


@pytest.mark.parametrize("name", _WHOLE)
def test_a_spoiled_annotation_is_read_or_is_one_line(tmp_path: Path, name: str) -> None:
    rng, whole, refused = random.Random(name), _WHOLE[name], 0
    path = tmp_path / name
    path.write_text(whole)
    assert read(path).images
    for _ in range(400):
        text = whole
        for _ in range(rng.randint(1, 3)):
            start = rng.randrange(len(text))
            text = text[:start] + rng.choice(_NASTY) + text[start + rng.randint(0, 6) :]
        (tmp_path / f"spoiled_{name}").write_text(text)
        try:
            sources._of_file(tmp_path / f"spoiled_{name}")
        except UserError as error:
            refused += 1
            assert len(str(error).splitlines()) == 1, text
    assert refused > 100


def test_files_of_a_folder_say_the_same_of_a_thing(tmp_path: Path) -> None:
    head = "object,images,kind,feature,together\n"
    (tmp_path / "a.csv").write_text(f"{head}cup,5,object,cat,1\n")
    (tmp_path / "b.csv").write_text(f"{head}cup,5,attribute,red,2\ncat,9,object,cup,3\n")
    found = read(tmp_path)
    assert dict(found.images) == {"cup": 5, "cat": 9}
    assert found.seen("object", "cup") == {"cat": 1} and found.seen("attribute", "cup") == {
        "red": 2
    }
    (tmp_path / "c.csv").write_text(f"{head}cup,6,attribute,blue,2\n")
    with pytest.raises(UserError, match=r"c\.csv: 'cup' is in 6 images here and in 5"):
        read(tmp_path)


@pytest.mark.parametrize("stated", [0, 1, 2])
def test_files_of_a_folder_state_a_pair_once(tmp_path: Path, stated: int) -> None:
    head = "object,images,kind,feature,together\n"
    (tmp_path / "a.csv").write_text(f"{head}cup,5,object,cat,{stated}\n")
    (tmp_path / "b.csv").write_text(f"{head}cup,5,object,cat,2\n")
    with pytest.raises(UserError, match=r"b\.csv: 'cup' and 'cat' stand in another file, too"):
        read(tmp_path)


def test_the_largest_number_of_images_fits_the_table(tmp_path: Path) -> None:
    rows = ["object,images,kind,feature,together", f"cup,{'0' * 5000}2147483647,object,cat,0"]
    (tmp_path / "a.csv").write_text("\n".join([*rows, "dog,0,object,cat,0"]))
    counts = read(tmp_path / "a.csv")
    assert counts.images == {"cup": 2**31 - 1, "dog": 0} and counts.seen("object", "cup") == {}
    assert counts.share("object", "dog", "cat") == 0
    row = {"scene_id": "s", "arm": "typical", "support": counts.images["cup"]}
    assert tables.DESIGNS.of([row])["support"].to_pylist() == [2**31 - 1]


def test_our_own_associations_are_of_things_that_are_drawn() -> None:
    stock = stock_of(vocabulary(), "pictograph")
    counts = read(PROJECT_ROOT / "data" / "association")
    known = {kind.label.lower() for kind in stock.kinds}
    assert len(counts.images) >= 60
    assert {*counts.images} | {*counts.features("object")} <= known
    assert {*counts.features("attribute")} <= {*stock.colors}
    places = {f"before {entry.label}" for entry in stock.backgrounds}
    assert {*counts.features("relation")} <= places
    found = associated(Associating.model_validate({}), stock)
    for statistic in STATISTICS:
        anchors = found.anchors(statistic)
        assert len(anchors) == 20
        values = [anchor.value for anchor, _ in anchors]
        assert values == sorted(values, reverse=True)
        for anchor, kind in anchors:
            assert anchor.support >= 20 and found.expected(kind) and found.rare(kind, statistic)
            most, least = found.expected(kind), found.rare(kind, statistic)
            assert min(found.share(kind, h) for h in most) >= max(
                found.share(kind, i) for i in least
            )


def test_a_source_that_draws_nothing_says_so(tmp_path: Path) -> None:
    (tmp_path / "few.csv").write_text("image,object\n1,cup\n1,unicorn\n")
    own = Associating.model_validate({"source": str(tmp_path / "few.csv"), "support": 1})
    found = associated(own, stock_of(vocabulary(), "pictograph"))
    with pytest.raises(UserError, match="names no thing in 1 images that is drawn"):
        found.anchors("max")


def test_statistics_have_names_that_are_known() -> None:
    more = {"statistics": ["max", "mean"]}
    with pytest.raises(UserError, match=r"association\.statistics"):
        validate({"kind": "valor", "suite": "v", "corpus": {"valor": {"association": more}}})
