"""A name that its server does not know is told before anything is computed."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import validate_project
from lvlmbench.config.project import Project
from lvlmbench.core.errors import UserError
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.engine.preflight.servers import _met, check_servers
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import Reply
from lvlmbench.stages.answer.requests.cache import AnswerCache, default_path, may_hold
from support.answer_tables import KEY, endpoint

ASKING = {("answer", "served")}
#: Status and body of what a server replies to a path.
Said = tuple[int, Any]
LIST: Said = (200, {"object": "list", "data": [{"id": "org/qwen-7b"}, {"id": "llava:latest"}]})
GOOD: Said = (200, {"choices": [{"message": {"content": "A"}, "finish_reason": "stop"}]})
NO_MODEL: Said = (404, {"error": {"message": "The model `org/qwen-b7` does not exist"}})
PAGE: Said = (200, "<html>Welcome</html>")
NO_LIST: Said = (404, {"error": "not found"})

Serve = Callable[[Said, Said], str]


class Quiet(ThreadingHTTPServer):
    """Says nothing of a client that hangs up."""

    def handle_error(self, *_: object) -> None:
        """Silence."""


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was ever answered, and requests go straight."""
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TEST_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "*")
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def came() -> list[str]:
    """Paths that were asked for, in order."""
    return []


@pytest.fixture
def serve(came: list[str]) -> Iterator[Serve]:
    """Start a server that replies so to a request for its models, and so to any other."""
    servers = []

    def start(models: Said, chat: Said) -> str:
        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                """Silence."""

            def do_GET(self) -> None:
                self.say(*models)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.say(*chat)

            def say(self, status: int, body: object) -> None:
                came.append(self.path)
                data = (body if isinstance(body, str) else json.dumps(body)).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        server = Quiet(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_address[1]}/v1"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def project(root: Path, url: str, model: str = "org/qwen-b7") -> Project:
    one = {"name": "served", "engine": "openai_chat", "endpoint": endpoint(url, model)}
    return validate_project({**read_yaml(root / "params.yaml"), "answer": {"models": [one]}}, "p")


def line_of(root: Path, url: str, model: str = "org/qwen-b7") -> str:
    with pytest.raises(UserError) as error:
        check_servers(project(root, url, model), ASKING, "my.yaml")
    return str(error.value)


def test_the_name_that_is_meant_is_told(root: Path, serve: Serve, came: list[str]) -> None:
    line = line_of(root, serve(LIST, NO_MODEL))
    assert line.startswith("my.yaml: answer.models: served: endpoint.model: the server at ")
    assert "has no model 'org/qwen-b7'" in line and line.endswith("did you mean 'org/qwen-7b'?")
    assert came == ["/v1/models", "/v1/chat/completions"]


def test_a_name_like_none_is_told_which_there_are(root: Path, serve: Serve) -> None:
    said = (400, {"error": {"message": "zzz is not a valid model ID"}})
    assert line_of(root, serve(LIST, said), "zzz").endswith("it has: org/qwen-7b, llava:latest")


@pytest.mark.parametrize("name", ["org/qwen-7b", "models/org/Qwen-7B", "llava"])
def test_what_is_listed_costs_no_request(
    root: Path, serve: Serve, came: list[str], name: str
) -> None:
    assert check_servers(project(root, serve(LIST, NO_MODEL), name), ASKING, "p") == []
    assert came == ["/v1/models"]


@pytest.mark.parametrize("models", [LIST, NO_LIST, PAGE])
def test_a_server_that_answers_is_asked_once(
    root: Path, serve: Serve, came: list[str], models: Said
) -> None:
    mine = project(root, serve(models, GOOD))
    for _ in range(2):
        assert check_servers(mine, ASKING, "p") == []
    assert came == ["/v1/models", "/v1/chat/completions"]


@pytest.mark.parametrize(
    ("chat", "key", "what"),
    [
        ((404, "nothing here"), "base_url", "HTTP 404"),
        ((501, "Unsupported method"), "base_url", "HTTP 501"),
        (PAGE, "base_url", "is no chat completion (the reply is not JSON"),
        ((401, {"error": {"message": f"bad key {KEY}"}}), "api_key_env", "HTTP 401: bad key [key]"),
    ],
)
def test_what_answers_nothing_is_told(
    root: Path, serve: Serve, chat: Said, key: str, what: str
) -> None:
    line = line_of(root, serve(NO_LIST, chat))
    assert f"served: endpoint.{key}: " in line and what in line and KEY not in line


@pytest.mark.parametrize(
    "chat",
    [(503, "loading"), (429, {"error": {"message": "slow down"}}), (400, {"error": "max_tokens"})],
)
def test_what_may_pass_is_no_mistake(root: Path, serve: Serve, chat: Said) -> None:
    assert check_servers(project(root, serve(NO_LIST, chat)), ASKING, "p") == []


def test_where_its_answers_may_be_known_it_is_a_line(root: Path, serve: Serve) -> None:
    mine, path = project(root, serve(LIST, NO_MODEL)), default_path()
    with AnswerCache(path) as cache:
        assert not may_hold(path, "org/qwen-b7")
        cache.put("0" * 64, Reply("A", "answered", served_model="another"))
    assert not may_hold(path, "org/qwen-b7")  # another model's
    with pytest.raises(UserError, match="did you mean"):
        check_servers(mine, ASKING, "p")
    with AnswerCache(path) as cache:
        cache.put("1" * 64, Reply("A", "answered", served_model="org/qwen-b7-2026"))
    (line,) = check_servers(mine, ASKING, "p")
    assert line.startswith("model 'served': the server at ")
    assert "did you mean 'org/qwen-7b'? unless all its answers are known" in line


def test_who_was_met_and_is_gone_is_a_line(root: Path, serve: Serve) -> None:
    url = serve(LIST, GOOD)
    assert check_servers(project(root, url), ASKING, "p") == []
    met = next((default_path().parent / "met").iterdir())
    gone = project(root, "http://127.0.0.1:1/v1")
    with pytest.raises(UserError, match="no server answers"):
        check_servers(gone, ASKING, "p")
    (model,) = gone.answer.models
    met.rename(met.with_name(_met(model.own(Endpoint)).name))
    assert len(check_servers(gone, ASKING, "p")) == 1


def test_who_is_not_asked_in_this_run_is_left_alone(
    root: Path, serve: Serve, came: list[str]
) -> None:
    assert check_servers(project(root, serve(LIST, NO_MODEL)), {("judge", "x")}, "p") == []
    assert came == []


def test_another_key_is_tried_anew(
    root: Path, serve: Serve, came: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = project(root, serve(NO_LIST, GOOD))
    assert check_servers(mine, ASKING, "p") == []
    monkeypatch.setenv("TEST_KEY", "another-key")
    assert check_servers(mine, ASKING, "p") == []
    assert len(came) == 4
    monkeypatch.delenv("TEST_KEY")
    with pytest.raises(UserError, match="TEST_KEY is not set"):
        check_servers(mine, ASKING, "p")


@pytest.mark.parametrize("key", ["schl\u00fcssel", "two\nlines"])
def test_what_is_no_key_is_told(
    root: Path, serve: Serve, came: list[str], monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("TEST_KEY", key)
    line = line_of(root, serve(NO_LIST, GOOD))
    assert "endpoint.api_key_env: what TEST_KEY holds is no key" in line and key not in line
    assert came == []
