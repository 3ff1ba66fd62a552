"""What the record of an image says was done to it, in words."""

from __future__ import annotations

import json
from typing import Any

from lvlmbench.analysis.labels import plain

#: Of the record of a printed text, what says how it looks.
_LOOK = {
    "color": "{}",
    "size_px": "{} px",
    "angle": "turned by {}\N{DEGREE SIGN}",
    "position": "{}",
    "opacity": "opacity {}",
    "outline": "outlined in {}",
}


def reach(epsilon: float, norm: str | None) -> str:
    """A bound in words: steps of 8 bits a value for the norm Linf, else its length."""
    if norm == "L2":
        return f"{epsilon:.3g} (L2)"
    return f"{round(255 * epsilon, 1):g}/255 (L\N{INFINITY})"


def settings(parameters: str | None) -> dict[str, Any]:
    """The ``parameters`` of a perturbation; empty where they are no JSON object."""
    try:
        found = json.loads(parameters or "")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def done(record: dict[str, Any] | None) -> list[str]:
    """What was done to an image, in words, from its record."""
    if record is None:
        return []
    parameters = settings(record["parameters"])
    out: list[str] = []
    if record["epsilon"] is not None:
        out.append(f"changed by at most {reach(record['epsilon'], parameters.get('norm'))}")
        if record["proxy"]:
            out.append(f"proxy {record['proxy']}")
        for name in ("loss", "similarity"):
            pair = [parameters.get(f"{name}_{when}") for when in ("before", "after")]
            if all(isinstance(v, int | float) for v in pair):
                out.append(f"{name} {pair[0]:.2f} \N{RIGHTWARDS ARROW} {pair[1]:.2f}")
    elif record["printed_text"] is not None:
        look = [
            form.format(value)
            for key, form in _LOOK.items()
            if (value := _word(parameters.get(key)))
        ]
        out += [", ".join(look)] if look else []
    elif record["kind"] is not None:
        severity, size = record["severity"], parameters.get("size")
        out.append(plain(record["kind"]))
        if isinstance(size, list):
            out.append(" \N{MULTIPLICATION SIGN} ".join(map(str, size)) + " px")
        elif severity is not None:
            out.append(f"severity {severity} of 5")
    return out


def _word(value: object) -> str:
    """A recorded name or number; empty for zero and for whatever is neither."""
    if isinstance(value, int | float) and value:
        return f"{value:g}".replace("-", "\N{MINUS SIGN}")
    return value.replace("_", " ") if isinstance(value, str) else ""
