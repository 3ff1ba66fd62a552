"""The answer in what a model sent: without thoughts, marks of chat templates and invented turns.

The one place that does so. Every reader of answers (choice, short answer, value, claim, a judge's
JSON) sees what :func:`final_answer` returns. The marks stand in ``data/replies/marks.yaml``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from lvlmbench.stages.replies.data import marks
from lvlmbench.stages.replies.echo import cut_at_prompt, without_echo

#: A boxed answer of at most so many characters is marked as the answer, a longer one is text.
_BOXED = 80
#: What any mark holds: a text without these characters, the start aside, is returned as it is.
_SIGNS = re.compile(
    r"[<\[\u25c1{\u3010]|assistant|user|analysis|human|thinking|model\n|system\n|[:#\uff1a]", re.I
)
#: Marks of tokenizers that no list holds. They stand for no word.
_TOKEN = re.compile(
    r"<[|\uff5c][^<>\n]{1,40}[|\uff5c]>|<image>|<s>(?=\s*\S)(?!.*</s>)|^\s*<s>", re.I
)
_CHANNEL = re.compile(
    r"\s*(?:assistant)?analysis(?=[^\s\w]|[A-Z])|\s*analysis(?=\w[\s\S]*assistantfinal)"
)


#: What follows a mark that a sentence is about.
_NAMED = re.compile(r"[.,;:)\"'](?:\s|$)")
#: Names of marks that stand for nothing else.
_THINKS = re.compile("think|thought")
_ANSWERS = re.compile(r"[(\[][A-Z][)\]]|^\W*[A-Z]\W*$", re.M)


class Parts(NamedTuple):
    """What a model thought aloud, None where it did not, and its answer."""

    thought: str | None
    answer: str


class Patterns(NamedTuple):
    """The marks as one expression, and how each opening mark is closed."""

    mark: re.Pattern[str]
    closes: Mapping[str, str]
    ends: frozenset[str]
    blocks: frozenset[str]
    beside: frozenset[str]
    question: re.Pattern[str]


def final_answer(text: str, prompt: str | None = None) -> str:
    """Return the answer in a reply, without what is no part of it.

    Cut off are thoughts, a chat or prompt that is repeated in front of the answer, the first mark
    that ends the turn with all that follows (turns that the model invents for user and assistant),
    and marks of tokenizers. An answer of a few words between marks of an answer
    (``<answer>B</answer>``, ``<|begin_of_box|>B<|end_of_box|>``) stands in double square brackets,
    by itself where it is all there is. The answer of a reply that holds none of this is the reply.

    Parameters
    ----------
    prompt
        The text that the model was sent; None where it is not known.
    """
    return read_parts(text, prompt).answer


def read_parts(text: str, prompt: str | None = None) -> Parts:
    """Return thought and answer of a reply; see :func:`final_answer`."""
    text = _of_messages(text.replace("<0x0A>", "\n"))
    if prompt is None:
        return split(text)
    parts = split(without_echo(text, prompt))
    return Parts(parts.thought, cut_at_prompt(parts.answer, prompt))


def split(text: str) -> Parts:
    """Return thought and answer of a reply; both without marks, invented turns cut off."""
    if not _SIGNS.search(text):
        return Parts(None, text)
    channel = _CHANNEL.match(text)
    scan = _Scan(text, channel.end() if channel else 0, thinking=channel is not None)
    thought, answer = scan.run()
    if thought is None and answer == text:
        return Parts(None, _before_new_question(text))
    return Parts(thought, _before_new_question(_TOKEN.sub("", answer).strip()))


def _before_new_question(answer: str) -> str:
    """The answer up to an invented question with options of its own, if a letter stands before."""
    found = _patterns().question.search(answer)
    before = answer[: found.start()] if found else ""
    return before.rstrip() if _ANSWERS.search(before) else answer


def _of_messages(text: str) -> str:
    """The assistant's first turn, where a reply is a list of messages as JSON."""
    if not text.lstrip().startswith("[{") or '"role"' not in text:
        return text
    try:
        turns = json.loads(text)
        said = [turn["content"] for turn in turns if turn["role"] in ("assistant", "model")]
    except (ValueError, LookupError, TypeError, RecursionError):
        return text
    return said[0] if said and isinstance(said[0], str) else ""


