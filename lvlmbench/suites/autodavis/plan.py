"""What is planned of each aspect at each level: pictures, one after the other, ever other words.

The pictures of one aspect at one level make a chain: what one shows, later ones must do without as
far as the semantic graph says so. So a picture depends on those before it in its chain, on the
seed, and on nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from lvlmbench.config import Params
from lvlmbench.core.seeding import item_id, seed_of
from lvlmbench.scene.grammar import capitalized, enumeration
from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.assigning import dealt
from lvlmbench.suites.autodavis.catalogue import Aspect, catalogue_of, chosen
from lvlmbench.suites.autodavis.examiner import EXAMINERS, examiner_kinds
from lvlmbench.suites.autodavis.family import ExamKit, Family
from lvlmbench.suites.autodavis.measured import too_much
from lvlmbench.suites.autodavis.semantic import SemanticGraph
from lvlmbench.suites.autodavis.settings import Examining
from lvlmbench.suites.autodavis.telling import otherwise, parted
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.graphs.stock import stock_of
from lvlmbench.suites.graphs.wording import Words
from lvlmbench.suites.planned import Planned

Row: TypeAlias = Mapping[str, Any]

#: What this suite hashes ids and choices with.
STAGE = "autodavis"
#: List of what stands for a picture that a text describes: its one object names the topic.
TEXT = "text"
#: Key words of a description, at most (AutoDavis, section 2.2).
KEY_WORDS = 6
#: Plans that are tried for one without a banned word.
_TRIES = 12


class Item(NamedTuple):
    """A planned picture: of which aspect, at which level, the how many-th; or that one's twin."""

    aspect: Aspect
    level: str
    number: int
    twin: bool = False


class Described(NamedTuple):
    """What a picture is to show.

    Attributes
    ----------
    graph
        None where the embedded examiner cannot plan it.
    description
        The same in a sentence.
    topic, words
        Its topic word, and its key words.
    banned, repeated
        What it had to do without, and what of it is there all the same.
    twin
        Whether it is the picture before it but for one fact.
    """

    graph: Graph | None
    description: str = ""
    topic: str = ""
    words: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    twin: bool = False


