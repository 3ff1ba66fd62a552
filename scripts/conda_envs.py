"""Write envs/ from requirements.lock: python scripts/conda_envs.py [--check].

The files are conda environments for ``snakemake --software-deployment-method conda``: conda gives
the interpreter, pip the packages of the lock, so that both ways of installing hold the same.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scripts.setup_env import read_lock  # noqa: E402

#: Environment -> groups of the lock. 'filters', 'exports', 'paddle' and 'cluster' are not here: no
#: rule uses them yet.
ENVIRONMENTS = {"core": ("core",), "diffusion": ("core", "diffusion")}

#: Packages that declare other versions of their dependencies than they work with. pip, which conda
#: calls with dependency resolution, would refuse them beside the rest of the lock; Snakemake runs
#: NAME.post-deploy.sh once it has made an environment.
WITHOUT_DEPENDENCIES = ("torchattacks",)

_POST_DEPLOY = """\
#!/usr/bin/env bash
# Generated from requirements.lock by 'make envs'. Do not edit.
set -o errexit
"${{CONDA_PREFIX}}/bin/python" -m pip install --no-deps {packages}
"""

_HEAD = """\
# Generated from requirements.lock by 'make envs'. Do not edit.
name: lvlmbench-{name}
channels:
  - conda-forge
  - nodefaults
dependencies:
  - python=3.11
  - pip
  - pip:
"""


def environments(lock: Path) -> dict[str, str]:
    """File name -> content of each environment."""
    groups = read_lock(lock)
    found = {}
    for name, chosen in ENVIRONMENTS.items():
        lines = [line for group in chosen for line in groups[group]]
        alone = [line for line in lines if line.split("==")[0] in WITHOUT_DEPENDENCIES]
        rest = "".join(f"      - {line}\n" for line in lines if line not in alone)
        found[f"{name}.yaml"] = _HEAD.format(name=name) + rest
        found[f"{name}.post-deploy.sh"] = _POST_DEPLOY.format(packages=" ".join(alone))
    return found


def main() -> int:
    """Entry point; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write envs/*.yaml from requirements.lock.")
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args().check
    for name, text in environments(ROOT / "requirements.lock").items():
        path = ROOT / "envs" / name
        if not check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            print(f"envs/{name}: differs from requirements.lock; run 'make envs'", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
