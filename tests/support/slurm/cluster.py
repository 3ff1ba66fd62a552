"""A Slurm cluster of two nodes on this machine, thrown away afterwards.

``python tests/support/slurm/cluster.py COMMAND...`` runs a command with a cluster around it.
munged,
slurmctld and two slurmd run as the user who starts them, with their own key, ports and files in a
folder of their own; ``SLURM_CONF`` names its slurm.conf, so that a cluster which this machine
belongs to is neither asked nor touched. One of the nodes has what Slurm takes for two GPUs.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

#: Debian, Ubuntu: apt-get install slurm-wlm munge.
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scontrol", "scancel")

_SBIN = f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/sbin{os.pathsep}/usr/local/sbin"

_CONF = """\
ClusterName=lvlmbench
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory,CR_LLN
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
MinJobAge=3600
SlurmdTimeout={node_timeout}
SchedulerParameters=sched_interval=1,defer=0
SlurmdParameters=config_overrides
GresTypes=gpu
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=16 RealMemory=64000
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=16 RealMemory=64000 \
Gres=gpu:2
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=1440 DefMemPerCPU=100
PartitionName=gpu Nodes=n2 MaxTime=1440 DefMemPerCPU=100
"""


def missing() -> list[str]:
    """Programs of Slurm and munge that are not installed."""
    return [name for name in PROGRAMS if shutil.which(name, path=_SBIN) is None]


def _free_ports(count: int) -> list[int]:
    """Ports that nobody listens on at this moment."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def _end_with_parent() -> None:
    """Have the kernel end this process with its parent: no daemon outlives who started it."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)


@dataclass
class Cluster:
    """A running cluster.

    Attributes
    ----------
    folder
        Its configuration, state and logs.
    """

    folder: Path
    _daemons: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def conf(self) -> Path:
        """Its slurm.conf."""
        return self.folder / "slurm.conf"

    @property
    def environment(self) -> dict[str, str]:
        """What commands need to find this cluster and no other."""
        path = os.environ.get("PATH", os.defpath)
        return {
            "SLURM_CONF": str(self.conf),
            "PATH": f"{self.folder / 'bin'}{os.pathsep}{path}",
        }

    def start(self, node_timeout: int = 20) -> None:
        """Start all daemons and wait until both nodes take jobs.

        Parameters
        ----------
        node_timeout
            Seconds after which a node that does not answer counts as down.

        Raises
        ------
        RuntimeError
            They do not start; what their logs end with.
        """
        for name in ("munge", "state", "spool.n1", "spool.n2", "bin"):
            (self.folder / name).mkdir(mode=0o700)
        # Snakemake's plugin takes SLURM_CONF from the environment of the srun that it starts in a
        # job, as the nodes of a cluster have theirs in /etc/slurm.
        srun = self.folder / "bin" / "srun"
        real = shutil.which("srun", path=_SBIN)
        srun.write_text(f'#!/bin/sh\nSLURM_CONF={self.conf} exec {real} "$@"\n')
        srun.chmod(0o700)
        user = pwd.getpwuid(os.getuid()).pw_name
        host = socket.gethostname().split(".")[0]
        ports = _free_ports(3)
        self.conf.write_text(
            _CONF.format(
                folder=self.folder, host=host, ports=ports, user=user, node_timeout=node_timeout
            )
        )
        # Any device will do.
        gpus = "".join(f"NodeName=n2 Name=gpu File=/dev/{name}\n" for name in ("null", "zero"))
        (self.folder / "gres.conf").write_text(gpus)
        key = self.folder / "munge" / "key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(1024))
        munge = {
            "--socket": "socket",
            "--key-file": "key",
            "--pid-file": "pid",
            "--log-file": "log",
            "--seed-file": "seed",
        }
        paths = [f"{option}={self.folder}/munge/{name}" for option, name in munge.items()]
        self._run("munge", ["munged", "--foreground", "--force", "--num-threads=2", *paths])
        self._wait(lambda: (self.folder / "munge" / "socket").exists(), "munged")
        self._run("ctld", ["slurmctld", "-D", "-i", "-f", str(self.conf)])
        for node in ("n1", "n2"):
            self.start_node(node)
        self._wait(lambda: self.states() == {"n1": "idle", "n2": "idle"}, "the nodes")

    def start_node(self, node: str) -> None:
        """Start the daemon of a node, again if it was stopped."""
        self._run(node, ["slurmd", "-D", "-N", node, "-f", str(self.conf)])

    def fail_node(self, node: str) -> None:
        """End a node as a crash of its machine does: its daemon and all its jobs, at once."""
        self._end(node, signal.SIGKILL)
        self._kill_jobs(f"SLURMD_NODENAME={node}")

    def states(self) -> dict[str, str]:
        """State of each node in Slurm's words."""
        said = self.say("sinfo", "-h", "-N", "-p", "main", "-o", "%N %t")
        return dict(line.split() for line in said.splitlines())

    def say(self, *command: str) -> str:
        """What one of Slurm's commands prints; empty where it fails."""
        return subprocess.run(
            command,
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        ).stdout

    def stop(self) -> None:
        """Cancel all jobs and end all processes of this cluster."""
        if "ctld" in self._daemons:
            self.say("scancel", "--state=PENDING", "--user", str(os.getuid()))
            self.say("scancel", "--user", str(os.getuid()))
            deadline = time.monotonic() + 10
            while time.monotonic() < deadline and self.say("squeue", "-h"):
                time.sleep(0.2)
        for name in reversed([*self._daemons]):
            self._end(name, signal.SIGTERM)
        self._kill_jobs()  # they outlive the daemon of their node

    def _run(self, name: str, command: Sequence[str]) -> None:
        program = shutil.which(command[0], path=_SBIN)
        if program is None:
            raise RuntimeError(f"{command[0]} is not installed")
        with (self.folder / f"{name}.out").open("ab") as out:
            self._daemons[name] = subprocess.Popen(
                [program, *command[1:]],
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C in a terminal is for the command, not for these
                preexec_fn=_end_with_parent,
            )

    def _end(self, name: str, how: signal.Signals) -> None:
        daemon = self._daemons.pop(name)
        daemon.send_signal(how)
        try:
            daemon.wait(timeout=10)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()

    def _wait(self, holds: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + 30
        while not holds():
            gone = [name for name, daemon in self._daemons.items() if daemon.poll() is not None]
            if gone or time.monotonic() > deadline:
                logs = sorted([*self.folder.glob("*.out"), *self.folder.glob("*.log")])
                told = "\n".join(f"{f.name}: {f.read_text()[-1000:]}" for f in logs)
                raise RuntimeError(f"{what} did not start (ended: {gone})\n{told}")
            time.sleep(0.1)

    def _kill_jobs(self, *variables: str) -> None:
        """Kill what jobs of this cluster run, and the process of Slurm that watches over each.

        Parameters
        ----------
        variables
            What else their environment holds, as ``NAME=value``.
        """
        wanted = {f"SLURM_CONF={self.conf}".encode(), *(v.encode() for v in variables)}
        for file in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                held = set(file.read_bytes().split(b"\0"))
                if not wanted <= held or not any(v.startswith(b"SLURM_JOB_ID=") for v in held):
                    continue
                pid = int(file.parent.name)
                parent = int((file.parent / "stat").read_text().rpartition(")")[2].split()[1])
                if Path("/proc", str(parent), "comm").read_text().strip() == "slurmstepd":
                    os.kill(parent, signal.SIGKILL)
                os.kill(pid, signal.SIGKILL)


@contextlib.contextmanager
def cluster() -> Iterator[Cluster]:
    """A running cluster for the length of the block."""
    # A short path, as that of a socket may have 108 letters.
    with tempfile.TemporaryDirectory(prefix="slurm-", dir="/tmp") as folder:
        found = Cluster(Path(folder))
        try:
            found.start()
            yield found
        finally:
            found.stop()


def main(command: Sequence[str]) -> int:
    """Run a command, or a shell, with a cluster around it; returns how it ended."""
    if lacking := missing():
        print(f"Slurm lacks {', '.join(lacking)}: apt-get install slurm-wlm munge", file=sys.stderr)
        return 2
    # Ctrl-C is for the command; what ends this process ends the cluster first.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    with cluster() as found:
        print(f"in another terminal: export SLURM_CONF={found.conf}", file=sys.stderr)
        run = [*command] or [os.environ.get("SHELL", "/bin/sh")]
        return subprocess.run(run, env={**os.environ, **found.environment}).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
