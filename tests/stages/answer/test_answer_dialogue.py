"""Questions with what was said before, and about pictures that are put together of several."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from lvlmbench import tables
from lvlmbench.stages.answer.answering import answer_items, make_items
from lvlmbench.stages.answer.asked import item_id
from lvlmbench.stages.answer.chat.protocol import images_of, request_body
from lvlmbench.stages.answer.dialogue import Cut, Panel, Turn, boxes_of, cut_files
from lvlmbench.stages.answer.engine import MODELS, Item, Model, Reply, usual_tokens
from lvlmbench.stages.answer.kinds.memorizer import key_of
from lvlmbench.stages.answer.requests.cache import AnswerCache
from lvlmbench.suites.instructions import in_one_turn
from support.answer_tables import KEY, item, openai_params, running_server, stats

TURNS = (Turn("What is left?", "A fox."), Turn("And right?", 'An "owl".'))
#: Two panels with a gutter of 4 pixels between them, in an image of 44 x 20 pixels.
WIDTH, HEIGHT = 44, 20
PANELS = (Panel(0, 0, 20 / WIDTH, 1), Panel(24 / WIDTH, 0, 1, 1))


def picture(seed: int = 0) -> bytes:
    pixels = np.random.default_rng(seed).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)
    sink = io.BytesIO()
    Image.fromarray(pixels).save(sink, "PNG")
    return sink.getvalue()


def pixels_of(file: bytes) -> np.ndarray[Any, Any]:
    return np.asarray(Image.open(io.BytesIO(file)).convert("RGB"))


def dialogue(number: int = 0, **changes: Any) -> Item:
    """A question with two earlier turns about two panels."""
    more = {"turns": TURNS, "panels": PANELS}
    return dataclasses.replace(item(number, image=picture(number)), **(more | changes))


def test_panels_are_cut_out_pixel_by_pixel() -> None:
    whole = pixels_of(picture())
    left, right = cut_files(picture(), PANELS)
    assert np.array_equal(pixels_of(left), whole[:, :20])
    assert np.array_equal(pixels_of(right), whole[:, 24:])
    assert cut_files(picture(), PANELS) == [left, right]
    assert boxes_of((2 * WIDTH, HEIGHT), PANELS) == [(0, 0, 40, 20), (48, 0, 88, 20)]
    with pytest.raises(Cut, match="no such panels"):
        boxes_of((WIDTH, HEIGHT), [Panel(0.5, 0, 0.501, 1)])
    with pytest.raises(Cut, match="cannot be read"):
        cut_files(b"no image", PANELS)


def test_earlier_turns_are_messages_and_the_image_is_with_the_first() -> None:
    body = json.loads(request_body({"model": "m"}, dialogue(), "auto"))
    first, one, second, two, last = body["messages"]
    assert [m["role"] for m in body["messages"]] == ["user", "assistant"] * 2 + ["user"]
    assert [part["type"] for part in first["content"]] == ["image_url", "text"]
    assert first["content"][1]["text"] == "What is left?"
    assert (one["content"], two["content"]) == ("A fox.", 'An "owl".')
    assert second["content"] == [{"type": "text", "text": "And right?"}]
    assert last["content"] == [{"type": "text", "text": dialogue().prompt}]


def test_panels_are_images_of_their_own_where_asked_for_and_where_there_is_one() -> None:
    further = dataclasses.replace(item(1), panels=())
    assert images_of(dialogue()) == [dialogue().image]
    assert images_of(dialogue(), apart=True) == cut_files(picture(), PANELS)
    assert images_of(dialogue(image=None), apart=True) == []
    assert images_of(further, apart=True) == [further.image]


def test_what_decides_the_reply_decides_the_hash() -> None:
    def hashed(asked: Item, **changes: Any) -> str:
        params = openai_params("http://h/v1", "m", **changes)
        made: Model = MODELS.get("openai_chat", "test")(params, params.answer.models[0], {})
        return made.request_sha256(asked)

    plain = dialogue(turns=(), panels=())
    others = [
        dialogue(panels=()),
        dialogue(panels=(), turns=TURNS[:1]),
        dialogue(panels=(), turns=(Turn("What is left?", "An owl."), TURNS[1])),
        dialogue(panels=(), turns=(Turn("What is leftA", " fox."), TURNS[1])),
    ]
    assert len({hashed(each) for each in (plain, *others)}) == 5
    apart = {"several_images": True}
    assert hashed(dialogue(turns=())) == hashed(plain) == hashed(plain, **apart)
    assert hashed(dialogue(turns=(), image_sha256=None)) == hashed(
        dialogue(turns=(), image_sha256=None), **apart
    )
    cut = [hashed(dialogue(panels=PANELS[:n]), **apart) for n in (1, 2)]
    assert len({*cut, hashed(dialogue())}) == 3
    assert hashed(plain) == hashed(dataclasses.replace(item(0), image_sha256=plain.image_sha256))


def test_an_estimate_counts_turns_and_panels() -> None:
    plain = usual_tokens(dialogue(turns=(), panels=()))
    assert usual_tokens(dialogue(turns=())) == plain
    assert usual_tokens(dialogue(turns=()), apart=True) == pytest.approx(plain + 1000)
    said = sum(len(text) for turn in TURNS for text in turn)
    assert usual_tokens(dialogue()) == pytest.approx(plain + said / 3)


def named(images: list[bytes], *said: str) -> str:
    """What the server calls a request."""
    return "|".join([*(hashlib.sha256(image).hexdigest() for image in images), *said])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that answers these requests alone, each in its own words."""
    before = ("What is left?", "assistant: A fox.", "And right?", 'assistant: An "owl".')
    prompt, parts = dialogue().prompt, cut_files(picture(), PANELS)
    truth = {
        named([picture()], *before, prompt): "dialogue, one image",
        named(parts, *before, prompt): "dialogue, two images",
        named(parts, prompt): "two images",
        named([b""], *before, prompt): "dialogue without an image",
    }
    path = tmp_path_factory.mktemp("server") / "truth.json"
    path.write_text(json.dumps(truth))
    with running_server("--key", KEY, "--truth", str(path)) as url:
        yield url


