"""Roughly how often a run asks models behind servers, and what that may cost.

Nothing is drawn yet when a run tells this, so it follows from the parameters. What was answered
before is not asked again, and each job says exactly what it asks before it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lvlmbench.config import Params, Project
from lvlmbench.config.headline import headline_of
from lvlmbench.config.judging import EXTRACTOR
from lvlmbench.config.models import Model
from lvlmbench.config.shards import image_shards
from lvlmbench.engine.expected import Job
from lvlmbench.engine.retry import may_have_answered, outcomes
from lvlmbench.engine.seals import read_seal
from lvlmbench.engine.stages import SEALS
from lvlmbench.stages.answer.chat.protocol import most_tokens
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import IMAGE_TOKENS
from lvlmbench.stages.render.renderer import RENDERERS
from lvlmbench.stages.requests.budget import dollars
from lvlmbench.stages.stage import AXES
from lvlmbench.suites.suite import suite_of

#: Tokens of what is asked: a question with its picture, a check with its picture; what an examiner
#: gets: rules, what was planned; what a planner gets: rules, all that can be drawn; and what a
#: judge gets: rules, an answer or claims, features.
_QUESTION, _CHECK = IMAGE_TOKENS + 100, IMAGE_TOKENS + 350
_BRIEF, _PLAN, _JUDGEMENT = 1500, 3000, 2000
#: Requests that a judge gets for an answer, for a pair, and for each planted answer that
#: ``judge.exam`` asks for, over all treatments and kinds.
_ANSWER, _PAIR, _EXAM = 2, 2, 89
#: About which share of the requests for planted answers lists claims.
_READ = 1 / 3
#: Requests for the natural descriptions of the exam, where judges give the headline.
_NATURAL = 200
#: Requests for an answer of a task whose answers are rated.
_RATING = 1
#: Whose jobs decide what is asked: what was answered before may be of other questions.
_DECIDE = ("scenes", "render", "questions", "scenario")


@dataclass
class _Asked:
    """A model behind a server, and what it is asked."""

    label: str
    model: Model
    tokens: int
    repairs: int = 0
    requests: float = 0.0
    of: dict[tuple[str, str], Params] = field(default_factory=dict)  # by suite and scenario

    @property
    def line(self) -> str:
        """E.g. ``asked: gpt: about 1,300 requests, at most about $2.40``."""
        least, most = (_round(self.requests * n) for n in (1, 1 + self.repairs))
        calls = f"{least:,}" if least == most else f"{least:,} to {most:,}"
        kept = self._kept()
        about = "at most about" if kept else "about"
        return f"asked: {self.label}: {about} {calls} requests, {self._cost(most)}{kept}"

    def _kept(self) -> str:
        """What is said where some of the answers may be known."""
        endpoint = self.model.find(Endpoint)
        if endpoint is None or not may_have_answered(endpoint):
            return ""
        found = [_answers(params, self.model.name, name) for (_, name), params in self.of.items()]
        n, failed = (sum(pair[at] for pair in found) for at in (0, 1))
        again = f"; {failed:,} failed" if failed else ""
        how_many = f" ({n:,} of the last run{again})" if n or failed else ""
        return f"; answers that are kept are not sent again{how_many}"

    def _cost(self, requests: int) -> str:
        endpoint = self.model.find(Endpoint)
        if endpoint is None or endpoint.price_per_million is None:
            return "no price is known"
        sent, received = endpoint.price_per_million
        usd = requests * (self.tokens * sent + most_tokens(endpoint) * received) / 1e6
        limit = endpoint.budget_usd
        budget = "no budget" if limit is None else f"budget {dollars(limit)}"
        return f"at most about {dollars(round(usd, 2))} ({budget})"


def call_lines(project: Project, jobs: Iterable[Job]) -> list[str]:
    """Return a line for pictures that a server draws, and for each model behind a server that the
    jobs of a run ask."""
    answer = {m.name: _Asked(m.name, m, _QUESTION) for m in project.answer.models}
    judge = {
        called: _Asked(f"judge {called}", model, _JUDGEMENT, project.judge.repairs)
        for j in project.judge.judges
        for called, model in j.models.items()
    }
    examiner = {
        m.name: _Asked(f"examiner {m.name}", m, _BRIEF, project.examiner.repairs)
        for m in project.examiner.examiners
    }
    validator = {
        m.name: _Asked(f"validator {m.name}", m, _CHECK, project.validator.repairs)
        for m in project.validator.validators
    }
    planner = {
        m.name: _Asked(f"planner {m.name}", m, _PLAN, project.examiner.repairs)
        for m in project.examiner.examiners
    }
    leaves = {j.name: j.leaves for j in project.judge.judges}
    jobs = [*jobs]
    other = {job.of.get("suite") for job in jobs if job.rule in _DECIDE}
    for job in jobs:
        suite, model = job.of.get("suite"), answer.get(job.of.get("model", ""))
        if suite is None:
            continue
        params = project.suite(suite)
        if job.rule == "answer" and model is not None:
            model.requests += _answered(params, job.of["scenario"]) / image_shards(params)
            if suite not in other:
                model.of[suite, job.of["scenario"]] = params
        elif job.rule == "render":
            for name in suite_of(params).deciding(params):
                looks = suite_of(params).posing(params, 0) / image_shards(params)
                validator[name].requests += looks
        elif job.rule == "examiner":
            examiner[job.of["examiner"]].requests += _examined(params)
        elif job.rule == "check":
            checks = suite_of(params).posing(params, params.validator.planted)
            validator[job.of["validator"]].requests += checks
        elif job.rule == "planner":
            wanted = suite_of(params).planning(params)
            planner[job.of["planner"]].requests += wanted
        elif job.rule == "judge" and job.of["judge"] in judge:
            if job.of["model"] not in leaves[job.of["judge"]]:
                _shared(judge, job.of["judge"], _judged(params), _listed(params) / _ANSWER)
        elif job.rule == "examine" and _examines(params):
            natural = _NATURAL * (headline_of(params).table is not None)
            planted = _EXAM * params.judge.exam
            for name in leaves.keys() & judge.keys():
                _shared(judge, name, planted + natural, planted * _READ + natural / _ANSWER)
    roles = (*planner.values(), *examiner.values(), *validator.values())
    every = [*answer.values(), *roles, *judge.values()]
    lines = [each.line for each in every if each.requests and _served(each.model)]
    return [*_pictures(project, jobs), *lines]


def _pictures(project: Project, jobs: Iterable[Job]) -> list[str]:
    """A line for the pictures that a server draws; those that are drawn anew come on top."""
    kind = RENDERERS.find(project.render.renderer)
    if kind is None or kind.price is None:
        return []
    suites = [project.suite(job.of["suite"]) for job in jobs if job.rule == "render"]
    shown = _round(sum(params.corpus.n_scenes / image_shards(params) for params in suites))
    if not shown:
        return []
    price = kind.price(suites[0])
    cost = "no price is known" if price is None else f"about {dollars(round(shown * price, 2))}"
    return [f"asked: {kind.name}: about {shown:,} pictures, {cost}; more where some are drawn anew"]


def _answers(params: Params, model: str, scenario: str) -> tuple[int, int]:
    """How many published answers of a model as it is listed now did not fail, and how many did:
    those are kept, unless somebody has removed them, and these are asked again.
    """
    suite, listed = params.suite, AXES["model"].items(params).get(model)
    seal = read_seal(Path(SEALS, "answer", suite, model, f"{scenario}.json"))  # not after a retry
    if seal is not None and seal["params"].get("item.model") != listed:
        return 0, 0
    scenes = read_seal(Path(SEALS, "scenes", f"{suite}.json"))
    of = (scenes or {"params": {}})["params"].get("snapshot", {}).get("seed")
    if of not in (None, params.snapshot.seed):
        return 0, 0  # a run with another seed was stopped behind its scenes
    came, why = outcomes([Path("data", suite, "answers", model, scenario)])
    return came, len(why)


def _answered(params: Params, scenario: str) -> float:
    """Questions that a model is asked in a scenario: those of the suite, or their checks."""
    suite = suite_of(params)
    checks = params.scenarios.spec(scenario).checks
    return suite.planned_checks(params) if checks else suite.planned(params)[0]


def _examined(params: Params) -> float:
    """Requests to one of the examiners, who share what is planned."""
    if not suite_of(params).takes_requests:
        return 0.0
    each = params.corpus.n_scenes / len(params.examiner.examiners)
    return each * (1 + params.examiner.adjust)


def _shared(asked: Mapping[str, _Asked], judge: str, requests: float, claims: float) -> None:
    """Count requests to a judge; those that list claims go to its extractor, if it has one."""
    extractor = asked.get(EXTRACTOR.format(judge))
    if extractor is not None:
        extractor.requests += claims
        requests -= claims
    asked[judge].requests += requests


def _judged(params: Params) -> float:
    """Requests to a judge about a model's answers in a scenario."""
    tasks = suite_of(params).dialogue(params)
    each = {
        name: _PAIR * params.judge.pairs if task is None else _PAIR + _RATING * task.rated
        for name, task in ((name, tasks.get(name)) for name in params.corpus.subtasks)
    }
    return _listed(params) + _over(params, each)


def _listed(params: Params) -> float:
    """Those of them that list and match claims."""
    suite = suite_of(params)
    tasks, of = suite.dialogue(params), _ANSWER * suite.listed
    names = params.corpus.subtasks
    return _over(params, {n: of for n in names if n not in tasks or tasks[n].rated})


def _over(params: Params, each: Mapping[str, float]) -> float:
    """Requests in all, by how many there are for an answer of a subtask: subtasks share the free
    answers as they share the scenes."""
    corpus = params.corpus
    requests = sum(corpus.count(name) * n for name, n in each.items())
    return suite_of(params).planned(params)[1] * requests / max(corpus.n_scenes, 1)


def _examines(params: Params) -> bool:
    """Whether judges are examined: about scenes that are drawn, where answers are free."""
    suite = suite_of(params)
    return bool(suite.planned(params)[1]) and not suite.private


def _served(model: Model) -> bool:
    kind = model.made_by()
    return kind is not None and kind.served


def _round(n: float) -> int:
    """Two digits are as many as are known."""
    size = max(0, len(str(int(n))) - 2)
    return int(round(n, -size))
