"""Snakemake as ``make install`` leaves it: without plugins for clusters and buckets.

Snakemake imports all plugins that are there whenever it starts, and these take longer than the
rest of it. Python imports this file where its folder is in PYTHONPATH.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator

_PLUGINS = (
    "snakemake_executor_plugin_slurm",
    "snakemake_executor_plugin_kubernetes",
    "snakemake_storage_plugin_s3",
)
_all = pkgutil.iter_modules


def _others(path: Iterable[str] | None = None, prefix: str = "") -> Iterator[pkgutil.ModuleInfo]:
    return (each for each in _all(path, prefix) if not each.name.startswith(_PLUGINS))


pkgutil.iter_modules = _others
