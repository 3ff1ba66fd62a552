"""``lvlmbench suite said``: a snapshot's answers become a source of associations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from lvlmbench.commands.main import main
from lvlmbench.config.project import project_of
from lvlmbench.scene.claims import Claim, Match, Truth
from lvlmbench.stages.judge.judge import Holding
from lvlmbench.suites.valor.association.sources import read
from support.hallucination_tables import params, snapshot
from support.scripted_judge import Scripted, by_word

#: Of a dog, a ball and grass: a word of its own for the first, and a broader one.
_MET = {
    "puppy": Match(0, "o1", "matched", "synonym"),
    "animal": Match(0, "o1", "broader", "ancestor"),
}


def _hold(claims: Sequence[Claim], truth: Truth) -> Holding:
    found = by_word(claims, truth).matches
    by_number = {claim.number: claim.subject for claim in claims}
    met = ((match, _MET.get(by_number[match.claim])) for match in found)
    return Holding(
        "judged",
        tuple(
            Match(match.claim, own.feature, own.verdict, own.how) if own else match
            for match, own in met
        ),
    )


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A snapshot of two models; the second says nothing."""
    said: dict[tuple[str, str], str | None] = {
        ("m", "s1"): "dog ball leash",
        ("m", "s2"): "puppy animal leash no cat",
        ("m", "s3"): "ball",
        ("m", "s4"): None,
        ("mute", "s1"): None,
    }
    p, root = params(("m", "mute")), tmp_path / "made"
    snapshot(root / "data" / p.suite, said, judges={"j": Scripted(holds=_hold)})
    (root / "params.yaml").write_text(project_of(p).model_dump_json())
    return root


def _said(made: Path, model: str, out: Path) -> int:
    try:
        main(["suite", "said", "--snapshot", str(made), "--model", model, "--out", str(out)])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_what_a_model_says_is_a_source(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "said.csv"
    assert _said(made, "m", out) == 0
    assert capsys.readouterr().out == f"{out}: 3 things, 7 pairs; name it as a source\n"
    # Three judged answers to pictures of a dog, a ball and grass: each word is in two of them.
    assert out.read_text().splitlines() == [
        "object,images,kind,feature,together",
        "ball,3,object,dog,2", "ball,3,object,leash,2",
        "dog,3,object,ball,2", "dog,3,object,leash,2",
        "grass,3,object,ball,2", "grass,3,object,dog,2", "grass,3,object,leash,2",
    ]  # fmt: skip
    counts = read(out)
    assert counts.images == {"ball": 3, "dog": 3, "grass": 3}
    assert counts.share("object", "dog", "leash") == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("model", "name", "said"),
    [
        ("m", "there.csv", "is there already"),
        ("nobody", "new.csv", "--model nobody: is not known; use one of: m, mute"),
        ("mute", "new.csv", "no answer that names a thing was judged"),
    ],
)
def test_a_mistake_is_one_line(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], model: str, name: str, said: str
) -> None:
    (tmp_path / "there.csv").write_text("object\n")
    assert _said(made, model, tmp_path / name) != 0
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line and not (tmp_path / "new.csv").exists()
