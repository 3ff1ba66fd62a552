"""Set-up: the lock, its groups, what is installed, and what failure leaves behind."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scripts import conda_envs, setup_env  # noqa: E402

LOCK = setup_env.read_lock(ROOT / "requirements.lock")


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_lock_names_each_package_once_with_one_version() -> None:
    lines = {line for group in LOCK.values() for line in group}  # two groups may need one package
    names = [canonical(line.split("==")[0]) for line in lines]
    assert len(set(names)) == len(names) > 200
    assert all(len(set(group)) == len(group) for group in LOCK.values())
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.]+", line) for line in lines)
    groups = {"core", "dev", "diffusion", "filters", "exports", "paddle", "cluster", "remotes"}
    assert set(LOCK) == groups
    assert "://" not in (ROOT / "requirements.lock").read_text()


def test_what_is_imported_here_is_what_the_lock_says() -> None:
    for line in LOCK["core"] + LOCK["dev"]:
        name, version = line.split("==")
        assert importlib.metadata.version(name).split("+")[0] == version, name


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


@pytest.mark.long
def test_every_import_of_the_pipeline_is_in_the_group_that_make_report_installs() -> None:
    """'core' alone must run the default pipeline; only engines that are asked for take more."""
    provided = importlib.metadata.packages_distributions()
    core = {canonical(line.split("==")[0]) for line in LOCK["core"]}
    more = {
        "kinds/diffusion/": "diffusion", "benchmarks/diffusion": "diffusion",
        "safety/kinds/checker.py": "diffusion",
        "exports/bundled/": "exports",  # copied beside exports, imported by their readers alone
        "safety/kinds/nudenet.py": "filters", "ocr/kinds/paddleocr.py": "paddle",
    }  # fmt: skip
    own = {"lvlmbench", "scripts", "benchmarks"} | {
        path.stem for path in (ROOT / "scripts").glob("*.py")
    }
    own |= {"runs"}  # carried beside the exports' readers, which import it there
    # What tests build and benchmarks time: pipelines, snapshots, a browser.
    built = {"support"}
    files = [f for d in ("lvlmbench", "scripts", "benchmarks") for f in (ROOT / d).rglob("*.py")]
    assert len(files) > 20
    for path in files:
        groups = [group for part, group in more.items() if part in path.as_posix()]
        allowed = core | {canonical(r.split("==")[0]) for group in groups for r in LOCK[group]}
        ours = own | built if path.parent.name == "benchmarks" else own
        for name in set(imports(path)) - ours - set(sys.stdlib_module_names):
            packages = {canonical(package) for package in provided.get(name, [name])}
            assert packages & allowed, f"{path.relative_to(ROOT)} imports {name}: not in core"


@pytest.mark.long
def test_every_import_of_the_tests_is_in_a_group_that_make_test_installs() -> None:
    provided = importlib.metadata.packages_distributions()
    groups = ("core", "dev", "diffusion", "filters", "exports", "cluster", "remotes")
    locked = {canonical(line.split("==")[0]) for group in groups for line in LOCK[group]}
    files = [*(ROOT / "tests").rglob("*.py")]
    own = {"lvlmbench", "scripts", "benchmarks"} | {
        path.stem for path in [*files, *(ROOT / "scripts").glob("*.py")]
    }
    own |= {path.name for path in (ROOT / "tests").iterdir()}
    paddle = {canonical(line.split("==")[0]) for line in LOCK["paddle"]}
    for path in files:
        # What needs the group paddle is skipped where it is not installed.
        allowed = locked | paddle if 'importorskip("paddleocr"' in path.read_text() else locked
        for name in set(imports(path)) - own - set(sys.stdlib_module_names):
            packages = {canonical(package) for package in provided.get(name, [name])}
            assert packages & allowed, f"{path.relative_to(ROOT)} imports {name}: not installed"


def test_conda_environments_hold_the_lock() -> None:
    for name, text in conda_envs.environments(ROOT / "requirements.lock").items():
        assert (ROOT / "envs" / name).read_text() == text, f"envs/{name}: run 'make envs'"
        # pip, called with dependency resolution, would refuse torchattacks beside the lock.
        assert ("torch==" in text) == name.endswith(".yaml")
        assert ("torchattacks==" in text) == name.endswith(".post-deploy.sh")


@pytest.mark.parametrize(
    "text", ["torch==1\n", "# group: core\ntorch\n", "# group: core\ntorch>=1\n"]
)
def test_a_lock_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "lock").write_text(text)
    with pytest.raises(setup_env.SetupError, match=r"lock:\d: .* is not name==version in a group"):
        setup_env.read_lock(tmp_path / "lock")


# Installing, with pip replaced: a real installation is what 'make test' itself began with --------


class Installer:
    """A checkout whose installations are recorded instead of made."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder, self.made, self.installed = folder, 0, list[list[str]]()
        self.fails = self.killed = self.offline = False
        (folder / "requirements.lock").write_text(
            "# group: core -- x\na==1\ntorch==2\n# group: dev -- y\nb==1\n"
        )
        (folder / "pyproject.toml").write_text("[project]\n")
        patch.setattr(setup_env, "ROOT", folder)
        patch.setattr(setup_env, "VENV", folder / ".venv")
        patch.setattr(setup_env, "PYTHON", folder / ".venv/bin/python")
        patch.setattr(setup_env, "STAMP", folder / ".venv/stamp.json")
        patch.setattr(setup_env, "UNFINISHED", folder / ".venv.unfinished")
        patch.setattr(setup_env, "create", self.create)
        patch.setattr(setup_env, "install", self.install)

    def create(self) -> None:
        self.made += 1
        python = self.folder / ".venv/bin/python"
        python.parent.mkdir(parents=True, exist_ok=True)
        python.unlink(missing_ok=True)
        python.symlink_to(sys.executable)
        (self.folder / ".venv/stamp.json").unlink(missing_ok=True)

    def install(self, groups: dict[str, list[str]], names: list[str]) -> None:
        if self.offline:
            raise setup_env.SetupError("pip failed")
        if self.killed or self.fails:
            half = self.folder / ".venv/lib/python3.11/site-packages/half"
            half.mkdir(parents=True)
            raise KeyboardInterrupt if self.killed else setup_env.SetupError("pip failed")
        self.installed.append([line for name in names for line in groups[name]])