class Planner:
    """What all pictures of a suite are planned with.

    Attributes
    ----------
    by_model
        Scene -> its row of ``tables.PLANNED_DESCRIPTIONS``, where a model plans.
    lacking
        Aspect that a model was to think of and did not -> why.
    """

    def __init__(
        self, params: Params, vocabulary: Vocabulary, planned: Planned | None = None
    ) -> None:
        self.own = params.corpus.own(Examining)
        self.seed = _seed(params.snapshot.seed, self.own.regeneration)
        self.stock = stock_of(vocabulary, params.corpus.drawable_by)
        self.words = Words(self.stock)
        self.levels = self.own.made_of()
        catalogue = catalogue_of(params)
        self.facts, self.prior = catalogue.facts, catalogue.prior
        where = f"params.yaml: suites.{params.suite}.corpus.autodavis"
        self.aspects = chosen(params, where)
        by_model, self.lacking = planned or Planned.nothing(), dict[str, str]()
        self._name(by_model.aspects.to_pylist())
        rows = by_model.descriptions.to_pylist()
        self.by_model: Mapping[str, Row] = {row["scene_id"]: row for row in rows}
        self._families: dict[str, Family | None] = {}
        self._chain = lru_cache(maxsize=None)(self._chained)
        self.examiners = {name: kind() for name, kind in examiner_kinds(params, where).items()}
        self._default = EXAMINERS.first().name
        self._dealt = lru_cache(maxsize=None)(self._deal)

    def _name(self, rows: Sequence[Row]) -> None:
        """Put what a model has thought of in the places of aspects."""
        named = {row["aspect"]: row for row in rows}
        self.lacking = {n: row["why"] for n, row in named.items() if row["status"] != "made"}
        for request, aspects in self.aspects.items():
            self.aspects[request] = [
                each.called(named[each.fine.name])
                if each.fine.name in named.keys() - self.lacking.keys()
                else each
                for each in aspects
            ]

    def item(self, request: str, ordinal: int) -> Item:
        """Return the item of an ordinal: aspects in turn, each at all levels, then all again.

        With twins each stands behind the picture that it is the twin of.
        """
        aspects, levels = self.aspects[request], [*self.levels]
        turn, second = divmod(ordinal, 2) if self.own.twins else (ordinal, 0)
        number, rest = divmod(turn, len(aspects) * len(levels))
        return Item(aspects[rest // len(levels)], levels[rest % len(levels)], number, bool(second))

    def scene_id(self, item: Item) -> str:
        """Return the id of an item's scene; other aspects, levels or numbers do not change it."""
        aspect, level, number, twin = item
        also = ("twin",) if twin else ()
        return item_id(self.seed, STAGE, aspect.request, aspect.fine.name, level, number, *also)

    def pair(self, item: Item) -> str | None:
        """Return what an item and its twin share; None where it has none."""
        if not (self.own.twins and self.described(item._replace(twin=True)).twin):
            return None
        return self.scene_id(item._replace(twin=False))

    def turn(self, item: Item) -> int:
        """Return the number of an item, and of its twin, among those of its request and level."""
        aspects = self.aspects[item.aspect.request]
        return item.number * len(aspects) + aspects.index(item.aspect)

    def place(self, item: Item, options: int, number: int = 0) -> int:
        """Return where the right option of an item stands: in permuted blocks (AutoDavis, 3.2).

        Of as many planned items of a request and level as there are options, one after the other,
        each has its right option at another place; so have as many questions about one item, by
        their ``number``. Of twins, the same permutation of places says where: then each examiner
        has each letter as often of twins, too.
        """
        block, at = divmod(self.turn(item), options)
        request = f"{item.aspect.request}/{item.level}"
        place = self._places(request, block, options)[(at + number) % options]
        return self._places(f"{request}/twin", 0, options)[place] if item.twin else place

    def place_again(self, question_id: str, options: int) -> int:
        """Return where the right option of a question stands that is asked in another style.

        It hangs on that question's id alone; else a letter that a model likes would count once a
        style.
        """
        return Draws(self.seed, f"{STAGE} place", question_id).below(options)

    def _places(self, request: str, block: int, options: int) -> list[int]:
        name = f"{request}/{block}"
        return Draws(self.seed, f"{STAGE} place", name).shuffled(range(options))

    def examiner(self, item: Item, options: int) -> str:
        """Return who asks about an item: in permuted blocks, too (AutoDavis, 2.4).

        Of as many planned items of a request and level as there are examiners, one after the
        other, each examiner has one. Of so many times the options, each has each letter as often.
        """
        names = [*self.examiners]
        block, at = divmod(self.turn(item), len(names) * options)
        return names[self._dealt(f"{item.aspect.request}/{item.level}", block, options)[at]]

    def _deal(self, request: str, block: int, options: int) -> list[int]:
        n = len(self.examiners)
        places = [
            place
            for each in range(block * n, (block + 1) * n)
            for place in self._places(request, each, options)
        ]
        return dealt(Draws(self.seed, f"{STAGE} examiner", f"{request}/{block}"), places, n)

    def signed(self, examiner: str) -> tuple[str, ...]:
        """Return what the key of a question holds of who asks: nothing by default."""
        return () if examiner == self._default else (examiner,)

    def family(self, aspect: Aspect) -> Family | None:
        """Return what asks about an aspect; None where none is there, or texts are asked about."""
        if self.own.by_text:
            return None
        name = aspect.fine.name
        if name not in self._families:
            self._families[name] = aspect.fine.made()
        return self._families[name]

    def kit(
        self, level: str, stage: str, item: str, attempt: int = 0, examiner: str | None = None
    ) -> ExamKit:
        """Return what an item is drawn with, at an attempt, or asked about with by an examiner."""
        draws = Draws(self.seed, f"{STAGE} {stage}", f"{item}/{attempt}")
        values = Draws(self.seed, f"{STAGE} {stage} values", item)
        own = self.levels[level]
        who = self.examiners[examiner or next(iter(self.examiners))]
        return ExamKit(own, self.stock, draws, self.words, values, who, own.hops, self.facts)

    def world(self, graph: Graph, layout: Sequence[Mapping[str, Any]], side: int) -> World:
        """Return what a picture shows, by its layout."""
        return World(graph, layout, side, self.stock.clash, self.facts)

    def described(self, item: Item) -> Described:
        """Return what an item's picture is to show."""
        if (row := self.by_model.get(self.scene_id(item))) is not None:
            return _described_by(row)
        first = self._chain(item.aspect, item.level, item.number)
        return self._twin(item, first) if item.twin else first

    def _twin(self, item: Item, first: Described) -> Described:
        """The twin of a picture; where its family has none, another picture."""
        family = self.family(item.aspect)
        if family is None or first.graph is None:
            return Described(None, banned=first.banned)
        graph = family.twin(self.kit(item.level, "twin", self.scene_id(item)), first.graph)
        if graph is None or graph == first.graph or too_much(self.levels[item.level], graph):
            return self._first_without(item, first.banned)
        topic, words = key_words(graph)
        repeated = tuple(word for word in first.banned if word in (topic, *words))
        said = self.description(graph)
        return Described(graph, said, topic, words, first.banned, repeated, twin=True)

    def _chained(self, aspect: Aspect, level: str, number: int) -> Described:
        graph, mode = SemanticGraph(), self.own.exclusion.mode
        banned: list[str] = []
        for before in range(number):
            one = self._chain(aspect, level, before)
            if one.graph is not None:
                graph.add(one.topic, one.words)
            banned = graph.banned(before + 1, mode)
        return self._first_without(Item(aspect, level, number), tuple(banned))

    def _first_without(self, item: Item, banned: tuple[str, ...]) -> Described:
        """The first plan that shows nothing banned, else the one that shows least of it."""
        family, best = self.family(item.aspect), Described(None, banned=banned)
        for attempt in range(_TRIES if family else 0):
            assert family is not None
            graph = family.plan(self.kit(item.level, "plan", self.scene_id(item), attempt))
            if graph is None or too_much(self.levels[item.level], graph):
                continue
            topic, words = key_words(graph)
            repeated = tuple(word for word in banned if word in (topic, *words))
            if best.graph is None or len(repeated) < len(best.repeated):
                said = self.description(graph)
                best = Described(graph, said, topic, words, banned, repeated)
            if not repeated:
                break
        return best

    def description(self, graph: Graph) -> str:
        """Return what a graph shows, in a sentence."""
        said = enumeration([self.words.counted(thing) for thing in graph.objects])
        behind = parted(self.stock.phrase(graph.setting.background))
        return capitalized(otherwise(f"{said}{f' {behind}' if behind else ''}."))


def turns(params: Params) -> Callable[[str, int], int]:
    """Return the turn of a request's item, by its ordinal, where few items are shown.

    Each aspect comes once, general aspects taking turns, at one level after the other; then each
    at the next level, and so on. So as many items as there are aspects are of all of them, and as
    many times the levels are of all aspects at all levels. Twins stay beside each other.
    """
    own = params.corpus.own(Examining)
    n = len(own.made_of())
    place: dict[str, list[int]] = {}
    for request, aspects in chosen(params, f"params.yaml: suites.{params.suite}.corpus").items():
        among = Counter[int]()
        rank = []
        for aspect in aspects:
            rank.append((among[aspect.general_no], aspect.general_no))
            among[aspect.general_no] += 1
        first = sorted(rank)
        place[request] = [first.index(each) for each in rank]

    def turn(request: str, ordinal: int) -> int:
        at = place[request]
        planned, second = divmod(ordinal, 2) if own.twins else (ordinal, 0)
        number, rest = divmod(planned, len(at) * n)
        rank = at[rest // n]
        found = (number * n + (rest % n - rank) % n) * len(at) + rank
        return 2 * found + second if own.twins else found

    return turn


def _described_by(row: Row) -> Described:
    """What a model has described."""
    without = tuple(row["banned"] or ())
    if row["status"] != "made":
        return Described(None, banned=without)
    said, words = row["description"], tuple(row["key_words"])
    if row["checks"] is None:
        return Described(Graph.of(row), said, row["topic_word"], words, without)
    graph = Graph((Object("o1", TEXT, row["topic_word"]),))
    return Described(graph, said, row["topic_word"], words, without)


def _seed(snapshot_seed: int, regeneration: int) -> int:
    """The seed of ids and draws: that of the snapshot, or another for each regeneration."""
    if not regeneration:
        return snapshot_seed
    return seed_of(snapshot_seed, STAGE, f"regeneration {regeneration}")


def key_words(graph: Graph) -> tuple[str, tuple[str, ...]]:
    """Return the topic word of a graph and its key words: names of what could be another."""
    found: dict[str, None] = {}
    for thing in graph.objects:
        person = thing.person
        if person is None:
            found[thing.label] = None
            continue
        shown = (person.action, person.held, *(worn.label for worn in person.garments))
        found |= dict.fromkeys(each for each in shown if each not in (None, "standing"))
    setting = graph.setting
    found |= dict.fromkeys(each for each in (setting.background, setting.weather) if each)
    words = list(found)[: KEY_WORDS + 1]
    return words[0], tuple(words[1 : KEY_WORDS + 1]) or (words[0],)
