"""Every labelled caption reads, lies in its half, and varies; wrong labels are refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lvlmbench.core.errors import UserError
from support.labelled_captions import FOLDER, captions, half, read_file

FILES = sorted(FOLDER.glob("dev-*.txt")) + sorted(FOLDER.glob("test-*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_file_holds_one_subset_and_one_half(path: Path) -> None:
    which, _, subset = path.stem.partition("-")
    for caption in read_file(path):
        assert half(caption.id) == which
        assert caption.subset == subset


def test_ids_and_texts_are_not_repeated() -> None:
    all_of_them = captions("dev") + captions("test")
    assert len({caption.id for caption in all_of_them}) == len(all_of_them)
    assert len({caption.text for caption in all_of_them}) == len(all_of_them)
    begun = Counter(" ".join(c.text.lower().split()[:4]) for c in all_of_them)
    assert not [words for words, n in begun.items() if n > 3]


def test_matches_name_claims_and_features() -> None:
    for caption in captions("dev") + captions("test"):
        assert [claim.number for claim in caption.claims] == list(range(len(caption.claims)))
        assert [match.claim for match in caption.matches] == list(range(len(caption.claims)))
        names = {feature.feature for feature in caption.features}
        for claim, match in zip(caption.claims, caption.matches, strict=True):
            assert match.feature is None or match.feature in names
            assert caption.text[claim.start : claim.end].strip()


GOOD = """== obj-1 | object | short plain
A brown dog lies on a sofa. There is no cat.
-- features
o1 dog; o1.color brown; o2 sofa / couch; o1.on.o2
-- claims
dog; dog color brown; dog does lie ?; sofa; dog on sofa; not cat -
"""


def test_a_caption_reads(tmp_path: Path) -> None:
    path = tmp_path / "dev-object.txt"
    path.write_text(GOOD)
    [caption] = read_file(path)
    said = [caption.text[claim.start : claim.end] for claim in caption.claims]
    assert said == ["dog", "brown", "lies", "sofa", "on", "cat"]
    assert [match.feature for match in caption.matches] == ["o1", "o1.color", None, "o2",
                                                            "o1.on.o2", None]  # fmt: skip
    assert [claim.negated for claim in caption.claims] == [False] * 5 + [True]
    assert (caption.claims[4].about, caption.claims[4].other) == (0, 3)


@pytest.mark.parametrize(
    ("old", "new", "line", "word"),
    [
        ("dog on sofa", "dog on lamp", 6, "lamp"),
        ("dog; dog color", "dog; dog colour", 6, "colour"),
        ("dog color brown", "dog color red !", 6, "red"),
        ("dog color brown", 'dog color brown "tan"', 6, "tan"),
        ("dog; dog color", "cow x; dog; dog color", 6, "cow"),
        ("sofa; dog on", "sofa x; dog on", 6, "sofa"),
        ("dog on sofa", "dog on sofa !", 6, "o1.on.o2"),
        ("not cat -", "not cat", 6, "cat"),
        ("not cat -", "not cat ~ o9", 6, "o9"),
        ("o1.on.o2", "o1.upon.o2", 4, "upon"),
        ("o1.on.o2", "o1.on.o3", 4, "o3"),
        ("| short plain", "| short odd", 1, "odd"),
        ("-- claims", "-- claim", 5, "claim"),
    ],
)  # fmt: skip
def test_a_wrong_label_is_refused(tmp_path: Path, old: str, new: str, line: int, word: str) -> None:
    path = tmp_path / "dev-object.txt"
    path.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(UserError) as error:
        read_file(path)
    assert str(error.value).startswith(f"dev-object.txt:{line}: ")
    assert word in str(error.value)
