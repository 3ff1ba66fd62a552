"""Full-length people, drawn as SVG of our own.

:class:`~lvlmbench.stages.render.kinds.pictograph.figures.figure.Figure` says what a person is;
:mod:`sampling` draws one at random, every attribute independent of the others; :mod:`rules` says
which cannot be drawn and what of one cannot be told; :mod:`drawing` gives the SVG; :mod:`labels`
and :mod:`phrases` hold the words to ask with.
"""

from lvlmbench.stages.render.kinds.pictograph.figures.drawing import figure_svg
from lvlmbench.stages.render.kinds.pictograph.figures.figure import GROUND, VIEW, Figure
from lvlmbench.stages.render.kinds.pictograph.figures.rules import refuses, unclear
from lvlmbench.stages.render.kinds.pictograph.figures.sampling import sample, several

__all__ = ["GROUND", "VIEW", "Figure", "figure_svg", "refuses", "sample", "several", "unclear"]
