"""A small project whose model fails some questions, to ask them again."""

from __future__ import annotations

from pathlib import Path

from lvlmbench import tables
from lvlmbench.engine.plan import Plan
from lvlmbench.engine.publish import publish
from lvlmbench.engine.stages import Item, Pipeline


class Project:
    """A project whose server fails a question as long as it is among ``failing``."""

    def __init__(self, root: Path) -> None:
        self.root, self.params = root, {"seed": 1, "models": ["good", "bad"]}
        self.failing = {"bad": ["q1", "q3"]}
        (root / "code.py").write_text("")

    def pipeline(self) -> Pipeline:
        items = [Item("render", ("code.py",), ("data/images",), {"seed": self.params["seed"]})]
        for made, read in (("answer", "images"), ("score", "answer")):
            for model in self.params["models"]:
                path = f"own/{model}/clean"
                dep = "data/images" if read == "images" else f"data/own/{read}s/{model}/clean"
                out = f"data/own/{made}s/{model}/clean"
                items.append(Item(f"{made}/{path}", (dep,), (out,), {}))
        items.append(Item("metrics", ("data/own/scores",), ("results/metrics.txt",), {}))
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
        above = plan.given(name, [o for _, o in plan._above[name]])
        read = [file for path in above for file in sorted(Path(path).rglob("*")) if file.is_file()]
        content = b"".join(file.read_bytes() for file in read) or b"picture"
        file = out if out.suffix else out / "file"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def build(self, last: str = "metrics", stop: str = "") -> list[str]:
        """What a run does: make what is missing, publish; returns the stages that ran."""
        plan, ran = Plan(self.root, self.pipeline()), []
        plan.write()
        for stage in plan.ancestors(last):
            if stage.name == stop:
                return ran
            (out,) = stage.outs
            made = Path(plan.made(stage.name, [out])[0])
            if not made.exists():
                self.make(stage.name, made, plan)
                ran.append(stage.name)
        if plan.stale(last):
            publish(Path(plan.status[last].build))
        return ran
