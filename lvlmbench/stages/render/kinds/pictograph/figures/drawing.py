"""Putting a figure together, from the back to the front."""

from __future__ import annotations

import re

from lvlmbench.scene.figures.figure import GROUND, VIEW, Figure
from lvlmbench.scene.figures.labels import (
    COLORS,
    HAIR_COLORS,
    HATS,
    SKIN,
    TOPS,
)
from lvlmbench.stages.render.kinds.pictograph.faces import path
from lvlmbench.stages.render.kinds.pictograph.figures import extras, hair, heads, headwear, legwear
from lvlmbench.stages.render.kinds.pictograph.figures.body import (
    Build,
    Joints,
    build_of,
    holding_side,
    joints,
)
from lvlmbench.stages.render.kinds.pictograph.figures.held import HELD
from lvlmbench.stages.render.kinds.pictograph.figures.marks import limb, placed
from lvlmbench.stages.render.kinds.pictograph.figures.tops import arm, collar, top

#: Numbers with more digits than a picture needs.
_LONG = re.compile(r"-?\d+\.\d{5,}(?:e-?\d+)?")


class _Drawing:
    """One figure with its measures and fills at hand."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.build: Build = build_of(figure)
        carried = HELD[figure.held[0]].carried if figure.held else None
        self.joints: Joints = joints(figure, carried)
        self.skin = SKIN[figure.skin]
        self.hair = HAIR_COLORS[figure.hair_color]
        self.worn = {kind: COLORS[color] for kind, color in figure.garments}
        self.hat = any(kind in self.worn for kind in HATS)

    def _one(self, *kinds: str) -> tuple[str, str] | None:
        return next(((k, self.worn[k]) for k in kinds if k in self.worn), None)

    def _top(self) -> tuple[str, str]:
        found = self._one(*TOPS)
        if found is None:
            raise ValueError("nothing covers the trunk")
        return found

    def behind(self) -> str:
        """Return what the body hides in part: bag or cape, hair, seat, a tall thing."""
        f, b, j, out = self.figure, self.build, self.joints, []
        if "cape" in self.worn:
            out.append(extras.cape_behind(b, j, self.worn["cape"]))
        if "backpack" in self.worn:
            out.append(extras.backpack_behind(b, j, self.worn["backpack"]))
        out.append(placed(hair.back(f.hair, self.hair, self.hat), j.head, b.head))
        if f.held and HELD[f.held[0]].behind:
            out.append(self._held())
        if f.action == "sitting":
            out.append(_stool(j, b))
        return "".join(out)

    def _held(self) -> str:
        assert self.figure.held is not None
        kind, color = self.figure.held
        side = holding_side(self.figure.action)
        k = max(self.build.scale, 0.8)
        at = self.joints.hands[side]
        floor = (GROUND - 1 - at[1]) / k
        return placed(HELD[kind].draw(COLORS[color], floor), at, k, 2 * side - 1)

    def legs(self) -> str:
        """Return legs, feet and what covers them."""
        b, j = self.build, self.joints
        bottom = self._one("trousers", "shorts")
        shoes = self._one("boots", "sneakers")
        out = [legwear.leg(side, b, j, self.skin, bottom, shoes) for side in (0, 1)]
        if bottom:
            out.append(legwear.pelvis(b, j, bottom[1]))
        if "skirt" in self.worn:
            out.append(legwear.skirt(b, j, self.worn["skirt"]))
        return "".join(out)

    def trunk(self) -> str:
        """Return the top and what is worn over it."""
        b, j = self.build, self.joints
        kind, fill = self._top()
        out = [
            limb([(j.neck[0], j.neck[1] + 2), (j.head[0] - b.lean * 0.5, j.head[1] + 16)],
                 self.skin, 13 * b.head),
            top(kind, fill, b, j, self.skin),
        ]  # fmt: skip
        if "vest" in self.worn:
            out.append(extras.vest(b, j, self.worn["vest"]))
        below = j.neck[0], j.neck[1] + b.drop * 0.8
        out.append(placed(collar(kind, fill), below, max(b.scale, 0.8)))
        if "tie" in self.worn:
            out.append(extras.tie(b, j, self.worn["tie"]))
        if "belt" in self.worn:
            low = kind not in ("dress", "coat") or self.figure.action == "arms crossed"
            out.append(extras.belt(b, j, self.worn["belt"], low))
        if "backpack" in self.worn:
            out.append(extras.backpack_straps(b, j, self.worn["backpack"]))
        if "cape" in self.worn:
            out.append(extras.cape_collar(b, j, self.worn["cape"]))
        return "".join(out)

    def head(self) -> str:
        """Return the head with hair, glasses and hat."""
        f, j, out = self.figure, self.joints, []
        out.append(heads.outline(f.age, f.gender, self.skin))
        out.append(heads.features(f.age, f.gender, f.expression, self.skin, self.hair, f.beard))
        out.append(hair.front(f.hair, self.hair, self.hat))
        for kind, draw in (headwear.BEFORE_EYES | headwear.ON_HEAD).items():
            if kind in self.worn:
                out.append(draw(self.worn[kind]))
        return placed("".join(out), j.head, self.build.head)

    def neck(self) -> str:
        """Return what is tied below the chin: no arm hides it."""
        ties = {"bow tie": headwear.bow_tie, "scarf": headwear.scarf}
        out = "".join(draw(self.worn[k]) for k, draw in ties.items() if k in self.worn)
        return placed(out, self.joints.head, self.build.head)

    def arms(self) -> str:
        """Return both arms, and the thing in a hand."""
        f, b, j = self.figure, self.build, self.joints
        sleeve, glove = self._top(), self.worn.get("gloves")
        out = []
        for side in (0, 1):
            open_ = f.action == "arms raised" or (f.action == "waving" and side == 1)
            drawn = arm(side, b, j, self.skin, sleeve, glove, open_)
            if f.held and side == holding_side(f.action) and not HELD[f.held[0]].behind:
                drawn = self._held() + drawn
            out.append(drawn)
        if f.action == "waving":
            out.append(_waves(j, b))
        elif f.action == "running":
            out.append(_speed(j, b))
        return "".join(out)


def _waves(j: Joints, b: Build) -> str:
    marks = "M12 -12 Q18 -6 17 3 M18 -18 Q27 -9 25 5 M-13 -8 Q-16 -3 -15 3"
    return placed(path(marks, stroke="#3c4048", width=2.2), j.hands[1], max(b.scale, 0.8))


def _speed(j: Joints, b: Build) -> str:
    marks = "M-60 -38 L-44 -38 M-66 -26 L-46 -26 M-60 -14 L-44 -14"
    return placed(path(marks, stroke="#3c4048", width=2.4), j.pelvis, max(b.scale, 0.8))


def _stool(j: Joints, b: Build) -> str:
    x, y = j.pelvis
    y += b.leg_width * 0.5 + 2
    w = b.hips + 5
    wood = "#c99a5b"
    legs = ""
    for a, c in ((x - w + 5, x - w), (x + w - 5, x + w)):
        legs += limb([(a, y + 4), (c, GROUND - 4)], wood, 4)
    legs += limb([(x - w + 3, (y + GROUND) / 2), (x + w - 3, (y + GROUND) / 2)], wood, 2.6)
    seat = f"M{x - w - 3:.2f} {y:.2f} h{2 * w + 6:.2f} v7 h{-2 * w - 6:.2f} Z"
    return legs + path(seat, wood)


def figure_svg(figure: Figure) -> str:
    """Return the figure as an SVG with the view box ``0 0 VIEW``."""
    d = _Drawing(figure)
    body = d.behind() + d.legs() + d.trunk() + d.arms() + d.head() + d.neck()
    body = _LONG.sub(lambda number: f"{float(number[0]):.2f}", body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {VIEW[0]} {VIEW[1]}">'
        f'<g stroke-linecap="round" stroke-linejoin="round">{body}</g></svg>'
    )