class _Scan:
    """Goes through a reply from mark to mark.

    Parameters
    ----------
    start
        Where to begin.
    thinking
        Whether the text begins with a thought that no mark opens.
    """

    def __init__(self, text: str, start: int, thinking: bool) -> None:
        self._text, self._at = text, start
        self._thoughts: list[str] = []
        self._said: list[str] = []
        self._thinking = thinking
        self._closed_by: str | None = None  # the mark that ends the thought; None: any
        self._ended = False  # a turn has ended in which nothing was said
        self._inner = 0  # thoughts that were opened within the thought
        self._repeating = False  # inside a turn of somebody else, before the answer
        self._boxes: list[tuple[int, int]] = []  # of _said: where an answer between marks lies
        self._opened: int | None = None

    def run(self) -> tuple[str | None, str]:
        """Return thought and answer."""
        pattern = _patterns().mark
        while match := pattern.search(self._text, self._at):
            if not self._take(match):
                self._at = len(self._text)
                break
        self._add(self._text[self._at :])
        thought = "\n".join(part.strip() for part in self._thoughts if part.strip()) or None
        return thought, self._answer()

    def _add(self, part: str) -> None:
        if self._repeating or not part:
            return
        (self._thoughts if self._thinking else self._said).append(part)

    @property
    def _blank(self) -> bool:
        return not any(_TOKEN.sub("", part).strip(" \n\t\r*_`\"'") for part in self._said)

    def _take(self, match: re.Match[str]) -> bool:
        """Take the text before a mark, and the mark; False where the answer ends before it."""
        kind = match.lastgroup or ""
        before, mark = self._text[self._at : match.start()], _key(match.group())
        if kind == "close" and not self._thinking and mark in _patterns().ends:
            kind = "end"
        if self._thinking:
            return self._while_thinking(kind, mark, before, match)
        self._add(before)
        self._at = match.end()
        if kind in ("label", "assistant_line") and _is_quoted(self._text, match.start()):
            self._said.append(match.group())
            return True
        if kind in ("user", "system", "line", "label", "question"):
            return self._other_speaks(kind, match)
        if kind == "end" and _NAMED.match(self._text, match.end()) and before[-1:] == " ":
            self._said.append(match.group())  # a word of the sentence
            return True
        if kind == "end":
            if mark == "</s>" and "<s>" in self._text[: match.start()].lstrip()[1:].lower():
                self._said.append(match.group())  # struck out in HTML
                return True
            self._ended = not self._repeating
            return self._blank and not self._thoughts
        handle = getattr(self, f"_on_{kind}")
        return bool(handle(match, mark))

    def _while_thinking(self, kind: str, mark: str, before: str, match: re.Match[str]) -> bool:
        if kind == "close" and self._closed_by is None and self._inner:
            self._inner -= 1  # of a thought within the thought
            kind = "inner"
        self._inner += kind == "open" and self._closed_by is None
        if kind == "close" and self._closed_by in (None, mark):
            self._thoughts.append(before)
            self._thinking, self._at = False, match.end()
        elif kind in ("begin", "answer"):
            self._thoughts.append(before)
            self._thinking, self._at = False, match.end()
            if kind == "answer":
                self._opened = len(self._said)
        else:
            self._thoughts.append(before + match.group())
            self._at = match.end()
        return True

    def _on_open(self, match: re.Match[str], mark: str) -> bool:
        closed_by = _patterns().closes[mark]
        closed = closed_by in _key(self._text[match.end() :])
        heading = not closed and mark[0] in "[{\u3010" and not _THINKS.search(mark)
        if heading or (mark in _patterns().beside and "<reasoning>" not in _key(self._text)):
            self._said.append(match.group())
            return True
        # A thought that its own mark does not close is closed by any.
        self._thinking, self._closed_by, self._inner = True, closed_by if closed else None, 0
        return True

    def _on_close(self, match: re.Match[str], mark: str) -> bool:
        """A thought that the prompt had opened."""
        if mark in _patterns().blocks:
            self._said.append(match.group())
            return True
        self._thoughts += self._said
        self._said, self._boxes, self._opened = [], [], None
        return True

    def _on_begin(self, match: re.Match[str], mark: str) -> bool:
        self._repeating = False
        return self._on_close(match, mark)

    def _on_answer(self, match: re.Match[str], mark: str) -> bool:
        self._opened = len(self._said)
        return True

    def _on_answer_end(self, match: re.Match[str], mark: str) -> bool:
        if self._opened is not None:
            self._boxes.append((self._opened, len(self._said)))
        self._opened = None
        return True

    def _on_assistant(self, match: re.Match[str], mark: str) -> bool:
        if self._blank or self._repeating:
            self._said.clear()
            self._repeating = False
            return True
        return False

    def _on_assistant_line(self, match: re.Match[str], mark: str) -> bool:
        label = match.group().rstrip("* ")[-1:] in (":", "\uff1a")
        if label and not (self._blank or self._repeating or _ANSWERS.search("".join(self._said))):
            self._said.append(match.group())  # somebody in the picture
            return True
        return self._on_assistant(match, mark)

    def _on_answers(self, match: re.Match[str], mark: str) -> bool:
        """``Answer:`` begins an answer where the question was repeated, else it is a part of it."""
        if self._repeating:
            self._repeating = False
        else:
            self._said.append(match.group())
        return True

    def _other_speaks(self, kind: str, match: re.Match[str]) -> bool:
        """Whether to go on: somebody else's turn in front of the answer is left out."""
        if not self._blank or self._thoughts or self._ended:
            return False
        rest = self._text[match.end() :]
        if kind in ("label", "question") and not _replies_follow(kind).search(rest):
            self._said.append(match.group())  # no turn, a part of the answer
            return True
        self._said.clear()
        self._repeating = True
        return True

    def _answer(self) -> str:
        if self._opened is not None:
            self._boxes.append((self._opened, len(self._said)))
        boxed = ["".join(self._said[start:end]).strip() for start, end in self._boxes]
        if not any(boxed):
            return "".join(self._said)
        parts, at = [], 0
        for (start, end), content in zip(self._boxes, boxed, strict=True):
            parts.append("".join(self._said[at:start]))
            short = len(content) <= _BOXED and "\n" not in content
            parts.append(f"[[{content}]]" if short and content else content)
            at = end
        parts.append("".join(self._said[at:]))
        around = [part for part in parts[::2] if part.strip(" \n\t\r.*")]
        return boxed[0] if len(boxed) == 1 and not around else "".join(parts)


