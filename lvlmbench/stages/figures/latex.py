"""Tables for LaTeX, with whatever text in them escaped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from lvlmbench.core.untrusted import plain_text
from lvlmbench.stages.figures.tabular import Cell, Column, Heading, Row, Table, groups

#: Characters with a meaning in LaTeX, and signs that not every font of it has. Brackets and stars
#: are read as options where they begin a row, so they stand in groups.
_SIGNS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\char34{}",
    "`": r"\char96{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "\N{MINUS SIGN}": "$-$", "\N{EN DASH}": "--", "\N{EM DASH}": "---",
    "\N{MULTIPLICATION SIGN}": r"$\times$", "\N{PLUS-MINUS SIGN}": r"$\pm$",
    "\N{DEGREE SIGN}": r"$^\circ$", "\N{SUPERSCRIPT TWO}": "$^2$",
    "\N{DOWNWARDS ARROW}": r"$\downarrow$", "\N{UPWARDS ARROW}": r"$\uparrow$",
    "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}", "\N{INFINITY}": r"$\infty$",
    "\N{LEFT SINGLE QUOTATION MARK}": "`", "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": "``", "\N{RIGHT DOUBLE QUOTATION MARK}": "''",
    "\N{NO-BREAK SPACE}": "~", "\N{MIDDLE DOT}": r"$\cdot$",
}  # fmt: skip
#: Accented Latin letters up to here are part of LaTeX's own encodings.
_LAST_LATIN = 0x17F
#: Two of these in a row become another sign.
_PAIR = re.compile(r"[-',!?](?=[-'`])|,(?=,)")


def escape(text: str) -> str:
    """Return text as LaTeX prints it as it stands: one line, no command, no formula, no comment.

    What LaTeX has no letter for without further packages is named: [U+65E5].
    """
    text = _PAIR.sub("\\g<0>\0", _line(text))
    return "".join("{}" if c == "\0" else _letter(c) for c in text)


def _line(text: str) -> str:
    return " ".join(plain_text(text).split())


def _letter(character: str) -> str:
    if character in _SIGNS:
        return _SIGNS[character]
    if character.isascii():
        return character
    is_letter = unicodedata.category(character)[0] == "L"
    if is_letter and 0xC0 <= ord(character) <= _LAST_LATIN:
        return character
    return f"{{[}}U+{ord(character):04X}{{]}}"


def _cell(cell: Cell, muted: bool) -> str:
    text = escape(cell.text)
    if cell.bold and text:
        text = rf"\textbf{{{text}}}"
    text += f" {escape(cell.aside)}" if cell.aside else ""
    text += escape(cell.mark)
    if muted and text:
        text = rf"\textit{{{text}}}"
    return rf"\quad {text}" if cell.indent else text


def _notes(row: Row) -> Iterator[str]:
    """Rows of small print below a row."""
    for i in range(max((len(cell.notes) for cell in row.cells), default=0)):
        notes = [cell.notes[i] if i < len(cell.notes) else "" for cell in row.cells]
        cells = (rf"{{\scriptsize {escape(note)}}}" if note else "" for note in notes)
        yield f"{' & '.join(cells)} \\\\"


def _heads(columns: list[Column]) -> Iterator[str]:
    """The heading above groups of columns, where there are any, and that of each column."""
    shared = {members[0]: (group, members) for group, members in groups(columns)}
    inside = {i for _, members in shared.values() for i in members[1:]}
    if shared:
        cells = []
        for i in range(len(columns)):
            group, members = shared.get(i, ("", [i]))
            word = rf"\multicolumn{{{len(members)}}}{{c}}{{{escape(group)}}}" if group else ""
            cells += [word] if i not in inside else []
        rules = (rf"\cmidrule(lr){{{m[0] + 1}-{m[-1] + 1}}}" for _, m in shared.values())
        yield " & ".join(cells) + r" \\"
        yield " ".join(rules)
    yield " & ".join(escape(column.head) for column in columns) + r" \\"


def tabular(table: Table) -> str:
    """Return the table as LaTeX's ``tabular``, small print below numbers, notes as comments."""
    columns = list(table.columns)
    letters = "".join("l" if column.align == "left" else "r" for column in columns)
    lines = [
        f"% {_line(table.title)}",
        r"% Needs \usepackage{booktabs}. \resizebox of graphicx fits a wide table to a page.",
        *(f"% {_line(note)}" for note in table.notes),
        rf"\begin{{tabular}}{{{letters}}}",
        r"\toprule",
        *_heads(columns),
        r"\midrule",
    ]
    for line in table.lines:
        if isinstance(line, Heading):
            lines += [
                r"\midrule",
                rf"\multicolumn{{{len(columns)}}}{{l}}{{\textit{{{escape(line.text)}}}}} \\",
                r"\midrule",
            ]
        else:
            lines.append(" & ".join(_cell(cell, line.muted) for cell in line.cells) + r" \\")
            lines += _notes(line)
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def figure(name: str, title: str) -> str:
    """Return a ``figure`` of LaTeX that shows NAME.pdf; it needs the package graphicx."""
    return (
        "\\begin{figure}\n  \\centering\n"
        f"  \\includegraphics[width=\\linewidth]{{{name}.pdf}}\n"
        f"  \\caption{{{escape(title)}}}\n  \\label{{fig:{name}}}\n\\end{{figure}}\n"
    )
