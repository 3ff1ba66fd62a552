"""Everything that scenes and questions of a parameter set are drawn from, worked out once."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.config import Params
from lvlmbench.config.identity import templates_of
from lvlmbench.config.shards import subtask_ranges
from lvlmbench.core.errors import UserError
from lvlmbench.scene.clarity import clear_pairs, style_ladder
from lvlmbench.scene.grammar import around, capitalized, is_countable
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.pools import DISTRACTORS, I64, Bools, Pool, free_pool, list_pool, word_pool
from lvlmbench.scene.subtasks import SUBTASKS, Subtask
from lvlmbench.scene.templates import Templates, load_templates
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.scene.vocabulary.entries import Entry, VocabularyList
from lvlmbench.suites.dysca import staging, wording
from lvlmbench.suites.dysca.counting import (
    NUMBER,
    NUMBERS,
    Counting,
    is_counted,
    more_of_it,
    sentences,
    statements_of,
)
from lvlmbench.suites.dysca.fours import Fours, near_fours, near_table, part_table
from lvlmbench.suites.dysca.label_index import LabelIndex
from lvlmbench.suites.dysca.scenery import Scenery
from lvlmbench.suites.dysca.settings import DEFAULT, Harder
from lvlmbench.suites.dysca.spelling import alike_fours, with_lines
from lvlmbench.suites.dysca.subjects import MOST, Subjects, subjects_of


@dataclass(frozen=True)
class Variant:
    """What the scenes of one subtask and one foreground list draw from.

    ``pools`` maps each drawn aspect (a foreground under its list's name) to its pool;
    ``describe`` is where the free-form phrasings stand among the sentences; ``countable`` says of
    each foreground whether it can be shown more than once; ``styles`` are the weights by which the
    styles of each are drawn (:func:`lvlmbench.scene.clarity.style_ladder`).
    """

    subtask: str
    number: int
    recipe: Subtask
    foreground: str
    asked: tuple[str, ...]
    pools: dict[str, int]
    countable: tuple[bool, ...]
    styles: I64 | None
    subjects: Subjects
    describe: int
    counted: Bools


class Plan:
    """Pools, sentences and phrases of one vocabulary as one renderer draws it.

    Attributes
    ----------
    label_index
        All pools; the tables below go by its index and hold "" or -1 where they do not apply.
    sentences
        Question texts; ``questions[asked]`` is where its multiple-choice phrasings start,
        ``statements[index]`` where the statements that claim this label start.
    style_before, style_after, negative, caption_before, caption_after
        Prompt around the subject, negative prompt, and caption around the subject.
    background
        Phrase behind the subject, with a blank before it.
    scenery
        What backgrounds show, and so bar from being a wrong option.
    fours
        Options that look alike; none by default.
    colorless
        By index: whether it is a style that takes away colors, which tell many look-alikes apart.
    counting, harder, templates
        Of what it is asked how many there are: of nothing by default; the settings; the sentences.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        drawable_by: str | None,
        subtasks: tuple[str, ...],
        harder: Harder = DEFAULT,
        templates: Templates | None = None,
    ) -> None:
        self._vocabulary, self._renderer, self.harder = vocabulary, drawable_by, harder
        self.templates = templates or load_templates()
        self._words = vocabulary.words
        if self.harder.words != "any":
            fours = alike_fours(self._words)
            fours = with_lines(fours) if self.harder.words == "lines" else fours
            self._words = tuple(text for four in fours for text in four)
        self._lists: dict[str, VocabularyList] = {}
        self._pools: dict[tuple[str, tuple[int, ...]], int] = {}
        self._asked: dict[int, str] = {}
        self._made: list[Pool] = []
        self._sentences: list[str] = []
        self.questions: dict[str, int] = {}
        self.variants: dict[tuple[str, int], Variant] = {}
        for subtask in subtasks:
            for number in range(len(SUBTASKS[subtask].foregrounds)):
                self.variants[subtask, number] = self._variant(subtask, number)
        self.label_index = LabelIndex(self._made)
        self._by_index()
        self.scenery = Scenery(self.label_index, self._asked, self._lists, vocabulary)
        self.fours = self._look_alikes()
        self.counting = self._counting()
        self.sentences = pa.array(self._sentences, pa.string())

    # -- pools ---------------------------------------------------------------------------------

    def _list(self, name: str) -> VocabularyList:
        if name not in self._lists:
            self._lists[name] = self._vocabulary.lists[name].for_renderer(self._renderer)
        return self._lists[name]

    def _noun(self, name: str) -> str:
        if name in self._vocabulary.lists:
            return self._vocabulary.lists[name].noun_for(self._renderer)
        return name

    def _entries(self, pool: int) -> list[Entry]:
        """Entries of a pool's labels, in its order."""
        name = self._asked[pool]
        if name in ("text", NUMBER):
            return [wording.word_entry(word) for word in self._made[pool].labels]
        return [self._list(name).entries[i] for i in self._made[pool].positions]

    def _pool(self, name: str, recipe: Subtask, variant: int) -> int:
        """Index of an aspect's pool; one of the same entries of the same list is there once."""
        drawn = f" as '{self._renderer}' draws it" if self._renderer else ""
        shown, need = recipe.visible(variant), recipe.foreground_needs
        what, fix = f"{name}{drawn}", "add entries"
        if name == "text":
            positions = list(range(len(self._words)))
        elif name == NUMBER:
            positions = list(range(MOST))
        else:
            entries = self._list(name).entries
            positions = staging.positions(self.harder, recipe, name, entries, shown)
        if name == "style":
            positions = [i for i in positions if not shown & entries[i].hidden]
            what = f"{what}, with {', '.join(sorted(shown))} left visible"
            fix = "add such a style"
        elif need and name in recipe.foregrounds:
            positions = [i for i in positions if need in self._list(name).entries[i].extra]
            what, fix = f"{what}, with '{need}'", f"give entries '{need}'"
        key = (name, tuple(positions))
        if key not in self._pools:
            if name == "text":
                pool = word_pool(self._words)
            elif name == NUMBER:
                pool = free_pool(NUMBERS, NUMBER)
            else:
                pool = list_pool(self._list(name), positions, what, fix)
            self._pools[key] = len(self._made)
            self._asked[len(self._made)] = name
            self._made.append(pool)
        return self._pools[key]

    def indices(self, pool: int, labels: pa.Array) -> I64:
        """Return the indices of labels that were drawn from a pool.

        Raises
        ------
        UserError
            The pool does not hold one of them.
        """
        found = pc.index_in(labels, value_set=pa.array(self._made[pool].labels))
        if found.null_count:
            lacks = labels.filter(found.is_null())[0].as_py()
            raise UserError(
                "scenes",
                f"one holds the {self._asked[pool]} '{lacks}', which is not drawn there",
                "make the scenes again with these parameters and this vocabulary",
            )
        return np.asarray(found.to_numpy() + self.label_index.first[pool], dtype=np.int64)

    def _look_alikes(self) -> Fours:
        """Fours of the pools that the settings want harder."""
        near, fours = self._vocabulary.near, {}
        if self.harder.distractors == "near" and not near:
            fix = "add it, or write 'distractors: any'"
            raise UserError("vocabulary: near.yaml", "holds no look-alikes", fix)
        for number, pool in enumerate(self._made):
            name, found = self._asked[number], None
            if name == "text" and self.harder.words != "any":
                at = {word: i for i, word in enumerate(pool.labels)}
                found = np.array([at[word] for word in self._words]).reshape(-1, DISTRACTORS + 1)
            elif self.harder.distractors == "near" and isinstance(pool.relation, np.ndarray):
                never = pool.relation | part_table(self._entries(number))
                found = near_fours(name, near_table(name, pool.labels, near), never)
            if found is not None:
                fours[int(self.label_index.first[number])] = found
        return Fours(len(self.label_index.labels), fours)

    def _counting(self) -> Counting:
        """What is asked about numbers, its sentences appended to the others."""
        found = Counting(len(self.label_index.labels))
        counted = {
            variant.pools[variant.foreground]
            for variant in self.variants.values()
            if NUMBER in variant.asked
        }
        for pool in sorted(counted):
            entries, first = self._entries(pool), int(self.label_index.first[pool])
            for index, entry in enumerate(entries, start=first):
                if is_counted(entry):
                    found.starts[index] = len(self._sentences)
                    self._sentences += sentences(self.templates, entry)
            for behind, name in self._asked.items():
                if name == "background":
                    at = int(self.label_index.first[behind])
                    for index, entry in enumerate(self._entries(behind), start=at):
                        found.bar(index, first, more_of_it(entry, entries))
        return found

    # -- variants ------------------------------------------------------------------------------

    def _variant(self, subtask: str, number: int) -> Variant:
        recipe = SUBTASKS[subtask]
        if self.harder.counts and NUMBER in recipe.attributes:
            recipe = replace(recipe, secondary=(*recipe.secondary, NUMBER))
        foreground, asked = recipe.foregrounds[number], recipe.asked(number)
        aspects = recipe.aspects(number)
        pools = {
            name: self._pool(name, recipe, number)
            for name in aspects
            if name != PERSON and (name != NUMBER or name in asked)
        }
        for name in asked:
            self._made[pools[name]].check()
            if name != NUMBER and name not in self.questions:
                self.questions[name] = len(self._sentences)
                self._sentences += wording.questions(self.templates, name, self._noun(name))
        describe = len(self._sentences)
        entries = {name: self._entries(pool) for name, pool in pools.items() if name != "text"}
        shown = entries.get(foreground, [])
        named = [(name, self._noun(name)) for name in aspects]
        one = wording.descriptions(self.templates, [each for each in named if each[0] != NUMBER])
        self._sentences += [*wording.descriptions(self.templates, named), *one]
        countable = tuple(is_countable(entry) for entry in shown)
        return Variant(
            subtask=subtask,
            number=number,
            recipe=recipe,
            foreground=foreground,
            asked=asked,
            pools=pools,
            countable=countable,
            styles=self._styles(recipe, foreground, pools, countable),
            subjects=subjects_of(
                self.templates, recipe, foreground, self._noun(foreground), entries
            ),
            describe=describe,
            counted=np.array([is_counted(entry) for entry in shown], dtype=np.bool_),
        )

    def _styles(
        self,
        recipe: Subtask,
        foreground: str,
        pools: dict[str, int],
        countable: tuple[bool, ...],
    ) -> I64 | None:
        """Weights of the styles for each foreground; None where they are all as likely."""
        unclear = self._vocabulary.unclear.get(self._renderer or "", {}).get(foreground, {})
        if not unclear or foreground not in pools or "style" not in pools:
            return None
        copies = MOST if NUMBER in recipe.attributes else 1
        labels, styles = (self._made[pools[name]].labels for name in (foreground, "style"))
        clear = clear_pairs(unclear, labels, styles, copies)
        where = f"vocabulary: unclear.yaml: {foreground}"
        return style_ladder(clear, labels, countable, where)

    # -- tables by index of label ----------------------------------------------------------------

    def _by_index(self) -> None:
        columns: dict[str, list[str]] = {
            name: [""] * len(self.label_index.labels)
            for name in ("background", "before", "after", "negative", "said_before", "said_after")
        }
        self.colorless: Bools = np.zeros(len(self.label_index.labels), dtype=np.bool_)
        self.statements: I64 = np.full(len(self.label_index.labels), -1, dtype=np.int64)
        starts: dict[tuple[str, str], int] = {}
        for pool, name in self._asked.items():
            noun, first = self._noun(name), int(self.label_index.first[pool])
            for index, entry in enumerate(self._entries(pool), start=first):
                if name in self.questions:
                    if (name, entry.label) not in starts:
                        starts[name, entry.label] = len(self._sentences)
                        self._sentences += wording.statements(self.templates, name, entry, noun)
                    self.statements[index] = starts[name, entry.label]
                elif name == NUMBER:
                    self.statements[index] = statements_of(self.templates, index - first)
                if name == "background":
                    columns["background"][index] = f" {entry.extra['phrase']}"
                elif name == "style":
                    where = f"vocabulary: style: '{entry.label}': prompt"
                    before, after = around(entry.extra["prompt"], "subject", where)
                    columns["before"][index], columns["after"][index] = before, after
                    columns["negative"][index] = entry.extra.get("negative_prompt", "")
                    where = f"vocabulary: style: '{entry.label}': caption"
                    before, after = around(entry.extra["caption"], "subject", where)
                    columns["said_before"][index] = capitalized(before)
                    columns["said_after"][index] = after
                    self.colorless[index] = "color" in entry.hidden
        arrays = {name: pa.array(column, pa.string()) for name, column in columns.items()}
        self.background, self.negative = arrays["background"], arrays["negative"]
        self.style_before, self.style_after = arrays["before"], arrays["after"]
        self.caption_before, self.caption_after = arrays["said_before"], arrays["said_after"]
        self.labels = pa.array(self.label_index.labels, pa.string())


_PLANS: OrderedDict[tuple[str, str, str | None, tuple[str, ...], Harder], Plan] = OrderedDict()


def plan_for(params: Params, vocabulary: Vocabulary) -> Plan:
    """The plan of these parameters; the last few are kept, as shards of a process share theirs.

    Raises
    ------
    UserError
        A pool is empty or leaves some answer without a distractor.
    """
    subtasks = tuple(subtask_ranges(params))
    harder, drawable_by = params.corpus.own(Harder), params.corpus.drawable_by
    templates = templates_of(params)
    key = (vocabulary.digest, templates.digest, drawable_by, subtasks, harder)
    if key not in _PLANS:
        _PLANS[key] = Plan(vocabulary, drawable_by, subtasks, harder, templates)
        while len(_PLANS) > 4:
            _PLANS.popitem(last=False)
    return _PLANS[key]
