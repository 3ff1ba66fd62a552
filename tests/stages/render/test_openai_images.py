"""Renderer openai_images: what each reply of a server comes to, and what is kept of it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lvlmbench.config import validate
from lvlmbench.config.identity import params_id
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import check_names
from lvlmbench.stages.render.renderer import RENDERERS
from support.answer_tables import KEY, stats
from support.colored_fields import picture
from support.served_pictures import SIDE, asking, draw, prompted, serving

QUICK = {"retries": 2, "concurrency": 4}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as found:
        yield found


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def asked(url: str) -> int:
    return sum(stats(url)["asked"].values())


def pixels(row: dict[str, Any]) -> Image.Image:
    with Image.open(io.BytesIO(row["image"]["bytes"])) as image:
        return image.convert("RGB")


def test_pictures_come_with_what_was_asked_and_what_they_cost(url: str, tmp_path: Path) -> None:
    config = asking(url, "revised", price_per_image=0.04, send_seed=True, fields={"steps": 4})
    made = draw(config, tmp_path / "one", 3)
    scenes = prompted(3).to_pylist()
    for scene, image, attempt, request in zip(
        scenes, made["images"], made["attempts"], made["requests"], strict=True
    ):
        assert (image["renderer"], image["width"], image["height"]) == ("openai_images", SIDE, SIDE)
        expected = picture(scene["prompt"], scene["seed"], SIDE)
        assert pixels(image).tobytes() == Image.open(io.BytesIO(expected)).convert("RGB").tobytes()
        assert (attempt["outcome"], attempt["method"]) == ("kept", "text-to-image")
        told = json.loads(attempt["provenance"])
        assert (told["server"], told["model"], told["steps"]) == (url, "revised", 4)
        assert request["latency_s"] > 0
        assert {k: v for k, v in request.items() if k not in ("latency_s", "request_sha256")} == {
            "image_id": image["image_id"],
            "scene_id": scene["scene_id"],
            "attempt": 0,
            "renderer": "openai_images",
            "model": "revised",
            "prompt": scene["prompt"],
            "revised_prompt": f"{scene['prompt']}, in detail",
            "seed": scene["seed"],
            "size": f"{SIDE}x{SIDE}",
            "status": "made",
            "why": None,
            "served_model": "painter-2",
            "attempts": 1,
            "prompt_tokens": 12,
            "completion_tokens": 1056,
            "cost_usd": 0.04,
        }
    assert all(row["keep"] for row in made["verdicts"])


def test_a_second_run_asks_for_nothing_and_makes_the_same(url: str, tmp_path: Path) -> None:
    config = asking(url, "mixed", price_per_image=0.01, **QUICK)
    first = draw(config, tmp_path / "one", 40)
    final = {row["scene_id"] for row in first["requests"] if row["status"] in ("made", "refused")}
    assert {row["status"] for row in first["requests"]} == {
        "made", "refused", "damaged", "wrong_size"
    }  # fmt: skip
    before = asked(url)
    second = draw(config, tmp_path / "two", 40)
    assert asked(url) - before == 40 - len(final)  # what was of no use is asked again
    assert first["images"] == second["images"] and first["attempts"] == second["attempts"]
    rows = zip(first["requests"], second["requests"], strict=True)
    assert all(one == two for one, two in rows if one["scene_id"] in final)
    before = asked(url)
    changed = asking(url, "mixed", price_per_image=0.02, budget_usd=90.0, timeout_s=5, **QUICK)
    assert draw(changed, tmp_path / "three", 40)["images"] == first["images"]
    assert asked(url) - before == 40 - len(final)


@pytest.mark.parametrize(
    ("model", "status", "why", "sent"),
    [
        ("refusing", "refused", "HTTP 400: Your request was rejected.", 1),
        ("moderated", "refused", "HTTP 400: Your request was rejected.", 1),
        ("always-500", "error", "HTTP 500: not now", 2),
        ("hanging", "timeout", "no reply within 0.5 s", 1),
        ("damaged", "damaged", "what came is no PNG, JPEG, WEBP that can be read", 1),
        ("cut", "damaged", "what came is no PNG, JPEG, WEBP that can be read", 1),
        ("garbled", "damaged", "what came is not Base64", 1),
        ("small", "wrong_size", f"{SIDE // 2}x{SIDE // 2} came where {SIDE}x{SIDE} was asked", 1),
        ("nothing", "error", "the reply holds no picture", 2),
    ],
)
def test_a_reply_of_no_use_is_a_status(
    model: str, status: str, why: str, sent: int, url: str, tmp_path: Path
) -> None:
    config = asking(url, model, price_per_image=0.01, timeout_s=0.5, retries=1)
    made = draw(config, tmp_path / "one", 1)
    (request,), (attempt,), (verdict,) = made["requests"], made["attempts"], made["verdicts"]
    assert (request["status"], request["attempts"]) == (status, sent)
    assert request["why"].startswith(why)
    paid = status in ("damaged", "wrong_size")
    assert request["cost_usd"] == (0.01 if paid else None)
    assert (attempt["outcome"], attempt["reason"]) == ("failed", f"{status}: {request['why']}")
    assert (verdict["keep"], verdict["reason"]) == (False, attempt["reason"])
    assert made["images"] == []
    before = asked(url)
    draw(config, tmp_path / "two", 1)
    assert (asked(url) == before) == (status == "refused")


@pytest.mark.parametrize("model", ["first-429", "first-500", "first-503", "drop"])
def test_what_may_pass_is_sent_again(model: str, url: str, tmp_path: Path) -> None:
    made = draw(asking(url, model), tmp_path / "one", 2)
    assert {(row["status"], row["attempts"]) for row in made["requests"]} == {("made", 2)}


@pytest.mark.parametrize("model", ["webp", "strict"])
def test_servers_differ_in_how_they_send(model: str, url: str, tmp_path: Path) -> None:
    """Another format in a data URL; a model that takes no response_format."""
    made = draw(asking(url, model, concurrency=1), tmp_path / "one", 2)
    assert {(row["status"], row["attempts"]) for row in made["requests"]} == {("made", 1)}
    for scene, image in zip(prompted(2).to_pylist(), made["images"], strict=True):
        expected = picture(scene["prompt"], None, SIDE)
        assert pixels(image).tobytes() == Image.open(io.BytesIO(expected)).convert("RGB").tobytes()


def test_a_failed_attempt_is_followed_by_others(url: str, tmp_path: Path) -> None:
    again = {"retries": {"attempts": 2, "filters": [{"name": "integrity"}]}}
    made = draw(asking(url, "small", again), tmp_path / "one", 1)
    assert [row["attempt"] for row in made["requests"]] == [0, 1, 2]
    assert len({row["request_sha256"] for row in made["requests"]}) == 3
    assert [row["outcome"] for row in made["attempts"]] == ["failed"] * 3


def test_larger_pictures_are_averaged_down_to_the_size_of_all(url: str, tmp_path: Path) -> None:
    made = draw(asking(url, "plain", size="128x128"), tmp_path / "one", 1)
    (scene,) = prompted(1).to_pylist()
    expected = picture(scene["prompt"], None, SIDE)
    assert pixels(made["images"][0]).tobytes() == Image.open(io.BytesIO(expected)).tobytes()
    assert made["requests"][0]["size"] == "128x128"
    config = asking(url, "plain", size="32x32")
    with pytest.raises(UserError, match=r"size: 32x32 is smaller than render\.size, 64; ask for"):
        check_names(config, "params.yaml")


def test_a_budget_ends_the_run_before_it_is_exceeded(url: str, tmp_path: Path) -> None:
    paid = {"price_per_image": 0.03, "concurrency": 4}
    before = asked(url)
    with pytest.raises(UserError) as caught:
        draw(asking(url, "slow", budget_usd=0.10, **paid), tmp_path / "one", 8)
    assert asked(url) - before == 3
    assert str(caught.value) == (
        f"renderer 'openai_images' at {url}: $0.09 of its budget of $0.10 are spent, over all "
        "runs, and the next picture would be more; 5 of 8 pictures are left; raise "
        "render.openai_images.budget_usd and run again: pictures that came are kept"
    )
    made = draw(asking(url, "slow", budget_usd=0.24, **paid), tmp_path / "one", 8)
    assert asked(url) - before == 8 == len(made["images"])


def test_what_costs_nothing_leaves_its_price_to_others(url: str, tmp_path: Path) -> None:
    config = asking(url, "refusing", budget_usd=0.10, price_per_image=0.03, concurrency=8)
    made = draw(config, tmp_path / "one", 12)
    assert [row["status"] for row in made["requests"]] == ["refused"] * 12


def test_no_more_requests_are_in_flight_than_allowed(tmp_path: Path) -> None:
    with serving() as own:
        draw(asking(own, "slow", concurrency=3), tmp_path / "one", 12)
        assert stats(own)["in_flight"] == {"most": 3}


def test_requests_are_paced_by_the_minute(url: str, tmp_path: Path) -> None:
    made = draw(asking(url, "plain", requests_per_minute=600), tmp_path / "one", 3)
    assert len(made["images"]) == 3


def test_a_server_that_sends_nothing_of_use_is_not_paid_on(url: str, tmp_path: Path) -> None:
    before = asked(url)
    with pytest.raises(UserError, match="3 pictures in a row failed, the last with: 32x32 came"):
        draw(asking(url, "small", concurrency=1), tmp_path / "one", 9)
    assert asked(url) - before == 3


def test_a_server_that_takes_no_request_is_asked_no_more(url: str, tmp_path: Path) -> None:
    before = asked(url)
    with pytest.raises(UserError, match="3 pictures in a row failed, the last with: HTTP 400: Inv"):
        draw(asking(url, "sizeless", concurrency=1), tmp_path / "one", 9)
    assert asked(url) - before == 3


def test_addresses_in_place_of_pictures_end_the_run(url: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="it sends the addresses of pictures in place of pictures"):
        draw(asking(url, "address", concurrency=1), tmp_path / "one", 4)


def test_a_missing_server_is_one_line(tmp_path: Path) -> None:
    config = asking("http://127.0.0.1:9/v1", "plain")
    with pytest.raises(UserError) as caught:
        draw(config, tmp_path / "one", 2)
    assert str(caught.value).startswith("renderer 'openai_images' at http://127.0.0.1:9/v1: cannot")
    assert str(caught.value).endswith("or correct render.openai_images.base_url")


def test_the_key_is_sent_and_stands_nowhere(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving("--key", KEY) as own:
        config = asking(own, "revised", api_key_env="PAINTER_KEY")
        with pytest.raises(UserError) as caught:
            draw(config, tmp_path / "one", 1)
        assert str(caught.value) == (
            "renderer 'openai_images': environment variable PAINTER_KEY: is not set; export "
            "PAINTER_KEY=<your key>, or set render.openai_images.api_key_env to null for a server "
            "without keys"
        )
        monkeypatch.setenv("PAINTER_KEY", "sk-another-0123456789")
        with pytest.raises(UserError, match="put a valid key into") as wrong:
            draw(config, tmp_path / "one", 1)
        monkeypatch.setenv("PAINTER_KEY", KEY)
        assert len(draw(config, tmp_path / "one", 1)["images"]) == 1
        leaking = asking(own, "leaking", api_key_env="PAINTER_KEY")
        (row,) = draw(leaking, tmp_path / "two", 1)["requests"]
    assert row["why"] == "HTTP 400: [key] is not allowed to"
    assert "sk-another" not in str(wrong.value)
    for file in (path for path in tmp_path.rglob("*") if path.is_file()):
        assert KEY.encode() not in file.read_bytes(), file


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({}, "model: is missing"),
        ({"model": "m", "size": "64x32"}, "size: pictures are square; write '64x64'"),
        ({"model": "m", "budget_usd": 1}, "'budget_usd' needs 'price_per_image'"),
        ({"model": "m", "base_url": "https://a:b@c/v1"}, "must hold no user, password or query"),
        ({"model": "m", "fields": {"n": 2}}, "fields: 'n' is decided elsewhere; take it out"),
    ],
)
def test_settings_that_cannot_be_are_one_line(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=r"render\.openai_images") as caught:
        validate({"render": {"renderer": "openai_images", "openai_images": settings}})
    assert says in str(caught.value)


def test_how_a_server_is_asked_makes_no_other_snapshot() -> None:
    plain = asking("http://h/v1", "m")
    aside = {"concurrency": 2, "timeout_s": 9, "price_per_image": 1.0, "budget_usd": 5.0}
    assert params_id(plain) == params_id(asking("http://h/v1", "m", **aside))
    assert params_id(plain) != params_id(asking("http://h/v1", "n"))


def test_a_description_is_all_that_is_known_of_its_pictures() -> None:
    kind = RENDERERS.get("openai_images", "")
    assert (kind.truth, kind.prompts) == ("description", True)
    assert kind.promise().exact == "artifact"
