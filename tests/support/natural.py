"""How well a judge by rules does on natural descriptions that people have labelled.

``python -m tests.support.natural FOLDER SNAPSHOT [--show]``: a folder with files of descriptions
(``*.jsonl``, see tests/data/natural/README.md), and the snapshot of the pictures that they
describe. Prints, by style and over all, the precision of what is called made up and left out, the
share of false statements that is found, and the share of claims and owed features that is left
undecided.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from lvlmbench.config import load_params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.scene.claims import ANYTHING, WRONG, Claim, Match, Scope, counting, missed, tally
from lvlmbench.stages.judge.judge import Answer, Judge
from lvlmbench.stages.judge.kinds.lexical.lexical import Lexical, words_in
from lvlmbench.stages.judge.truths import Truths
from lvlmbench.suites.suite import suite_of

ROOT = Path(__file__).resolve().parents[2]
_ALL = "all"


@dataclass(frozen=True)
class Natural:
    """A labelled description: its answer, and what of it people call false or left out."""

    row: Mapping[str, Any]
    answer: Answer
    scope: Scope

    @property
    def errors(self) -> list[tuple[int, int]]:
        """Characters of the false statements; of equal ones the first each."""
        found, last = list[tuple[int, int]](), Counter[str]()
        for each in self.row["errors"]:
            at = -1
            for _ in range(last[each["span"]] + 1):
                at = self.answer.text.find(each["span"], at + 1)
            last[each["span"]] += 1
            if at >= 0:
                found.append((at, at + len(each["span"])))
        return found

    @property
    def doubtful(self) -> list[tuple[int, int]]:
        """Characters of statements that people could not decide."""
        found = ((self.answer.text.find(span), len(span)) for span in self.row["unclear"])
        return [(at, at + n) for at, n in found if at >= 0]


def naturals(folder: Path, snapshot: Path) -> Iterator[Natural]:
    """Yield the descriptions of a folder's files."""
    rows = [
        json.loads(line)
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
        if line.strip()
    ]
    for suite in ("valor", "touchstone"):
        params = load_params(ROOT / "params.yaml", suite)
        data = snapshot / "data" / suite
        files = [
            sorted(data.glob(f"{table}/**/*.parquet")) for table in ("scenes", "layouts", "truth")
        ]
        asked = pq.read_table(sorted(data.glob("questions/*.parquet"))[0]).to_pylist()
        free = {
            f"{q['subtask']}-{q['scene_id'][:8]}": q
            for q in asked
            if q["question_type"] == "free_form"
        }
        mine = [row for row in rows if row["picture"] in free]
        scenes = {free[row["picture"]]["scene_id"] for row in mine}
        truths = Truths(params, *files, scenes)
        try:
            scopes = suite_of(params).scopes(params)
        except KeyError:
            scopes = {}
        for row in mine:
            question = free[row["picture"]]
            truth = truths[question["scene_id"]]
            answer = Answer(row["id"], question["question"], row["text"], truth)
            yield Natural(row, answer, scopes.get(question["subtask"], ANYTHING))


@dataclass
class Counts:
    """What the flags of a judge came to."""

    flags: int = 0
    right: int = 0
    left: int = 0
    left_right: int = 0
    planted: int = 0
    found: int = 0
    decided: int = 0
    undecided: int = 0
    unjudged: int = 0
    answers: int = 0

    def line(self) -> str:
        """Return the figures in one line."""

        def share(a: int, b: int) -> str:
            return f"{100 * a / b:5.1f} % ({a}/{b})" if b else "    - (0)"

        return (
            f"made up {share(self.right, self.flags)}  "
            f"left out {share(self.left_right, self.left)}  "
            f"found {share(self.found, self.planted)}  "
            f"undecided {share(self.undecided, self.decided + self.undecided)}  "
            f"unjudged {self.unjudged}/{self.answers}"
        )


