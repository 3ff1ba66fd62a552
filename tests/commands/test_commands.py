"""The console command and what every entry point does with mistakes."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.commands.main import main
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import as_user_error, guarded, main_guard
from support.one_line import assert_one_line, vocabulary_without_label

Command = Callable[..., "subprocess.CompletedProcess[str]"]


def endpoint(variable: str) -> str:
    return (
        "answer:\n  models:\n    - name: served\n      engine: openai_chat\n      endpoint:\n"
        f"        {{base_url: 'http://127.0.0.1:9/v1', model: m, api_key_env: {variable}}}\n"
    )


@pytest.mark.long
def test_config_check_tells_what_will_run(lvlmbench: Command) -> None:
    result = lvlmbench("config", "check", "tests/configs/tiny.yaml")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("tests/configs/tiny.yaml: good: snapshot tiny from ")
    assert "40 scenes of 20 subtasks" in result.stdout
    suites = [line.split()[1] for line in result.stdout.splitlines()[1:]]
    assert suites == ["dysca", "composed", "autodavis", "valor", "touchstone"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("render: {sise: 3}", ["mine.yaml: render.sise", "did you mean 'size'?"]),
        ("render: {size: 0}", ["mine.yaml: render.size", "greater than or equal to 64"]),
        (
            "suites: {dysca: {corpus: {subtasks: [cats]}}}",
            ["mine.yaml: suites.dysca.corpus", "'cats' is not a subtask"],
        ),
        ("corpus: {subtasks: [animal]}", ["mine.yaml: corpus: stands in a suite", "{dysca:"]),
        ("vocabulary: {folder: data/nowhere}", ["vocabulary.folder", "is not a folder"]),
        ("render: {renderer: crayon}", ["render.renderer: 'crayon' is not known", "pictograph"]),
        (
            "suites: {dysca: {corpus: {drawable_by: crayon}}}",
            ["suites.dysca.corpus.drawable_by: 'crayon' is not known"],
        ),
        (
            "filter: {filters: [{name: sieve}]}",
            ["filter.filters: sieve: 'sieve' is not known", "integrity"],
        ),
        ("filter: {filters: [integrity]}", ["filter.filters.0", "write '- name: integrity'"]),
        ("answer: {models: [{name: a, engine: oracle}]}", ["a: engine: 'oracle'", "chance"]),
        (endpoint("LVLMBENCH_NO_SUCH_KEY"), ["LVLMBENCH_NO_SUCH_KEY is not set", "export"]),
        ("render: {size: 512", ["mine.yaml:1", "is not valid YAML"]),
        ("- 1", ["mine.yaml", "holds no keys with values; write what differs from params.yaml"]),
        (None, ["mine.yaml", "cannot be read"]),
    ],
)
def test_config_check_refuses_mistakes_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], text: str | None, parts: list[str],
    root: Path,
) -> None:  # fmt: skip
    path = tmp_path / "mine.yaml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(SystemExit) as caught:
        main(["config", "check", "--base", str(root / "params.yaml"), str(path)])
    captured = capfd.readouterr()
    result = subprocess.CompletedProcess(
        [], int(str(caught.value.code)), captured.out, captured.err
    )
    assert_one_line(result, *parts)
    assert captured.out == ""


@pytest.mark.long
def test_a_set_key_variable_is_enough(tmp_path: Path, lvlmbench: Command) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(endpoint("LVLMBENCH_TEST_KEY"))
    result = lvlmbench("config", "check", path, LVLMBENCH_TEST_KEY="sesame")
    assert result.returncode == 0, result.stderr
    assert "sesame" not in result.stdout + result.stderr
    path.write_text(endpoint("null"))
    assert lvlmbench("config", "check", path).returncode == 0


def test_a_vocabulary_entry_without_label_is_named_with_its_line(
    tmp_path: Path, root: Path, lvlmbench: Command
) -> None:
    folder, line = vocabulary_without_label(tmp_path, root, "lable")
    path = tmp_path / "mine.yaml"
    path.write_text(f"vocabulary: {{folder: {folder}}}\n")
    result = lvlmbench("config", "check", path)
    assert_one_line(result, f"{folder}/animal.yaml:", "label")
    assert f"animal.yaml:{line}" in result.stderr


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "arguments",
    [[], ["config"], ["hash"], ["hash", "--x", "d"], ["score"], ["export-questions"]],
)
def test_a_wrong_command_line_is_one_line(lvlmbench: Command, arguments: list[str]) -> None:
    assert_one_line(lvlmbench(*arguments), "--help")


def test_help_and_version(lvlmbench: Command) -> None:
    for arguments in (["--help"], ["config", "check", "--help"], ["--version"]):
        result = lvlmbench(*arguments)
        assert result.returncode == 0 and "lvlmbench" in result.stdout


@pytest.mark.long
def test_hash_compares_rows_not_shards(tmp_path: Path, lvlmbench: Command) -> None:
    rows: list[dict[str, object]] = [
        dict.fromkeys(tables.ANSWERS.names) | {"question_id": f"{i:032x}", "latency_s": i / 3}
        for i in range(9)
    ]
    slower = [dict(row, latency_s=7.0) for row in rows]
    for name, part in {
        "a/part-00000": rows, "b/part-00000": rows[:4], "b/part-00001": rows[4:],
        "c/part-00000": slower,
    }.items():  # fmt: skip
        tables.write_rows(part, tmp_path / f"{name}.parquet", tables.ANSWERS, "s")
    result = lvlmbench("hash", "a", "b", "c", cwd=tmp_path)
    a, b, c = (line.split("  ") for line in result.stdout.splitlines())
    assert a[:2] == b[:2] and a[1] == "9 rows" and a[0] != c[0]
    result = lvlmbench("hash", "--without", "latency_s", "a", "c", cwd=tmp_path)
    assert len({line.split("  ")[0] for line in result.stdout.splitlines()}) == 1

    assert_one_line(lvlmbench("hash", "d", cwd=tmp_path), "d: holds no part-*.parquet")
    assert_one_line(lvlmbench("hash", "--without", "x", "a", cwd=tmp_path), "has no column 'x'")
    (tmp_path / "a/part-00000.parquet").write_bytes(b"PAR1")
    assert_one_line(lvlmbench("hash", "a", cwd=tmp_path), "cannot be read as Parquet")


# The guard itself -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (UserError("a.yaml: x", "is bad", "mend it"), 2, "a.yaml: x: is bad; mend it"),
        (OSError(errno.ENOSPC, "No space left on device", "/d/p"), 2, "/d/p: no space left"),
        (PermissionError(errno.EACCES, "Permission denied", "/d/p"), 2, "/d/p: permission denied"),
        (OSError(errno.EROFS, "Read-only file system", "/d/p"), 2, "/d/p: read-only"),
        (IsADirectoryError(errno.EISDIR, "Is a directory", "/d"), 2, "/d: is a directory; give"),
        (OSError(errno.ENOSPC, "No space left on device"), 2, "the file system: no space left"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_what_a_user_can_mend_is_one_line(
    error: BaseException, code: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    @main_guard
    def main() -> None:
        raise error

    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == code
    shown = capsys.readouterr().err
    assert shown.startswith(line) and shown.count("\n") == 1


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.EROFS])
def test_where_nothing_can_be_made_the_folder_is_named(tmp_path: Path, number: int) -> None:
    there = tmp_path / "there"
    there.touch()
    for path, named in ((tmp_path / ".new.tmp", tmp_path), (there, there)):
        assert str(as_user_error(OSError(number, "No", str(path)))).startswith(f"{named}: no; ")


@pytest.mark.parametrize("error", [ValueError("x"), OSError(errno.EIO, "x"), ZeroDivisionError()])
def test_a_defect_keeps_its_traceback(error: Exception) -> None:
    with pytest.raises(type(error)), guarded():
        raise error


def test_the_guard_passes_results_through() -> None:
    @main_guard
    def main(a: int, *, b: int) -> int:
        """Doc."""
        return a + b

    assert main(1, b=2) == 3
    assert main.__doc__ == "Doc."


GUARDED = "from lvlmbench.core.guard import guarded\nwith guarded():\n    "


def test_a_closed_pipe_is_silent(root: Path) -> None:
    code = GUARDED + "while True: print('x' * 1000)"
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.wait(timeout=300) == 141
        assert process.stderr.read() == b""


def test_a_name_that_no_encoding_has_is_printed(root: Path) -> None:
    code = GUARDED + "print(chr(0xdcff), 'b')"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=True)
    assert done.stdout == b"\\udcff b\n" and done.stderr == b""


def test_interrupting_a_process_is_one_line(root: Path) -> None:
    code = GUARDED + "print('on', flush=True); import time; time.sleep(60)"
    with subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell's background jobs, and so their children, ignore the signal unless told not to.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=300) == 130
        assert process.stderr.read() == b"interrupted\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line(root: Path) -> None:
    code = GUARDED + "print('x' * 100000, flush=True)"
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [sys.executable, "-c", code], cwd=root, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert "no space left on device; free some disk space" in result.stderr
    assert result.returncode == 2
