"""One model per section of params.yaml. Field descriptions become docs/configuration.md."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, field_validator, model_validator

from lvlmbench.config.base import Count, Name, Price, Section, each_once
from lvlmbench.config.cleaning import Audit, Consensus, Filter
from lvlmbench.config.reference import Reference
from lvlmbench.config.scenarios import Scenarios
from lvlmbench.config.subtasks import SUBTASKS


class Snapshot(Section):
    """What identifies a benchmark snapshot."""

    name: Name = Field("default", description="Name shown in the report and used for tags.")
    seed: int = Field(
        20261120,
        ge=0,
        lt=2**63,
        description="Root of every random choice. Another seed gives another, disjoint benchmark.",
    )


class TypeProportions(Section):
    """Shares of the three question types (Dysca, Table 2); they must add up to 1."""

    multiple_choice: float = Field(0.407, ge=0, le=1, description="Share of multiple choice.")
    true_false: float = Field(0.405, ge=0, le=1, description="Share of true-or-false.")
    free_form: float = Field(0.188, ge=0, le=1, description="Share of free-form captioning.")

    @model_validator(mode="after")
    def _adds_up(self) -> TypeProportions:
        total = self.multiple_choice + self.true_false + self.free_form
        if abs(total - 1) > 1e-6:
            raise ValueError(f"the shares add up to {total:g}, not to 1")
        return self


class Corpus(Section):
    """Metadata sampling, prompts and questions (Dysca, sections 3.1 to 3.3)."""

    vocabulary: str = Field(
        "data/vocabulary",
        description="Folder of the vocabulary lists, relative to the project's root.",
    )
    drawable_by: Name | None = Field(
        "pictograph",
        description="Sample (answers and distractors alike) only entries that this renderer can "
        "draw; a subtask of which it draws nothing is sampled whole and reported as not rendered. "
        "Null samples the whole vocabulary as a photographic renderer reads it.",
    )
    subtasks: tuple[str, ...] = Field(
        tuple(SUBTASKS), min_length=1, description="Subtasks to plan scenes for."
    )
    scenes_per_subtask: int = Field(
        20, ge=1, le=1_000_000, description="Scenes planned for each subtask."
    )
    scenes: dict[str, Count] = Field(
        default_factory=dict, description="Scenes of single subtasks, where they differ."
    )
    questions_per_scene: float = Field(
        3.34, gt=0, le=12, description="Mean number of questions a scene (Table 2: 156K on 46.7K)."
    )
    type_proportions: TypeProportions = Field(
        default_factory=lambda: TypeProportions(),  # type: ignore[call-arg]
        description="Shares of the question types.",
    )
    shard_scenes: int = Field(
        4000, ge=1, description="Scenes a corpus shard; changes no row, only how they are split."
    )

    @field_validator("vocabulary")
    @classmethod
    def _inside(cls, value: str) -> str:
        if not value or ".." in PurePosixPath(value).parts:
            raise ValueError("give a folder inside the project or an absolute path")
        return value

    @model_validator(mode="after")
    def _subtasks_known(self) -> Corpus:
        for name in (*self.subtasks, *self.scenes):
            if name not in SUBTASKS:
                raise ValueError(f"'{name}' is not a subtask; use some of: {', '.join(SUBTASKS)}")
        each_once("subtask", self.subtasks)
        return self

    def count(self, subtask: str) -> int:
        """Scenes planned for ``subtask``."""
        return self.scenes.get(subtask, self.scenes_per_subtask) if subtask in self.subtasks else 0

    @property
    def n_scenes(self) -> int:
        """Scenes planned in all."""
        return sum(self.count(s) for s in self.subtasks)


class Pictograph(Section):
    """The renderer that needs neither weights nor a GPU."""

    supersample: Literal[1, 2] = Field(
        1, description="Draw at this multiple of the size and scale down (2: smoother, slower)."
    )


class Diffusion(Section):
    """A text-to-image pipeline of diffusers."""

    model: str = Field(
        "stabilityai/stable-diffusion-xl-base-1.0",
        min_length=1,
        description="Hub id or local folder of the pipeline.",
    )
    revision: str | None = Field(None, description="Commit of the hub repository, to pin it.")
    steps: int = Field(30, ge=1, le=1000, description="Denoising steps.")
    guidance: float = Field(5.0, ge=0, le=50, description="Classifier-free guidance scale.")
    dtype: Literal["float16", "bfloat16", "float32"] = Field(
        "float16", description="Precision of the weights."
    )


class Render(Section):
    """From scenes to images."""

    renderer: Name = Field("pictograph", description="Which registered renderer draws.")
    size: int = Field(
        512,
        ge=64,
        le=4096,
        description="Side of the square images, in pixels.",
        json_schema_extra={"multipleOf": 8},
    )
    shard_images: int = Field(
        400, ge=1, description="Scenes an image shard; changes no row, only how they are split."
    )
    pictograph: Pictograph = Field(
        default_factory=lambda: Pictograph(),  # type: ignore[call-arg]
        description="Parameters of the renderer `pictograph`.",
    )
    diffusion: Diffusion = Field(
        default_factory=lambda: Diffusion(),  # type: ignore[call-arg]
        description="Parameters of the renderer `diffusion`.",
    )

    @field_validator("size")
    @classmethod
    def _multiple_of_8(cls, value: int) -> int:
        if value % 8:
            down = value - value % 8
            raise ValueError(f"{value} is not a multiple of 8; use {down} or {down + 8}")
        return value


def _label(value: object) -> object:
    """YAML takes some words for other things: ``no`` for false, ``1984`` for a number."""
    if value is None or isinstance(value, bool | int | float):
        raise ValueError("is no text to YAML; put the label in quotes")
    return value


class Vocabulary(Section):
    """What of the vocabulary a snapshot leaves out (Dysca, section 3.3, data clean, step 4)."""

    exclude: dict[str, tuple[Annotated[str, BeforeValidator(_label)], ...]] = Field(
        default_factory=dict,
        description="Labels by list, e.g. `animal: [owl]`: scenes that show one are not rendered. "
        "All other scenes and their questions stay as they are, wrong options included.",
    )

    @field_validator("exclude")
    @classmethod
    def _each_once(cls, value: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        for name, labels in value.items():
            each_once(f"label of {name}", labels)
        return value


class Sampling(Section):
    """Decoding parameters sent with each request."""

    temperature: float | None = Field(
        0.0, ge=0, le=2, description="Sampling temperature; null leaves it to the server."
    )
    max_tokens: int = Field(512, ge=1, description="Most tokens of an answer.")
    seed: int | None = Field(None, description="Seed sent to servers that take one.")


class Endpoint(Section):
    """Where and how an OpenAI-compatible server is asked."""

    base_url: str = Field(
        "https://api.openai.com/v1", pattern=r"^https?://", description="The server's base URL."
    )
    model: str = Field(min_length=1, description="Model id as the server knows it.")
    api_key_env: str | None = Field(
        "OPENAI_API_KEY",
        pattern=r"^[A-Za-z_][A-Za-z0-9_]*$",
        description="Environment variable that holds the key; null for a server without keys.",
    )
    sampling: Sampling = Field(
        default_factory=lambda: Sampling(),  # type: ignore[call-arg]
        description="Decoding parameters.",
    )
    image_detail: Literal["auto", "low", "high"] = Field(
        "auto", description="The API's image detail setting."
    )
    concurrency: int = Field(8, ge=1, le=512, description="Requests in flight at most.")
    timeout_s: float = Field(
        60.0, gt=0, allow_inf_nan=False, description="Seconds after which a request has failed."
    )
    retries: int = Field(4, ge=0, le=20, description="Retries of 408, 409, 429, 5xx, lost links.")
    price_per_million: tuple[Price, Price] | None = Field(
        None, description="US dollars for a million prompt and completion tokens, for the cost."
    )

    @field_validator("base_url")
    @classmethod
    def _without_secrets(cls, value: str) -> str:
        # Parameters are published with the results; a key in an address would be, too.
        try:
            parts = urlsplit(value)
        except ValueError:
            parts = urlsplit("")
        if not parts.hostname:
            raise ValueError("names no server")
        if parts.username is not None or parts.query or parts.fragment:
            raise ValueError("must hold no user, password or query; give a key by 'api_key_env'")
        return value


class Model(Section):
    """One model under test."""

    name: Name = Field(description="Name in tables, paths and the report; unique.")
    engine: Name = Field(description="Registered engine that answers, e.g. openai_chat, chance.")
    endpoint: Endpoint | None = Field(
        None, description="For openai_chat: the server to ask and how."
    )

    @model_validator(mode="after")
    def _endpoint_fits(self) -> Model:
        if self.engine == "openai_chat" and self.endpoint is None:
            raise ValueError("openai_chat needs 'endpoint' with at least base_url and model")
        local = self.engine == "chance" or self.engine.startswith("reference_")
        if local and self.endpoint is not None:
            raise ValueError(f"'endpoint' is of no use to the engine '{self.engine}'")
        return self


class Answer(Section):
    """Which models answer."""

    models: tuple[Model, ...] = Field(
        tuple(
            Model(name=name, engine=name, endpoint=None)
            for name in ("chance", "reference_a", "reference_b")
        ),
        min_length=1,
        description="Models under test. 'chance' is the floor that every table shows.",
    )

    @model_validator(mode="after")
    def _names_unique(self) -> Answer:
        names = [m.name for m in self.models]
        twice = sorted({n for n in names if names.count(n) > 1})
        if twice:
            raise ValueError(f"two models are called '{twice[0]}'; give each its own name")
        return self


class Score(Section):
    """From answers to scores (Dysca, section 3.4)."""

    caption_encoder: str = Field(
        "packaged:all-MiniLM-L6-v2",
        min_length=1,
        description="Sentence encoder that compares captions: the packaged one, or a hub id or "
        "local folder that sentence-transformers loads.",
    )
    batch_size: int = Field(64, ge=1, description="Captions encoded at once.")


class Report(Section):
    """The HTML report."""

    gallery_items: int = Field(60, ge=0, le=2000, description="Items shown in the gallery.")
    thumbnail_size: int = Field(256, ge=64, le=1024, description="Side of gallery images.")


class Params(Section):
    """params.yaml as a whole: one section a stage."""

    snapshot: Snapshot = Field(default_factory=lambda: Snapshot())  # type: ignore[call-arg]
    corpus: Corpus = Field(default_factory=lambda: Corpus())  # type: ignore[call-arg]
    render: Render = Field(default_factory=lambda: Render())  # type: ignore[call-arg]
    vocabulary: Vocabulary = Field(default_factory=lambda: Vocabulary())
    reference: Reference = Field(default_factory=lambda: Reference())  # type: ignore[call-arg]
    filter: Filter = Field(default_factory=lambda: Filter())  # type: ignore[call-arg]
    consensus: Consensus = Field(default_factory=lambda: Consensus())  # type: ignore[call-arg]
    audit: Audit = Field(default_factory=lambda: Audit())  # type: ignore[call-arg]
    scenarios: Scenarios = Field(default_factory=lambda: Scenarios())  # type: ignore[call-arg]
    answer: Answer = Field(default_factory=lambda: Answer())  # type: ignore[call-arg]
    score: Score = Field(default_factory=lambda: Score())  # type: ignore[call-arg]
    report: Report = Field(default_factory=lambda: Report())  # type: ignore[call-arg]
