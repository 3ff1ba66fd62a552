"""A stand-in for a Kubernetes cluster: as much of its API as Snakemake's executor plugin speaks.

Each pod is a process on this machine. It starts in an empty folder, which stands for /workdir, with
the environment that its specification asks for and nothing else of this process's, and the
programs of its image: python and git, and a pip that finds all there already. So whatever a job
does not get through the storage is not there. It is none of Kubernetes: no scheduling, no limits,
no containers.
"""

from __future__ import annotations

import base64
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

import yaml

#: Pods that run at a time; the others wait, as they do on a full cluster.
_AT_A_TIME = 2


class Cluster:
    """The API and its pods.

    Parameters
    ----------
    folder
        Where the pods work; also holds the kubeconfig that leads here.

    Attributes
    ----------
    pods
        Specification of each job that was submitted, as it was sent.
    secrets
        Secrets that exist, by name, decoded.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pods: dict[str, dict[str, Any]] = {}
        self.secrets: dict[str, dict[str, str]] = {}
        self.gone: list[str] = []
        self._codes: dict[str, int] = {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._room = threading.Semaphore(_AT_A_TIME)
        self._programs()
        cluster = self

        class Handler(_Handler):
            of = cluster

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        for name in list(self._processes):
            self._end(name)
        self._server.shutdown()
        self._server.server_close()

    @property
    def config(self) -> Path:
        """A kubeconfig for it."""
        host = f"http://127.0.0.1:{self._server.server_address[1]}"
        path = self.folder / "kubeconfig"
        named = {
            "clusters": [{"name": "c", "cluster": {"server": host}}],
            "users": [{"name": "u", "user": {}}],
            "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
        }
        kind = {"apiVersion": "v1", "kind": "Config", "current-context": "x"}
        path.write_text(yaml.safe_dump({**kind, **named}))
        return path

    def _programs(self) -> None:
        self.bin = self.folder / "image" / "bin"
        self.bin.mkdir(parents=True)
        does = {"python": f'exec {shlex.quote(sys.executable)} "$@"', "pip": 'echo "has: $*"'}
        for name, what in does.items():
            program = self.bin / name
            program.write_text(f"#!/bin/sh\n{what}\n")
            program.chmod(0o755)

    def submit(self, body: dict[str, Any]) -> None:
        """Run the one pod of a Kubernetes job."""
        name = body["metadata"]["name"]
        self.pods[name] = body
        threading.Thread(target=self._run, args=(name,), daemon=True).start()

    def _run(self, name: str) -> None:
        (container,) = self.pods[name]["spec"]["template"]["spec"]["containers"]
        environment = {
            entry["name"]: self.secrets[entry["valueFrom"]["secretKeyRef"]["name"]][
                entry["valueFrom"]["secretKeyRef"]["key"]
            ]
            for entry in container["env"]
        }
        environment |= {"PATH": f"{self.bin}{os.pathsep}/usr/bin{os.pathsep}/bin"}
        environment |= {"HOME": str(self.folder / "nobody"), "OMP_NUM_THREADS": "1"}
        work = self.folder / "pods" / name
        work.mkdir(parents=True)
        with self._room, (self.folder / f"{name}.log").open("wb") as log:
            if name in self.gone:
                return
            process = subprocess.Popen(
                [*container["command"], *container["args"]],
                cwd=work,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            self._processes[name] = process
            self._codes[name] = process.wait()
        shutil.rmtree(work, ignore_errors=True)

    def _end(self, name: str) -> None:
        self.gone.append(name)
        process = self._processes.get(name)
        if process is not None and process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)

    def log(self, name: str) -> str:
        """What a pod has printed."""
        path = self.folder / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def logs(self) -> str:
        """What all pods have printed."""
        return "".join(self.log(name) for name in self.pods)

    def status(self, name: str) -> dict[str, Any]:
        """Status of a job."""
        code = self._codes.get(name)
        return {} if code is None else {"succeeded": int(code == 0), "failed": int(code != 0)}

    def pod(self, name: str) -> dict[str, Any]:
        """The pod of a job, as a list of pods shows it."""
        code = self._codes.get(name)
        state = {"running": {}} if code is None else {"terminated": {"exitCode": code}}
        container = {"name": "snakemake", "image": "i", "imageID": "i", "ready": True}
        container |= {"restartCount": 0, "state": state}
        return {
            "metadata": {"name": f"{name}-pod"},
            "status": {"phase": "Running", "containerStatuses": [container]},
        }


class _Handler(BaseHTTPRequestHandler):
    of: Cluster

    def log_message(self, *_: object) -> None:
        """Nothing of each request."""

    def _answer(self, value: Any, code: int = 200) -> None:
        text = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(code)
        kind = "text/plain" if isinstance(value, str) else "application/json"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def _missing(self) -> None:
        self._answer({"kind": "Status", "status": "Failure", "reason": "NotFound"}, 404)

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length))
        kind = urlparse(self.path).path.rpartition("/")[2]
        if kind == "secrets":
            values = {k: base64.b64decode(v).decode() for k, v in body["data"].items()}
            self.of.secrets[body["metadata"]["name"]] = values
        elif kind == "jobs":
            self.of.submit(body)
        else:
            return self._missing()
        self._answer(body, 201)

    def do_GET(self) -> None:
        url = urlparse(self.path)
        parts = url.path.strip("/").split("/")
        if parts[-1] == "pods":
            name = parse_qs(url.query)["labelSelector"][0].removeprefix("job-name=")
            return self._answer({"kind": "PodList", "items": [self.of.pod(name)]})
        if parts[-1] == "log" and "previous=true" in url.query.lower():
            # Of the container before a restart: none of these pods is ever restarted.
            said = "previous terminated container not found"
            return self._answer({"kind": "Status", "reason": "BadRequest", "message": said}, 400)
        if parts[-1] == "log":
            return self._answer(self.of.log(parts[-2].removesuffix("-pod")))
        name = parts[-2]
        if name not in self.of.pods or name in self.of.gone:
            return self._missing()
        self._answer({**self.of.pods[name], "status": self.of.status(name)})

    def do_DELETE(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        self.rfile.read(length)
        kind, name = urlparse(self.path).path.split("/")[-2:]
        if kind == "secrets":
            self.of.secrets.pop(name, None)
        elif kind == "jobs":
            self.of._end(name)
        self._answer({"kind": "Status", "status": "Success"})
