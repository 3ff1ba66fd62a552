"""What is known of one attempt, in memory, in a checkpoint and as a row of the attempts table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core import seeding
from lvlmbench.stages.render.layout import Instance
from lvlmbench.stages.render.renderer import Making, Scene

KEPT, REJECTED, REFUSED, FAILED = "kept", "rejected", "refused", "failed"


@dataclass(frozen=True)
class Rejection:
    """What the first filter that rejected an image said."""

    filter: str
    reason: str | None
    score: float | None
    threshold: float | None


def rows_of(scene: Scene, layout: Sequence[Instance] | None) -> list[dict[str, Any]] | None:
    """Return a layout as rows of :data:`lvlmbench.tables.layouts.LAYOUTS`; None without one."""
    if layout is None:
        return None
    image_id = seeding.item_id(scene["scene_id"], CLEAN)
    return [one.row(image_id, scene["scene_id"], number) for number, one in enumerate(layout)]


@dataclass(frozen=True)
class Record:
    """One attempt at a scene.

    Attributes
    ----------
    renderer, version, provenance
        What drew it; the last one as JSON.
    making, sha256
        How the image came about, and the hash of its PNG; None where there is none.
    rejection
        None where no filter rejected the image.
    layout
        What the image shows where; None where that was not measured.
    refusal
        Why the renderer would not draw the scene; None where it tried.
    failure
        What failed while the renderer drew; None where there is an image.
    prompt
        What the scene's prompt was changed to; None where it is unchanged.
    request
        What a server was asked, and what came of it; None where none was asked.
    """

    number: int
    seed: int
    renderer: str
    version: str
    provenance: str | None = None
    making: Making | None = None
    sha256: str | None = None
    rejection: Rejection | None = None
    layout: tuple[Instance, ...] | None = None
    refusal: str | None = None
    failure: str | None = None
    prompt: str | None = None
    request: Mapping[str, Any] | None = None

    @property
    def outcome(self) -> str:
        """``kept``, ``rejected``, ``refused`` or ``failed``."""
        if self.refusal is not None:
            return REFUSED
        if self.failure is not None:
            return FAILED
        return KEPT if self.rejection is None else REJECTED

    @property
    def may_be_tried(self) -> bool:
        """Whether another attempt may help: not where a server refuses the prompt by its policy."""
        refused = (self.request or {}).get("status") == REFUSED
        return self.outcome in (REJECTED, FAILED) and not refused

    @property
    def drew(self) -> bool:
        """Whether there is an image."""
        return self.outcome in (KEPT, REJECTED)

    @property
    def reason(self) -> str | None:
        """Why there is no image, or why it was rejected; None where it was kept."""
        return self.rejection.reason if self.rejection else self.refusal or self.failure

    def layout_rows(self, scene: Scene) -> list[dict[str, Any]]:
        """Return the rows of :data:`lvlmbench.tables.layouts.LAYOUTS`."""
        return rows_of(scene, self.layout) or []

    def request_rows(self, scene: Scene) -> list[dict[str, Any]]:
        """Return the row of :data:`lvlmbench.tables.IMAGE_REQUESTS`, if there is one."""
        if self.request is None:
            return []
        image_id = seeding.item_id(scene["scene_id"], CLEAN)
        own = {"image_id": image_id, "scene_id": scene["scene_id"], "attempt": self.number}
        return [{**own, "renderer": self.renderer, **self.request}]

    def row(self, scene: Scene) -> dict[str, Any]:
        """Row of :data:`lvlmbench.tables.ATTEMPTS`."""
        making, rejection = self.making, self.rejection
        return {
            "image_id": seeding.item_id(scene["scene_id"], CLEAN),
            "scene_id": scene["scene_id"],
            "subtask": scene["subtask"],
            "attempt": self.number,
            "seed": self.seed,
            "renderer": self.renderer,
            "renderer_version": self.version,
            "outcome": self.outcome,
            "filter": rejection and rejection.filter,
            "reason": self.reason,
            "score": rejection and rejection.score,
            "threshold": rejection and rejection.threshold,
            "method": making and making.method,
            "prompt_tokens": making and making.prompt_tokens,
            "prompt_chunks": making and making.prompt_chunks,
            "prompt_tokens_cut": making and making.prompt_tokens_cut,
            "exact": making and making.exact,
            "batch": making and making.batch,
            "prompt": self.prompt,
            "provenance": self.provenance,
        }
