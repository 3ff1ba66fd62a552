"""What dvc.yaml's stages run: Snakemake for one stage, ``stage.py NAME [-- ANYTHING]``.

NAME is that of an item, ``answer/SUITE/MODEL/SCENARIO``, or how the names of several begin.

Snakemake's own settings come from profiles/default, or from another profile that the environment
variable SNAKEMAKE_PROFILE names. None stands in dvc.yaml, where it would be part of what DVC
compares: the same work on another number of cores is the same work. A profile of the project takes
the place of profiles/default; one of the user's, which Snakemake looks up by its name, only adds.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from lvlmbench.engine.process import die_with_parent  # noqa: E402

die_with_parent()  # before the other imports, which take their time

from lvlmbench.core.errors import UserError  # noqa: E402
from lvlmbench.core.guard import main_guard  # noqa: E402


@main_guard
def main() -> None:
    """Become Snakemake, asked for the seals of one stage."""
    if importlib.util.find_spec("snakemake") is None:
        raise UserError(sys.executable, "has no Snakemake", "activate .venv and run again")
    if len(sys.argv) < 2:
        raise UserError(
            "stage.py", "needs the name of a stage", "give one of dvc.yaml, such as render/dysca"
        )
    os.environ["LVLMBENCH_STAGE"] = sys.argv[1]
    snakefile = str(ROOT / "Snakefile")
    command = [sys.executable, "-m", "snakemake", "--snakefile", snakefile]
    profile = os.environ.get("SNAKEMAKE_PROFILE", "")
    if (ROOT / profile / "config.yaml").is_file():
        del os.environ["SNAKEMAKE_PROFILE"]
        command += ["--workflow-profile", str(ROOT / profile)]
    os.execv(sys.executable, [*command, "--", "asked"])  # noqa: S606


if __name__ == "__main__":
    main()
