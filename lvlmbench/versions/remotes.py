"""Where DVC stores data for others: which remote, pushing to it, and whether all has arrived."""

from __future__ import annotations

import hashlib
import importlib.util
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lvlmbench.core.errors import UserError
from lvlmbench.versions.programs import dvc, meaningful

#: The configuration file of DVC that git keeps.
SHARED = ".dvc/config"

_ADD = "run 'dvc remote add --default storage URL' (a folder, s3://..., ssh://...)"

#: Kinds of storage that are a package of their own.
_PACKAGED = ("s3", "ssh", "gs", "azure", "gdrive", "hdfs", "oss", "webdav", "webhdfs")

#: Protocols of storage where a file that is being written is already there.
_IN_PLACE = ("local", "ssh", "sftp")

#: Options of remotes that are secret.
_SECRETS = {
    *("password", "passphrase", "secret_access_key", "session_token", "token", "sas_token"),
    *("account_key", "connection_string", "client_secret", "oss_key_secret", "webdav_password"),
    *("gdrive_client_secret", "gdrive_service_account_json_file_contents"),
}


@dataclass(frozen=True)
class Remote:
    """A remote of DVC, and whether those who clone the repository know it."""

    name: str
    shared: bool


def checked_settings(project: Path) -> dict[str, tuple[str, str]]:
    """Key -> file and value of each setting of DVC.

    Raises
    ------
    UserError
        A file that git keeps holds a secret.
    """
    told = dvc(project, "config", "--list", "--show-origin", fix="mend .dvc/config")
    found: dict[str, tuple[str, str]] = {}
    for line in told.splitlines():
        origin, _, setting = line.partition("\t")
        key, _, value = setting.partition("=")
        if origin.strip() == SHARED:
            _check_secret(key, value)
        found[key.strip()] = origin.strip(), value
    return found


def choose_remote(project: Path, name: str | None) -> Remote:
    """The remote called ``name``, or the default one.

    Raises
    ------
    UserError
        There is none, or a file that git keeps holds a secret.
    """
    found = checked_settings(project)
    if name is None and "core.remote" not in found:
        raise UserError("DVC", "has no default remote to push the data to", _ADD)
    wanted = name or found["core.remote"][1]
    place = found.get(f"remote.{wanted}.url")
    if place is None:
        raise UserError(f"DVC: remote '{wanted}'", "is not configured", _ADD)
    _check_package(wanted, place[1])
    default = found.get("core.remote", ("", ""))
    shared = place[0] == SHARED and default == (SHARED, wanted)
    return Remote(wanted, shared)


def _check_package(remote: str, url: str) -> None:
    """DVC can speak to this kind of storage."""
    kind = url.partition("://")[0].replace("webdavs", "webdav") if "://" in url else ""
    if kind not in _PACKAGED or importlib.util.find_spec(f"dvc_{kind}") is not None:
        return
    locked = "run 'make install-remotes'"
    raise UserError(
        f"DVC: remote '{remote}'",
        f"is on {kind}, and the package dvc-{kind} is not installed",
        locked if kind in ("s3", "ssh") else f"run 'pip install dvc-{kind}'",
    )


def _check_secret(key: str, value: str) -> None:
    """Git is about to keep this setting."""
    section, _, option = key.rpartition(".")
    try:
        inside = urlsplit(value).password if option == "url" else None
    except ValueError:
        inside = None
    if section.startswith("remote.") and (option in _SECRETS or inside):
        raise UserError(
            f"{SHARED}: {key}",
            "is secret, and this file goes to git",
            "use 'dvc remote modify --local', or the environment, and remove it there",
        )


def push(project: Path, remote: Remote) -> None:
    """Push the data, and make sure that all of it has arrived.

    What has arrived already is not sent again. DVC takes a folder for pushed once its list of files
    is there; if the remote has lost one of the files since, it is found missing here, and sent.

    Raises
    ------
    UserError
        The remote cannot be written, or something is missing there.
    """
    from dvc.exceptions import DvcException
    from dvc_objects.errors import ObjectDBError, ObjectFormatError

    again = "mend that, then run the same command again: it goes on where it was"
    # What is wrong with the remote or the cache, the push itself says.
    with suppress(DvcException, ObjectFormatError, ObjectDBError, OSError):
        _drop_cut_lists(project, remote.name)
    dvc(project, "push", "--remote", remote.name, fix=again, show=True)
    try:
        missing = _send_missing(project, remote.name)
    except (DvcException, OSError) as error:
        raise UserError(f"DVC: remote '{remote.name}'", meaningful(str(error)), again) from None
    if missing:
        some = f"lacks {missing} of the files after the push"
        raise UserError(f"DVC: remote '{remote.name}'", some, again)


def _drop_cut_lists(project: Path, remote: str) -> None:
    """Remove lists of files from the remote whose bytes are not those that their name says.

    DVC writes them in place where the remote is a folder: a push that was killed leaves one cut,
    and each later push would end at it. What the cache here holds does not count: it may be that
    which is damaged.
    """
    from dvc.repo import Repo

    with Repo(str(project)) as repo:
        there: Any = repo.cloud.get_remote_odb(remote, hash_name="md5")
        if there.fs.protocol not in _IN_PLACE:
            return
        lists = [found.value for found in repo.used_objs()[None] if found.isdir]
        for oid in there.oids_exist(lists):
            path = there.oid_to_path(oid)
            held = hashlib.md5(there.fs.cat_file(path), usedforsecurity=False).hexdigest()
            if held != oid.removesuffix(".dir"):
                there.fs.remove(path)


def _send_missing(project: Path, remote: str) -> int:
    """Look for every object at the remote, and send those that it lacks; returns how many it lacks.

    DVC has no command for this.
    """
    from dvc.repo import Repo

    with Repo(str(project)) as repo:
        there: Any = repo.cloud.get_remote_odb(remote, hash_name="md5")
        wanted = {found.value: found for found in repo.used_objs()[None]}
        missing = wanted.keys() - set(there.oids_exist(list(wanted)))
        if missing:
            repo.cloud.transfer(repo.cache.local, there, [wanted[oid] for oid in missing])
            missing -= set(there.oids_exist(list(missing)))
        return len(missing)
