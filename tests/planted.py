"""Checks against planted truth and labels: ``python -m tests.planted CHECK ...``.

Not part of the test suite, as they take minutes. Each check prints lines with figures; the exit
code is 1 where one is below what it must be.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from support import reading_f1
    from support.exam import checking, honest
    from support.judge_checks import run
    from support.touchstone_checks import run as touchstone
    from support.valor_checks import run as valor

    checks = {
        "judges": run.main,
        "valor": valor.main,
        "touchstone": touchstone.main,
        "labels": reading_f1.main,
        "drawn": checking.main,
        "layouts": honest.main,
    }
    if sys.argv[1:2] == [] or sys.argv[1] not in checks:
        sys.exit(f"say one of {', '.join(checks)} (filters: python -m tests.support.planted)")
    sys.exit(checks[sys.argv[1]](sys.argv[2:]))
