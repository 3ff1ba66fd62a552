"""The legend of charts: names of models that nobody vouches for, on pages of any width."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend

from lvlmbench.stages.figures import legend, plotting


def _page(width: float, names: list[str]) -> tuple[Figure, Legend]:
    with plotting.settings():
        made, (ax,) = plotting.figure(width, 2.45)
        ax.set_xticks([])
        ax.set_yticks([])
        legend.legend(made, legend.assigned(names, ()), with_floor=True)
        FigureCanvasAgg(made).draw()
    (shown,) = made.legends
    return made, shown


@pytest.mark.parametrize("width", [5.2, 9.4])
@pytest.mark.parametrize("repeats", [1, 5, 20])
def test_names_stay_on_the_page_and_leave_room_for_the_chart(width: float, repeats: int) -> None:
    made, shown = _page(width, [f"{i}-{'model-' * repeats}{i}" for i in range(8)])
    box, page = shown.get_window_extent(), made.bbox
    assert box.x0 >= 0 and box.x1 <= page.x1 and box.y1 <= page.y1
    chart = made.axes[0].get_window_extent()
    assert chart.y1 <= box.y0 and chart.height / made.dpi > 1.5
    assert len({text.get_text() for text in shown.get_texts()}) == 9


def test_a_short_legend_leaves_the_page_as_it_is() -> None:
    made, shown = _page(9.4, ["model-a", "model-b"])
    assert made.get_figheight() == 2.45
    assert [t.get_text() for t in shown.get_texts()][:2] == ["model-a", "model-b"]


def test_a_model_looks_the_same_wherever_it_stands() -> None:
    listed = ["guess", *(f"model-{i}" for i in range(20))]
    looks = legend.assigned(listed, {"guess"})
    assert looks["guess"] == (plotting.GUESSER, "d")
    assert len(set(looks.values())) == 21, "colors come again with other markers"
    assert looks["model-0"] == legend.assigned(["model-0", "guess"], {"guess"})["model-0"]


def test_looks_follow_the_parameters_and_not_the_ranks() -> None:
    board = SimpleNamespace(listed=["a", "b", "chance", "brought"], guessers={"chance"})
    first, second = (legend.looks(names, board) for names in (["a", "b"], ["brought", "b", "a"]))  # type: ignore[arg-type]
    assert {m: second[m] for m in first} == first and list(second) == ["brought", "b", "a"]
