"""A parsed text as the reader sees it: words with their heads, hyphenated words in one piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import Lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.text import Flat
from lvlmbench.stages.judge.kinds.lexical.reading.verbs import base
from lvlmbench.stages.judge.kinds.lexical.reading.words import Words

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.tokens import Token as SpacyToken

#: Tags of nouns.
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})


@dataclass(eq=False, slots=True)
class Token:
    """A word in its sentence.

    Attributes
    ----------
    i
        Its number in the text.
    low, lemma
        In lower case and American spelling; its base form.
    tag, dep
        Part of speech (Penn Treebank) and dependency (ClearNLP), as spaCy names them.
    head
        The word that it depends on; itself at the root.
    below
        The words that depend on it.
    start, end
        Characters of the flat text.
    sentence
        Number of its sentence.
    """

    i: int
    low: str
    lemma: str
    tag: str
    dep: str
    start: int
    end: int
    sentence: int
    head: Token = field(init=False, repr=False)
    below: list[Token] = field(init=False, repr=False, default_factory=list)

    @property
    def noun(self) -> bool:
        """Whether it is a noun."""
        return self.tag in NOUNS

    @property
    def verb(self) -> bool:
        """Whether it is a verb."""
        return self.tag[:2] == "VB"

    def children(self, *deps: str) -> list[Token]:
        """Return the words that depend on it in some ways."""
        return [each for each in self.below if each.dep in deps]

    def up(self) -> Iterator[Token]:
        """Yield the words above it, the nearest first."""
        at = self
        while at.head is not at:
            at = at.head
            yield at

    def joined(self) -> list[Token]:
        """Return it and what it is coordinated with, in order of the text."""
        out, todo = [self], [self]
        while todo:
            for each in todo.pop().below:
                if each.dep == "conj":
                    out.append(each)
                    todo.append(each)
        return sorted(out, key=lambda each: each.i)


@dataclass(eq=False)
class Text:
    """A text under reading: its words, and where they stand in the answer.

    ``sited`` are nouns that a title puts at a place of the picture, with the place; ``linked``
    are nouns that stand so to the noun of their title: "shelf: a globe, a box"; ``told`` are nouns
    with adjectives that stand apart from them, ``maybe`` such where the tree says nothing of the
    adjective; ``wears`` are clothes with who wears them, and their colors; ``apart`` are
    adjectives said of nothing else.
    """

    flat: Flat
    tokens: list[Token]
    lexicon: Lexicon
    words: Words
    low: list[str] = field(default_factory=list)
    sited: list[tuple[Token, str]] = field(default_factory=list)
    linked: list[tuple[Token, str, Token]] = field(default_factory=list)
    told: list[tuple[Token, Token]] = field(default_factory=list)
    wears: list[tuple[Token, Token, list[Token]]] = field(default_factory=list)
    maybe: list[tuple[Token, Token]] = field(default_factory=list)
    apart: set[int] = field(default_factory=set)

    def span(self, first: Token, last: Token) -> tuple[int, int]:
        """Return the characters of the answer from one word to another."""
        return self.flat.span(first.start, last.end)

    def has(self, name: str, word: str) -> bool:
        """Whether a list of the lexicon holds a word."""
        return word in self.lexicon.lists[name]

    def sentence(self, token: Token) -> list[Token]:
        """Return the words of a word's sentence."""
        return self.sentences[token.sentence]

    sentences: list[list[Token]] = field(default_factory=list)


def parsed(doc: Doc, flat: Flat, words: Words, lexicon: Lexicon) -> Text:
    """Return a parsed text; words that hyphens join are one."""
    groups = _groups(doc)
    of: dict[int, Token] = {}
    tokens: list[Token] = []
    sentence = -1
    lemmas = (lexicon.maps["lemmas.nouns"], lexicon.maps["lemmas.verbs"])
    spelling = lexicon.maps["lemmas.spelling"]
    for first, last in groups:
        head = doc[last]
        if any(doc[i].is_sent_start for i in range(first, last + 1)) or sentence < 0:
            sentence += 1
        low = flat.text[doc[first].idx : head.idx + len(head)].lower()
        low = spelling.get(low, low).replace("-coloured", "-colored")
        tag = head.tag_
        lemma = _lemma(low, head, first == last, *lemmas)
        token = Token(
            i=len(tokens), low=low, lemma=spelling.get(lemma, lemma), tag=tag,
            dep="", start=doc[first].idx, end=head.idx + len(head), sentence=sentence,
        )  # fmt: skip
        tokens.append(token)
        for i in range(first, last + 1):
            of[i] = token
    for first, last in groups:
        top = last
        if first < last:
            inner = range(first, last + 1)
            top = next((i for i in inner if doc[i].head.i not in inner or doc[i].head.i == i), last)
        token, above = of[last], of.get(_above(doc, top), of[last])
        token.head = above
        token.dep = doc[top].dep_ if above is not token else "ROOT"
        if above is not token:
            above.below.append(token)
    text = Text(flat, tokens, lexicon, words, [token.low for token in tokens])
    text.sentences = [[] for _ in range(sentence + 1)]
    for token in tokens:
        text.sentences[token.sentence].append(token)
    return text


def _above(doc: Doc, i: int) -> int:
    """The piece that a piece depends on; blanks between are no words."""
    head = doc[i].head
    while head.is_space and head.head.i != head.i:
        head = head.head
    return head.i


def _groups(doc: Doc) -> list[tuple[int, int]]:
    """First and last pieces of words: pieces that hyphens join without blanks."""
    out: list[tuple[int, int]] = []
    n, i = len(doc), 0
    while i < n:
        if doc[i].is_space:
            i += 1
            continue
        j = i
        while (
            j + 2 < n
            and doc[j + 1].text == "-"
            and not doc[j].whitespace_
            and not doc[j + 1].whitespace_
            and doc[j + 2].text[:1].isalnum()
            and doc[j].text[-1:].isalnum()
        ):
            j += 2
        out.append((i, j))
        i = j + 1
    return out


def _lemma(
    low: str, head: SpacyToken, whole: bool, nouns: Mapping[str, str], verbs: Mapping[str, str]
) -> str:
    """The base form; of hyphenated words, the last one's behind the others."""
    tag = head.tag_
    if tag == "VBG" and whole and low not in verbs:
        return verbs.get(base(low), base(low))
    known = nouns if tag[:1] == "N" else verbs if tag[:2] == "VB" else None
    if known is None or (not whole and tag[:1] != "N"):
        return low
    last = head.lower_
    lemma = known.get(last) or head.lemma_.lower()
    lemma = known.get(lemma, lemma)
    return (
        lemma
        if whole and low == last
        else low.removesuffix(last) + lemma
        if not whole
        else known.get(low, lemma)
    )
