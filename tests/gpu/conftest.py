"""What the tests that need a GPU share: they are skipped where there is none.

Each process of tests has locks of its own, so that it waits for no GPU that another one has: tiny
models can share one.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lvlmbench.core import gpus, torchvision_hook

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of this folder where torch can use no GPU."""
    ours = [item for item in items if HERE in item.path.parents]
    if not ours:
        return
    import torch

    if torch.backends.cuda.is_built() and gpus.visible(ask_torch=False):
        return
    for item in ours:
        item.add_marker(pytest.mark.skip(reason="needs a GPU"))


@pytest.fixture(autouse=True, scope="session")
def _own_locks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    torchvision_hook.install()
    folder = tmp_path_factory.mktemp("locks")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gpus, "lock_folder", lambda: folder)
        patch.setenv(gpus.VISIBLE, gpus.visible()[0].name)
        yield


@pytest.fixture
def room_for_half() -> Iterator[Callable[[Callable[[], object]], None]]:
    """Runs something, and has torch refuse more than half of what that took from then on."""
    import torch

    whole = torch.cuda.get_device_properties(0).total_memory

    def halve(run: Callable[[], object]) -> None:
        gc.collect()
        torch.cuda.empty_cache()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        run()
        took = torch.cuda.max_memory_allocated() - before
        gc.collect()
        torch.cuda.empty_cache()
        torch.cuda.set_per_process_memory_fraction(
            (torch.cuda.memory_reserved() + took // 2) / whole
        )

    yield halve
    torch.cuda.set_per_process_memory_fraction(1.0)
    torch.cuda.empty_cache()
