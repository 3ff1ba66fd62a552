"""How ``make test`` shares the tests out between its workers."""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

#: Their tests start Snakemake, which takes both cores, and kill it: one after the other.
E2E = "tests/e2e/"

#: Their tests share a report that takes long to make: in one process, one after the other.
REPORT = "tests/stages/report/"

#: Their tests start Snakemake, too; a file each, once all else is taken.
LAST = "tests/faults/"


class WholeFiles(LoadScopeScheduling):  # type: ignore[misc]
    """A worker takes whole files in their order, so that what a file's tests share is made once.

    The end-to-end tests count as one file, and those of the report. The first take longest and
    come first; the other workers meanwhile do the rest.
    """

    def __init__(self, config: pytest.Config, log: Any) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # it would begin with the files of most tests

    def _split_scope(self, nodeid: str) -> str:
        file: str = nodeid.split("::", 1)[0]
        return next((folder for folder in (E2E, REPORT) if file.startswith(folder)), file)
