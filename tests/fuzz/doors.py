"""The scripts of the stages, and what each reads and makes in a small snapshot."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lvlmbench.commands.main import main as cli
from lvlmbench.stages.figures.stage import files_of

ROOT = Path(__file__).resolve().parents[2]

#: Few scenes, nothing that loads torch: no captions, no reference models, no learned filters.
PARAMS: dict[str, Any] = {
    "snapshot": {"name": "fuzz", "seed": 7},
    "corpus": {
        "subtasks": ["animal", "color", "text"],
        "scenes_per_subtask": 4,
        "type_proportions": {"multiple_choice": 0.5, "true_false": 0.5, "free_form": 0.0},
        "shard_scenes": 100,
    },
    "render": {"renderer": "pictograph", "size": 128, "shard_images": 100},
    "reference": {"models": []},
    "filter": {
        "filters": [
            {"name": "integrity"},
        ]
    },
    "scenarios": {
        "names": ["clean", "print_attack", "other_image", "corruption"],
        "noisy": [{"name": "print_attack"}, {"name": "other_image"}, {"name": "corruption"}],
    },
    "answer": {"models": [{"name": "chance", "engine": "chance"}]},
    "examiner": {
        "examiners": [{"name": "gpt", "engine": "openai_chat", "endpoint": {"model": "m"}}],
        "planners": ["gpt"],
    },
    "validator": {
        "validators": [{"name": "eye", "engine": "openai_chat", "endpoint": {"model": "m"}}]
    },
    "judge": {"exam": 0},
    "statistics": {"resamples": 100},
    "validity": {"kmmd": {"encoder": None}},
    "figures": {"names": ["funnel"]},
    "exports": {"formats": ["huggingface"]},
    "report": {"items": 2, "thumbnail_size": 64},
}

#: Scripts that take no parameters.
_WITHOUT_CONFIG = ("figures_unpacked",)


@cache
def script(name: str) -> Callable[[], None]:
    """The ``main`` of a script."""
    spec = importlib.util.spec_from_file_location(f"fuzzed_{name}", ROOT / "scripts" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    main: Callable[[], None] = module.main
    return main


@dataclass(frozen=True)
class Door:
    """A command over the tables of a snapshot.

    Attributes
    ----------
    arguments
        What stands behind the script's name; paths are relative to the snapshot.
    makes
        Those of the arguments that are made.
    weight
        How often it is tried, beside the others.
    tables
        What it reads of the folder of all tables, where it is given that.
    """

    name: str
    arguments: Sequence[str]
    makes: Sequence[str]
    weight: int = 2
    tables: Sequence[str] = ("data",)

    def __call__(self) -> None:
        """Run it, in the snapshot's folder."""
        if self.name == "hash":
            cli(["hash", *self.arguments])
            return
        config = [] if self.name in _WITHOUT_CONFIG else ["--config", "config.json"]
        sys.argv = [f"{self.name}.py", *config, *self.arguments]
        script(self.name)()

    def reads(self, root: Path) -> list[str]:
        """Files of the snapshot that it reads."""
        found = []
        for argument in self.arguments:
            path = root / argument
            if argument in self.makes or not path.exists():
                continue
            files = [path] if path.is_file() else sorted(path.rglob("*.parquet"))
            found += [str(file.relative_to(root)) for file in files]
        skipped = [name for name in found if name not in self.arguments]
        unread = {name for name in skipped if not name.startswith((*self.tables, f"{R}/"))}
        return sorted({*found} - unread)


#: Folders of the suite's tables and results, and the archive of its figures.
D, R = "data/dysca", "results/dysca"
DRAWN = "figures/dysca-0.zip"


def _part(folder: str) -> str:
    return f"{D}/{folder}/part-00000.parquet"


SCENES, QUESTIONS = _part("scenes"), _part("questions")
IMAGES, CONSENSUS = _part("images/clean"), _part("consensus")
VERDICTS = [_part(f"verdicts/{name}") for name in ("render", "integrity")]
NOISY = [spec["name"] for spec in PARAMS["scenarios"]["noisy"]]


def _image(name: str) -> str:
    return _part(f"images/{name}")


def _scenario(name: str) -> Door:
    out = _image(name)
    return Door(
        "scenario",
        ["--scenario", name, "--images", IMAGES, "--around", IMAGES, "--scenes", SCENES,
         "--questions", QUESTIONS, "--out", out],
        [out],
        3,
    )  # fmt: skip


