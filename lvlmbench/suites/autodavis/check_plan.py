"""Whether the parameters of an exam can be planned, and the first reason why not."""

from __future__ import annotations

from itertools import permutations

from lvlmbench.config import Params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.config.render import AUTO
from lvlmbench.core.errors import UserError, meant
from lvlmbench.core.registry import kinds_of
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.suites.autodavis.catalogue import chosen
from lvlmbench.suites.autodavis.examiner import examiner_kinds
from lvlmbench.suites.autodavis.inputs import OWN
from lvlmbench.suites.autodavis.settings import Examining
from lvlmbench.suites.graphs.pairing import check_even


def check_plan(params: Params, source: str) -> None:
    """Check that aspects, levels and examiners are known, and that each aspect gets as many scenes.

    Raises
    ------
    UserError
        One is not known, the catalogue has a mistake or too few aspects, or a request's number of
        scenes is no multiple of its aspects times levels.
    """
    corpus = params.corpus
    own = corpus.own(Examining)
    where = f"{source}: suites.{params.suite}.corpus"
    for level in own.at:
        if level not in own.levels:
            fix = meant(level, own.levels, f"use some of: {', '.join(own.levels)}")
            raise UserError(f"{where}.autodavis.at", f"'{level}' is not a level", fix)
    examiner_kinds(params, f"{where}.autodavis")
    _check_crossing(own, f"{where}.autodavis")
    _check_planner(params, f"{where}.autodavis")
    _check_drawing(params, source, where)
    _check_rules_ask(params, own, source)
    by_request = chosen(params, f"{where}.autodavis")
    for request in corpus.subtasks:
        each = len(by_request[request]) * len(own.asked) * (2 if own.twins else 1)
        n = corpus.count(request)
        if not each:
            fix = "leave it out of subtasks, or name one of its aspects"
            raise UserError(f"{where}.autodavis.only", f"names no aspect of '{request}'", fix)
        if n % each:
            key = f"scenes.{request}" if request in corpus.scenes else "scenes_per_subtask"
            wanted = max(round(n / each), 1) * each
            raise UserError(
                f"{where}.{key}",
                f"is {n}, but {len(by_request[request])} aspects of {request} at "
                f"{len(own.asked)} levels{', with twins,' if own.twins else ''} take {each} "
                "scenes, or a multiple of it",
                f"write {wanted}",
            )


def _check_planner(params: Params, where: str) -> None:
    """Whoever wants aspects that no file names has a model that thinks of them."""
    own, wished = params.corpus.own(Examining), OWN in params.corpus.subtasks
    if wished != (own.words is not None):
        key, there = ("words", "are not there") if wished else ("words", "ask for nothing")
        fix = f"write them, or leave out {OWN}" if wished else f"add {OWN} to corpus.subtasks"
        raise UserError(f"{where}.{key}", there, fix)
    if own.raw and not (wished or own.think):
        what = "asks a model for aspects at once, and none is asked for any"
        raise UserError(f"{where}.raw", what, "write 'think: true', too, or leave it out")
    if (wished or own.think) and not params.examiner.planners:
        key = "words" if wished else "think"
        what = "needs a model that thinks of aspects, and there is none"
        fix = "list one in examiner.examiners and name it in examiner.planners"
        raise UserError(f"{where}.{key}", what, f"{fix} (docs/autodavis.md)")


def _check_crossing(own: Examining, where: str) -> None:
    """Each pair of levels has a name of its own, which is no level's."""
    taken = {*own.levels}
    for picture, question in permutations(own.at or own.levels, 2) if own.crossed else ():
        name = f"{picture}_{question}"
        if name in taken:
            what = f"the pair of '{picture}' and '{question}' is '{name}', which is taken"
            raise UserError(f"{where}.crossed", what, "rename a level")
        taken.add(name)


def _check_rules_ask(params: Params, own: Examining, source: str) -> None:
    """Twins stand side by side, and rules ask about them: others are not told of the twin.

    Nor do others say which facts their answers rest on.
    """
    if own.twins:
        check_even(params, source, "autodavis", {"shard_scenes": params.corpus.shard_scenes})
    for key, set_to, why in (
        ("twins", own.twins, "they are not told of a picture's twin"),
        ("atomic", own.atomic, "what they ask has no atomic checks"),
    ):
        if set_to and params.examiner.examiners:
            fix = f"write '{key}: false' under suites.{params.suite}.corpus.autodavis"
            what = f"lists models that ask, and {why}"
            raise UserError(f"{source}: examiner.examiners", what, f"{fix}, or list none")


def _check_drawing(params: Params, source: str, where: str) -> None:
    """Renderers know what they have drawn where truth is measured; where it is a description they
    take a prompt, and models write and check it. Styles are those of the vocabulary."""
    own, render = params.corpus.own(Examining), params.render
    key_of_truth = f"suites.{params.suite}.corpus.autodavis.truth"
    ordered = kinds_of("renderers").ordered()
    for key, name in (("renderer", render.renderer), ("fallback", render.fallback)):
        kind = None if name is None else kinds_of("renderers").find(name)
        if kind is None or kind.prompts == own.by_text:
            continue
        able = ", ".join(each.name for each in ordered if each.prompts == own.by_text)
        what = f"'{name}' draws what a graph says, and the truth of this exam is a description"
        fix = f"use one of: {able}; or set {key_of_truth}: measured"
        if kind.prompts:
            what = f"'{name}' measures nothing, and an exam asks about what was measured"
            fix = f"use one of: {able}; or set {key_of_truth}: description"
        raise UserError(f"{source}: render.{key}", what, f"{fix} (docs/autodavis.md)")
    if own.by_text:
        _check_texts(params, own, source, where)
    named = own.restyled.styles
    known = load_vocabulary(vocabulary_dir(params)).lists["style"].by_label if named else {}
    for style in named:
        if style not in known:
            fix = meant(style, known, "docs/scenes.md tells where styles stand")
            place = f"{where}.autodavis.restyled.styles"
            raise UserError(place, f"'{style}' is no style of the vocabulary", fix)


def _check_texts(params: Params, own: Examining, source: str, where: str) -> None:
    """Models write the texts, and look at the pictures; nothing is set that needs a graph."""
    truth = f"{where}.autodavis.truth"
    if params.render.renderer == AUTO:
        able = ", ".join(kind.name for kind in kinds_of("renderers").ordered() if kind.prompts)
        what = "'auto' may choose a renderer that takes no prompt"
        raise UserError(f"{source}: render.renderer", what, f"use one of: {able}")
    for needed, there, key, fix in (
        ("writes the descriptions", params.examiner.planners, "examiner.planners",
         "list one in examiner.examiners and name it in examiner.planners"),
        ("looks at the pictures", params.validator.validators, "validator.validators",
         "list one there"),
    ):  # fmt: skip
        if not there:
            what = f"is 'description', which needs a model that {needed}; {key} names none"
            raise UserError(truth, what, f"{fix} (docs/autodavis.md)")
    if not own.checks:
        what = "is 0, and pictures are checked where truth is 'description'"
        raise UserError(f"{where}.autodavis.checks", what, "write 6, as the paper has")
    for key, given in (("twins", own.twins), ("atomic", own.atomic)):
        if given:
            what = "needs a graph, and truth is 'description'"
            raise UserError(f"{where}.autodavis.{key}", what, f"write '{key}: false'")
