"""JSON that may stand in a ``<script>`` element, whatever its strings hold."""

from __future__ import annotations

import json
import re

#: What opens or ends markup; what a page may not hold or reads as something else (controls,
#: halves of surrogate pairs, noncharacters, line separators, byte order mark); what reorders the
#: text around it, also for whoever reads the source.
_UNSAFE = re.compile(
    "[<>&\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
    "\ufdd0-\ufdef\ufeff\ufffe\uffff]"
)


def encode(value: object) -> str:
    """``value`` as JSON without markup, controls and characters that reorder text.

    Raises
    ------
    ValueError
        A number is not finite, which JSON cannot say.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