def _answers(name: str) -> str:
    return _part(f"answers/chance/{name}")


def _scores(name: str) -> str:
    return _part(f"scores/chance/{name}")


def _answer(name: str) -> Door:
    return Door(
        "answer",
        ["--model", "chance", "--scenario", name, "--images", _image(name), "--verdicts", *VERDICTS,
         "--questions", QUESTIONS, "--cache", "cache.sqlite", "--out", _answers(name)],
        [_answers(name)],
    )  # fmt: skip


def _judge(name: str) -> Door:
    made = ("claims", "matches", "judgements", "pairwise", "requests")
    outs = {table: _part(f"{table}/lexical/chance/{name}") for table in made}
    read = {"answers": _answers(name), "questions": QUESTIONS, "scenes": SCENES,
            "layouts": _part("layouts/clean"), "truth": _part("truth")}  # fmt: skip
    about = ["--judge", "lexical", "--model", "chance", "--scenario", name]
    given = [part for key, path in (read | outs).items() for part in (f"--{key}", path)]
    return Door("judge", [*about, *given], [*outs.values()], 1)


def _score(name: str) -> Door:
    return Door(
        "score",
        ["--model", "chance", "--scenario", name, "--answers", _answers(name), "--questions",
         QUESTIONS, "--scenes", SCENES, "--images", _image(name), "--cache", "vectors.sqlite",
         "--out", _scores(name)],
        [_scores(name)],
    )  # fmt: skip


ALL_SCORES = [_scores(name) for name in PARAMS["scenarios"]["names"]]

