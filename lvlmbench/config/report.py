"""Parameters of the stages ``figures`` and ``report``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lvlmbench.config.base import Section


class Figures(Section):
    """Tables and figures below results/figures."""

    published: bool = Field(
        False,
        description="Show the published results of Dysca's 26 models beside one's own, marked as "
        "published. They were measured on other, photographic images.",
    )


class Report(Section):
    """The HTML report."""

    items: int | Literal["all"] = Field(
        "all", description="Scenes in the sample browser, spread over subtasks and styles."
    )
    thumbnail_size: int = Field(
        256, ge=64, le=1024, description="Longest side of pictures in the report, in pixels."
    )
    megabytes: float = Field(
        22.0,
        gt=0,
        le=500,
        description="Size that the report is kept below: pictures that would "
        "not fit are made smaller, then scenes are left out, and the report says so.",
    )
    full: bool = Field(
        False,
        description="Also write every scene with its pictures in full size into "
        "results/report_items, which the report opens when it lies beside it.",
    )
    timings: Literal["beside", "inside"] = Field(
        "beside",
        description="Where time and memory of each stage stand: in results/run.html, or in the "
        "report itself, which then differs from run to run.",
    )
