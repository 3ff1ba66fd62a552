"""Run one job of the DAG: ``job.py SCRIPT BUILD LOG ARGUMENTS...``; see lvlmbench/engine/job.py.

With ``--below FOLDER`` before SCRIPT, paths may begin with FOLDER, which is the working folder by
another name; see lvlmbench/engine/storage.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from lvlmbench.engine.process import die_with_run  # noqa: E402

die_with_run()  # before the other imports, which take their time

from lvlmbench.engine import warm  # noqa: E402


def main() -> None:
    """Run the job, in a process that has imported what it needs where there is one."""
    code = warm.ask(sys.argv[1:])
    if code is None:
        from lvlmbench.engine import job

        job.main(sys.argv[1:])
    sys.exit(code)


if __name__ == "__main__":
    main()