def judged(
    judge: Judge, some: Sequence[Natural]
) -> Iterator[tuple[Natural, Sequence[Claim], Sequence[Match], Sequence[str]] | Natural]:
    """Yield what a judge makes of descriptions; the description alone where it judges none."""
    from dataclasses import replace

    by = {each.answer.key: each for each in some}
    held, claims = list[Any](), dict[str, Sequence[Claim]]()
    for answer, reading in judge.read(each.answer for each in some):
        if reading.status == "judged":
            claims[answer.key] = reading.claims
            held.append((replace(answer, unread=reading.unread), reading.claims))
        else:
            yield by[answer.key]
    for answer, holding in judge.hold(held):
        yield by[answer.key], claims[answer.key], holding.matches, holding.unsure


def meets(one: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    """Return whether a span shares characters with others."""
    return any(one[0] < end and start < one[1] for start, end in others)


def measure(judge: Judge, some: Sequence[Natural], show: bool = False) -> dict[str, Counts]:
    """Return the figures by style and subtask, and over all."""
    found: dict[str, Counts] = defaultdict(Counts)
    for each in judged(judge, some):
        one = each if isinstance(each, Natural) else each[0]
        keys = (_ALL, one.row["style"], one.row["picture"].partition("-")[0])
        cells = [found[key] for key in keys]
        for cell in cells:
            cell.answers += 1
        if isinstance(each, Natural):
            for cell in cells:
                cell.unjudged += 1
            continue
        _, claims, matches, unsure = each
        _count(one, claims, matches, unsure, cells, show)
    return found


def _count(
    one: Natural, claims: Sequence[Claim], matches: Sequence[Match], unsure: Sequence[str],
    cells: Sequence[Counts], show: bool,
) -> None:  # fmt: skip
    truth, told = one.answer.truth, list[str]()
    flagged = [c for c, m in counting(claims, matches, one.scope) if m.verdict in WRONG]
    for claim in flagged:
        span = (claim.start, claim.end)
        about = next((c for c in claims if c.number == claim.about), claim)
        right = meets(span, one.errors) or meets((about.start, about.end), one.errors)
        if not right and meets(span, one.doubtful):
            continue
        told += [] if right else [f"  MADE UP? {_say(claim)}"]
        for cell in cells:
            cell.flags, cell.right = cell.flags + 1, cell.right + right
    spans = [(c.start, c.end) for c, m in zip(claims, matches, strict=True) if m.verdict in WRONG]
    kinds = one.scope.kinds
    for error, span in zip(one.row["errors"], one.errors, strict=False):
        if error["what"] in kinds:
            told += [] if meets(span, spans) else [f"  missed   {error}"]
            for cell in cells:
                cell.planted, cell.found = cell.planted + 1, cell.found + meets(span, spans)
    faults = {fault.split(":")[0].split(".")[0] for fault in one.row["key_faults"]}
    labels, open_ = {*one.row["left_out"]}, {*one.row["not_judged"]}
    for feature in missed(claims, matches, truth, one.scope, unsure):
        if feature.feature in open_:
            continue
        right = feature.feature in labels
        told += (
            []
            if right
            else [f"  LEFT OUT? {feature.feature} {feature.object or feature.value} {faults}"]
        )
        for cell in cells:
            cell.left, cell.left_right = cell.left + 1, cell.left_right + right
    sums = tally(claims, matches, truth, one.scope, unsure)
    for cell in cells:
        cell.decided += sums.true + sums.wrong + sums.owed
        cell.undecided += sums.unverifiable + sums.unsure
    if show and told:
        print(
            f"== {one.row['id']}\n{one.answer.text}\n"
            + "\n".join(told)
            + f"\n  unsure: {[*unsure]}"
        )


def _say(claim: Claim) -> str:
    parts = (claim.kind, claim.subject, claim.relation, claim.object, claim.value)
    return " ".join(part for part in parts if part)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    words = words_in(vocabulary_dir(load_params(ROOT / "params.yaml", "valor")))
    found = measure(Lexical(words), [*naturals(args.folder, args.snapshot)], args.show)
    for name, counts in sorted(found.items()):
        print(f"{name:20} {counts.line()}")


if __name__ == "__main__":
    main()
