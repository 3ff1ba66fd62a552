"""Numbers and sizes: how many there are, of what there are most, what is largest or nearest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from support.exam.oracle.reading import called, family, fits, plural_label, the, the_label
from support.oracle import places
from support.oracle.phrases import Found, Unread
from support.oracle.picture import Nothing, Picture, Thing, Unsure
from support.oracle.truth import Truth, both, every, no, some


def _number(option: str) -> int:
    if not option.isdigit():
        raise Unread(option)
    return int(option)


def _so_many(found: Iterable[Truth], number: int) -> Truth:
    """Whether so many hold; unsure where those that are not clear could make it so."""
    judged = [*found]
    least = judged.count(True)
    most = least + judged.count(None)
    if not least <= number <= most:
        return False
    return True if least == most else None


def _named(picture: Picture, *labels: str) -> list[Truth]:
    """Whether each thing has one of these names.

    Raises
    ------
    Unsure
        Something around may be called so.
    """
    if any(picture.elsewhere(label) is None for label in labels):
        raise Unsure("what is around")
    return [some(picture.called(one, label) for label in labels) for one in picture.things]


@family("numbers").reads(
    "How many {things} are in the picture?",
    "How many {things} can you count in the picture?",
    "How many {things} does the picture show?",
)
def _count(picture: Picture, found: Found, option: str) -> Truth:
    label = plural_label(found["things"], picture)
    return _so_many(_named(picture, label), _number(option))


@family("numbers").reads(
    "How many {things} and {things2} are in the picture altogether?",
    "Count the {things} and the {things2}. How many are there in all?",
    "What is the total number of {things} and {things2} in the picture?",
)
def _together(picture: Picture, found: Found, option: str) -> Truth:
    labels = [plural_label(found[name], picture) for name in ("things", "things2")]
    if picture.names.may_be(*labels):
        raise Unsure("one may be the other")
    return _so_many(_named(picture, *labels), _number(option))


@family("numbers").reads(
    "If every {thing} were taken away, how many {name} would be left in front of the background?",
    "Imagine that every {thing} is gone. How many {name} are left in front of the background?",
    "Not counting any {things}, how many {name} are in front of the background?",
)
def _left(picture: Picture, found: Found, option: str) -> Truth:
    _all_called(picture, found["name"])
    named = _named(picture, found.get("thing") or plural_label(found["things"], picture))
    left = [both(one.there, no(is_so)) for one, is_so in zip(picture.things, named, strict=True)]
    return _so_many(left, _number(option))


def _all_called(picture: Picture, nouns: str) -> None:
    """Check that all that is there is called so; together anything is a thing."""
    for one in picture.clear() if nouns != "things" else ():
        called(one.label, nouns.removesuffix("s"), picture)


def _colored(picture: Picture, color: str) -> list[Truth]:
    if color not in picture.names.colors:
        raise Unread(color)
    return [both(one.there, picture.colored(one, color)) for one in picture.things]


@family("numbers").reads(
    "How many {color} {things} are in the picture?",
    "How many of the {things} in the picture are {color}?",
    "How many {color} {things} does the picture show?",
)
def _both(picture: Picture, found: Found, option: str) -> Truth:
    named = _named(picture, plural_label(found["things"], picture))
    pairs = zip(named, _colored(picture, found["color"]), strict=True)
    return _so_many([both(*pair) for pair in pairs], _number(option))


def _either(picture: Picture, label: str, color: str, option: str) -> Truth:
    pairs = zip(_named(picture, label), _colored(picture, color), strict=True)
    return _so_many([some(pair) for pair in pairs], _number(option))


@family("numbers").reads(
    "How many {name} in front of the background are {things}, {color}, or both?",
    "Count all the {name} in front of the background that are {things}, {color}, or both. "
    "How many are there?",
)
def _either_plural(picture: Picture, found: Found, option: str) -> Truth:
    _all_called(picture, found["name"])
    label = plural_label(found["things"], picture)
    return _either(picture, label, found["color"], option)


@family("commonest").reads(
    "Which of these are there the most of in the picture?",
    "Which of these appear most often in the picture?",
    "Count how many there are of each kind. Which are there the most of?",
)
def _commonest(picture: Picture, found: Found, option: str) -> Truth:
    label = plural_label(option, picture)
    own = _named(picture, label)
    others = sorted({one.label for one in picture.clear()} - {label})
    return every(_more(own, _named(picture, other)) for other in others)


def _more(first: Sequence[Truth], second: Sequence[Truth]) -> Truth:
    """Whether there are more of the first, whatever those are that are not clear."""
    if first.count(True) > second.count(True) + second.count(None):
        return True
    return False if first.count(True) + first.count(None) <= second.count(True) else None


def _ranks(one: Thing, others: Sequence[Thing], word: str, by: int) -> Truth:
    """Whether exactly so many others are larger than a thing, or smaller, as ``word`` says."""
    rest = [each for each in others if each != one]
    if word == "largest":
        return _so_many([places.larger(each, one) for each in rest], by)
    return _so_many([places.larger(one, each) for each in rest], by)


_PLACES = {"": 0, "second ": 1, "third ": 2}


def _meant(picture: Picture, among: Sequence[Thing], option: str) -> Thing:
    """The thing of an option: "the fox", or "the red one" where all are of one name."""
    one = fits(r"the (?P<color>\w+) one", option, picture)
    if one is None:
        found = the(picture, the_label(option, picture))
        if found not in among:
            raise Nothing(option)
        return found
    if one["color"] not in picture.names.colors or len({each.label for each in among}) > 1:
        raise Unread(option)
    found_in = [each for each in among if picture.colored(each, one["color"]) is not False]
    if len(found_in) > 1:
        raise Unsure(option)
    if not found_in:
        raise Nothing(option)
    return found_in[0]


def _among(picture: Picture, words: str) -> list[Thing]:
    """The things that are compared: all, or those of a name."""
    there = picture.clear()
    if words == "these":
        return there
    words = words.removeprefix("the ")
    label = plural_label(words, picture)
    if picture.elsewhere(label) is None:
        raise Unsure(words)
    called = [(one, picture.called(one, label)) for one in there]
    if any(is_so is None for _, is_so in called):
        raise Unsure(words)
    return [one for one, is_so in called if is_so]


def _register_size(order: str, word: str) -> None:
    said = f"{order}{word}"

    @family("sizes").reads(
        f"Which of {{said}} is the {said} in the picture?",
        f"In the picture, which of {{said}} is the {said}?",
        f"Compare how large {{said}} are in the picture. Which one is the {said}?",
    )
    def _size(picture: Picture, found: Found, option: str) -> Truth:
        among = _among(picture, found["said"])
        return _ranks(_meant(picture, among, option), among, word, _PLACES[order])


for _order in _PLACES:
    for _word in ("largest", "smallest"):
        _register_size(_order, _word)


def _register_two(word: str, end: str) -> None:
    @family("sizes").reads(
        f"Two of these are in the picture. Which of the two is {word}?",
        f"Two of these are in the picture. Which one is {word} there?",
    )
    def _two(picture: Picture, found: Found, option: str) -> Truth:
        among = _among(picture, "these")
        if len(among) != 2:
            raise Unread(f"two things? there are {len(among)}")
        return _ranks(_meant(picture, among, option), among, end, 0)


_register_two("larger", "largest")
_register_two("smaller", "smallest")


def _register_ground(said: str, nearest: bool) -> None:
    def judge(picture: Picture, among: list[Thing], option: str) -> Truth:
        return places.farthest(_meant(picture, among, option), among, nearest)

    @family("ground").reads(f"Which of the {{things}} is {said}?")
    def _all(picture: Picture, found: Found, option: str) -> Truth:
        return judge(picture, _among(picture, found["things"]), option)

    @family("ground").reads(f"Apart from the {{color}} one, which of the {{things}} is {said}?")
    def _rest(picture: Picture, found: Found, option: str) -> Truth:
        among = _among(picture, found["things"])
        gone = _meant(picture, among, f"the {found['color']} one")
        return judge(picture, [each for each in among if each != gone], option)


_register_ground("nearest to you", True)
_register_ground("farthest from you", False)
