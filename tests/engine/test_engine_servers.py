"""A server that cannot be reached is told before anything is computed."""

from __future__ import annotations

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from lvlmbench.config import validate_project
from lvlmbench.config.project import Project
from lvlmbench.core.errors import UserError
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.engine.preflight.servers import check_servers, key_lines, unreachable
from lvlmbench.stages.answer.chat import probe
from lvlmbench.stages.answer.engine import Reply
from lvlmbench.stages.answer.requests.cache import AnswerCache, default_path, note_answered
from lvlmbench.stages.answer.requests.journal import SUFFIX
from support.answer_tables import KEY, endpoint, running_server

ASKING = {("answer", "served")}
PROXIES = ("http_proxy", "https_proxy", "all_proxy")


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was ever answered, and requests go straight."""
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TEST_KEY", KEY)
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def free_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def project(root: Path, url: str, name: str = "x") -> Project:
    model = {"name": "served", "engine": "openai_chat", "endpoint": endpoint(url, name)}
    return validate_project({**read_yaml(root / "params.yaml"), "answer": {"models": [model]}}, "p")


def test_nobody_listens(root: Path, free_port: int) -> None:
    asked = project(root, f"http://127.0.0.1:{free_port}/v1")
    with pytest.raises(UserError) as error:
        check_servers(asked, ASKING, "my.yaml")
    line = str(error.value)
    assert line.startswith(
        "my.yaml: answer.models: served: endpoint.base_url: no server answers at"
    )
    assert str(free_port) in line and "refused" in line and line.endswith("correct the address")
    assert check_servers(asked, {("answer", "other")}, "my.yaml") == []  # it is not asked


def test_where_answers_are_known_it_is_a_line(root: Path, free_port: int, tmp_path: Path) -> None:
    (tmp_path / "cache" / "journal").mkdir(parents=True)
    (tmp_path / "cache" / "journal" / f"one{SUFFIX}").touch()
    asked = project(root, f"http://127.0.0.1:{free_port}/v1")
    (line,) = check_servers(asked, ASKING, "my.yaml")
    assert line.startswith("model 'served': no server answers") and "unless all" in line


def test_a_model_that_has_answered_once_may_be_known_without_its_key(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its server calls it otherwise than its parameters, so that its answers do not tell."""
    monkeypatch.setenv("TEST_KEY", "right")
    with running_server("--key", "right") as url:
        asked = project(root, url, "letter-B")
        assert check_servers(asked, ASKING, "my.yaml") == []
    monkeypatch.setenv("TEST_KEY", "")
    with pytest.raises(UserError, match="TEST_KEY is not set"):  # nobody has answered
        check_servers(asked, ASKING, "my.yaml")
    with AnswerCache(default_path()) as cache:  # somebody else has
        cache.put("0" * 64, Reply("A", "answered", served_model="org/another"))
    with pytest.raises(UserError, match="TEST_KEY is not set"):
        check_servers(asked, ASKING, "my.yaml")
    note_answered("http://elsewhere.invalid/v1", "letter-B")  # it has, elsewhere
    with AnswerCache(default_path()) as cache:
        cache.put("1" * 64, Reply("A", "answered", served_model="letter-B"))
    with pytest.raises(UserError, match="TEST_KEY is not set"):
        check_servers(asked, ASKING, "my.yaml")
    note_answered(url, "letter-B")
    for key in ("", "wrong"):
        monkeypatch.setenv("TEST_KEY", key)
        (line,) = check_servers(asked, ASKING, "my.yaml")[:1]
        assert line.startswith("model 'served': ") and "unless all" in line


def test_a_key_is_asked_for_first(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_KEY")
    asked = project(root, "http://host.invalid/v1")
    with pytest.raises(UserError, match="TEST_KEY is not set"):
        check_servers(asked, ASKING, "my.yaml")
    (line,) = key_lines(asked, ASKING)
    assert line.startswith("model 'served': the environment variable TEST_KEY is not set")


def test_who_listens_is_reached(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "PATIENCE_S", 0.2)
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        assert unreachable(url) is None
        assert check_servers(project(root, url), ASKING, "my.yaml") == []


def test_a_server_without_tls_is_told_as_such(root: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"https://127.0.0.1:{server.server_address[1]}/v1"
        with pytest.raises(UserError) as error:
            check_servers(project(root, url), ASKING, "my.yaml")
        server.shutdown()
    assert str(error.value) == (
        f"my.yaml: answer.models: served: endpoint.base_url: the server at {url} speaks no TLS; "
        "write http:// in place of https://, or correct the port"
    )


def test_behind_a_proxy_nothing_is_tried(free_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"http://127.0.0.1:{free_port}/v1"
    assert unreachable(url) == "connection refused"
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.invalid:3128")
    assert unreachable(url) is None


def test_a_name_that_nobody_knows() -> None:
    assert unreachable("http://no-such-host.invalid/v1")
