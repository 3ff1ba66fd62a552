"""Which packages a requirements.lock names."""

from __future__ import annotations

import re

#: Groups whose packages make no artifact.
_TOOLS = {"dev", "cluster", "remotes"}

_GROUP = re.compile(r"# group: (\S+)")
_PACKAGE = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==(\S+)")


def locked_packages(text: str, tools: bool = True) -> dict[str, str]:
    """Version of each package by its normalized name.

    Parameters
    ----------
    text
        Of the file. Lines of another form, of whatever version, are passed over.
    tools
        Whether packages count that only tests, clusters and remotes need.
    """
    found, group = {}, ""
    for line in text.splitlines():
        if started := _GROUP.match(line):
            group = started[1]
        elif (package := _PACKAGE.match(line)) and (tools or group not in _TOOLS):
            found[re.sub(r"[-_.]+", "-", package[1]).lower()] = package[2]
    return found
