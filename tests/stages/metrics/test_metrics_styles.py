"""SC within scenes: by hand, by planted models, and that it is known where it is not."""

from __future__ import annotations

import math
import tracemalloc
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.core.seeding import generator
from lvlmbench.stages.metrics import styles
from lvlmbench.stages.metrics.frame import prepared
from lvlmbench.stages.metrics.metrics import metric_rows
from lvlmbench.stages.metrics.styles import Paired, StyleEffects, sensitivity
from lvlmbench.stats.resampling import Bootstrap
from support.one_line import Command
from support.score_tables import MC, TF, pick, score, table

STYLES = ["comic", "glitch", "mosaic", "negative", "oil", "pixel", "sepia", "wool"]


def answers(scenes: int, each: int, worth: dict[str, float], seed: int) -> pd.DataFrame:
    """Planted answers: each base scene in some of the styles, two questions a picture."""
    random, rows = generator(seed, "test", "styles"), []
    for base in range(scenes):
        ease = random.uniform(0.4, 0.8, 2)
        for style in random.choice(STYLES, each, replace=False):
            picture = random.uniform(-0.08, 0.08)
            for kind, p in zip((MC, TF), ease, strict=True):
                right = random.random() < p + picture + worth[str(style)] / 100
                rows.append((base, str(style), kind, 100.0 * right))
    found = pd.DataFrame(rows, columns=["base", "style", "question_type", "value"])
    scene = found.groupby(["base", "style"]).ngroup()
    return found.assign(subtask="animal", scored=True, scene=scene)


def paired(found: pd.DataFrame) -> Paired:
    made = Paired.of(found)
    assert made is not None
    return made


def test_worths_of_styles_are_those_that_were_planted() -> None:
    """Without chance the fit is exact, whatever contents and however unevenly styles are met."""
    worth = dict(zip(STYLES, [9.0, -4.0, 3.0, 0.0, -12.0, 6.0, -7.0, 5.0], strict=True))
    found = answers(12, 5, worth, 1)
    number = found.groupby(["base", "question_type"]).ngroup()
    found["value"] = 10.0 + 3 * number + found["style"].map(worth)
    effects = StyleEffects(paired(found))
    centered = np.array([worth[name] for name in STYLES]) - np.mean(list(worth.values()))
    assert np.allclose(effects.worth, centered, atol=1e-9)
    assert math.isclose(effects.spread().value, float((centered**2).mean()), rel_tol=1e-9)
    assert effects.spread().noise < 1e-12


def test_a_model_that_styles_do_not_touch_has_none() -> None:
    found = answers(12, 5, dict.fromkeys(STYLES, 0.0), 2)
    found["value"] = 100.0 * (found["base"] % 2)
    made = sensitivity(paired(found), Bootstrap(0, "styles", 200))
    spread = made.spread
    assert (spread.value, spread.noise, spread.corrected, made.p) == (0.0, 0.0, 0.0, 1.0)


def test_what_cannot_be_compared_is_left_out() -> None:
    found = answers(12, 5, dict.fromkeys(STYLES, 0.0), 3)
    rare = found[found["style"] == "wool"]["base"].unique()[3:]
    some = found[~((found["style"] == "wool") & found["base"].isin(rare))].copy()
    assert paired(some).n_styles == len(STYLES) - 1  # met in three scenes only
    some.loc[some["base"] == 0, "scored"] = False
    assert paired(some).n_scenes == 11 and paired(some).n_questions == 22
    assert Paired.of(found.assign(base=-1)) is None
    assert Paired.of(found[found["style"] == "oil"]) is None
    # Styles that no question connects with the others cannot be held against them.
    apart = {"comic", "glitch"}
    found = answers(60, 6, dict.fromkeys(STYLES, 0.0), 3)
    two = found[found["style"].isin(apart) == (found["base"] >= 30)]
    assert paired(two).n_styles == len(STYLES) - len(apart)
    assert paired(two).n_scenes == 30


def test_what_is_left_out_is_looked_at_again() -> None:
    """A style met in four scenes, three of which go, would rest on a single scene."""
    found = answers(12, 5, dict.fromkeys(STYLES, 0.0), 3)
    found = found[found["style"] != "wool"]
    last = int(found["base"].max())
    alone = pd.DataFrame({"base": range(last + 1, last + 4), "style": "wool"})
    beside = found[(found["base"] == 0) & (found["style"] == found["style"].iloc[0])]
    more = pd.concat([alone, pd.DataFrame({"base": [0], "style": ["wool"]})])
    more = more.assign(value=100.0, scored=True, subtask="animal", question_type=MC)
    more["scene"] = 1000 + more["base"]
    assert len(beside)
    made = paired(pd.concat([found, more]))
    assert made.n_styles == len(STYLES) - 1
    met = pd.DataFrame({"style": made.style, "base": made.base[made.picture]})
    assert met.groupby("style")["base"].nunique().min() >= styles.FEWEST_SCENES
    asked = pd.DataFrame({"question": made.question, "style": made.style})
    assert asked.groupby("question")["style"].nunique().min() >= 2


def test_moved_pictures_are_held_a_few_scenes_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """400 ways of 600 pictures are 1.9 MB at once; the numbers are the same."""
    effects = StyleEffects(paired(answers(120, 5, dict.fromkeys(STYLES, 0.0), 8)))
    whole = effects.by_chance(1, "chunks", 400)
    monkeypatch.setattr(styles, "_CHUNK", 8000, raising=False)
    tracemalloc.start()
    try:
        some = effects.by_chance(1, "chunks", 400)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert some == pytest.approx(whole, rel=1e-12)
    assert peak < 600_000


