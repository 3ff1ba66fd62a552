"""Foregrounds are drawn in styles that show them, and a guesser gains nothing by knowing which."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from lvlmbench.config import load_params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.core.errors import UserError
from lvlmbench.scene.clarity import clear_pairs, draw_styles, style_ladder
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.suites.suite import build_shard

ROOT = Path(__file__).parents[2]
STYLES = ("ink", "wool", "tiles", "neon")


def shares(unclear: dict[str, dict[str, int]], labels: tuple[str, ...]) -> np.ndarray:
    clear = clear_pairs(unclear, labels, STYLES, 3)
    ladder = style_ladder(clear, labels, [True] * len(labels), "here")
    assert ladder is not None
    weights = np.diff(ladder, axis=1, prepend=0) / ladder[:, -1:]
    return weights.reshape(len(labels), 3, len(STYLES))


def test_unclear_pairs_are_never_drawn_and_every_style_stays_as_likely() -> None:
    unclear = {"fox": {"wool": 1}, "owl": {"tiles": 2, "wool": 3}, "bee": {"neon": 1}}
    found = shares(unclear, ("fox", "owl", "bee", "cow", "elk"))
    assert not found[0, :, 1].any() and not found[1, 1:, 2].any() and not found[1, 2, 1]
    assert found[1, 0, 2] and found[1, 1, 1], "fewer copies are larger"
    assert np.allclose(found.sum(axis=2), 1)
    assert np.allclose(found.mean(axis=(0, 1)), 1 / len(STYLES), atol=1e-4)


def test_one_copy_counts_once_where_there_are_never_more() -> None:
    clear = clear_pairs({"milk": {"wool": 2}}, ("milk", "fox"), STYLES, 3)
    ladder = style_ladder(clear, ["milk", "fox"], [False, True], "here")
    assert ladder is not None
    first = np.diff(ladder[0], prepend=0)
    assert first.min() > 0.9 * first.max(), "milk stands alone, and is clear alone"


def test_all_clear_needs_no_weights_and_no_style_is_an_error() -> None:
    assert style_ladder(clear_pairs({}, ("fox",), STYLES, 1), ["fox"], [True], "here") is None
    nothing = {"fox": dict.fromkeys(STYLES, 1)}
    with pytest.raises(UserError, match="here: leaves 'fox' no style"):
        style_ladder(
            clear_pairs(nothing, ("fox", "owl"), STYLES, 1), ["fox", "owl"], [True, True], "here"
        )


def test_draws_follow_the_ladder() -> None:
    ladder = np.cumsum([[0, 3, 1, 0], [1, 0, 0, 1]], axis=1)
    u = np.linspace(0, 1, 40_000, endpoint=False)
    first = Counter(draw_styles(ladder, np.zeros(40_000, np.int64), u, STYLES).tolist())
    second = Counter(draw_styles(ladder, np.ones(40_000, np.int64), u, STYLES).tolist())
    assert {*first} == {1, 2} and first[1] == pytest.approx(30_000, rel=0.02)
    assert {*second} == {0, 3} and second[0] == pytest.approx(20_000, rel=0.02)


def test_scenes_leave_out_what_the_vocabulary_calls_unclear(tmp_path: Path) -> None:
    params = load_params(ROOT / "params.yaml", "dysca")
    folder = tmp_path / "vocabulary"
    shutil.copytree(vocabulary_dir(params), folder)
    (folder / "unclear.yaml").unlink(missing_ok=True)
    corpus = params.corpus.model_copy(update={"scenes_per_subtask": 400, "subtasks": ("animal",)})
    params = params.model_copy(update={"corpus": corpus})

    def drawn() -> list[tuple[str, str, int]]:
        scenes = build_shard(params, load_vocabulary(folder), 0, 400)[0].to_pylist()
        return [(s["foreground"], s["style"], s["attributes"]["number"]) for s in scenes]

    before = drawn()
    label, style, _ = next(one for one in before if one[2] > 1)
    (folder / "unclear.yaml").write_text(
        f"pictograph:\n  animal:\n    {label}:\n      {style}: {{copies: 2, reason: test}}\n"
    )
    after = drawn()
    assert not any(one[:2] == (label, style) and one[2] > 1 for one in after)
    assert [(s, n) for s, _, n in before] == [(s, n) for s, _, n in after]
    same = sum(a == b for a, b in zip(before, after, strict=True))
    assert same > 360, "weights of one label change next to nothing for the others"


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pictograph: {animal: {foxx: {mosaic: {copies: 1, reason: x}}}}", "did you mean 'fox'"),
        ("pictograph: {animals: {fox: {mosaic: {copies: 1, reason: x}}}}", "did you mean 'animal'"),
        ("pictograph: {animal: {fox: {mosaik: {copies: 1, reason: x}}}}", "did you mean 'mosaic'"),
        ("pictograph: {animal: {fox: {mosaic: {copies: 4, reason: x}}}}", "write 1, 2 or 3"),
        ("pictograph: {animal: {fox: {mosaic: {copies: 1}}}}", "has no reason"),
        ("pictograph: {animal: {fox: {mosaic: 1}}}", "is not a mapping"),
        ("pictogaph: {animal: {fox: {mosaic: {copies: 1, reason: x}}}}", "mean 'pictograph'"),
        ("pictograph: {style: {mosaic: {mosaic: {copies: 1, reason: x}}}}", "list of foregrounds"),
        ("pictograph: {profession: {chef: {mosaic: {copies: 2, reason: x}}}}", "write 1"),
    ],
)
def test_mistakes_are_one_line(tmp_path: Path, text: str, message: str) -> None:
    folder = tmp_path / "vocabulary"
    shutil.copytree(vocabulary_dir(load_params(ROOT / "params.yaml", "dysca")), folder)
    (folder / "unclear.yaml").write_text(text)
    with pytest.raises(UserError, match=message) as caught:
        load_vocabulary(folder)
    assert "unclear.yaml:1" in str(caught.value)
