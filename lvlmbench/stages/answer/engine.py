"""What a model under test is: it is shown items and gives replies.

To add one, write a module in this package (or an outside package with an entry point in the
group ``lvlmbench.models``) that registers an engine::

    @MODELS.register("my_engine")
    def make(params: Params, model: ModelParams, weights: Weights) -> Model: ...

An engine sees items only: the prompt, the options and the image, never the right answer. Where the
question is a program over what a picture shows, an engine may read that, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeAlias

from lvlmbench.config import Params
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core import blame
from lvlmbench.core.registry import Kind, Kinds
from lvlmbench.core.seeding import request_hash as request_hash  # engines hash their requests
from lvlmbench.stages.answer.dialogue import Panel, Turn
from lvlmbench.stages.replies.data import finish_meaning

Status: TypeAlias = Literal["answered", "refused", "truncated", "error", "timeout"]

#: Why an answer ended that reached the limit of tokens.
CUT_OFF = "length"

#: Meaning of a finish reason -> status of the reply.
_STATUS_OF: Mapping[str, Status] = {
    "length": "truncated", "filtered": "refused", "failed": "error",
}  # fmt: skip

#: What an engine of ours says that sees nothing of what is asked, and is offered no options.
SILENT = "I cannot tell."

#: Replies with these statuses are kept for good; the others are asked again in the next run.
FINAL_STATUSES: frozenset[str] = frozenset({"answered", "refused", "truncated"})

#: How a reply was held to its schema: by the server, by the server to JSON alone, by the prompt.
Structured: TypeAlias = Literal["json_schema", "json_object", "text"]


class Picture(NamedTuple):
    """An encoded image file (PNG, JPEG or WebP) and the SHA-256 of its bytes."""

    file: bytes
    sha256: str


class Schema(NamedTuple):
    """What a reply must look like: a name, and a JSON schema as text."""

    name: str
    text: str


@dataclass(frozen=True)
class Item:
    """One question as a model sees it.

    ``prompt`` is the full text to send (question, lettered options, instruction), ``image`` the
    encoded image file (PNG, JPEG or WebP), None where the question is asked without its image.
    ``program`` says what the question means (:mod:`lvlmbench.scene.programs`), never its answer;
    None where it is no program. No server is sent it; an engine that reads it says so.

    Attributes
    ----------
    further
        Images that are shown after ``image``, by engines that say that they take ``several``.
    schema
        What the reply must look like. The prompt says it, too: an engine need not know of it.
    attempt
        0 for the first time that this is asked. Another attempt may have another reply.
    turns
        What was said before. An engine that knows of no dialogue is asked the prompt alone.
    panels
        The pictures that ``image`` is put together of; none where it is one picture. An engine that
        takes several images may show these in its place.
    """

    question_id: str
    scene_id: str
    subtask: str
    question_type: str
    question: str
    options: tuple[str, ...]
    prompt: str
    image: bytes | None = field(repr=False)  # a log line must not hold a picture
    image_id: str | None
    image_sha256: str | None
    program: str | None = None
    further: tuple[Picture, ...] = field(default=(), repr=False)
    schema: Schema | None = None
    attempt: int = 0
    turns: tuple[Turn, ...] = ()
    panels: tuple[Panel, ...] = ()

    @property
    def key(self) -> tuple[str, str | None]:
        """What tells it apart within a scenario: the question and the image."""
        return self.question_id, self.image_id


@dataclass(frozen=True)
class Reply:
    """What came back for one item, and what it cost.

    ``text`` is what the model said (may be empty), ``error`` says what failed where ``status``
    is ``error`` or ``timeout``. Times in seconds, None where they mean nothing. An answer whose
    ``finish_reason`` means that it was cut off, filtered or broken off (``data/replies``) is
    ``truncated``, ``refused`` or an ``error``, whatever it was made with.

    Attributes
    ----------
    reasoning
        What it thought aloud in front of its answer; no part of ``text``.
    logprobs
        Log-probability of each option's letter as the first token, None for letters that the
        server did not report; None as a whole where it was not asked for.
    served_model
        Model that the server says has answered.
    structured
        How it was held to the item's schema; None where that has none, or the engine knows of none.
    rejected
        The server says that the request itself is wrong, whatever the question: where it has
        answered none like it, it will answer none. Not stored.
    """

    text: str
    status: Status
    finish_reason: str | None = None
    error: str | None = None
    latency_s: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    attempts: int = 1
    logprobs: tuple[float | None, ...] | None = None
    served_model: str | None = None
    reasoning: str | None = None
    rejected: bool = False
    structured: Structured | None = None

    def __post_init__(self) -> None:
        if self.status != "answered" or self.finish_reason is None:
            return
        status = _STATUS_OF.get(finish_meaning(self.finish_reason) or "")
        if status is not None:
            object.__setattr__(self, "status", status)
        if status == "error" and self.error is None:
            why = f"the reply ended with the finish reason '{self.finish_reason}'"
            object.__setattr__(self, "error", why)


class Model(Protocol):
    """A model under test.

    ``cached`` says whether replies are worth keeping: the same request is then never sent twice,
    in this run or a later one. ``parameters`` are what beside prompt and image decides the reply
    (the model's id, decoding parameters), plain values that are stored as JSON with each answer.
    An engine may have an attribute ``again``: the same model with more room for its answer, which
    is asked where that was cut off, or None; and ``several``: whether it shows an item's further
    images, too; and ``served``: whether a server answers, so that silence may mean that it is gone.
    """

    cached: bool

    @property
    def parameters(self) -> Mapping[str, object]: ...

    def request_sha256(self, item: Item) -> str:
        """Identity of the request: equal for equal requests, different once anything that can
        change the reply differs (model, decoding parameters, prompt, image bytes)."""
        ...

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        """Reply to each item once, in any order, each as soon as it is there.

        Raises
        ------
        UserError
            Nothing can be asked: a key is missing, the endpoint refuses, the model is unknown.
        """
        ...


#: Name of a reference model -> the folder that holds it. For an engine that knows a suite also the
#: folders of that suite's tables: ``questions``, and ``clean`` for the pictures as they were made.
Weights: TypeAlias = Mapping[str, Path]

Engine: TypeAlias = Callable[[Params, ModelParams, Weights], Model]


@dataclass(frozen=True, kw_only=True)
class EngineKind(Kind):
    """A registered engine; :data:`Engine` is what makes it. Each attribute takes a model's item.

    Attributes
    ----------
    guesses
        Whether it answers without looking: the floor of every table.
    reads
        Folders of the project that its jobs read, and those of other engines do not.
    weights
        The reference model that it runs, by name; None for another model.
    runs
        Hub id or folder of the weights that it runs on this machine.
    called
        What the model that answers is called where it is served or kept.
    key_of
        Environment variable that holds the key of its server.
    server
        Address of its server.
    served
        Whether a server answers, for which a run waits.
    priced
        Whether it is known what an answer costs.
    knows
        Suite whose questions, pictures and right answers it knows; jobs are given these tables.
    limit
        Place of the section with ``max_tokens_if_cut``, e.g. ``endpoint.sampling``.
    """

    guesses: bool = False
    reads: tuple[str, ...] = ()
    weights: Callable[[ModelParams], str | None] | None = None
    runs: Callable[[ModelParams], str | None] | None = None
    called: Callable[[ModelParams], str | None] | None = None
    key_of: Callable[[ModelParams], str | None] | None = None
    server: Callable[[ModelParams], str | None] | None = None
    served: bool = False
    priced: Callable[[ModelParams], bool] | None = None
    knows: Callable[[ModelParams], str | None] | None = None
    limit: str = ""


def check_made(model: Model, kind: EngineKind) -> None:
    """Check that what the function of an engine has made can be asked.

    Raises
    ------
    UserError
        It lacks something that every model has.
    """
    names = ("cached", "parameters", "request_sha256", "answer")
    of, example = f"engine '{kind.name}'", "docs/models.md"
    blame.check_made(model, of, *names, example=example, maker=kind.make)


MODELS: Kinds[EngineKind] = Kinds("models", "lvlmbench.stages.answer.kinds", EngineKind)


#: Tokens of an image, and characters of a token, until replies tell what requests take.
IMAGE_TOKENS, CHARACTERS_A_TOKEN = 1000, 3


def usual_tokens(item: Item, apart: bool = False) -> float:
    """Return the tokens that an item takes without its answer, as far as one can tell before.

    ``apart``: its panels are shown as images of their own.
    """
    first = len(item.panels) or 1 if apart else 1
    images = first * (item.image is not None) + len(item.further)
    said = len(item.prompt) + sum(len(text) for turn in item.turns for text in turn)
    return IMAGE_TOKENS * images + said / CHARACTERS_A_TOKEN


def hash_parts(item: Item, apart: bool = False) -> list[object]:
    """Return what of an item's dialogue and images goes into its request hash beside its prompt
    and its first image.

    What most items have none of is no part of their hashes: they stay what they were.

    Parameters
    ----------
    apart
        Whether panels are shown as images of their own. They follow from the image and the boxes.
    """
    parts: list[object] = []
    if item.further:
        parts += ["images", *(picture.sha256 for picture in item.further)]
    if item.turns:
        parts += ["turns", len(item.turns), *(text for turn in item.turns for text in turn)]
    if apart and item.panels and item.image_sha256 is not None:
        parts += ["panels", *(side for panel in item.panels for side in panel)]
    return parts
