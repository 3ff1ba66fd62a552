"""Run one job of the DAG: ``job.py SCRIPT BUILD LOG ARGUMENTS...``; see lvlmbench/dag/job.py.

With ``--below FOLDER`` before SCRIPT, paths may begin with FOLDER, which is the working folder by
another name; see lvlmbench/dag/storage.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from lvlmbench.dag.process import die_with_run  # noqa: E402

die_with_run()  # before the other imports, which take their time

from lvlmbench.cli_support import USER_ERROR, guarded  # noqa: E402
from lvlmbench.dag.failures import tell  # noqa: E402
from lvlmbench.dag.job import run_job  # noqa: E402
from lvlmbench.errors import UserError  # noqa: E402


def main() -> None:
    """Run the job; a failure is one line on stderr, said once for all the shards that fail so."""
    given = sys.argv[1:]
    if given[0] == "--below":
        given = [argument.removeprefix(f"{given[1]}/") for argument in given[2:]]
    script, build, log, *arguments = given
    command = [sys.executable, str(ROOT / "scripts" / f"{script}.py"), *arguments]
    with guarded():
        try:
            line = run_job(Path(build), Path(log), command)
        except UserError as error:
            line = str(error)
        if line is not None:
            tell(Path(log), line)
            raise SystemExit(USER_ERROR)


if __name__ == "__main__":
    main()
