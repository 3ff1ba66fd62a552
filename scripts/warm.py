"""What a run's jobs may ask for a fork: ``warm.py RUN CODE JOBS``; see lvlmbench/engine/warm.py."""

from __future__ import annotations

import importlib
import signal
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
sys.dont_write_bytecode = True  # as that of a file edited twice within a second may be the older's

from lvlmbench.engine.process import die_with_parent  # noqa: E402

die_with_parent(int(sys.argv[1]))

from lvlmbench.config import validate_project  # noqa: E402
from lvlmbench.core import torchvision_hook  # noqa: E402
from lvlmbench.engine import job  # noqa: E402
from lvlmbench.engine.warm import Server, check_alone, code_of  # noqa: E402

#: Jobs from which a run is one that needs all of these: several of its jobs would each import them
#: before the first has told.
MANY = 100
AHEAD = (
    "torch", "open_clip", "transformers.models.bert.modeling_bert", "pandas", "scipy.stats",
    "matplotlib.backends.backend_pdf", "matplotlib.backends.backend_svg", "spacy",
)  # fmt: skip


def main() -> None:
    """Import what scripts begin with, then serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the jobs hear of it; this ends with the run
    torchvision_hook.install()
    for script in sorted({file.stem for file in (ROOT / "rules").glob("*.smk")}):
        if (ROOT / "scripts" / f"{script}.py").is_file():
            importlib.import_module(f"scripts.{script}")
    validate_project({})  # imports the kinds whose settings make up the parameters
    if code_of(ROOT) != sys.argv[2]:
        raise SystemExit("the code was edited since the run began; jobs start by themselves")
    check_alone("what scripts begin with")
    Server(job.main, AHEAD if int(sys.argv[3]) >= MANY else ()).serve()


if __name__ == "__main__":
    main()
