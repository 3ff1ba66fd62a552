"""Rule ``validity``: the ranking of the models held against those of other benchmarks."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench import tables
from lvlmbench.config import load_params
from lvlmbench.config.headline import headline_of
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard
from lvlmbench.snapshot.kept import left_out
from lvlmbench.stages.distances.styles import read_styles
from lvlmbench.stages.validity.correlations import correlation_tables
from lvlmbench.stages.validity.files import encode
from lvlmbench.stages.validity.rankings import read_rankings
from lvlmbench.stages.validity.totals import (
    ALL,
    REALISTIC,
    Images,
    cells,
    judged_totals,
    metric_totals,
    realistic_scenes,
    realistic_totals,
)


@main_guard
def main() -> None:
    """Read metrics, scores, which questions the consensus drops, and rankings; write correlations
    and what they rest on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--metrics", type=Path, required=True, help="metrics.parquet")
    parser.add_argument("--scores", type=Path, nargs="*", default=[])
    parser.add_argument("--hallucination", type=Path, help="table of what judges find made up")
    parser.add_argument("--dialogue", type=Path, help="table of answers beside references")
    parser.add_argument("--consensus", type=Path, nargs="+", required=True)
    parser.add_argument("--rendered", type=Path, nargs="+", required=True, help="images as drawn")
    parser.add_argument("--correlations-out", type=Path, required=True)
    parser.add_argument("--rankings-out", type=Path, required=True)
    args = parser.parse_args()

    params = load_params(args.config, args.suite)
    styles = read_styles(vocabulary_dir(params)).realistic
    images = Images(styles, realistic_scenes(args.rendered))
    dropped = left_out(params, args.consensus)
    headline = headline_of(params)
    realistic, n = realistic_totals(args.scores, images, dropped, headline)
    metrics = tables.read([args.metrics], tables.METRICS)
    questions = params.statistics.questions
    totals = {headline.measure: {ALL: metric_totals(metrics, questions), REALISTIC: realistic}}
    rankings = read_rankings(PROJECT_ROOT / params.validity.rankings)
    results = {"hallucination": args.hallucination, "dialogue": args.dialogue}
    for measure in sorted({ranking.measure for ranking in rankings} - {headline.measure, ""}):
        found = metric_totals(metrics, questions, measure)
        if found := found or judged_totals(params, measure, results):
            totals[measure] = {ALL: found}
    shown = {ALL: None, REALISTIC: images}
    why = (
        "nobody says which of a user's own pictures are realistic"
        if params.private
        else ("no realistic image: the renderer draws none")
    )
    if headline.table is not None:
        realistic, n, why = {}, 0, "judges give the headline, over all images alone"
    none = {} if n else {REALISTIC: why}
    correlations, models = correlation_tables(
        params,
        totals,
        rankings,
        lambda styles: cells(args.scores, shown[styles], dropped, headline),
        none,
    )
    atomic_bytes(args.correlations_out, encode("correlations.csv", correlations))
    atomic_bytes(args.rankings_out, encode("rankings.csv", models))


if __name__ == "__main__":
    main()
