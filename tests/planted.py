"""Checks against planted truth: ``python -m tests.planted judges [CHECK]``.

Not part of the test suite, as they take minutes. Each check prints lines with figures; the exit
code is 1 where one is below what it must be.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from support.judge_checks.run import main

    if sys.argv[1:2] != ["judges"]:
        sys.exit("python -m tests.planted: say 'judges'; filters are in tests.support.planted")
    sys.exit(main(sys.argv[2:]))
