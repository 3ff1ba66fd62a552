"""What two snapshots share, in words."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.core.amounts import amount
from lvlmbench.versions.images import SharedPictures
from lvlmbench.versions.overlap import Overlap, Shared, Side
from lvlmbench.versions.perceptual import BITS
from lvlmbench.versions.verify_words import printable

#: Level -> what rows that agree at it have in common.
_SCENES = {
    "id": "the same id",
    "content": "the same content",
    "but_style": "the same content but for the style",
    "foreground_background": "the same foreground and background",
}
_QUESTIONS = {
    "id": "the same id",
    "same_scene": "the same asked about the same content",
    "same_scene_words": "... in the same words, with the same options",
    "words": "the same words, options and answer",
}
_WIDTH = max(map(len, (*_SCENES.values(), *_QUESTIONS.values())))


def _few(number: float) -> str:
    """A mean count: whole where it is large, with its first digits where it is small."""
    if number == 0:
        return "0"
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 1 else f"{number:.1g}"


def _row(words: str, shared: int, of: int, note: str = "") -> str:
    share = f"{100 * shared / of:.1f} %" if of else ""
    return f"  {words:<{_WIDTH}} {shared:>9,} of {of:<9,} {share:>7}  {note}".rstrip()


def _levels(found: list[Shared], words: dict[str, str]) -> Iterator[str]:
    for level in found:
        notes = []
        if level.by_chance is not None:
            notes.append(f"by chance {_few(level.by_chance)}")
        if level.level == "words":
            notes.append(f"{level.inside:,} repeat inside B")
        yield _row(words[level.level], level.shared, level.n_b, "; ".join(notes))
        if level.level in ("content", "same_scene_words"):
            for example in level.examples:
                yield f"      A {example.a}  {example.a_shows}"
                yield f"      B {example.b}  {example.b_shows}"


def _pictures(found: SharedPictures) -> Iterator[str]:
    yield "Images of B that A has, too"
    yield _row("the same bytes", found.identical, found.n_b)
    yield _row(
        f"alike: at most {found.max_distance} of {BITS} bits differ",
        found.alike,
        found.n_b,
        f"{found.alike_inside:,} are as much like another one of B",
    )
    for name, count in (("A", found.unreadable_a), ("B", found.unreadable_b)):
        if count:
            yield f"  {amount(count, 'image')} of {name} cannot be decoded and were not compared"
    if found.nearest:
        yield "  Nearest, with the bits that differ:"
    for pair in found.nearest:
        yield f"  {pair.distance:>4}  A {pair.a}  {pair.a_shows}"
        yield f"        B {pair.b}  {pair.b_shows}"


def _side(letter: str, side: Side) -> str:
    own = f"{side.snapshot}, seed {side.seed}" if side.snapshot is not None else "unnamed"
    return (
        f"{letter}  {side.name} ({own}): {amount(side.scenes, 'scene')}, "
        f"{amount(side.questions, 'question')}, {amount(side.pictures, 'image')}"
    )


def verdict(found: Overlap) -> str:
    """The one sentence that matters: does B give anything of A away?"""
    scenes = {level.level: level for level in found.scenes}
    questions = {level.level: level.shared for level in found.questions}
    identical = found.pictures.identical if found.pictures else 0
    if scenes["id"].shared:
        return f"Not disjoint: B has {amount(scenes['id'].shared, 'scene')} of A."
    content = scenes["content"]
    chance = "" if content.by_chance is None else f" (by chance {_few(content.by_chance)})"
    told = []
    if content.shared:
        asked = amount(questions["same_scene"], "question")
        told.append(f"{amount(content.shared, 'scene')} by what they show{chance}, {asked} on them")
    if identical:
        told.append(f"{amount(identical, 'image')}, byte by byte")
    if told:
        return f"Disjoint by ids; shared: {'; '.join(told)}."
    images = " and no image has the bytes of one" if found.pictures else ""
    return f"Disjoint: no scene of B shows what one of A shows{images}."


def words(found: Overlap) -> str:
    """The whole of it, as lines."""
    lines = [_side("A", found.a), _side("B", found.b), "", verdict(found), ""]
    lines += ["Scenes of B that A has, too", *_levels(found.scenes, _SCENES), ""]
    lines += ["Questions of B that A has, too", *_levels(found.questions, _QUESTIONS)]
    if found.pictures is not None:
        lines += ["", *_pictures(found.pictures)]
    lines += [f"Note: {note}" for note in found.notes]
    return "\n".join(map(printable, lines))