#: In the order in which a snapshot is made.
DOORS = [
    Door("planner", ["--planner", "gpt", "--aspects", _part("planned_aspects/gpt"),
                     "--descriptions", _part("planned_descriptions/gpt"),
                     "--requests", _part("plan_requests/gpt")],
         [_part("planned_aspects/gpt"), _part("planned_descriptions/gpt"),
          _part("plan_requests/gpt")], 0),
    Door("scenes", ["--shard", "0", "--aspects", _part("planned_aspects/gpt"), "--descriptions",
                    _part("planned_descriptions/gpt"), "--out", SCENES,
                    "--descriptions-out", _part("descriptions"),
                    "--designs-out", _part("designs"), "--entries-out", _part("entries")],
         [SCENES, _part("descriptions"), _part("designs"), _part("entries")], 1),
    Door("render", ["--shard", "0", "--scenes", SCENES, "--entries", _part("entries"),
                    "--images-out", IMAGES, "--verdicts-out",
                    VERDICTS[0], "--attempts-out", _part("attempts"),
                    "--descriptions", _part("descriptions"),
                    "--layouts-out", _part("layouts/clean"), "--requests-out",
                    _part("image_requests"), "--checks-out", _part("attempt_checks"),
                    "--check-requests-out", _part("attempt_requests")],
         [IMAGES, VERDICTS[0], _part("attempts"), _part("layouts/clean"),
          _part("image_requests"), _part("attempt_checks"), _part("attempt_requests")]),
    Door("examiner", ["--examiner", "gpt", "--scenes", SCENES, "--layouts", _part("layouts/clean"),
                      "--aspects", _part("planned_aspects/gpt"),
                      "--checks", _part("attempt_checks"),
                      "--proposals", _part("proposals/gpt"),
                      "--requests", _part("exam_requests/gpt")],
         [_part("proposals/gpt"), _part("exam_requests/gpt")], 1),
    Door("questions", ["--shard", "0", "--scenes", SCENES, "--layouts", _part("layouts/clean"),
                       "--checks", _part("attempt_checks"),
                       "--proposals", _part("proposals/gpt"), "--out", QUESTIONS,
                       "--truth-out", _part("truth"),
                       "--validation-out", _part("validation")],
         [QUESTIONS, _part("truth"), _part("validation")]),
    Door("check", ["--validator", "eye", "--scenes", SCENES, "--layouts", _part("layouts/clean"),
                   "--images", IMAGES, "--checks", _part("attempt_checks"),
                   "--answers", _part("check_answers/eye"),
                   "--requests", _part("check_requests/eye")],
         [_part("check_answers/eye"), _part("check_requests/eye")], 1),
    Door("filter", ["--filter", "integrity", "--images", IMAGES, "--scenes", SCENES, "--out",
                    VERDICTS[1]], [VERDICTS[1]], 3),
    *map(_scenario, NOISY),
    *map(_answer, PARAMS["scenarios"]["names"]),
    *map(_judge, PARAMS["scenarios"]["names"]),
    Door("examine", ["--scenes", SCENES, "--layouts", _part("layouts/clean"), "--truth",
                     _part("truth"), "--out", _part("judge_exam")], [_part("judge_exam")], 1),
    *map(_score, PARAMS["scenarios"]["names"]),
    Door("consensus", ["--scores", ALL_SCORES[0], "--questions", QUESTIONS, "--out", CONSENSUS],
         [CONSENSUS]),
    Door("audit", ["--scenes", SCENES, "--questions", QUESTIONS, "--verdicts", *VERDICTS,
                   "--consensus", CONSENSUS, "--out", f"{R}/vocabulary_audit.csv"],
         [f"{R}/vocabulary_audit.csv"]),
    Door("metrics", ["--scores", *ALL_SCORES, "--consensus", CONSENSUS, "--questions", QUESTIONS,
                     "--scenes", SCENES, "--out-parquet", f"{R}/metrics.parquet",
                     "--out-json", f"{R}/metrics.json", "--out-plots", f"{R}/plots",
                     "--out-agreement", f"{R}/agreement.parquet",
                     "--data", D, "--out-costs", f"{R}/costs.parquet"],
         [f"{R}/metrics.parquet", f"{R}/agreement.parquet", f"{R}/metrics.json", f"{R}/plots",
          f"{R}/costs.parquet"]),
    Door("comparisons", ["--scores", *ALL_SCORES, "--consensus", CONSENSUS, "--scenes", SCENES,
                         "--questions", QUESTIONS, "--out", f"{R}/comparisons.parquet"],
         [f"{R}/comparisons.parquet"], 1),
    Door("hallucination", ["--data", D, "--out", f"{R}/hallucination.parquet"],
         [f"{R}/hallucination.parquet"], 1, (f"{D}/questions",)),
    Door("dialogue", ["--data", D, "--out", f"{R}/dialogue.parquet"], [f"{R}/dialogue.parquet"]),
    Door("validity", ["--metrics", f"{R}/metrics.parquet", "--scores", *ALL_SCORES,
                      "--consensus", CONSENSUS, "--rendered", IMAGES,
                      "--correlations-out", f"{R}/validity/correlations.csv", "--rankings-out",
                      f"{R}/validity/rankings.csv"],
         [f"{R}/validity/correlations.csv", f"{R}/validity/rankings.csv"]),
    Door("distances", ["--data", D, "--distances-out", f"{R}/validity/distances.csv",
                       "--sets-out", f"{R}/validity/image_sets.csv"],
         [f"{R}/validity/distances.csv", f"{R}/validity/image_sets.csv"], 1,
         (f"{D}/images", f"{D}/verdicts", f"{D}/scenes")),
    Door("figures", ["--figures", *PARAMS["figures"]["names"], "--data", D, "--results", R,
                     "--published", str(ROOT / "data" / "published"), "--out", DRAWN],
         [DRAWN], 1),
    Door("figures_unpacked", ["--drawn", DRAWN, "--out",
                              *(f"{R}/figures/{name}"
                                for name in files_of(PARAMS["figures"]["names"]))],
         [f"{R}/figures"], 0),
    Door("exports", ["--export", "huggingface", "--data", D, "--out",
                     f"{R}/exports/huggingface"], [f"{R}/exports/huggingface"], 1,
         (f"{D}/scenes", f"{D}/questions", IMAGES, f"{D}/verdicts", f"{D}/consensus")),
    Door("exports_index", ["--manifests", f"{R}/exports/huggingface/manifest.json", "--out",
                           f"{R}/exports/index.json"], [f"{R}/exports/index.json"], 0),
    Door("report", ["--data", "data", "--results", "results", "--published",
                    str(ROOT / "data" / "published"), "--out", "results/report.html"],
         ["results/report.html"], 1),
    Door("hash", [f"{D}/images/clean", f"{D}/scenes"], [], 2),
]  # fmt: skip
