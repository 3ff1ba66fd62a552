"""Questions of exams held against an oracle: ``python -m tests.exam_oracle --items 3000``.

Not part of the test suite, as it takes minutes. It plans, draws and asks exams of all requests and
judges each question by its words, the scene and the measured layout alone; see
``tests/support/exam/oracle``. The exit code is 1 where anything is wrong.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from support.exam import judging

    sys.exit(judging.main(sys.argv[1:]))
