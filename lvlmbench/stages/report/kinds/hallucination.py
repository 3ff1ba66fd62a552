"""The section about what free answers make up and leave out."""

from __future__ import annotations

from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import published_valor
from lvlmbench.stages.report import hallucinated
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values


@SECTIONS.register(
    "hallucination",
    place=35,
    menu="Results",
    title="Hallucination",
    asked=True,
    when=lambda found: bool(found["hallucinated"]),
    missing="no judge has read free answers about pictures whose truth is listed",
)
def values(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return what each judge says of what models say of pictures, with VALOR-Eval's own results
    where published ones are asked for."""
    seen = hallucinated.build(snapshot, found["leaderboard"])
    wanted = bool(seen) and snapshot.params.figures.published
    given = published_valor.read(beside.published) if wanted else []
    return {
        "hallucinated": seen,
        "hallucinated_subsets": max(
            (len({r.about for r in s.subsets.rows}) for s in seen), default=0
        ),
        "hallucinated_published": given,
        "hallucinated_columns": published_valor.SUBSETS,
    }
