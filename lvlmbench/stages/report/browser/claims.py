"""What judges say of free answers in the browser: claims with the characters that say them, what
became of each, what is left out, and where the picture shows it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.hallucination.reading import judged_models
from lvlmbench.scene.claims import ANYTHING, Claim, Feature, Match, Scope, Truth, missed
from lvlmbench.scene.truth import from_rows
from lvlmbench.scene.truth_words import phrase
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.suites.suite import suite_of

#: How readers see verdicts: a sign that needs no color, the class of its color, and words. In the
#: order of :data:`lvlmbench.tables.matches.VERDICTS`.
VERDICTS = (
    ("matched", "✓", "true"),
    ("broader", "~", "true, but says less than there is"),
    ("narrower", "✓", "true, and says more than is listed"),
    ("hallucinated", "✗", "wrong: not there"),
    ("contradicted", "✗", "wrong: otherwise in the picture"),
    ("false_denial", "¬", "denies what is there"),
    ("true_denial", "¬", "denied, and not there"),
    ("unverifiable", "?", "cannot be checked"),
)
_PLACES = {name: place for place, (name, _, _) in enumerate(VERDICTS)}
#: Boxes are told in thousandths of the picture's side.
_SCALE = 1000
_CLAIM = [name for name in tables.CLAIMS.names if name not in ("judge", "model", "scenario")]
_MATCH = ["question_id", "claim", "feature", "verdict", "how", "score"]
_JUDGED = ("question_id", "subtask", "status", "why", "unsure_features")

#: (judge, model, scenario, question).
Key = tuple[str, str, str, str]


class Claims:
    """What judges say of the answers about some scenes.

    Parameters
    ----------
    scenes
        Their ids.
    names
        Scenarios that are shown.
    models
        Whose answers are shown.

    Attributes
    ----------
    judges
        Names of the judges that have judged one of the answers.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        scenes: Sequence[str],
        names: Sequence[str],
        models: Sequence[str],
    ) -> None:
        self._judged: dict[Key, dict[str, Any]] = {}
        self._claims: dict[Key, list[Claim]] = defaultdict(list)
        self._matches: dict[Key, list[Match]] = defaultdict(list)
        found = snapshot.questions.select(["question_id", "scene_id"])
        wanted = found.filter(_among(found, "scene_id", scenes))
        self._scenes = dict(
            zip(wanted["question_id"].to_pylist(), wanted["scene_id"].to_pylist(), strict=True)
        )
        for judge in snapshot.params.judge.judges:
            for scenario in names:
                known = judged_models(snapshot, judge.name, scenario)
                for model in (each for each in models if each in known):
                    self._read(snapshot, (judge.name, model, scenario))
        self.judges = list(dict.fromkeys(judge for judge, *_ in self._judged))
        about = {self._scenes[key[-1]] for key in self._judged}
        self._truths = _truths(snapshot, sorted(about))
        self._boxes = _boxes(snapshot, sorted(about))
        self._scopes = suite_of(snapshot.params).scopes(snapshot.params)

    def _read(self, snapshot: Snapshot, names: tuple[str, str, str]) -> None:
        def rows(table: tables.Table, columns: Sequence[str]) -> Iterable[dict[str, Any]]:
            where = dict(zip(("judge", "model", "scenario"), names, strict=True))
            for shard in snapshot.shards(table, columns, **where):
                yield from shard.filter(_among(shard, "question_id", self._scenes)).to_pylist()

        judged = {(*names, row["question_id"]): row for row in rows(tables.JUDGEMENTS, _JUDGED)}
        if not judged:
            return
        self._judged |= judged
        for row in rows(tables.CLAIMS, _CLAIM):
            parts = {k: v for k, v in row.items() if k not in ("question_id", "image_id", "claim")}
            self._claims[*names, row["question_id"]].append(Claim(row["claim"], **parts))
        for row in rows(tables.MATCHES, _MATCH):
            made = Match(*(row[name] for name in _MATCH[1:]))
            self._matches[*names, row["question_id"]].append(made)

    def scene(self, scene: str) -> Scene:
        """Return what is known of a scene, to tell its features by numbers."""
        truth = self._truths.get(scene, Truth((), closed=False))
        return Scene(truth, self._boxes.get(scene, {}))

    def of(
        self, scene: Scene, model: str, scenario: str, question: str, text: str
    ) -> list[dict[str, Any]]:
        """Return what each judge says of an answer; templates/browser_claims.js tells the keys.

        Parameters
        ----------
        text
            The answer, or its beginning, as it is shown.
        """
        out = []
        for place, judge in enumerate(self.judges):
            row = self._judged.get((judge, model, scenario, question))
            if row is None or row["status"] == "unanswered":
                continue
            if row["status"] != "judged":
                out.append({"j": place, "status": row["status"], "why": (row["why"] or "")[:300]})
                continue
            key = (judge, model, scenario, question)
            scope = self._scopes.get(row["subtask"], ANYTHING)
            out.append({"j": place, **self._told(scene, key, scope, text)})
        return out

    def _told(self, scene: Scene, key: Key, scope: Scope, text: str) -> dict[str, Any]:
        claims, matches = self._claims[key], self._matches[key]
        by_number = {match.claim: match for match in matches}
        unsure = self._judged[key]["unsure_features"] or ()
        left_out = missed(claims, matches, scene.truth, scope, unsure)
        at = units(text)
        return {
            "claims": [
                [
                    at(claim.start),
                    at(claim.end),
                    _PLACES[by_number[claim.number].verdict],
                    scene.number(by_number[claim.number].feature),
                    _words(claim),
                    int(scope.holds(claim)),
                ]
                for claim in sorted(claims, key=lambda claim: (claim.start, claim.number))
                if claim.number in by_number
            ],
            "missed": [scene.number(feature.feature) for feature in left_out],
        }


