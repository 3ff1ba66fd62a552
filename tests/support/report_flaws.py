"""What no page may say to a reader, whatever state the snapshot is in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

#: Elements whose text is one piece for a reader; a piece within another is a piece of its own.
_PIECES = frozenset(
    {"p", "li", "dt", "dd", "h1", "h2", "h3", "h4", "td", "th", "caption", "summary", "figcaption",
     "title", "label", "div"}
)  # fmt: skip
_VOID = frozenset({"meta", "link", "img", "br", "input"})
#: Elements that must hold what they are for, and what that is.
_FILLED = {"tbody": "tr", "ul": "li", "ol": "li", "dl": "dt", "section": "p", "thead": "tr"}
#: What an element that opens must hold beside its name.
_SHOWN = frozenset({"table", "p", "ul", "ol", "dl", "pre", "figure"})
_SILENT = frozenset({"script", "style", "svg", "template", "noscript", "select"})
#: Words behind a number that end like a plural and are none.
_SINGULAR = frozenset({"is", "was", "has", "as", "less", "means", "leaves", "gives"})
_FLAWS = {
    "begins with punctuation": re.compile(r"^[;,.:)]"),
    "punctuation after nothing": re.compile(
        r"[(,;:] *[,;.)]|\s[,;.](?=\s|$)|\.\.(?!\.)(?<!\.\.\.)"
    ),
    "a value that is none": re.compile(r"\b(nan|undefined)\b|(^|[ (])None($|[,;.)])"),
    "a share of nothing": re.compile(r"\b0 (of|out of) 0\b"),
    "a limit of nothing": re.compile(r"(?<![\d.,])0 times\b"),
    "nothing counted": re.compile(r"(?<![\d.,\u2013-])0 (questions?|models?) (about|were|was)\b"),
}
_ONE = re.compile(r"(?<![\d.,/\u2013] )(?<![\w.,\u2013\u2212+-])1 ([a-z]+s)\b")


class _Page(HTMLParser):
    """Pieces of text, what elements hold, and links within the page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.empty: list[str] = []
        self._stack: list[tuple[str, list[str], set[str], str]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = dict(attrs)
        self.ids |= {about["id"] or ""} if "id" in about else set()
        if (link := about.get("href") or "").startswith("#"):
            self.links.add(link[1:])
        for _, _, within, _ in self._stack:
            within.add(tag)
        if tag not in _VOID:
            named = about.get("id") or about.get("class") or ""
            self._stack.append((tag, [], set(), named))

    def handle_endtag(self, tag: str) -> None:
        found, words, within, named = self._stack.pop()
        text = re.sub(r"\s+", " ", "".join(words)).strip()
        if tag in _FILLED and _FILLED[tag] not in within and not named.startswith("browser"):
            self.empty.append(f"<{tag}> {named}".strip())
        if tag == "details" and within.isdisjoint(_SHOWN):
            self.empty.append(f"<{tag}> {text}")
        if found in _PIECES:
            self.pieces.append(text)
        elif found == "code":  # a name or a command, whatever it holds
            self._stack[-1][1].append("code")
        elif self._stack and found not in _SILENT:
            self._stack[-1][1].extend(words)

    def handle_data(self, data: str) -> None:
        if self._stack and not any(tag in _SILENT for tag, *_ in self._stack):
            self._stack[-1][1].append(data)


def flaws(html: str) -> Iterator[str]:
    """What is wrong with a page: words, empty parts, links to parts that are not there."""
    page = _Page(html)
    for text in page.pieces:
        for name, pattern in _FLAWS.items():
            if pattern.search(text):
                yield f"{name}: {text[:200]}"
        for many in _ONE.findall(text):
            if many not in _SINGULAR:
                yield f"one of several: '1 {many}': {text[:200]}"
    yield from (f"holds nothing: {part}" for part in page.empty)
    yield from (f"leads nowhere: #{link}" for link in sorted(page.links - page.ids))
