"""Which entries of the vocabulary make images that are rejected (Dysca, section 3.3, step 4)."""

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
    """One entry of the vocabulary; ``rate``, ``low`` and ``high`` in percent. ``by`` counts its
    images by the filters that removed them; ``n_questions`` the consensus looked at."""

    list: str
    label: str
    role: str
    n: int
    n_rejected: int
    rate: float
    low: float
    high: float
    proposed: bool
    excluded: bool
    n_questions: int
    n_dropped: int
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


def _percent(text: str) -> float:
    return 100 * float(text or 0)  # empty where nothing was counted


def _entry(row: Mapping[str, str]) -> Entry:
    return Entry(
        row["list"], row["label"], row["role"], int(row["n"]), int(row["n_rejected"]),
        _percent(row["rate"]), _percent(row["low"]), _percent(row["high"]),
        row["proposed"].lower() == "true", row["excluded"].lower() == "true",
        int(row["n_questions"]), int(row["n_dropped"]),
        tuple((name.removeprefix(_BY), int(count)) for name, count in row.items()
              if name.startswith(_BY) and int(count)),
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
    ranked = sorted(entries, key=lambda e: (-e.low, -e.rate, e.list, e.label, e.role))
    proposed = [e for e in ranked if e.proposed]
    others = [e for e in ranked if e.n_rejected][:MAX_OTHERS]
    threshold = 100 * snapshot.params.audit.threshold
    return Audit(proposed[:MAX_ENTRIES] or others, len(proposed), len(entries), threshold)
