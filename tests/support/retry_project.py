"""A small project whose model fails some questions, to ask them again."""

from __future__ import annotations

from pathlib import Path

from lvlmbench import tables
from lvlmbench.engine.plan import Plan
from lvlmbench.engine.publish import publish
from lvlmbench.engine.stages import Item, Pipeline

_OUTS = {
    "examiner": ("exam_requests", "proposals"),
    "judge": ("judgements", "requests"),
    "planner": ("plan_requests", "planned_aspects", "planned_descriptions"),
    "check": ("check_requests", "check_answers"),
}
_TABLES = {
    "exam_requests": tables.EXAM_REQUESTS, "proposals": tables.PROPOSALS,
    "judgements": tables.JUDGEMENTS, "requests": tables.REQUESTS,
    "plan_requests": tables.PLAN_REQUESTS, "planned_aspects": tables.PLANNED_ASPECTS,
    "planned_descriptions": tables.PLANNED_DESCRIPTIONS,
    "check_requests": tables.CHECK_REQUESTS, "check_answers": tables.CHECK_ANSWERS,
}  # fmt: skip


class Project:
    """A project whose server fails a question as long as it is among ``failing``."""

    def __init__(self, root: Path) -> None:
        self.root, self.params = root, {"seed": 1, "models": ["good", "bad"]}
        self.failing = {"bad": ["q1", "q3"]}
        #: Who is asked in other stages, and fails as well.
        self.roles: dict[str, str] = {}
        (root / "code.py").write_text("")

    def pipeline(self) -> Pipeline:
        items = [Item("render", ("code.py",), ("data/images",), {"seed": self.params["seed"]})]
        for made, read in (("answer", "images"), ("score", "answer")):
            for model in self.params["models"]:
                path = f"own/{model}/clean"
                dep = "data/images" if read == "images" else f"data/own/{read}s/{model}/clean"
                out = f"data/own/{made}s/{model}/clean"
                items.append(Item(f"{made}/{path}", (dep,), (out,), {}))
        for role, name in self.roles.items():
            path = f"own/{name}" + ("/bad/clean" if role == "judge" else "")
            outs = tuple(f"data/own/{each}/{path[4:]}" for each in _OUTS[role])
            items.append(Item(f"{role}/{path}", ("data/images",), outs, {}))
        read = ("data/own/scores", *(f"data/own/{_OUTS[role][0]}" for role in self.roles))
        items.append(Item("metrics", read, ("results/metrics.txt",), {}))
        return Pipeline({item.name: item for item in items})

    def make(self, name: str, out: Path, plan: Plan) -> None:
        kind, _, rest = name.partition("/")
        if kind == "answer":
            _, model, scenario = rest.split("/")
            asked = {"model": model, "scenario": scenario}
            failing = self.failing.get(model, [])
            rows = [
                {**asked, "question_id": f"q{n}", "status": status}
                for n in range(5)
                for status in ["timeout" if f"q{n}" in failing else "answered"]
            ]
            tables.write_rows(rows, out / "part-00000.parquet", tables.ANSWERS, "x")
            return
        if kind in _OUTS:
            self._told(out, self.failing.get(self.roles[kind], []))
            return
        above = plan.given(name, [o for _, o in plan._above[name]])
        read = [file for path in above for file in sorted(Path(path).rglob("*")) if file.is_file()]
        content = b"".join(file.read_bytes() for file in read) or b"picture"
        file = out if out.suffix else out / "file"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def _told(self, out: Path, failing: list[str]) -> None:
        """What a role's requests came to; where questions fail, so do the requests about them."""
        (name,) = (each for each in _TABLES if f"/{each}/" in str(out))
        status = {"judgements": "judged", "check_answers": "answered"}.get(name, "made")
        if name.startswith("planned_"):  # each question fails in one of the two
            failing = [n for n in failing if (n < "q3") is (name == "planned_aspects")]
        rows = [
            {
                "question_id": f"q{n}",
                "scene_id": f"q{n}",
                "status": status,
                "adjustments": ["taken"],
            }
            for n in range(5)
        ]
        for n in failing:
            at = int(n.removeprefix("q"))
            key = "adjustments" if at > 3 and name == "proposals" else "status"
            rows[at] |= {key: ["error", "taken"] if key == "adjustments" else "error"}
        known = _TABLES[name]
        kept = [{k: v for k, v in row.items() if k in known.names} for row in rows]
        tables.write_rows(kept, out / "part-00000.parquet", known, "x")

    def build(self, last: str = "metrics", stop: str = "") -> list[str]:
        """What a run does: make what is missing, publish; returns the stages that ran."""
        plan, ran = Plan(self.root, self.pipeline()), []
        plan.write()
        for stage in plan.ancestors(last):
            if stage.name == stop:
                return ran
            made = [Path(path) for path in plan.made(stage.name, [*stage.outs])]
            if not all(each.exists() for each in made):
                for each in made:
                    self.make(stage.name, each, plan)
                ran.append(stage.name)
        if plan.stale(last):
            publish(Path(plan.status[last].build))
        return ran
