"""The answer in what a model sent: without thoughts, marks of chat templates and invented turns.

The one place that does so. Every reader of answers (choice, short answer, value, claim, a judge's
JSON) sees what :func:`final_answer` returns. The marks stand in ``data/replies/marks.yaml``.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from lvlmbench.stages.replies.echo import cut_at_prompt, without_echo
from lvlmbench.stages.replies.patterns import key, patterns, replies_follow

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
_CHANNEL = re.compile(r"\s{0,20}(?:assistant)?analysis(?=\w)")


#: Characters of a short answer, and of what is looked at for an answer to an invented turn.
_SHORT, _REACH = 600, 6000
#: Most characters of a mark before the first of its signs.
_LONGEST = 60
_BARE = " \n\t\r*_`\"'"
#: What follows a mark that a sentence is about.
_NAMED = re.compile(r"[.,;:)\"'](?:\s|$)")
#: Names of marks that stand for nothing else.
_THINKS = re.compile("think|thought")
_ANSWERS = re.compile(r"[(\[][A-Z][)\]]|^[^\w\n]{0,8}[A-Z][^\w\n]{0,8}$", re.M)


class Parts(NamedTuple):
    """What a model thought aloud, None where it did not, and its answer."""

    thought: str | None
    answer: str


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
    if channel and not text[channel.end()].isupper() and "assistantfinal" not in text:
        channel = None  # a word that begins so
    scan = _Scan(text, channel.end() if channel else 0, thinking=channel is not None)
    thought, answer = scan.run()
    if thought is None and answer == text:
        return Parts(None, _before_new_question(text))
    return Parts(thought, _before_new_question(_TOKEN.sub("", answer).strip()))


def _before_new_question(answer: str) -> str:
    """The answer up to an invented question with options of its own, if a letter stands before."""
    found = patterns().question.search(answer)
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
        self._lower = key(text)
        self._thoughts: list[str] = []
        self._said: list[str] = []
        self._thinking = thinking
        self._closed_by: str | None = None  # the mark that ends the thought; None: any
        self._ended = False  # a turn has ended in which nothing was said
        self._blank, self._lettered, self._length = True, False, 0  # of what was said
        self._inner = 0  # thoughts that were opened within the thought
        self._repeating = False  # inside a turn of somebody else, before the answer
        self._boxes: list[tuple[int, int]] = []  # of _said: where an answer between marks lies
        self._opened: int | None = None

    def run(self) -> tuple[str | None, str]:
        """Return thought and answer."""
        pattern = patterns().mark
        sign = _SIGNS.search(self._text, self._at)
        at = len(self._text[: max(0, sign.start() - _LONGEST)].rstrip()) - 2 if sign else 0
        while match := pattern.search(self._text, max(at, self._at)):
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
        if not self._thinking:
            self._blank = self._blank and not _TOKEN.sub("", part).strip(_BARE)
            self._lettered = self._lettered or _ANSWERS.search(part) is not None
            self._length += len(part)

    def _keep(self, part: str) -> bool:
        """Take a mark for what it says; True, for there is more to read."""
        self._add(part)
        return True

    def _drop(self) -> None:
        """What was said is no part of the answer."""
        self._said, self._boxes, self._opened = [], [], None
        self._blank, self._lettered, self._length = True, False, 0

    def _take(self, match: re.Match[str]) -> bool:
        """Take the text before a mark, and the mark; False where the answer ends before it."""
        kind = match.lastgroup or ""
        before, mark = self._text[self._at : match.start()], key(match.group())
        if kind == "close" and not self._thinking and mark in patterns().ends:
            kind = "end"
        if self._thinking:
            return self._while_thinking(kind, mark, before, match)
        self._add(before)
        self._at = match.end()
        if kind in ("label", "assistant_line") and _is_quoted(self._text, match.start()):
            return self._keep(match.group())
        if kind == "assistant" and mark[0] == "#":
            return self._on_assistant_line(match, mark)
        if kind == "user" and mark[0] in "#[":
            kind = "label"
        if kind in ("user", "system", "line", "label", "question"):
            return self._other_speaks(kind, match)
        if kind == "end" and _NAMED.match(self._text, match.end()) and before[-1:] == " ":
            return self._keep(match.group())
        if kind == "end":
            if mark == "</s>" and "<s>" in self._text[: match.start()].lstrip()[1:].lower():
                return self._keep(match.group())
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
        closed_by = patterns().closes[mark]
        closed = closed_by in self._lower[match.end() :]
        if self._is_prose(match, mark, closed):
            return self._keep(match.group())
        # A thought that its own mark does not close is closed by any.
        self._thinking, self._closed_by, self._inner = True, closed_by if closed else None, 0
        return True

    def _is_prose(self, match: re.Match[str], mark: str, closed: bool) -> bool:
        """Whether a mark that opens a thought is a heading, or a word that the answer speaks of."""
        if self._is_quoted_or_alone(match, mark):
            return True
        if mark[0] in "[{\u3010":
            starts = not self._text[: match.start()].rpartition("\n")[2].strip()
            first = self._blank and not self._thoughts
            return not (starts and (closed or (first and _THINKS.search(mark))))
        return mark.startswith("thinking...") and not closed and not self._blank

    def _is_quoted_or_alone(self, match: re.Match[str], opening: str) -> bool:
        """Whether a mark stands in quotes, or is one that counts beside <reasoning> alone."""
        if opening in patterns().beside and "<reasoning>" not in self._lower:
            return True
        return self._text[: match.start()][-1:] in ("`", '"', "'")

    def _on_close(self, match: re.Match[str], mark: str) -> bool:
        """A thought that the prompt had opened."""
        if mark in patterns().blocks or self._is_quoted_or_alone(match, mark.replace("/", "", 1)):
            return self._keep(match.group())
        self._think_of_said()
        return True

    def _on_begin(self, match: re.Match[str], mark: str) -> bool:
        self._repeating = False
        self._think_of_said()
        return True

    def _think_of_said(self) -> None:
        """What was said turns out to be thought."""
        self._thoughts += self._said
        self._drop()

    def _on_answer(self, match: re.Match[str], mark: str) -> bool:
        closing = mark.replace(mark[0], f"{mark[0]}/", 1)
        if mark[0] in "[{\u3010" and closing not in self._lower and "begin" not in mark:
            return self._keep(match.group())  # a heading
        self._opened = len(self._said)
        return True

    def _on_answer_end(self, match: re.Match[str], mark: str) -> bool:
        if self._opened is not None:
            self._boxes.append((self._opened, len(self._said)))
        self._opened = None
        return True

    def _on_assistant(self, match: re.Match[str], mark: str) -> bool:
        if self._blank or self._repeating:
            self._drop()
            self._repeating = False
            return True
        return False

    def _on_assistant_line(self, match: re.Match[str], mark: str) -> bool:
        label = match.group().rstrip("* ")[-1:] in (":", "\uff1a") or mark[0] == "#"
        if label and not (self._blank or self._repeating or self._answered):
            return self._keep(match.group())
        return self._on_assistant(match, mark)

    def _on_answers(self, match: re.Match[str], mark: str) -> bool:
        """``Answer:`` begins an answer where the question was repeated, else it is a part of it."""
        if self._repeating:
            self._repeating = False
            return True
        return self._keep(match.group())

    @property
    def _answered(self) -> bool:
        """Whether what was said is short and names a letter, so that a turn may end behind it."""
        return self._lettered and self._length <= _SHORT

    def _other_speaks(self, kind: str, match: re.Match[str]) -> bool:
        """Whether to go on: somebody else's turn in front of the answer is left out, one behind
        it ends it. Plain words open a turn only where an answer follows them or stands before."""
        plain = kind in ("label", "line", "question")
        rest = self._text[match.end() : match.end() + _REACH]
        follows = not plain or replies_follow(kind).search(rest) is not None
        if not self._blank or self._thoughts or self._ended:
            ends = not plain or self._answered or (follows and kind != "question")
            return False if ends else self._keep(match.group())
        if not follows:
            return self._keep(match.group())  # no turn, a part of the answer
        self._drop()
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
    start = max(text.rfind("\n", 0, at) + 1, at - 400)
    return text.count('"', start, at) % 2 == 1
