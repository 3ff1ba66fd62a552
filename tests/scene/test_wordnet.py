"""Nouns of WordNet: the extract, and what is asked of it."""

import lzma
from pathlib import Path

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.scene.truth import wordnet as module
from scripts import wordnet_extract

_INDEX = """\
  1 a license
animal n 1 1 @ 1 0 00000030
dog n 2 1 @ 2 0 00000031 00000099
idea n 1 1 @ 1 0 00000099
sea_dog n 1 1 @ 1 0 00000032
"""
_DATA = """\
  1 a license
00000030 03 n 01 animal 0 001 @ {root} n 0000 | lives
00000031 03 n 0a dog 0 a 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0 002 @ 00000030 n 0000 ! 00000099 n 0000
00000032 03 n 02 sea_dog 0 seal 1 001 @i 00000031 n 0000 | swims
00000099 03 n 01 idea 0 000 | thought
"""


def _folder(path: Path) -> Path:
    roots = "".join(f"{root} 03 n 01 r 0 000 |\n" for root in wordnet_extract.ROOTS)
    (path / "index.noun").write_text(_INDEX)
    (path / "data.noun").write_text(_DATA.format(root=wordnet_extract.ROOTS[0]) + roots)
    return path


def test_the_extract_keeps_what_can_be_seen_and_names_what_cannot(tmp_path: Path) -> None:
    assert list(wordnet_extract.rows(_folder(tmp_path))) == [
        "animal\t1\t00000030\t00002684\n",
        "dog\t1\t00000031\t00000030\n",
        "idea\t\t\t\n",
        "sea dog\t1\t00000032\t00000031\n",
    ]


def test_other_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        list(wordnet_extract.rows(tmp_path))
    _folder(tmp_path)
    (tmp_path / "data.noun").write_text(_DATA.format(root="00000030"))
    with pytest.raises(UserError, match=r"is not WordNet 3\.0"):
        list(wordnet_extract.rows(tmp_path))


def test_what_is_asked_of_a_small_extract(tmp_path: Path) -> None:
    net = module.read(line.rstrip("\n") for line in wordnet_extract.rows(_folder(tmp_path)))
    assert [net.concrete(word) for word in ("dog", "idea", "cat")] == [True, False, None]
    assert net.above("animal", "sea dog")
    assert not net.above("animal", "sea dog", edges=1)
    assert not net.above("sea dog", "animal")


def test_rare_senses_do_not_count() -> None:
    rows = ["a\t1\t1\t", "a\t2\t2\t", "a\t3\t3\t", "b\t1\t3\t", "c\t3\t3\t"]
    net = module.read(rows)
    assert not net.same("a", "b")
    assert net.concrete("c") is False


def test_the_packaged_extract() -> None:
    net = module.wordnet()
    assert net.same("sofa", "couch") and net.same("car", "automobile")
    assert not net.same("dog", "cat") and not net.same("qwerty", "qwerty")
    assert net.above("bird", "sparrow") and net.above("vehicle", "car")
    assert not net.above("dog", "hot dog") and not net.above("dog", "dog")
    assert net.concrete("teapot") and net.concrete("happiness") is False
    assert net.concrete("qwerty") is None
    assert "crowd" in net
    assert [net.only("person", word) for word in ("chef", "goat", "qwerty", "idea")] == [
        True, False, False, False,
    ]  # fmt: skip


def test_the_packaged_extract_is_small_and_sorted() -> None:
    data = module.FILE.read_bytes()
    assert len(data) < 10**6
    lemmas = [line.partition("\t")[0] for line in lzma.decompress(data).decode().splitlines()]
    assert lemmas == sorted(lemmas)


def test_a_missing_extract_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        module.wordnet(tmp_path / "none.xz")
