"""What a made-up judge says of the free answers of the report's snapshot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.scene.claims import Claim, Match, Truth, Verdict
from lvlmbench.stages.judge.judge import Holding, Reading
from lvlmbench.stages.judge.judging import ANSWERS, Judging, Question
from support.scripted_judge import TRUTH, Scripted, words

_MADE = (tables.CLAIMS, tables.MATCHES, tables.JUDGEMENTS, tables.PAIRWISE)


def _read(text: str) -> Reading:
    """Read the first words; of very long answers nothing."""
    if len(text) > 1000:
        return Reading("malformed", why="the reply is <b>not</b> JSON")
    found = words(" ".join(text.split()[:6])).claims
    shown = [c for c in found if text[c.start : c.end] == c.subject]
    numbered = (
        Claim(n, "object", c.subject, start=c.start, end=c.end) for n, c in enumerate(shown)
    )
    return Reading("judged", tuple(numbered))


#: What becomes of claims in turn, and the feature that each is held against.
_BECAME: tuple[tuple[Verdict, str | None], ...] = (
    ("matched", "o1"), ("hallucinated", None), ("broader", "o2"), ("contradicted", "o2.color"),
    ("unverifiable", None),
)  # fmt: skip


def _hold(claims: Sequence[Claim], truth: Truth) -> Holding:
    """Give claims all verdicts in turn, whatever they say."""
    found = ((claim, *_BECAME[claim.number % len(_BECAME)]) for claim in claims)
    return Holding("judged", tuple(Match(c.number, f, v, "word") for c, v, f in found))


def write_judged(p: Params, data: Path) -> None:
    """Write the tables of each judge about all answers that are there."""
    columns = ["question_id", "scene_id", "subtask", "question", "answer", "question_type"]
    asked = tables.read(data / "questions", tables.QUESTIONS, columns).to_pylist()
    free = {
        row["question_id"]: Question(*(row[name] for name in columns[1:5]))
        for row in asked
        if row["question_type"] == "free_form"
    }
    truths: dict[str, Truth] = defaultdict(lambda: TRUTH)
    for judge in p.judge.judges:
        judging = Judging(Scripted(_read, _hold), judge.name, free, truths, pairs=True)
        for model in p.answer.models:
            for scenario in p.scenarios.names:
                names = {"model": model.name, "scenario": scenario}
                folder = tables.ANSWERS.folder(data, **names)
                answers = tables.read(folder, tables.ANSWERS, ANSWERS).to_pylist()
                found = judging.rows(answers)
                for table in _MADE:
                    out = table.folder(data, judge=judge.name, **names) / tables.part_name(0)
                    tables.write_rows(getattr(found, table.name), out, table, "s")


def write_exam(p: Params, data: Path) -> None:
    """Write what an exam found about each judge: names and numbers that no report may trust."""
    rows = []
    for judge in p.judge.judges:
        for way, treatment, kind, measure in (
            ("claims", "all", "object", "sensitivity"),
            ("text", "all", "object", "sensitivity"),
            ("text", "all", "object", "specificity"),
            ("text", "perfect", "all", "faithfulness"),
            ("text", "perfect", "all", "corrected_faithfulness"),
            ("text", "perfect", "all", "true_faithfulness"),
            ("pairs", "one_error", "all", "position_bias"),
        ):
            cell = {"judge": judge.name, "way": way, "treatment": treatment, "kind": kind}
            found = {"measure": measure, "value": 0.75, "low": 0.5, "high": 0.875, "n": 8}
            rows.append({**cell, **found, "answers": 4, **dict.fromkeys(_COUNTS, 0)})
    folder = tables.JUDGE_EXAM.folder(data)
    tables.write_rows(rows, folder / tables.part_name(0), tables.JUDGE_EXAM, "s")


_COUNTS = ("unjudged", "refused", "malformed", "failed", "calls")
