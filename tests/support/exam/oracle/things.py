"""Single things: what is there and what is not, colors, words, where a thing faces, props."""

from __future__ import annotations

from support.exam.oracle.reading import a_label, family, fits, referred, the, the_label
from support.oracle import places
from support.oracle.phrases import Found, Unread
from support.oracle.picture import Picture, Unsure
from support.oracle.truth import Truth, no

_WORD = 2  # letters of a word, at least
#: How a thing lies at what, by what a person says.
_WAYS = {
    "table": "on", "bed": "on", "rug": "on",
    "picture frame": "inside", "box": "inside", "jar": "inside",
}  # fmt: skip


@family("seen").reads(
    "Which of these can be seen in the picture?",
    "Which of these does the picture show?",
    "One of these is in the picture. Which one?",
)
def _seen(picture: Picture, found: Found, option: str) -> Truth:
    return picture.shows(a_label(option, picture))


@family("absent").reads(
    "Which of these cannot be seen in the picture?",
    "Which of these does the picture not show?",
    "One of these is not in the picture. Which one?",
)
def _absent(picture: Picture, found: Found, option: str) -> Truth:
    return no(picture.shows(a_label(option, picture)))


@family("color").reads(
    "What color is {said}?",
    "In the picture, what color is {said}?",
)
def _color(picture: Picture, found: Found, option: str) -> Truth:
    if option not in picture.names.colors:
        raise Unread(option)
    return picture.colored(referred(picture, found["said"]), option)


@family("words").reads(
    "What does {said} say?",
    "Which word is written on {said}?",
    "Read {said}. Which word is written on it?",
    "Look at {said}. Which word is written on it?",
    "Find {said}. What does it say?",
)
def _word(picture: Picture, found: Found, option: str) -> Truth:
    if not option.isalpha() or len(option) < _WORD:
        raise Unread(option)
    return picture.says(referred(picture, found["said"]), option)


@family("facing").reads(
    "Which of these is facing {way}?", "In the picture, which of these is facing {way}?"
)
def _faces(picture: Picture, found: Found, option: str) -> Truth:
    return picture.faces(the(picture, the_label(option, picture)), found["way"])


def _lies(picture: Picture, label: str, way: str, prop: str) -> Truth:
    """Whether the thing of a name is at a prop; what a prop is for is no other way."""
    if _WAYS[prop] != way:
        raise Unread(f"{way} the {prop}")
    around = picture.names.around(picture.setting)
    if any(picture.names.may_be(prop, each) for each in around):
        raise Unsure(f"the {prop}, or what is around")
    # A part of a thing, as a luggage box, is too small for any of them.
    return places.stands(the(picture, label), way, picture.the(prop))


def _register_at(way: str) -> None:
    @family("props").reads(
        f"Which of these is {way} the {{prop}}?",
        f"In the picture, which of these is {way} the {{prop}}?",
    )
    def _at(picture: Picture, found: Found, option: str) -> Truth:
        return _lies(picture, the_label(option, picture), way, found["prop"])


for _each in ("on", "inside"):
    _register_at(_each)


@family("props").reads(
    "Where is the {thing}?",
    "Where in the picture is the {thing}?",
    "Which of these describes where the {thing} is?",
)
def _where(picture: Picture, found: Found, option: str) -> Truth:
    said = fits(r"(?P<way>on|inside) the (?P<prop>.+)", option, picture)
    if said is None or said["prop"] not in _WAYS:
        raise Unread(option)
    return _lies(picture, found["thing"], said["way"], said["prop"])
