"""Numbers as the pages show them, and the templates' environment."""

from __future__ import annotations

from importlib.resources import files

import jinja2
from markupsafe import Markup

from lvlmbench.analysis import comparisons, records, robustness
from lvlmbench.analysis.labels import TYPE_LABELS, inline, plain
from lvlmbench.analysis.leaderboard_rows import Row, Value
from lvlmbench.core.amounts import amount
from lvlmbench.core.untrusted import visible
from lvlmbench.stages.report.robustness_words import joined, not_ruled_out, signed

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


#: Share of answers that could not be scored, in percent of what was asked, above which readers are
#: warned: refusals, what was cut off, failed requests, what could not be read.
WORTH_A_WARNING = 2.0


def share(count: int | None, value: Value) -> float | None:
    """Percent of what was asked; None where it was not counted or nothing was asked."""
    return None if count is None or not value.asked else 100 * count / value.asked


#: Scenes below which a share of right answers is told as a count.
FEWEST_SCENES = 5


def few(value: Value) -> bool:
    """Return whether a number rests on so few scenes that it is no percentage to print."""
    return value.n_scenes is not None and value.n_scenes < FEWEST_SCENES


def missing(row: Row) -> str | None:
    """What became of the missing answers where they are more than :data:`WORTH_A_WARNING`."""
    value = row.headline
    if value is None or not value.asked:
        return None
    failed, refused, cut = value.n_failed or 0, value.n_refused or 0, value.n_truncated or 0
    if 100 * value.n_unscored <= WORTH_A_WARNING * value.asked:
        return None
    parts = [f"{failed:,} of {value.asked:,} {_failed(row, failed)}"] if failed else []
    if refused:
        of = "" if failed else f" of {value.asked:,} answers"
        parts.append(f"{refused:,}{of} {'was a refusal' if refused == 1 else 'were refusals'}")
    if cut:
        of = "" if parts else f" of {value.asked:,} answers"
        parts.append(f"{cut:,}{of} {'was' if cut == 1 else 'were'} cut off")
    if unread := value.n_unscored - failed - refused - cut:
        of = "" if parts else f" of {value.asked:,} answers"
        parts.append(f"{unread:,}{of} could not be {'judged' if row.judged else 'read'}")
    return joined(parts)


def warning(row: Row) -> str | None:
    """One sentence where answers are :func:`missing`: of them, and of what the number rests on."""
    value, lost = row.headline, missing(row)
    if value is None or lost is None:
        return None
    rest = "the number stands on the rest" if value.n else "nothing is left to score"
    rest = "the rest is too little for a headline" if value.n and value.value is None else rest
    return f"{lost}: {rest}"


def _failed(row: Row, count: int) -> str:
    if row.kind == "brought":
        return "questions have no answer" if count != 1 else "questions has no answer"
    return "requests failed"


def quoted(page: str) -> Markup:
    """A page as an attribute in single quotes, which pages hold fewer of than of double ones."""
    safe = page.replace("&", "&amp;").replace("'", "&#39;")
    return Markup(safe)  # noqa: S704


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
    env.globals["not_ruled_out"] = not_ruled_out
    env.filters.update(
        amount=amount,
        visible=visible,
        number=number,
        whole=whole,
        dollars=dollars,
        seconds=seconds,
        duration=duration,
        size=size,
        share=share,
        few=few,
        warning=warning,
        probability=comparisons.probability,
        plain=plain,
        type_label=lambda name: TYPE_LABELS.get(name, name),
        inline=inline,
        decimal=decimal,
        significant=significant,
        position=position,
        quoted=quoted,
        signed=signed,
        sure=robustness.excludes_zero,
        reach=records.reach,
    )
    return env
