"""Write data/lexicon/wordnet.tsv.xz from the noun files of WordNet 3.0.

The folder is that of Debian's package wordnet-base. The same files give the same bytes.
"""

from __future__ import annotations

import argparse
import lzma
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.scene.truth.wordnet import FILE

#: Synsets below which nouns name what can be seen: things, living and other, matter; groups.
ROOTS = ("00002684", "00007347", "00020827", "00002452", "00031264")
_ABOVE = ("@", "@i")


def synsets(lines: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return synset -> the synsets right above it, of the lines of data.noun."""
    found = {}
    for line in lines:
        if line.startswith(" "):
            continue
        parts = line.partition("|")[0].split()
        at = 4 + 2 * int(parts[3], 16)
        pointers = parts[at + 1 : at + 1 + 4 * int(parts[at])]
        above = zip(pointers[::4], pointers[1::4], strict=True)
        found[parts[0]] = tuple(to for symbol, to in above if symbol in _ABOVE)
    return found


def senses(lines: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return lemma -> its synsets, the most frequent sense first, of the lines of index.noun."""
    found = {}
    for line in lines:
        if not line.startswith(" "):
            parts = line.split()
            found[parts[0].replace("_", " ")] = tuple(parts[-int(parts[2]) :])
    return found


def below(above: Mapping[str, Sequence[str]], roots: Iterable[str]) -> set[str]:
    """Return the roots and all synsets below them."""
    children: dict[str, list[str]] = {}
    for name, parents in above.items():
        for parent in parents:
            children.setdefault(parent, []).append(name)
    found, left = set[str](), [*roots]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += children.get(name, ())
    return found


def rows(folder: Path) -> Iterator[str]:
    """Yield the lines of the extract.

    Raises
    ------
    UserError
        The folder has no noun files of WordNet 3.0.
    """
    try:
        with (folder / "data.noun").open(encoding="ascii") as file:
            above = synsets(file)
        with (folder / "index.noun").open(encoding="ascii") as file:
            lemmas = senses(file)
    except OSError as error:
        raise UserError(
            str(folder), f"cannot be read ({error.strerror})", "give the folder of wordnet-base"
        ) from None
    if not above.keys() >= {*ROOTS}:
        raise UserError(str(folder), "is not WordNet 3.0", "give the folder of wordnet-base 3.0")
    concrete = below(above, ROOTS)
    for lemma in sorted(lemmas):
        kept = [(at, name) for at, name in enumerate(lemmas[lemma], 1) if name in concrete]
        for at, name in kept:
            yield f"{lemma}\t{at}\t{name}\t{' '.join(p for p in above[name] if p in concrete)}\n"
        if not kept:
            yield f"{lemma}\t\t\t\n"


@main_guard
def main() -> None:
    """Read the noun files, write the extract."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds index.noun and data.noun")
    parser.add_argument("--out", type=Path, default=FILE)
    args = parser.parse_args()

    text = "".join(rows(args.folder))
    args.out.write_bytes(lzma.compress(text.encode("ascii"), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main()