@pytest.fixture
def installer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installer:
    return Installer(tmp_path, monkeypatch)


def test_what_is_installed_is_not_installed_again(installer: Installer) -> None:
    setup_env.set_up(["core"])
    setup_env.set_up(["core"])
    setup_env.set_up([])
    assert (installer.made, installer.installed) == (1, [["a==1", "torch==2"]])


def test_another_group_is_added_and_none_is_forgotten(installer: Installer) -> None:
    setup_env.set_up(["core"])
    setup_env.set_up(["dev"])
    setup_env.set_up(["core"])
    assert (installer.made, installer.installed[1:]) == (1, [["b==1"]])
    lock = installer.folder / "requirements.lock"
    lock.write_text(lock.read_text().replace("b==1", "b==2"))
    setup_env.set_up(["core"])
    assert len(installer.installed) == 2  # core is as it was
    setup_env.set_up(["dev"])
    assert installer.installed[2:] == [["b==2"]]


def test_a_changed_lock_reinstalls_its_group(installer: Installer) -> None:
    setup_env.set_up(["core", "dev"])
    lock = installer.folder / "requirements.lock"
    lock.write_text(lock.read_text().replace("a==1", "a==3"))
    setup_env.set_up(["core"])
    assert (installer.made, installer.installed[1:]) == (1, [["a==3", "torch==2"]])


@pytest.mark.parametrize("how", ["fails", "killed"])
def test_an_interrupted_installation_is_never_taken_for_whole(
    installer: Installer, how: str
) -> None:
    setup_env.set_up(["core"])
    setattr(installer, how, True)
    with pytest.raises((setup_env.SetupError, KeyboardInterrupt)):
        setup_env.set_up(["dev"])
    setattr(installer, how, False)
    setup_env.set_up(["core"])
    assert installer.made == 2
    assert installer.installed == [["a==1", "torch==2"]] * 2


def test_what_was_whole_survives_a_failure_that_installed_nothing(installer: Installer) -> None:
    setup_env.set_up(["core"])
    installer.offline = True
    with pytest.raises(setup_env.SetupError):
        setup_env.set_up(["dev"])
    setup_env.set_up(["core"])
    assert (installer.made, len(installer.installed)) == (1, 1)


def test_a_moved_or_foreign_environment(installer: Installer) -> None:
    installer.create()
    setup_env.set_up(["core"])  # made by the user: it is filled, not replaced
    assert installer.made == 1
    stamp = installer.folder / ".venv/stamp.json"
    stamp.write_text(json.dumps(json.loads(stamp.read_text()) | {"place": "/elsewhere/.venv"}))
    setup_env.set_up(["core"])  # moved: the scripts inside name the old place
    assert installer.made == 2


