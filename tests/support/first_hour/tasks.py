"""The tasks of the first hour, and what each of them may run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import yaml

from e2e.clone import ROOT, Clone
from lvlmbench.config.layers import merge
from support.documents.reading import example
from support.first_hour.recording import Task, nothing

REPORT = "snakemake --quiet all --cores 2 results/report.html"
PLAN = "snakemake -n --cores 2 results/report.html"

CHANCE = {"name": "chance", "engine": "chance"}
SEES = {"name": "reference_a", "engine": "reference_a"}

#: What tells of all models and scenarios together, in seconds.
SUMS = ("consensus", "audit", "metrics", "comparisons", "hallucination", "dialogue", "validity",
        "distances", "figure", "export", "exports_index", "report")  # fmt: skip
#: What is done to each answer.
ANSWERS = ("answer", "judge", "score")


def allow(*rules: str, **named: str) -> Mapping[str, str]:
    """Rules whose jobs may work: all of them, or those whose names match."""
    return {**dict.fromkeys(rules, ""), **named}


def base(clone: Clone) -> None:
    """Write the parameters of profiles/small.yaml, with shards as a large snapshot has them."""
    whole, small = (
        yaml.safe_load((ROOT / name).read_text()) for name in ("params.yaml", "profiles/small.yaml")
    )
    (clone.path / "params.yaml").write_text(yaml.safe_dump(merge(whole, small), sort_keys=False))
    clone.leave_out("autodavis", "valor", "touchstone")  # which are null
    clone.set("corpus", shard_scenes=7)
    clone.set("render", shard_images=6)


def changed(section: str, **values: Any) -> Callable[[Clone], None]:
    """An edit of params.yaml."""
    return lambda clone: clone.set(section, **values)


def _module(path: str, title: str, **parameters: dict[str, Any]) -> Callable[[Clone], None]:
    """A file with an example of docs/extending.md, and the parameters that name it."""

    def prepare(clone: Clone) -> None:
        file = clone.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(example(title))
        for section, values in parameters.items():
            clone.set(section, **values)

    return prepare


def _label(clone: Clone) -> None:
    with (clone.path / "data/vocabulary/animal.yaml").open("a") as file:
        file.write(example("A word: another animal, another landmark", "yaml"))


def _subtask(clone: Clone) -> None:
    files = {
        "lvlmbench/suites/dysca/subtasks/vehicle.py": example("A subtask"),
        "data/templates/default/vehicle.yaml": example("A subtask", "yaml"),
        "data/vocabulary/vehicle.yaml": example("A subtask", "yaml", 1),
    }
    for name, text in files.items():
        (clone.path / name).write_text(text)
    clone.set("corpus", subtasks=["animal", "color", "food", "vehicle"])


def _suite(clone: Clone) -> None:
    folder = clone.path / "lvlmbench/suites/sights"
    folder.mkdir()
    (folder / "__init__.py").write_text(example("A suite"))
    file = clone.path / "params.yaml"
    params = yaml.safe_load(file.read_text())
    params["suites"] |= yaml.safe_load(example("A suite", "yaml"))["suites"]
    params["suites"]["tour"]["corpus"]["scenes_per_subtask"] = 4
    file.write_text(yaml.safe_dump(params, sort_keys=False))


def _wording(clone: Clone) -> None:
    file = clone.path / "data/templates/default/instructions.yaml"
    text = file.read_text()
    assert "Give no reasoning." in text
    file.write_text(text.replace("Give no reasoning.", "Do not explain."))


def _polly(clone: Clone) -> None:
    polly = {"name": "polly", "engine": "parrot", "parrot": {"says": "(B)"}}
    (clone.path / "lvlmbench/stages/answer/kinds/parrot.py").write_text(example("A model"))
    clone.set("answer", models=[CHANCE, SEES, polly])


def _committed(clone: Clone) -> None:
    clone.run("dvc", "commit", "-f")
    clone.commit("the first snapshot")


NEGATIVE = {"name": "negative", "kind": "corruption", "corruption": {"kinds": ["negative"]}}
DYSCA = "-dysca(-|$)"
SCENARIOS = [{"name": "corruption"}, {"name": "blind"}]
#: Everything of a suite, and what tells of all suites.
ALL_OF = ("scenes", "render", "questions", "filter", "scenario", "examine", *ANSWERS, *SUMS)
#: Rules as the pipeline has them.
ORDER = ("reference_scenes", "reference", *ALL_OF)
ONE_SUITE = dict.fromkeys(ALL_OF, DYSCA) | {"exports_index": "", "report": ""}
#: Everything of a new suite, and the page that tells of all.
NEW_SUITE = dict.fromkeys(ALL_OF, "-tour(-|$)") | {"report": ""}

TASKS = (
    Task(
        name="nothing changed",
        typed=(PLAN, REPORT),
        allowed={},
        why="all is up to date",
    ),
    Task(
        name="another model",
        typed=(PLAN, REPORT),
        allowed=allow(*SUMS, answer="-second-", judge="-second-", score="-second-"),
        why="that model is asked; then what compares models",
        prepare=changed("answer", models=[CHANCE, SEES, {"name": "second", "engine": "chance"}]),
    ),
    Task(
        name="Ctrl-C, then the same command",
        typed=(REPORT, REPORT),
        allowed=allow(*ONE_SUITE, **dict.fromkeys(ALL_OF, "")),
        why="only what was not finished",
        prepare=changed("snapshot", seed=9),
        interrupt="scenario",
    ),
    Task(
        name="another seed",
        typed=(PLAN, REPORT),
        allowed=allow(*ALL_OF),
        why="all scenes are new; reference models have a seed of their own",
        prepare=changed("snapshot", seed=8),
    ),
    Task(
        name="two subtasks only",
        typed=(PLAN, REPORT),
        allowed=ONE_SUITE,
        why="the suite's corpus is another; other suites stay",
        prepare=changed("corpus", subtasks=["animal", "color"]),
    ),
    Task(
        name="a new label",
        typed=(PLAN, REPORT),
        # These two models and this judge know the vocabulary; on these scenes the label falls not.
        allowed=allow("scenes", "questions", "examine", "answer", "judge",
                      "hallucination", "figure", filter="-clip-"),
        why="what looks words up itself; behind it what the label falls on, here nothing",
        prepare=_label,
    ),
    Task(
        name="a new corruption",
        typed=(PLAN, REPORT),
        allowed=ONE_SUITE | {"scenario": "corruption|negative", "answer": "-negative-",
                             "judge": "-negative$", "score": "-negative$", "scenes": "^$",
                             "render": "^$", "questions": "^$", "filter": "^$",
                             "examine": "^$"},
        why="the scenario with it; what shows corruptions draws again, to the same bytes",
        prepare=_module(
            "lvlmbench/stages/scenario/kinds/corruption/kinds/negative.py", "A corruption",
            scenarios={"names": ["clean", "corruption", "blind", "negative"],
                       "noisy": [*SCENARIOS, NEGATIVE]},
        ),
    ),
    Task(
        name="a new engine",
        typed=(PLAN, REPORT),
        # What the consensus of all models drops may change; exports tell that.
        allowed=allow(*(each for each in SUMS if "export" not in each),
                      export=DYSCA, exports_index=DYSCA,
                      answer="-polly-", judge="-polly-", score="-polly-"),
        why="that model is asked; then what compares models",
        prepare=_polly,
    ),
    Task(
        name="a new subtask",
        typed=(PLAN, REPORT),
        allowed=allow(*ALL_OF),
        why="its suite has scenes more; all suites read the vocabulary, which has a list more, and "
        "make the same bytes again",
        prepare=_subtask,
    ),
    Task(
        name="a new suite",
        typed=(PLAN, REPORT),
        allowed=NEW_SUITE,
        why="that suite, and the page that tells of all",
        prepare=_suite,
    ),
    Task(
        name="another filter threshold",
        typed=(PLAN, REPORT),
        allowed=allow("scenario", "questions", *ANSWERS, *SUMS, filter="-clip-"),
        why="that filter; behind it what it keeps now and did not before",
        prepare=changed("filter", filters=[
            {"name": "integrity"},
            {"name": "clip", "clip": {"engine": "reference_a", "threshold": -0.9}},
        ]),
    ),
    Task(
        name="a changed prompt",
        typed=(PLAN, REPORT),
        allowed=allow(*ANSWERS, *SUMS, "scenes", "questions"),
        why="what puts words, to the same bytes where none changed; then the answers; no image",
        prepare=_wording,
    ),
    Task(
        name="a changed judge",
        typed=(PLAN, REPORT),
        allowed=allow("judge", "examine", *SUMS, "score"),
        why="judgements and what counts them; no model is asked",
        prepare=changed("judge", judges=[{"name": "strict", "engine": "lexical"}]),
    ),
    Task(
        name="figures alone",
        typed=("snakemake --quiet all --cores 2 data/seals/figures/dysca.json",),
        allowed=allow(figure=DYSCA),
        why="the figures that were not there",
        prepare=changed("figures", names=["funnel", "subtask_scores", "style_heatmap"]),
    ),
    Task(
        name="one number",
        typed=("lvlmbench scores --suite dysca --model chance --scenario clean --metric accuracy",),
        allowed={},
        why="it is read",
    ),
    Task(
        name="`dvc repro`",
        typed=("dvc repro -q && dvc status",),
        allowed={},
        why="all is up to date",
        prepare=_committed,
    ),
    Task(
        name="`dvc metrics diff --all`",
        typed=("dvc metrics diff --all",),  # without it nothing is said where nothing differs
        allowed={},
        why="two commits are compared",
        prepare=_committed,
    ),
    Task(
        name="`dvc exp run` with another seed",
        typed=("dvc exp run -S snapshot.seed=8",),
        allowed=allow(*ALL_OF),
        why="as another seed",
        prepare=_committed,
    ),
    Task(
        name="pin, clone, pull, verify",
        typed=(
            "dvc remote add --default storage ../storage",
            "git commit -qam 'a place for the data'",
            "lvlmbench snapshot v1",
            "git clone -q . ../second && cd ../second && git checkout -q v1 && dvc pull -q",
            "lvlmbench verify v1",
        ),
        allowed={},
        why="bytes travel; verifying makes again in a folder of its own",
        prepare=_committed,
    ),
)  # fmt: skip

__all__ = ["TASKS", "base", "nothing"]
