"""Items of the browser as its script reads them; templates/browser.js tells what each key is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lvlmbench.analysis.dialogue.compared import TIE
from lvlmbench.analysis.labels import TYPE_LABELS, plain
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.outcomes import DROPPED, OUTCOMES
from lvlmbench.analysis.records import done
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.untrusted import Excerpt, excerpt
from lvlmbench.scene.subtasks import subtask_order
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import attempts
from lvlmbench.stages.report.asked import NOT_ASKED, Answer, Question, questions_of
from lvlmbench.stages.report.browser import claims
from lvlmbench.stages.report.browser.checks import checks_of
from lvlmbench.stages.report.browser.pairs import Pairs
from lvlmbench.stages.report.browser.scenes import Row, Shown, attacked, images_of, rows_of
from lvlmbench.tables import QUESTION_TYPES, TYPES

#: Characters kept of a prompt or a caption of a scene.
_SCENE_TEXT = 1200
#: The same of a reference, and of what stands for the picture.
_REFERENCE = 2000
#: How much stronger a perturbation is shown than it is.
GAIN = 10
#: Keys of an answer that are left out where they have this value.
_USUAL = {"cut": 0, "reading": "", "parsed": None, "sim": None, "status": "answered", "error": None}

Item = dict[str, Any]


#: What stands for the style of a scene whose description is a text: that may name any.
NO_STYLE = "no named style"


@dataclass(frozen=True)
class Names:
    """What numbers in items stand for."""

    models: list[str]
    scenarios: list[str]
    subtasks: list[str]
    styles: list[str]
    outcomes: list[str]
    judges: list[str]

    def head(self, leaderboard: Leaderboard) -> dict[str, Any]:
        """The same for readers."""

        def named(names: Sequence[str], label: Any) -> list[dict[str, str]]:
            return [{"name": name, "label": str(label(name))} for name in names]

        return {
            "version": 1,
            "models": [{"name": m, "kind": leaderboard.kind(m)} for m in self.models],
            "scenarios": named(self.scenarios, plain),
            "subtasks": named(self.subtasks, plain),
            "styles": named(self.styles, plain),
            "types": named(QUESTION_TYPES, TYPE_LABELS.__getitem__),
            "outcomes": named(self.outcomes, OUTCOMES.__getitem__),
            **self._judged(),
        }

    def _judged(self) -> dict[str, Any]:
        """Judges, and verdicts in words; nothing where no answer was judged."""
        verdicts = [dict(zip(("name", "sign", "label"), v, strict=True)) for v in claims.VERDICTS]
        found = {"judges": self.judges, "verdicts": verdicts, "tie": TIE}
        return found if self.judges else {}


@dataclass(frozen=True)
class Picture:
    """What a picture of an item is made from: an image, or what changed from ``before`` to it."""

    sha256: str
    before: str | None = None


def _whole(text: Excerpt) -> str:
    return text.head if text.body is None else text.body


def _answer(answer: Answer, model: int, scenario: int, outcome: int, kept: int) -> dict[str, Any]:
    text = _whole(answer.text)[:kept]
    found = {
        "m": model,
        "s": scenario,
        "o": outcome,
        "text": text,
        "cut": answer.text.length - len(text),
        "reading": answer.reading,
        "parsed": answer.parsed,
        "sim": answer.similarity,
        "status": answer.status,
        "error": _whole(answer.error) or None,
    }
    return {k: v for k, v in found.items() if k not in _USUAL or v != _USUAL[k]}


class Items:
    """Items of some scenes, with the pictures that they refer to.

    Parameters
    ----------
    ids
        Scenes, in the order of the items.
    names
        Scenarios that are shown.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        leaderboard: Leaderboard,
        ids: Sequence[str],
        names: Sequence[str],
    ) -> None:
        self._snapshot, self._ids = snapshot, ids
        self._scenes = {r["scene_id"]: r for r in rows_of(snapshot.scenes, "scene_id", ids)}
        self._images = images_of(snapshot, names, ids)
        self._attacked = attacked(snapshot)
        self._tags = attempts.tags(snapshot, ids)
        of = {name: self._questions(leaderboard, name) for name in names}
        self._checks = checks_of(snapshot, leaderboard, ids)
        self._claims = claims.Claims(snapshot, ids, names, leaderboard.models)
        questions = [q for found in of.values() for qs in found.values() for q in qs]
        free = {q.question_id for q in questions if not TYPES[q.question_type].judged}
        self._pairs = Pairs(snapshot, free, names, leaderboard.models)
        subtasks = {r["subtask"] for r in self._scenes.values()} | {q.subtask for q in questions}
        styles = {r["style"] for r in self._scenes.values()}
        said = [*questions, *(check for found in self._checks.values() for check in found)]
        outcomes = {a.outcome for q in said for a in q.answers if a.status != NOT_ASKED}
        outcomes |= {DROPPED} if any(q.dropped for q in questions) else set()
        self.names = Names(
            leaderboard.models,
            list(names),
            sorted(subtasks, key=subtask_order),
            [*(s for s in snapshot.styles if s in styles), *([NO_STYLE] if None in styles else [])],
            [o for o in OUTCOMES if o in outcomes],
            [*dict.fromkeys([*self._claims.judges, *self._pairs.judges])],
        )
        self._of = of

    def _questions(self, leaderboard: Leaderboard, scenario: str) -> dict[str, list[Question]]:
        rows = rows_of(self._snapshot.asked[scenario], "scene_id", self._ids)
        return questions_of(self._snapshot, leaderboard, rows, leaderboard.models, scenario)

    def pictures(self, scene: str) -> list[tuple[Shown, Picture | None]]:
        """Images of a scene in order, each with what its picture is made from."""
        images = self._images[scene]
        clean = next((i.sha256 for i in images if i.scenario == CLEAN), None)
        out: list[tuple[Shown, Picture | None]] = []
        for image in images:
            out.append((image, Picture(image.sha256) if image.sha256 else None))
            if image.scenario in self._attacked and image.sha256 and clean:
                out.append((image, Picture(image.sha256, clean)))
        return out

    def item(self, scene: str, places: Mapping[Picture, int | None], kept: int) -> Item:
        """The item of a scene, with at most ``kept`` characters of an answer; ``places`` are the
        numbers of pictures, None for one that is not there."""
        row, names = self._scenes[scene], self.names
        of = {s: self._of[s].get(scene, []) for s in names.scenarios}
        questions: dict[str, Question] = {}
        for found in of.values():
            for question in found:
                questions.setdefault(question.question_id, question)
        ordered = sorted(
            questions.values(),
            key=lambda q: (QUESTION_TYPES.index(q.question_type), q.question_id),
        )
        at = {q.question_id: i for i, q in enumerate(ordered)}
        about = self._claims.scene(scene)
        asked = [self._question(q, of, kept, about) for q in ordered]
        features = about.features()
        return {
            **({"features": features} if features else {}),
            "id": scene,
            "subtask": names.subtasks.index(row["subtask"]),
            "style": names.styles.index(row["style"] or NO_STYLE),
            "facts": [[plain(k), v] for k, v in _facts(row)],
            "prompt": _whole(excerpt(row["prompt"], _SCENE_TEXT, _SCENE_TEXT)),
            "caption": _whole(excerpt(row["caption"], _SCENE_TEXT, _SCENE_TEXT)),
            "tag": self._tags.get(scene),
            "pictures": [
                self._picture(image, picture, at, places) for image, picture in self.pictures(scene)
            ],
            "questions": asked,
        }

    def _picture(
        self,
        image: Shown,
        picture: Picture | None,
        at: Mapping[str, int],
        places: Mapping[Picture, int | None],
    ) -> dict[str, Any]:
        row, record = image.row, image.row["perturbation"]
        found = {
            "s": self.names.scenarios.index(image.scenario),
            "q": at.get(row["question_id"]),
            "p": places.get(picture) if picture else None,
            "done": done(record),
            "printed": record and record["printed_text"],
            "image_id": row["image_id"] if image.sha256 else "",
            "sha256": image.sha256,
            "w": row["width"],
            "h": row["height"],
        }
        if picture and picture.before:
            found |= {"kind": "difference", "sha256": None, "printed": None}
            found["done"] = [f"what was changed, {GAIN} times as strong, around gray"]
        return found

    def _question(
        self,
        question: Question,
        of: Mapping[str, list[Question]],
        kept: int,
        about: claims.Scene,
    ) -> dict[str, Any]:
        models, answers = self.names.models, []
        elsewhere: dict[tuple[str, ...], dict[str, Any]] = {}
        for s, found in enumerate(of.values()):
            mine = next((q for q in found if q.question_id == question.question_id), None)
            if mine and mine.options != question.options:
                other = elsewhere.setdefault(tuple(o.text for o in mine.options), _listed(mine))
                other.setdefault("s", []).append(s)
            for answer in mine.answers if mine else []:
                if answer.status != NOT_ASKED:
                    outcome = self.names.outcomes.index(answer.outcome)
                    made = _answer(answer, models.index(answer.model), s, outcome, kept)
                    names = (answer.model, self.names.scenarios[s], question.question_id)
                    judged = self._claims.of(about, *names, made.get("text", ""))
                    pairs = self._pairs.of(*names, self.names.judges)
                    made |= {"judged": judged} if judged else {}
                    answers.append(made | ({"pairs": pairs} if pairs else {}))
        chance = question.chance
        checks = [self._check(check, kept) for check in self._checks.get(question.question_id, ())]
        accepted = {"accepted": question.accepted} if question.accepted else {}
        return {
            **accepted,
            **self._dialogue(question),
            **({"checks": checks} if checks else {}),
            **({"elsewhere": [*elsewhere.values()]} if elsewhere else {}),
            "id": question.question_id,
            "subtask": self.names.subtasks.index(question.subtask),
            "type": QUESTION_TYPES.index(question.question_type),
            "text": _whole(question.text),
            **_listed(question),
            "chance": None if chance is None else round(chance, 4),
            "dropped": question.dropped,
            "prompts": [
                {"text": _whole(sent.text), "models": [models.index(m) for m in sent.models]}
                for sent in question.prompts
            ],
            "answers": answers,
        }

    def _dialogue(self, question: Question) -> dict[str, Any]:
        """What was said before a question, and what its answers were held against."""
        found: dict[str, Any] = {}
        if question.turns:
            turns = ((each[:_SCENE_TEXT] for each in turn) for turn in question.turns)
            found["turns"] = [list(turn) for turn in turns]
        if question.question_id in self._pairs.questions:
            found["reference"] = question.reference[:_REFERENCE]
            if question.description:
                found["described"] = question.description[:_REFERENCE]
        return found

    def _check(self, check: Question, kept: int) -> dict[str, Any]:
        """A check with the answers of models, which belong to no scenario that is shown."""
        outcomes, answers = self.names.outcomes, []
        for each in check.answers:
            if each.status != NOT_ASKED:
                model, outcome = self.names.models.index(each.model), outcomes.index(each.outcome)
                found = _answer(each, model, 0, outcome, kept)
                answers.append({key: value for key, value in found.items() if key != "s"})
        right = next((option.text for option in check.options if option.right), "")
        return {"text": _whole(check.text), "right": right, "answers": answers}


def _listed(question: Question) -> dict[str, Any]:
    """Options and which is right."""
    right = next((i for i, o in enumerate(question.options) if o.right), None)
    return {"options": [o.text for o in question.options], "right": right}


def _thing(thing: Row) -> str:
    """One object of several in a few words: "3 x red car"."""
    number = f"{thing['count']} x " if (thing["count"] or 1) > 1 else ""
    text = f' "{thing["text"]}"' if thing["text"] else ""
    return f"{number}{thing['color'] + ' ' if thing['color'] else ''}{thing['label']}{text}"


def _facts(scene: Row) -> list[tuple[str, str]]:
    """Metadata M of a scene as (name, value), the parts that are set."""
    pairs = [("foreground", scene["foreground"])]
    if len(scene["objects"]) > 1:
        pairs = [("things", ", ".join(map(_thing, scene["objects"])))]
    pairs += [(k, str(v)) for k, v in (scene["attributes"] or {}).items() if v is not None]
    pairs += [("text", scene["text"]), ("background", scene["background"])]
    return [(k, v) for k, v in [*pairs, ("style", scene["style"]), ("level", scene["level"])] if v]