class Scene:
    """The features of a scene that are spoken of, numbered as they come up."""

    def __init__(self, truth: Truth, boxes: Mapping[str, list[list[int]]]) -> None:
        self.truth, self._boxes = truth, boxes
        self._known = {feature.feature: feature for feature in truth.features}
        self._numbers: dict[str, int] = {}

    def number(self, feature: str | None) -> int:
        """Return the number of a feature; -1 where there is none."""
        if feature is None or feature not in self._known:
            return -1
        return self._numbers.setdefault(feature, len(self._numbers))

    def features(self) -> list[list[Any]]:
        """Return the features that were numbered: words, and boxes of the things that it is
        about."""
        return [
            [phrase(self._known[name], self.truth.features), self._places(self._known[name])]
            for name in self._numbers
        ]

    def _places(self, feature: Feature) -> list[list[int]]:
        own = [feature.about or feature.feature, feature.other]
        things = dict.fromkeys(name.partition(".")[0] for name in own if name)
        return [box for thing in things for box in self._boxes.get(thing, ())]


def units(text: str) -> Callable[[int], int]:
    """Return what turns places of a text, in characters, into those that a browser counts, in
    which characters beyond the basic plane are two."""
    if not text or max(text) <= "\uffff":
        return lambda place: min(place, len(text))
    before = [0]
    for character in text:
        before.append(before[-1] + 1 + (character > "\uffff"))
    return lambda place: before[min(place, len(text))]


def _words(claim: Claim) -> str:
    parts = (claim.kind, claim.subject, claim.relation, claim.object, claim.value)
    said = phrase(Feature("", *parts), ())
    said = f"not so: {said}" if claim.negated else said
    return f"{said} (left open)" if claim.hedged else said


def _among(table: pa.Table, column: str, ids: Iterable[str]) -> pa.ChunkedArray:
    return pc.is_in(table[column], value_set=pa.array(list(ids), pa.string()))


def _by_scene(
    snapshot: Snapshot, table: tables.Table, columns: Sequence[str], scenes: Sequence[str]
) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for shard in snapshot.shards(table, columns) if scenes else ():
        for row in shard.filter(_among(shard, "scene_id", scenes)).to_pylist():
            found[row["scene_id"]].append(row)
    return found


def _truths(snapshot: Snapshot, scenes: Sequence[str]) -> dict[str, Truth]:
    rows = _by_scene(snapshot, tables.TRUTH, tables.TRUTH.names, scenes)
    return {scene: from_rows(found) for scene, found in rows.items()}


def _boxes(snapshot: Snapshot, scenes: Sequence[str]) -> dict[str, dict[str, list[list[int]]]]:
    """Scene -> object of its graph -> boxes of its instances: left, top, right, bottom."""
    side = snapshot.params.render.size
    out: dict[str, dict[str, list[list[int]]]] = {}
    columns = ["scene_id", "object", "part", "box"]
    for scene, rows in _by_scene(snapshot, tables.LAYOUTS, columns, scenes).items():
        of: dict[str, list[list[int]]] = defaultdict(list)
        for row in rows:
            box = row["box"]
            if box is not None and row["part"] is None:
                ends = (box[name] for name in ("left", "top", "right", "bottom"))
                of[row["object"]].append([round(_SCALE * end / side) for end in ends])
        out[scene] = of
    return out
