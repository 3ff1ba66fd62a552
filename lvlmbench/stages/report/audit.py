"""Which entries of the vocabulary make wrong samples (Dysca, section 3.3, step 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lvlmbench.core.errors import UserError
from lvlmbench.snapshot.reader import AUDIT, Snapshot

#: Proposed entries that the report lists; the file has all.
MAX_ENTRIES = 20
#: Entries shown where none is proposed.
MAX_OTHERS = 5


@dataclass(frozen=True)
class Entry:
    """One entry of the vocabulary, or one in a style; shares in percent.

    ``rate`` is the share of its samples that are wrong; ``others`` that of comparable samples, None
    where there are none, and
    ``excess`` the least that its own, no other entry to blame, is above that; ``by`` counts its
    wrong samples by source; ``line`` is what to write to leave it out, empty where it is not
    proposed.
    """

    list: str
    label: str
    style: str
    role: str
    n: int
    n_wrong: int
    rate: float
    low: float
    high: float
    others: float | None
    excess: float
    proposed: bool
    excluded: bool
    line: str
    by: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Audit:
    """Entries to show, the worst first; ``proposed`` and ``audited`` count all of the file."""

    entries: list[Entry]
    proposed: int
    audited: int
    threshold: float


#: What columns that count one filter's rejections are called, before the filter's name.
_BY = "rejected_by_"
#: Other columns that count wrong samples, and who calls them so.
_SOURCES = {"n_with_drops": "consensus"}


def _percent(text: str) -> float:
    return 100 * float(text or 0)  # empty where nothing was counted


def _entry(row: Mapping[str, str]) -> Entry:
    by = {name.removeprefix(_BY): int(count) for name, count in row.items()
          if name.startswith(_BY)}  # fmt: skip
    by |= {words: int(row[name]) for name, words in _SOURCES.items()}
    return Entry(
        row["list"], row["label"], row["in_style"], row["role"], int(row["n"]), int(row["n_wrong"]),
        _percent(row["rate"]), _percent(row["low"]), _percent(row["high"]),
        _percent(row["rate_comparable"]) if row["rate_comparable"] else None,
        _percent(row["excess_low"]), row["proposed"].lower() == "true",
        row["excluded"].lower() == "true", row["exclude"],
        tuple((name, count) for name, count in by.items() if count),
    )  # fmt: skip


def build(snapshot: Snapshot) -> Audit:
    """The proposed entries; where there are none, the entries that come closest.

    Raises
    ------
    UserError
        The file is missing or has other columns or values than an audit has.
    """
    try:
        entries = [_entry(row) for row in snapshot.audit]
    except (KeyError, ValueError, TypeError, AttributeError):
        raise UserError(
            str(snapshot.results / AUDIT), "is not a vocabulary audit", "run the rule 'audit' again"
        ) from None
    ranked = sorted(entries, key=lambda e: (-e.excess, -e.rate, e.list, e.label, e.style))
    proposed = [e for e in ranked if e.proposed]
    others = [e for e in ranked if e.n_wrong and e.others is not None][:MAX_OTHERS]
    threshold = 100 * snapshot.params.audit.threshold
    return Audit(proposed[:MAX_ENTRIES] or others, len(proposed), len(entries), threshold)