def ask(url: str, asked: Item, cache: AnswerCache | None = None, **changes: Any) -> Reply:
    params = openai_params(url, "truth", retries=0, **changes)
    model = MODELS.get("openai_chat", "test")(params, params.answer.models[0], {})
    (reply,) = answer_items(model, [asked], cache, "m")
    return reply


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TEST_KEY", KEY)
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))


@pytest.mark.usefixtures("key")
def test_a_server_is_sent_the_dialogue_and_the_panels(server: str) -> None:
    assert ask(server, dialogue()).text == "dialogue, one image"
    assert ask(server, dialogue(), several_images=True).text == "dialogue, two images"
    assert ask(server, dialogue(turns=()), several_images=True).text == "two images"
    blind = dialogue(image=None, image_sha256=None, image_id=None)
    for apart in (False, True):
        assert ask(server, blind, several_images=apart).text == "dialogue without an image"


@pytest.mark.usefixtures("key")
def test_a_dialogue_is_paid_for_once_and_apart_is_another_request(
    server: str, tmp_path: Path
) -> None:
    before = sum(stats(server.removesuffix("/v1"))["asked"].values())
    for _ in range(2):
        with AnswerCache(tmp_path / "answers.sqlite") as cache:
            assert ask(server, dialogue(), cache).text == "dialogue, one image"
            reply = ask(server, dialogue(), cache, several_images=True)
            assert reply.text == "dialogue, two images"
    assert sum(stats(server.removesuffix("/v1"))["asked"].values()) == before + 2


@pytest.mark.usefixtures("key")
def test_an_image_that_cannot_be_cut_is_an_error_row(server: str) -> None:
    for image, why in ((b"\x89PNG no image", "cannot be read"), (picture(), "no such panels")):
        asked = dialogue(image=image, panels=(Panel(0, 0, 1, 1), Panel(0.9, 0, 0.9, 1)))
        params = openai_params(server, "truth", several_images=True)
        model = MODELS.get("openai_chat", "test")(params, params.answer.models[0], {})
        ((_, reply),) = model.answer([asked])
        assert reply.status == "error" and why in (reply.error or "")


def test_items_have_what_the_table_says(tmp_path: Path) -> None:
    row = {
        "question_id": "q", "scene_id": "s", "subtask": "touchstone_differences",
        "question_type": "free_form", "question": "Which?", "answer": "The left one.",
    }  # fmt: skip
    told = {
        "turns": [turn._asdict() for turn in TURNS],
        "panels": [panel._asdict() for panel in PANELS],
    }
    rows = [row | told, row | {"question_id": "r"}]
    image = {
        "image_id": "i", "scene_id": "s", "scenario": "clean", "sha256": "x", "width": WIDTH,
        "height": HEIGHT, "image": {"bytes": picture(), "path": "x.png"},
    }  # fmt: skip
    verdict = {"image_id": "i", "scene_id": "s", "filter": "render", "keep": True}
    shards: dict[str, tuple[list[dict[str, Any]], tables.Table]] = {
        "questions": (rows, tables.QUESTIONS),
        "images": ([image], tables.IMAGES),
        "verdicts": ([verdict], tables.VERDICTS),
    }
    read = {}
    for name, (made, table) in shards.items():
        path = tmp_path / f"{name}.parquet"
        tables.write_rows(made, path, table, "x")
        read[name] = tables.read([path], table)
    first, second = make_items(
        read["images"], read["verdicts"], read["questions"], ["render"], lambda kind, q, o: q
    )
    assert (first.turns, first.panels) == (TURNS, PANELS)
    assert (second.turns, second.panels) == ((), ())
    bare = dataclasses.replace(first, turns=())
    assert item_id("clean", bare) != item_id("clean", first)
    assert item_id("clean", bare) == item_id("clean", dataclasses.replace(bare, panels=()))


def test_one_turn_tells_what_was_said_before() -> None:
    assert in_one_turn((), "Why?") == "Why?"
    told = in_one_turn(TURNS, "Why?")
    assert told.endswith("\n\nWhy?")
    assert told.index("What is left?") < told.index("A fox.") < told.index("And right?")


def test_in_a_dialogue_the_same_words_are_another_question() -> None:
    assert key_of("x", "Why?", ()) == key_of("x", "Why?", (), ())
    assert key_of("x", "Why?", ()) != key_of("x", "Why?", (), TURNS)