def test_order_of_answers_changes_nothing() -> None:
    found = answers(16, 5, dict(zip(STYLES, range(-16, 16, 4), strict=True)), 4)
    one, other = (
        sensitivity(paired(rows), Bootstrap(7, "styles", 300))
        for rows in (found, found.sample(frac=1.0, random_state=5))
    )
    for name in ("value", "noise"):
        assert math.isclose(getattr(one.spread, name), getattr(other.spread, name), rel_tol=1e-9)
    assert one.p == other.p


def test_planted_models_are_told_apart() -> None:
    """The short form of ``benchmarks/styles.py``: 10 points over styles against none."""
    random, called = generator(1, "test", "planted"), {0.0: 0, 10.0: 0}
    for sd in called:
        for number in range(40):
            values = random.normal(size=len(STYLES))
            values = sd * (values - values.mean()) / values.std()
            worth = dict(zip(STYLES, values.tolist(), strict=True))
            found = answers(60, 6, worth, 100 + number)
            called[sd] += sensitivity(paired(found), Bootstrap(1, f"{number}", 200)).p <= 0.05
    assert called[0.0] <= 6  # 5 %: more than 6 of 40 in one of 200 cases
    assert called[10.0] >= 38


def score_rows(scenario: str = "restyled") -> tuple[list[dict[str, object]], pa.Table]:
    """Scores and questions of a model, by way of the tables."""
    found, rows, about = answers(12, 5, dict.fromkeys(STYLES, 0.0), 6), [], []
    for number, row in enumerate(found.to_dict("records")):
        rows.append(
            score(
                number, str(row["question_type"]), "animal", bool(row["value"]), str(row["style"]),
                int(row["scene"]), scenario=scenario,
            )
        )  # fmt: skip
        about.append({"question_id": f"{number:04d}", "base": f"b{row['base']}", "chance": 0.25})
    return rows, tables.QUESTIONS.of(about)


def test_rows_of_the_metrics_table() -> None:
    scores, questions = score_rows()
    rows = metric_rows(table(scores), questions=questions, resamples=200)
    found = sensitivity(
        paired(prepared(table(scores), questions=questions)), Bootstrap(0, "restyled", 200)
    )
    whole: dict[str, Any] = {"scenario": "restyled"}
    assert pick(rows, "sc_paired", **whole)["value"] == round(found.spread.value, 6)
    assert pick(rows, "sc_paired_noise", **whole)["value"] == round(found.spread.noise, 6)
    corrected = pick(rows, "sc_paired_corrected", **whole)
    assert corrected["value"] == round(found.spread.corrected, 6)
    assert found.error and corrected["low"] == round(found.error[1], 6)
    assert pick(rows, "sc_paired_p", **whole)["value"] == round(found.p, 6)
    sizes = [pick(rows, f"sc_paired_{n}", **whole)["value"] for n in ("styles", "scenes")]
    assert sizes == [8.0, 12.0] and pick(rows, "sc_paired", **whole)["n"] == 120
    assert "difference" not in {row["metric"] for row in rows}


def test_rows_are_null_where_too_little_was_asked() -> None:
    scores, questions = score_rows()
    rows = metric_rows(table(scores[:20]), questions=questions, resamples=200)
    for name in ("sc_paired", "sc_paired_noise", "sc_paired_corrected", "sc_paired_p"):
        assert pick(rows, name, scenario="restyled")["value"] is None
    assert pick(rows, "sc_paired_styles", scenario="restyled")["value"] == 0.0


@pytest.mark.parametrize("metric", ["sq", "sc"])
def test_what_is_left_without_noise_stands_beside_both(metric: str) -> None:
    scores, questions = score_rows("clean")
    rows = metric_rows(table(scores), questions=questions, resamples=200)
    value, noise, corrected = (pick(rows, f"{metric}{end}") for end in ("", "_noise", "_corrected"))
    less = float(str(value["value"])) - float(str(noise["value"]))
    assert corrected["value"] == pytest.approx(max(less, 0.0), abs=2e-6)
    assert (corrected["low"], corrected["high"]) == (value["low"], value["high"])


def test_the_corrected_value_lies_in_its_interval() -> None:
    """Noise is that of the fit, so what is left of large effects is not taken for chance."""
    worth = dict(zip(STYLES, [30.0, -30.0, 20.0, -20.0, 10.0, -10.0, 25.0, -25.0], strict=True))
    for seed in range(20):
        made = sensitivity(paired(answers(40, 5, worth, seed)), Bootstrap(seed, "styles", 300))
        assert made.error is not None
        assert made.error[1] <= made.spread.corrected <= made.error[2]


_BALANCED = """
import numpy as np, pandas as pd
from lvlmbench.stages.metrics.styles import Paired, StyleEffects
random, rows = np.random.default_rng(5), []
for base in range(96):
    for style in range(33):
        for kind in range(3):
            right = 100.0 * (random.random() < 0.6)
            rows.append((base, f"s{style:02d}", kind, right, base * 33 + style))
names = ["base", "style", "question_type", "value", "scene"]
found = pd.DataFrame(rows, columns=names).assign(subtask="animal", scored=True)
effects = StyleEffects(Paired.of(found))
spread = effects.spread()
print(spread.value.hex(), spread.noise.hex(), effects.worth.tobytes().hex())
print(effects.by_chance(1, "x", 50))
"""


def test_numbers_are_those_of_every_processor(run_python: Command) -> None:
    """To the bit, whichever kernels the library of linear algebra takes."""
    told = set()
    for kernel in ("Haswell", "Prescott", "Sandybridge"):
        done = run_python("-c", _BALANCED, OPENBLAS_CORETYPE=kernel, OMP_NUM_THREADS="1")
        assert done.returncode == 0, done.stderr
        told.add(done.stdout)
    assert len(told) == 1
