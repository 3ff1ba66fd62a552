"""The stage declares every parameter that decides a figure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config.section import Section
from lvlmbench.stages.figures.figure import FIGURES, NotApplicable, Sources
from lvlmbench.stages.figures.stage import STAGE
from support import figure_pages, report_pages


@pytest.mark.long
def test_no_figure_reads_a_parameter_that_is_not_declared(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder: Path = tmp_path_factory.mktemp("validity")
    report_pages.write_beside(folder)
    given = figure_pages.sources(figure_pages.noisy(tmp_path_factory))
    p = given.snapshot.params
    figures = p.figures.model_copy(update={"published": True})
    params = p.model_copy(update={"figures": figures})
    sections = {
        id(each): name
        for name in type(params).model_fields
        if isinstance(each := getattr(params, name), Section)
    }
    read: set[str] = set()
    usual = Section.__getattribute__

    def watched(self: Section, name: str) -> Any:
        if id(self) in sections and name in type(self).model_fields:
            read.add(f"{sections[id(self)]}.{name}")
        return usual(self, name)

    monkeypatch.setattr(Section, "__getattribute__", watched)
    snapshot = replace(given.snapshot, params=params)
    sources = Sources(snapshot, folder / "results/dysca/validity", figure_pages.PUBLISHED)
    for kind in FIGURES.ordered():
        try:
            figure_pages.draw(kind.name, sources)
        except NotApplicable:
            continue
    declared = {name.removeprefix("suite.") for name in STAGE.params}
    lacking = {n for n in read if n not in declared and n.partition(".")[0] not in declared}
    assert "figures.published" in read and lacking == set()
