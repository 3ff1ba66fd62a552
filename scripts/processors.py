"""Run the pipeline under settings of the processor's features and compare every file.

``python scripts/processors.py [--configfile FILE]`` runs the configuration whole in a copy of this
checkout for each setting of ``benchmarks/harness/processors.py``. Reference models that a run
trains are trained once, under the first setting or in a finished run that ``--trained`` names, and
given to the others: training is not promised to be exact.

It prints the settings, what the libraries made of them and each file that differs. The last line is
one JSON object; the exit code is 1 if a file differs.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.harness.processors import (  # noqa: E402
    SETTINGS,
    artifacts,
    differing,
    environment,
    evidence,
    possible,
)
from lvlmbench.core.errors import UserError  # noqa: E402
from lvlmbench.core.guard import main_guard  # noqa: E402

#: What is trained; copied with the seals that say what it was made from.
_TRAINED = ("data/reference", "results/reference", "data/seals/reference*")


def copied(folder: Path) -> None:
    """Copy the checkout's files, those that git ignores left out."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file() and name != "dvc.lock":
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)


def run(folder: Path, setting: str, config: Path | None, cores: int, trained: Path | None) -> None:
    """Run everything under a setting, with the models that the run ``trained`` has trained.

    Raises
    ------
    UserError
        The run failed.
    """
    copied(folder)
    if trained is not None:
        for source in (found for pattern in _TRAINED for found in trained.glob(pattern)):
            target = folder / source.relative_to(trained)
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            else:
                shutil.copy(source, target)
    command = [sys.executable, "-m", "snakemake", "results/report.html", "--cores", str(cores)]
    command += [] if config is None else ["--configfile", str(config.resolve())]
    log = folder / "processors.log"
    with log.open("wb") as out:
        done = subprocess.run(
            command, cwd=folder, env=environment(setting), stdout=out, stderr=subprocess.STDOUT
        )
    if done.returncode:
        raise UserError(str(log), f"the run under '{setting}' failed", "read it")


@main_guard
def main() -> None:
    """Run, compare, tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--configfile", type=Path, help="what differs from params.yaml")
    parser.add_argument("--settings", nargs="+", choices=possible(), default=possible())
    parser.add_argument("--folder", type=Path, help="keep the runs here (a temporary folder)")
    parser.add_argument("--trained", type=Path, help="take trained models of this finished run")
    parser.add_argument("--cores", type=int, default=2)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        top = args.folder or Path(temporary)
        first: Path | None = None
        different: dict[str, dict[str, str]] = {}
        for setting in args.settings:
            print(f"{setting}: {dict(SETTINGS[setting])}", flush=True)
            print(f"  {evidence(setting)}", flush=True)
            began = time.monotonic()
            run(top / setting, setting, args.configfile, args.cores, args.trained or first)
            print(f"  ran in {time.monotonic() - began:.0f} s", flush=True)
            first = first or top / setting
            if first != top / setting:
                different[setting] = dict(differing(first, top / setting))
                for name, size in different[setting].items():
                    print(f"  DIFFERS {name}: {size}", flush=True)
        files = len(artifacts(first)) if first else 0
    counts = {setting: len(found) for setting, found in different.items()}
    print(json.dumps({"benchmark": "processors", "files": files, "different": counts}))
    raise SystemExit(any(counts.values()))


if __name__ == "__main__":
    main()