def _is_quoted(text: str, at: int) -> bool:
    """Whether a place of a line lies within quotation marks."""
    return text.count('"', text.rfind("\n", 0, at) + 1, at) % 2 == 1


def _key(mark: str) -> str:
    return mark.casefold()


def _any(texts: Iterable[str]) -> str:
    """An expression for any of these texts, longer ones first."""
    return "|".join(re.escape(each) for each in sorted(set(texts), key=lambda t: (-len(t), t)))


@cache
def _replies_follow(kind: str) -> re.Pattern[str]:
    """What shows that a label in front of the answer begins a turn: somebody answers."""
    lists = marks()
    names = [*lists["speakers"]["assistant"], *(lists["answers"] if kind == "question" else [])]
    return re.compile(rf"(?<!\w)(?:{_any(names)})\s*[:\uff1a]|\[/inst\]", re.I)


@cache
def _patterns() -> Patterns:
    lists = marks()
    blocks = [(opening, closing) for opening, closing in lists["thought_blocks"]]
    thoughts = [*_pairs(lists, "thought"), *blocks]
    answers = _pairs(lists, "answer")
    groups = {
        "begin": _any(lists["answer_begins"]),
        "open": _any(opening for opening, _ in thoughts),
        **{who: _speaker(lists, who) for who in ("assistant", "user", "system")},
        "close": _any(closing for _, closing in thoughts),
        "answer": _any(opening for opening, _ in answers),
        "answer_end": _any(closing for _, closing in answers),
        "end": _any(lists["turn_ends"]),
        **_labels(lists),
    }
    expression = "|".join(f"(?P<{name}>{parts})" for name, parts in groups.items())
    return Patterns(
        mark=re.compile(expression, re.I),
        closes={_key(opening): _key(closing) for opening, closing in thoughts},
        ends=frozenset(map(_key, lists["turn_ends"])),
        blocks=frozenset(_key(closing) for _, closing in blocks),
        beside=frozenset(f"<{name}>" for name in lists["beside_reasoning"]),
        question=re.compile(
            rf"\n\s*\n[^\n]+\n(?:{_any(lists['options'])})[ \t]*[:\uff1a]"
            r"[ \t]*\n\s*[(\[]?A[).\]]",
            re.I,
        ),
    )


