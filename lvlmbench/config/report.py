"""Parameters of the stages ``figures`` and ``report``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from lvlmbench.config.section import Count, Name, Section, each_once


class Figures(Section):
    """Tables and figures below results/<suite>/figures."""

    names: Annotated[tuple[Name, ...], Field(min_length=1)] | Literal["all"] = Field(
        "all",
        description="Figures to draw, by name; the others are left out of "
        "results/<suite>/figures and of the report. docs/gallery.md shows them all.",
    )
    published: bool = Field(
        False,
        description="Show the published results of Dysca's 26 models beside one's own, marked as "
        "published. They were measured on other, photographic images.",
    )
    intra_task: Name = Field(
        "animal",
        description="Vocabulary list whose entries the figure `animal_clusters` compares: "
        "`animal`, `food`, `style`, or any other.",
    )
    intra_task_n: Count = Field(
        2,
        description="Fewest scored answers that an entry needs in that figure. Entries with fewer "
        "are counted and stand in its CSV file alone.",
    )

    beside: Name | None = Field(
        None,
        description="Suite of this run that figures of the others show beside theirs: `leakage` "
        "where both draw one plan anew, `word_map` where they plan with other settings.",
    )

    @field_validator("names")
    @classmethod
    def _each_once(cls, value: tuple[str, ...] | str) -> tuple[str, ...] | str:
        if not isinstance(value, str):
            each_once("figure", value)
        return value


class Report(Section):
    """The HTML report."""

    items: Annotated[int, Field(ge=0)] | Literal["all"] = Field(
        100,
        description="Scenes of each suite in the sample browser, spread over subtasks and styles.",
    )
    thumbnail_size: int = Field(
        256, ge=64, le=1024, description="Longest side of pictures in the report, in pixels."
    )
    megabytes: float = Field(
        20.0,
        gt=0,
        le=500,
        description="Size that the report is kept below, in equal parts for its suites: pictures "
        "that would not fit are made smaller, then scenes are left out, and the report says so.",
    )
    private: bool = Field(
        False,
        description="Whether report and figures show the pictures of suites of a user's own files: "
        "whoever gets the report gets them, too.",
    )
    full: bool = Field(
        False,
        description="Also write every scene with its pictures in full size into "
        "results/<suite>/report_items, which the report opens when it lies beside it.",
    )
    timings: Literal["beside", "inside"] = Field(
        "beside",
        description="Where time and memory of each stage stand: in results/run.html, or in the "
        "report itself, which then differs from run to run.",
    )
