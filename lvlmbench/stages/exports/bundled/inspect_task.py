"""Tasks for inspect_ai: a task for each form of question, on any scenario of this folder.

inspect eval lvlmbench_task.py@lvlmbench_multiple_choice --model PROVIDER/MODEL -T scenario=clean

By default models are sent the prompt that every model of the snapshot was sent, and answers are
read by the rules in reading.py; one from which no choice can be read is unscored, neither right nor
wrong. `-T wording=inspect` asks with inspect_ai's own solver `multiple_choice` and scores with its
`choice`, in whose accuracy such answers count as wrong.
"""

import importlib.util
from pathlib import Path
from types import ModuleType

from inspect_ai import Task, task
from inspect_ai.dataset import Dataset, MemoryDataset, Sample, json_dataset
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, GenerateConfig
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    accuracy,
    choice,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState, generate, multiple_choice

HERE = Path(__file__).resolve().parent


def _sibling(name: str) -> ModuleType:
    """A file of this folder."""
    path = HERE / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"lvlmbench_{name}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be read")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reading = _sibling("reading")

#: How inspect_ai calls what keeps an answer from being scored.
_REASONS = {
    reading.REFUSAL: "refusal",
    reading.UNREAD: "invalid_response_format",
    reading.EMPTY: "no_response",
}


def _dataset(scenario: str, question_type: str, kept: bool) -> Dataset:
    """Samples of a scenario; empty: clean, or else the first by name. With ``kept`` only those that
    the models' consensus keeps."""
    known = sorted(path.stem for path in HERE.glob("*.jsonl"))
    scenario = scenario or ("clean" if "clean" in known else known[0])
    if scenario not in known:
        raise ValueError(f"no scenario '{scenario}' here; use one of: {', '.join(known)}")
    path = HERE / f"{scenario}.jsonl"

    def wanted(sample: Sample) -> bool:
        about = sample.metadata or {}
        return about["question_type"] == question_type and (about["kept"] or not kept)

    return json_dataset(str(path), name=f"lvlmbench_{scenario}").filter(wanted)


def _asked_plainly(samples: Dataset) -> Dataset:
    """The samples with the question alone, to which inspect_ai's solver adds options and rules."""

    def plain(sample: Sample) -> Sample:
        if isinstance(sample.input, str) or isinstance(sample.input[-1].content, str):
            raise ValueError(f"sample {sample.id} has no image")
        *before, message = sample.input
        images = [part for part in message.content if isinstance(part, ContentImage)]
        text = ContentText(text=(sample.metadata or {})["question"])
        asked = ChatMessageUser(content=[*images, text])
        return sample.model_copy(update={"input": [*before, asked]})

    return MemoryDataset([plain(sample) for sample in samples], name=samples.name)


@scorer(metrics=[accuracy(), stderr(cluster="scene_id")])
def letter() -> Scorer:
    """The option that the answer chooses, by reading.py; unscored where it chooses none."""

    async def score(state: TaskState, target: Target) -> Score:
        said = state.output.completion
        options = [option.value for option in state.choices]
        index, why = reading.read_choice(said, options)
        if index is None:
            return Score.unscored(reason=_REASONS[why], explanation=said)
        chosen = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[index]
        return Score(value=chosen == target.text, answer=chosen, explanation=said)

    return score


@metric
def similarity() -> Metric:
    """Mean similarity to the references: not a number, since none is computed here."""

    def value(scores: list[SampleScore]) -> float:
        return float("nan")

    return value


@scorer(metrics=[similarity()])
def description() -> Scorer:
    """Keeps the description, unscored: `lvlmbench score` compares it with the reference."""

    async def score(state: TaskState, target: Target) -> Score:
        said = state.output.completion
        why = "similarity_not_computed" if said.strip() else "no_response"
        return Score.unscored(reason=why, answer=said)

    return score


def _closed(question_type: str, scenario: str, kept: bool, wording: str) -> Task:
    samples = _dataset(scenario, question_type, kept)
    config = GenerateConfig(temperature=0, max_tokens=512)
    if wording == "inspect":
        return Task(
            dataset=_asked_plainly(samples),
            solver=multiple_choice(),
            scorer=choice(),
            config=config,
        )
    if wording != "lvlmbench":
        raise ValueError(f"no wording '{wording}'; use lvlmbench or inspect")
    return Task(dataset=samples, solver=generate(), scorer=letter(), config=config)


@task
def lvlmbench_multiple_choice(
    scenario: str = "", kept: bool = False, wording: str = "lvlmbench"
) -> Task:
    """Questions with two to four options."""
    return _closed("multiple_choice", scenario, kept, wording)


@task
def lvlmbench_true_false(
    scenario: str = "", kept: bool = False, wording: str = "lvlmbench"
) -> Task:
    """Statements that are true or false of the image."""
    return _closed("true_false", scenario, kept, wording)


@scorer(metrics=[accuracy(), stderr(cluster="scene_id")])
def short() -> Scorer:
    """Whether a short answer is right, by reading.py; unscored where none can be read."""

    async def score(state: TaskState, target: Target) -> Score:
        said = state.output.completion
        correct, why = reading.read_short(said, list(target))
        if correct is None:
            return Score.unscored(reason=_REASONS[why], explanation=said)
        return Score(value=correct, answer=said, explanation=said)

    return score


@task
def lvlmbench_short_answer(scenario: str = "", kept: bool = False) -> Task:
    """Questions for one number or one word."""
    return Task(
        dataset=_dataset(scenario, "short_answer", kept),
        solver=generate(),
        scorer=short(),
        config=GenerateConfig(temperature=0, max_tokens=512),
    )


@task
def lvlmbench_free_form(scenario: str = "", kept: bool = False) -> Task:
    """Descriptions of the image; they are asked for and kept, and not scored here."""
    return _described(scenario, "free_form", kept)


@task
def lvlmbench_structured(scenario: str = "", kept: bool = False) -> Task:
    """Descriptions of the image as JSON; they are asked for and kept, and not scored here."""
    return _described(scenario, "structured", kept)


def _described(scenario: str, question_type: str, kept: bool) -> Task:
    return Task(
        dataset=_dataset(scenario, question_type, kept),
        solver=generate(),
        scorer=description(),
        config=GenerateConfig(temperature=0, max_tokens=512),
    )