@pytest.mark.parametrize("place", ["other", "nowhere", ".venv"])
def test_an_environment_that_is_a_link_is_left_alone(installer: Installer, place: str) -> None:
    installer.create()  # whole, and without our stamp: made by the user
    (installer.folder / ".venv").rename(installer.folder / "other")
    (installer.folder / ".venv").symlink_to(place)
    with pytest.raises(setup_env.SetupError, match=rf"^\.venv: is a link to '{place}'; remove"):
        setup_env.set_up(["core"])
    assert (installer.made, installer.installed) == (1, [])
    assert not (installer.folder / ".venv.unfinished").exists()


def test_a_damaged_stamp_or_interpreter_is_noticed(installer: Installer) -> None:
    setup_env.set_up(["core"])
    (installer.folder / ".venv/stamp.json").write_text("{")
    setup_env.set_up(["core"])
    assert (installer.made, len(installer.installed)) == (1, 2)
    python = installer.folder / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/nowhere/python")
    setup_env.set_up(["core"])
    assert (installer.made, len(installer.installed)) == (2, 3)


def test_an_unknown_group_is_one_line(installer: Installer) -> None:
    with pytest.raises(setup_env.SetupError, match="'gpu' is not a group; use some of: core, dev"):
        setup_env.set_up(["gpu"])


def test_make_says_so_when_no_python_is_new_enough(root: Path, tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    result = subprocess.run(
        ["make", "--no-print-directory", "install", f"PYTHON={old}"],
        cwd=root, capture_output=True, text=True,
    )  # fmt: skip
    assert result.returncode != 0
    assert result.stderr.startswith("set-up: no Python 3.11 or newer was found")
    assert "Traceback" not in result.stderr


def test_make_help_lists_the_two_commands(root: Path) -> None:
    result = subprocess.run(["make", "help"], cwd=root, capture_output=True, text=True, check=True)
    assert "make report" in result.stdout and "make test" in result.stdout


@pytest.mark.long
def test_torchvision_can_be_imported_beside_this_torch(root: Path) -> None:
    code = (
        "from lvlmbench.core import torchvision_hook as h; import sys; h.install(); h.install();"
        "assert 'torch' not in sys.modules and len([f for f in sys.meta_path if 'lvlmbench' in "
        "type(f).__module__]) == 1; import torchvision, torch; h.install();"
        "assert torchvision.ops.box_area(torch.tensor([[0., 0., 2., 3.]])).item() == 6;"
        "assert not any('lvlmbench' in type(f).__module__ for f in sys.meta_path)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=root, check=True)


def test_the_hook_is_silent_where_torchvision_is_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from importlib.machinery import PathFinder

    from lvlmbench.core import torchvision_hook

    kept = dict(sys.modules)
    for name in [n for n in sys.modules if n.split(".")[0] == "torchvision"]:
        del sys.modules[name]
    try:
        torchvision_hook.install()
        with monkeypatch.context() as patch:
            patch.setattr(PathFinder, "find_spec", lambda *_: None)
            finder: ModuleType | object = sys.meta_path[0]
            assert finder.find_spec("torchvision", None) is None  # type: ignore[union-attr]
    finally:
        torchvision_hook.uninstall()
        sys.modules.update(kept)


@pytest.mark.parametrize("name", ["{x}", "a}", "cost $5", 'say "x"', "`x`"])
def test_a_folder_that_tools_misread_is_told_before_anything_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (folder := tmp_path / name).mkdir()
    installer = Installer(folder, monkeypatch)
    with pytest.raises(setup_env.SetupError, match=r"the path holds .*rename the folder"):
        setup_env.set_up(["core"])
    assert not installer.made and not installer.installed and not setup_env.UNFINISHED.exists()


def test_the_project_is_installed_below_any_other_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pip takes brackets at the end of a path for extras, and finds no such project."""
    (folder := tmp_path / "lvlm * [1]").mkdir()
    (folder / "pyproject.toml").write_text('[project]\nname = "here"\nversion = "1"\n')
    (folder / "setup.py").write_text("from setuptools import setup\nsetup(py_modules=[])\n")
    asked: list[list[str]] = []
    monkeypatch.setattr(setup_env, "ROOT", folder)
    monkeypatch.setattr(setup_env, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(setup_env, "compile_all", lambda: None)
    with monkeypatch.context() as patch:
        patch.setattr(setup_env, "run", lambda *command: asked.append([*map(str, command)]))
        setup_env.install({"core": ["a==1"]}, ["core"])
    setup_env.run(*asked[-1], "--dry-run")
