"""Files of Python that go into exports as they are, for users to run without lvlmbench.

Nothing here is imported by the rest of the package: ``reading`` needs Python alone, ``lmms_utils``
and ``inspect_task`` also the tool that loads them, and the ``*_to_answers`` scripts turn a tool's
output into a file for ``lvlmbench score``, with ``runs`` beside them.
"""

from __future__ import annotations

from pathlib import Path


def put(module: str, path: Path) -> None:
    """Write a file of this folder to ``path``, word for word, and beside it what it imports.

    Raises
    ------
    OSError
        There is no such file, or it cannot be written.
    """
    path.write_bytes((Path(__file__).parent / f"{module}.py").read_bytes())
    if module.endswith("_to_answers"):
        put("runs", path.with_name("runs.py"))
