"""A renderer that draws anew: under other ids, the same ones for what shares its places."""

from __future__ import annotations

from typing import Any

from PIL import Image

from lvlmbench.stages.render.renderer import Anew, Attempt, Depiction, Scene


class Picky:
    """Refuses some ids, and notes which ids it was asked about and which it drew."""

    name, version = "picky", "1"

    def __init__(self, *refused: str) -> None:
        self._refused, self.asked, self.drawn = refused, list[str](), list[Scene]()

    def refuses(self, scene: Scene) -> str | None:
        self.asked.append(scene["scene_id"])
        places = scene.get("base") or scene["scene_id"]
        return "given up" if places in self._refused else None

    def draw(self, scene: Scene) -> Depiction:
        self.drawn.append(scene)
        return Depiction(Image.new("RGB", (8, 8)))


def attempts(anew: Anew, scene: Scene, n: int) -> None:
    tries = [[Attempt(scene, number, 0)] for number in range(n)]
    assert len([*anew.draw_batches(tries)]) == n


def test_each_attempt_is_drawn_under_the_next_id_that_can_be_drawn() -> None:
    inner = Picky("s", "s/2")
    anew = Anew(inner, 3)
    scene: dict[str, Any] = {"scene_id": "s"}
    assert anew.refuses(scene) is None
    attempts(anew, scene, 3)
    assert [each["scene_id"] for each in inner.drawn] == ["s/1", "s/3", "s/4"]


def test_what_shows_a_scene_again_is_drawn_under_the_id_of_its_base() -> None:
    inner = Picky("b")
    anew = Anew(inner, 3)
    for scene in ({"scene_id": "b", "base": None}, {"scene_id": "r", "base": "b", "pair": None}):
        assert anew.refuses(scene) is None
        attempts(anew, scene, 2)
    first, again = inner.drawn[:2], inner.drawn[2:]
    assert [each["scene_id"] for each in first] == [each["base"] for each in again]


def test_what_no_id_can_draw_is_refused_after_so_many() -> None:
    inner = Picky(*["s", *(f"s/{n}" for n in range(1, 50))])
    anew = Anew(inner, 3)
    assert anew.refuses({"scene_id": "s"}) == "given up"
    assert len({*inner.asked}) == 11


def test_an_id_is_asked_about_once_whatever_is_drawn() -> None:
    inner = Picky()
    anew = Anew(inner, 3)
    attempts(anew, {"scene_id": "s"}, 2)
    attempts(anew, {"scene_id": "s"}, 2)
    assert inner.asked == ["s", "s/1"]
