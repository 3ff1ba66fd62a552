"""Pictures that a text describes: what validators confirm of them, and what is asked about them.

Nobody measures such a picture. A model has written its text, and closed questions about that;
validators answer these from the picture. What they confirm can be asked about (AutoDavis, sections
2.2 to 2.4).
"""

from lvlmbench.suites.autodavis.texts.asking import ask, briefs, validated
from lvlmbench.suites.autodavis.texts.posing import posed

__all__ = ["ask", "briefs", "posed", "validated"]
