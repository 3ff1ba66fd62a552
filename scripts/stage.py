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
    """Publish what was made ahead; else become Snakemake, asked for the seals of one stage."""
    if importlib.util.find_spec("snakemake") is None:
        raise UserError(sys.executable, "has no Snakemake", "activate .venv and run again")
    if len(sys.argv) < 2:
        raise UserError(
            "stage.py", "needs the name of a stage", "give one of dvc.yaml, such as render/dysca"
        )
    asked, snakefile = sys.argv[1], str(ROOT / "Snakefile")
    command = [sys.executable, "-m", "snakemake", "--snakefile", snakefile]
    profile = os.environ.get("SNAKEMAKE_PROFILE", "")
    if (ROOT / profile / "config.yaml").is_file():
        del os.environ["SNAKEMAKE_PROFILE"]
        command += ["--workflow-profile", str(ROOT / profile)]
    command += ["--", "asked"]
    default = (ROOT / "profiles/default/config.yaml").read_text(encoding="utf-8")
    # Parameters from elsewhere than params.yaml are known to Snakemake alone.
    if not profile and "\nconfig" not in f"\n{default}" and done_ahead(asked, command):
        return
    os.environ["LVLMBENCH_STAGE"] = asked
    os.execv(sys.executable, command)  # noqa: S606


def done_ahead(asked: str, command: list[str]) -> bool:
    """Whether the stage was, or now is, made with others of the same command of DVC."""
    from lvlmbench.engine.again import publish_again

    if publish_again(ROOT, asked):
        print(f"{asked}: published, as it was made with the stages before it")
        return True
    from lvlmbench.engine.ahead import make_empty, run_ahead  # takes a moment

    if make_empty(ROOT, asked):
        print(f"{asked}: the parameters leave nothing to do")
        return True
    return run_ahead(ROOT, asked, command)


if __name__ == "__main__":
    main()