def _pairs(lists: Mapping[str, Any], kind: str) -> list[tuple[str, str]]:
    """Opening and closing marks: each name in each form, and the pairs of one model alone."""
    names = [(name, form) for name in lists[f"{kind}_names"] for form in lists["forms"]]
    made = [(form[0].format(name), form[1].format(name)) for name, form in names]
    return made + [(opening, closing) for opening, closing in lists[f"{kind}_pairs"]]


def _speaker(lists: Mapping[str, Any], who: str) -> str:
    """An expression for marks of templates that name a speaker."""
    names = _any(lists["speakers"][who])
    opener, closer = _any(lists["speaker_openers"]), _any(lists["speaker_closers"])
    forms = (
        rf"(?:{opener})\s*(?:{names})\b[^\n<>\[]{{0,20}}?(?:{closer}|(?=\s|$|<))",
        rf"<[|\uff5c](?:{names})[|\uff5c]>",
        rf"(?<!#)##{{1,3}}\s*(?:{names})\s*(?::|\n)",
        *map(re.escape, lists.get(f"{who}_marks", ())),
    )
    return "|".join(forms)


def _labels(lists: Mapping[str, Any]) -> dict[str, str]:
    """Expressions for plain words that name a speaker: alone on a line, or before a colon."""
    users, assistants = (
        _any(name for name in lists["speakers"][who] if name not in lists["questions"])
        for who in ("user", "assistant")
    )
    line = r"(?:^|(?<=\n)|(?<=[)\].!?\"'*>])|(?<=\b[A-Z]))"
    label = r"(?:^|(?<=\n)|(?<=[)\].!?>]\s)|(?<=[)\].!?>]))[ \t]*(?:\*\*)?"
    colon = r"(?:\*\*)?[ \t]*[:\uff1a](?:\*\*)?"
    return {
        "assistant_line": rf"{line}(?-i:assistant|model)[ \t]*\n(?=\s*\S)"
        rf"|{label}(?:{assistants}){colon}",
        "line": rf"{line}(?-i:user|human|system)[ \t]*\n(?=\s*\S)",
        "label": rf"{label}(?:{users}){colon}",
        "question": rf"(?:^|(?<=\n))[ \t]*(?:{_any(lists['questions'])})[ \t]*[:\uff1a]",
        "answers": rf"(?:^|(?<=\n))[ \t]*(?:{_any(lists['answers'])})[ \t]*[:\uff1a]",
    }
