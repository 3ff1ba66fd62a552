"""Settings of associations: what they are counted from, and what they select."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from lvlmbench.config.section import Section, inside, once

Statistic = Literal["frequency", "max", "avg", "max_avg", "avg_min", "max_min"]


class Associating(Section):
    """What is expected with what: annotations, and what is selected by them (VALOR-Eval, 3.1)."""

    source: Annotated[str, AfterValidator(inside)] = Field(
        "data/association",
        description="Folder of CSV files, or a file: instances of COCO or scene graphs of GQA as "
        "JSON, or CSV. docs/valor.md tells of the forms.",
    )
    support: int = Field(
        20, ge=1, description="Objects in fewer images have no associations that count."
    )
    statistics: Annotated[tuple[Statistic, ...], AfterValidator(once("statistic"))] = Field(
        ("frequency", "max", "avg", "max_avg", "avg_min", "max_min"),
        min_length=1,
        description="Statistics that choose the anchors of triplets, in turn.",
    )
    anchors: int = Field(
        20, ge=1, description="Of so many objects with the largest value one is the anchor."
    )
    features: int = Field(
        5,
        ge=1,
        description="How many features of an object are its most associated, and its least.",
    )
    rare: Literal["seen", "all"] = Field(
        "seen",
        description="Whether the least associated features are among those that an object is "
        "`seen` with, or among `all`.",
    )
    expected: Literal["of_each", "all"] = Field(
        "of_each",
        description="Whether a triplet is without the most associated features `of_each` anchor, "
        "or without those of `all` anchors, as equation 5 reads.",
    )
