"""People: age, gender, skin tone and expression, drawn so that each can be told at a glance.

The art's own persons show age and mood only faintly (its boy and its man differ by a few
pixels), so these figures are drawn here, in the same manner: flat fills, round black outlines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lvlmbench.scene.figures.labels import AGES as AGES
from lvlmbench.scene.figures.labels import SKIN
from lvlmbench.stages.render.kinds.pictograph.faces import (
    anger_mark,
    element,
    ellipse,
    face,
    path,
    shade,
)

VIEW = 100

EXPRESSIONS = ("happy", "sad", "angry")

_HAIR = {
    "1F3FB": ("#6a462f", "#a57939", "#e2b04a", "#b5502b", "#3b2a20"),
    "1F3FC": ("#6a462f", "#3b2a20", "#8a5a2b", "#1f1a17"),
    "1F3FD": ("#3b2a20", "#1f1a17", "#5a3a22"),
    "1F3FE": ("#1f1a17", "#2e211a"),
    "1F3FF": ("#141110", "#1f1a17"),
}
_GRAY = ("#d9d9d9", "#c4c6c8", "#ececec")
_CLOTHES = ("#4f9fd8", "#5bb46a", "#e8804a", "#9a6fc4", "#e0b93a", "#d8607c", "#3fa7a0", "#5c6f8c")


@dataclass(frozen=True)
class Person:
    """A person as the vocabulary names it and what is left to chance.

    ``skin`` is a modifier of :data:`~lvlmbench.stages.render.kinds.pictograph.art.SKIN_TONES`.
    """

    age: str
    gender: str
    skin: str
    expression: str
    hair: str
    clothes: str


def sample(rng: np.random.Generator, age: str, gender: str, skin: str, expression: str) -> Person:
    """A person with these attributes; hair and clothes are left to ``rng``."""
    hair = _GRAY if age == "elderly" else _HAIR[skin]
    i, j = rng.integers(0, (len(hair), len(_CLOTHES)))
    return Person(age, gender, skin, expression, hair[int(i)], _CLOTHES[int(j)])


def _child(p: Person, skin: str) -> str:
    hair, top = p.hair, p.clothes
    light = "#fff4c2"
    out = [path("M30 97 L30 86 C30 77 37 74 43 73.5 L57 73.5 C63 74 70 77 70 86 L70 97 Z", top)]
    for y in (80, 87):
        out.append(path(f"M31.5 {y} L68.5 {y}", stroke=light, width=2.6))
    out.append(path("M30 97 L30 86 C30 77 37 74 43 73.5 L57 73.5 C63 74 70 77 70 86 L70 97"))
    out.append(path("M36.5 97 L36.5 88 M63.5 97 L63.5 88", width=1.8))
    out.append(path("M43.5 70 L43.5 74 Q50 79.5 56.5 74 L56.5 70 Z", skin))
    if p.gender == "woman":
        for s in (-1, 1):
            out.append(
                path(f"M{50 + s * 24} 38 C{50 + s * 38} 32 {50 + s * 44} 48 {50 + s * 36} 66 "
                     f"C{50 + s * 33} 58 {50 + s * 28} 54 {50 + s * 23} 47 Z", hair)
            )  # fmt: skip
    for s in (-1, 1):
        out.append(ellipse(50 + s * 25.5, 49, 4, 5, skin))
    out.append(ellipse(50, 46, 26, 27, skin))
    if p.gender == "woman":
        out.append(
            path("M24 47 C20 20 38 14 50 14 C62 14 80 20 76 47 C73 40 71 35 69 31 "
                 "C60 34 57 31 54 27 C48 34 36 35 31 32 C28 36 26 41 24 47 Z", hair)
        )  # fmt: skip
        for s in (-1, 1):
            x, y = 50 + s * 27, 38
            out.append(
                path(f"M{x} {y} L{x - 6} {y - 6} L{x - 6} {y + 5} Z M{x} {y} L{x + 6} {y - 6} "
                     f"L{x + 6} {y + 5} Z", "#ea3a6e", width=1.6)
            )  # fmt: skip
            out.append(ellipse(x, y, 2, 2, "#ea3a6e", 1.6))
    else:
        out.append(
            path("M24 48 C19 24 34 13 50 13 C52 8 56 7 58 9 C55 10 55 12 56 13.5 "
                 "C68 15 80 24 76 48 C74 43 73 40 72 36 L66 30 L61 35 L55 29 L49 35 L43 29 "
                 "L37 35 L30 31 C27 37 25 42 24 48 Z", hair)
        )  # fmt: skip
    for s in (-1, 1):
        for dx, dy in ((0, 0), (2.6, 1.2), (0.8, 2.8)):
            out.append(ellipse(50 + s * (13.5 + dx), 56.5 + dy, 0.6, 0.6, shade(skin, 0.62), 0))
    out.append(path("M48.6 55 Q50 56.6 51.4 55", width=1.4))
    out.append(face(50, 49, 1.05, p.expression, _brow(p), 10.5))
    return "".join(out)


def _brow(p: Person) -> str:
    if p.age == "elderly":
        return "#8a8c8e"
    return "#000" if p.skin == "1F3FF" else shade(p.hair, 0.6)


def _shoulders(color: str, y: float) -> str:
    return path(
        f"M12 97 L12 {y + 20} C12 {y + 8} 26 {y + 4} 40 {y} L60 {y} "
        f"C74 {y + 4} 88 {y + 8} 88 {y + 20} L88 97 Z",
        color,
    )


def _adult(p: Person, skin: str) -> str:
    hair, out = p.hair, []
    if p.gender == "woman":
        out.append(
            path("M50 6 C28 6 27 22 27 36 C27 52 22 62 20 72 C30 80 38 78 42 76 L58 76 "
                 "C62 78 70 80 80 72 C78 62 73 52 73 36 C73 22 72 6 50 6 Z", hair)
        )  # fmt: skip
        out.append(_shoulders(p.clothes, 72))
        out.append(path("M42 62 L42 72 Q50 86 58 72 L58 62 Z", skin))
        out.append(path("M38 73 Q50 90 62 73", stroke="#e8b92a", width=1.6))
        out.append(ellipse(50, 82.5, 2, 2.4, "#e8b92a", 1.2))
    else:
        out.append(_shoulders(shade(p.clothes, 0.62), 70))
        out.append(path("M41 60 L41 72 L50 82 L59 72 L59 60 Z", skin))
        out.append(path("M40 70 L50 82 L44 92 L35 74 Z M60 70 L50 82 L56 92 L65 74 Z", "#fff"))
        out.append(path("M47 82 L53 82 L52 86 L55 97 L45 97 L48 86 Z", "#d22f27", width=1.8))
    if p.gender == "man":
        for s in (-1, 1):
            out.append(ellipse(50 + s * 20.5, 42, 3.4, 5, skin))
    jaw = 69 if p.gender == "man" else 67
    width = 20.5 if p.gender == "man" else 19
    a, b = 50 - width, 50 + width
    out.append(
        path(f"M{a} 34 C{a} 20 {b} 20 {b} 34 L{b} 46 C{b} 58 58 {jaw} 50 {jaw} "
             f"C42 {jaw} {a} 58 {a} 46 Z", skin)
    )  # fmt: skip
    if p.gender == "woman":
        out.append(
            path("M29.5 42 C27 20 40 11 52 11 C66 11 73 22 70.5 42 C69 33 64 27 57 21 "
                 "C52 29 36 29 29.5 42 Z", hair)
        )  # fmt: skip
        for s in (-1, 1):
            out.append(ellipse(50 + s * 20, 53, 1.9, 2.6, "#e8b92a", 1.2))
    else:
        out.append(
            path("M29 40 C24 16 38 9 50 9 C64 9 76 16 71 40 C70 33 69 30 67 27 "
                 "C56 30 42 26 36 22 C33 26 31 32 29 40 Z", hair)
        )  # fmt: skip
        stubble = (
            "M30 47 C31 58 42 67.6 50 67.6 C58 67.6 69 58 70 47 L66.5 50 C64 53 60 50.6 50 50.6 "
            "C40 50.6 36 53 33.5 50 Z"
        )
        out.append(path(stubble, shade(hair, 1.0), width=0))
        out.append(path(f"M{a} 46 C{a} 58 42 {jaw} 50 {jaw} C58 {jaw} {b} 58 {b} 46"))
    out.append(path("M50 41.6 L48.6 45 L50.8 45.4", width=1.3))
    if p.gender == "man":
        out.append(ellipse(50, 53.4, 12, 8.2, skin, 0))
    features = face(50, 39, 1.0, p.expression, _brow(p), 9.2)
    if p.gender == "woman":
        for s in (-1, 1):
            x = 50 + s * 12.9
            features += path(f"M{x:.2f} 37 L{x + s * 2.4:.2f} 35.4 M{x + s * 0.2:.2f} 39 "
                         f"L{x + s * 2.8:.2f} 38.6", width=1.1)  # fmt: skip
    out.append(features)
    return "".join(out)


def _wrinkles_and_glasses(p: Person, skin: str) -> list[str]:
    """Return the face of an elderly person."""
    out, line = [], shade(skin, 0.55)
    for y, w in ((26, 7), (29.4, 9)):
        out.append(path(f"M{50 - w} {y} Q50 {y - 1.8} {50 + w} {y}", stroke=line, width=1.3))
    for s in (-1, 1):
        out.append(
            path(f"M{50 + s * 16.5} 42 L{50 + s * 19} 40.6 M{50 + s * 16.5} 44 L{50 + s * 19} 44.6 "
                 f"M{50 + s * 4.5} 48.4 Q{50 + s * 8} 50.4 {50 + s * 11} 48.6", stroke=line,
                 width=1.2)
        )  # fmt: skip
        if p.gender == "woman":
            out.append(
                path(f"M{50 + s * 9} 53 Q{50 + s * 12.4} 56 {50 + s * 11.4} 60", stroke=line,
                     width=1.4)
            )  # fmt: skip
    out.append(path("M50 44 Q47.4 47.4 50.6 47.6", width=1.4))
    out.append(face(50, 41.5, 0.92, p.expression, _brow(p), 9.6))
    for s in (-1, 1):
        rim = 50 + s * 9.6 * 0.92
        out.append(element("circle", "#ffffff", "#2b2b2b", 1.5, cx=round(rim, 2), cy=41.8, r=6.6,
                       fill_opacity="0.12"))  # fmt: skip
        out.append(
            path(f"M{rim + s * 6.6:.2f} 41 L{50 + s * 20.5} 39.6", stroke="#2b2b2b", width=1.4)
        )
    out.append(path("M47.4 41 Q50 39.6 52.6 41", stroke="#2b2b2b", width=1.4))
    return out


def _elderly(p: Person, skin: str) -> str:
    hair, out = p.hair, []
    if p.gender == "woman":
        out.append(ellipse(50, 10, 10, 8, hair))
        out.append(
            path("M50 13 C26 13 24 32 26 46 C27 54 30 58 34 60 L66 60 C70 58 73 54 74 46 "
                 "C76 32 74 13 50 13 Z", hair)
        )  # fmt: skip
        out.append(_shoulders(p.clothes, 74))
        out.append(path("M42 64 L42 75 Q50 82 58 75 L58 64 Z", skin))
        out.append(
            path("M22 80 C32 78 40 76 42 73 Q50 84 58 73 C60 76 68 78 78 80 L50 97 Z", "#e9dfee")
        )
        for x in range(41, 61, 3):
            out.append(ellipse(x + 0.5, 77 + 5 - abs(x - 50) * 0.42, 1.6, 1.6, "#fff", 1))
    else:
        out.append(_shoulders("#8a6f52", 72))
        out.append(path("M41 62 L41 72 L50 86 L59 72 L59 62 Z", "#fff"))
        out.append(path("M40 71 L50 97 L60 71", width=2))
        for s in (-1, 1):
            out.append(ellipse(50 + s * 21, 45, 4, 5.6, skin))
    out.append(
        path("M29.5 38 C28 16 72 16 70.5 38 L70 48 C69 60 58 70 50 70 C42 70 31 60 30 48 Z", skin)
    )
    if p.gender == "woman":
        out.append(
            path("M28.5 42 C27 24 38 15 50 15 C62 15 73 24 71.5 42 C68 33 61 26 50 25 "
                 "C39 26 32 33 28.5 42 Z", hair)
        )  # fmt: skip
        out.append(path("M50 15.5 L50 24.5 M42 17.5 L41 26.4 M58 17.5 L59 26.4", width=1.1))
    else:
        for s in (-1, 1):
            out.append(
                path(f"M{50 + s * 18} 25 C{50 + s * 28} 22 {50 + s * 29} 36 {50 + s * 24} 42 "
                     f"C{50 + s * 22} 38 {50 + s * 19} 34 {50 + s * 18} 25 Z", hair)
            )  # fmt: skip
        out.append(
            path("M30 48 C31 64 40 78 50 78 C60 78 69 64 70 48 C68 54 62 54 58 52.4 "
                 "Q50 50 42 52.4 C38 54 32 54 30 48 Z", hair)
        )  # fmt: skip
        out.append(ellipse(50, 54.6, 11, 7.6, skin, 0))
    return "".join([*out, *_wrinkles_and_glasses(p, skin)])


def person_svg(p: Person) -> str:
    """The person as an SVG of ``VIEW`` units a side."""
    skin = SKIN[p.skin]
    body = {"child": _child, "adult": _adult, "elderly": _elderly}[p.age](p, skin)
    if p.expression == "angry":
        body += anger_mark(80, 16) if p.age != "child" else anger_mark(79, 17)
    body = body.replace('"SKIN"', f'"{skin}"')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {VIEW} {VIEW}">'
        f'<g stroke-linecap="round" stroke-linejoin="round">{body}</g></svg>'
    )
