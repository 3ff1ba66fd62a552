"""How ``make test`` shares the tests out between its two workers."""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

#: Their tests start Snakemake, which takes both cores, and kill it: one after the other.
E2E = "tests/e2e/"

#: The same, a file each, once all else is taken: by then one worker is often still at those above.
LAST = "tests/faults/"


class WholeFiles(LoadScopeScheduling):  # type: ignore[misc]
    """A worker takes whole files in their order, so that what a file's tests share is made once.

    The end-to-end tests count as one file. They take longest and come first; the other worker
    meanwhile does the rest.
    """

    def __init__(self, config: pytest.Config, log: Any) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # it would begin with the files of most tests

    def _split_scope(self, nodeid: str) -> str:
        file: str = nodeid.split("::", 1)[0]
        return E2E if file.startswith(E2E) else file
