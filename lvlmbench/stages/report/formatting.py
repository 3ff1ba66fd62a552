"""Numbers as the pages show them, and the templates' environment."""

from __future__ import annotations

from importlib.resources import files

import jinja2

from lvlmbench.analysis import comparisons, records, robustness
from lvlmbench.analysis.labels import TYPE_LABELS, inline, plain
from lvlmbench.core.untrusted import visible
from lvlmbench.stages.report import rates
from lvlmbench.stages.report.robustness_words import signed

DASH = "\N{EN DASH}"


def number(value: float | None, digits: int = 1) -> str:
    """A number with thousands separators; a dash where there is none."""
    return DASH if value is None else f"{value:,.{digits}f}"


def whole(value: int | None) -> str:
    """A count with thousands separators; a dash where nobody counted."""
    return number(value, 0)


def dollars(value: float | None) -> str:
    """An amount of money, small ones to the hundredth of a cent."""
    return f"${number(value, 4 if value is not None and 0 < value < 1 else 2)}"


def seconds(value: float | None) -> str:
    """A time; a dash where none was taken."""
    return DASH if value is None else f"{value:.{2 if value < 10 else 1}f} s"


def duration(value: float | None) -> str:
    """A time of any length: ``4.2 s``, ``3 min 20 s``, ``5 h 07 min``."""
    if value is None or value < 60:
        return seconds(value)
    minutes, rest = divmod(round(value), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60:,} h {minutes % 60:02d} min"


def size(value: int | None) -> str:
    """Bytes in the largest decimal unit that leaves a whole part: ``812 bytes``, ``3.4 MB``."""
    if value is None:
        return DASH
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if value >= factor:
            return f"{value / factor:,.1f} {unit}"
    return f"{value} {'byte' if value == 1 else 'bytes'}"


def decimal(value: float | None) -> str:
    """A score or threshold of a filter: up to four decimals, no zeros behind them."""
    return DASH if value is None else f"{value:.4f}".rstrip("0").rstrip(".")


def significant(value: float | None, digits: int = 3) -> str:
    """A number of any size, with a real minus; a dash where there is none."""
    if value is None:
        return DASH
    return f"{value:.{digits}g}".replace("-", "\N{MINUS SIGN}")


def position(value: float | None) -> str:
    """A percentage as a coordinate of the small score bars (0 to 100, two digits)."""
    return f"{min(100.0, max(0.0, value or 0.0)):.2f}"


def asset(name: str) -> str:
    """A file of the folder ``templates``."""
    return files("lvlmbench.stages.report").joinpath("templates", name).read_text(encoding="utf-8")


def environment() -> jinja2.Environment:
    """Templates that escape what they are given and take no undefined name."""
    env = jinja2.Environment(
        loader=jinja2.FunctionLoader(asset),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters.update(
        visible=visible,
        number=number,
        whole=whole,
        dollars=dollars,
        seconds=seconds,
        duration=duration,
        size=size,
        share=rates.share,
        warning=rates.warning,
        probability=comparisons.probability,
        plain=plain,
        type_label=lambda name: TYPE_LABELS.get(name, name),
        inline=inline,
        decimal=decimal,
        significant=significant,
        position=position,
        signed=signed,
        shown=robustness.shown,
        reach=records.reach,
    )
    return env
