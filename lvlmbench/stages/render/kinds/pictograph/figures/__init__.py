"""Full-length people, drawn as SVG of our own; what they are is data of the scene."""

from lvlmbench.stages.render.kinds.pictograph.figures.drawing import figure_svg

__all__ = ["figure_svg"]
