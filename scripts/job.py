"""Run one job of the DAG: ``job.py SCRIPT BUILD LOG ARGUMENTS...``; see lvlmbench/engine/job.py.

With ``--below FOLDER`` before SCRIPT, paths may begin with FOLDER, which is the working folder by
another name; see lvlmbench/engine/storage.py.
"""

from __future__ import annotations

# Built in: Ctrl-C reaches jobs, too, and may find one at its other imports. No traceback of each.
import _signal  # type: ignore[import-not-found]

if _signal.getsignal(_signal.SIGINT) != _signal.SIG_IGN:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

import os
import signal
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from lvlmbench.engine.process import die_with_run  # noqa: E402

die_with_run()  # before the other imports, which take their time

from lvlmbench.engine import warm  # noqa: E402

#: Scripts whose threads are Python's. Their libraries take one each, as those of other jobs do, so
#: that they need no process of their own.
OWN_THREADS = {"report"}


def main() -> None:
    """Run the job, in a process that has imported what it needs where there is one."""
    if not OWN_THREADS.isdisjoint(sys.argv[1:4]):  # the script, maybe behind '--below FOLDER'
        os.environ.update(warm.ONE_THREAD)
    code = warm.ask(sys.argv[1:])
    if code is None:
        import site

        site.main()  # the packages that 'python -S' starts without: who asks has no use for them

        from lvlmbench.engine import job

        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # what it has open, it clears up
            signal.signal(signal.SIGINT, signal.default_int_handler)
        job.main(sys.argv[1:])
    sys.exit(code)


if __name__ == "__main__":
    main()
