"""Which files each stage makes and which ones a shard reads: published paths, from parameters."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.config.section import Made
from lvlmbench.config.shards import (
    image_range,
    image_shards,
    parts_overlapping,
    scene_shards,
)
from lvlmbench.snapshot.kept import first_scenario
from lvlmbench.stages.exports.export import (
    EXPORTS,
    INDEX,
    MANIFEST,
)
from lvlmbench.stages.figures.figure import FIGURES
from lvlmbench.stages.figures.run import SUFFIXES
from lvlmbench.stages.metrics.plots import FILES as PLOTS
from lvlmbench.stages.reference.folder import FILES
from lvlmbench.stages.reference.shards import reference_shards
from lvlmbench.stages.scenario.scenario import SCENARIOS
from lvlmbench.tables import part_name

#: What the stage metrics makes below results.
METRICS_FILES = ("metrics.parquet", "metrics.json", "comparisons.parquet")
#: What the stages validity and distances make below results/validity.
CORRELATION_FILES = ("correlations.csv", "rankings.csv")
DISTANCE_FILES = ("distances.csv", "image_sets.csv")
#: Stages that make more files than their jobs declare: they run where the run was started.
AT_HOME = ("exports", "report")


def part(folder: str, shard: int) -> str:
    """Path of one shard of the table in ``folder``."""
    return f"{folder}/{part_name(shard)}"


def corpus_parts(params: Params, table: str) -> list[str]:
    """All shards of ``scenes`` or ``questions``."""
    return [part(f"data/corpus/{table}", i) for i in range(scene_shards(params))]


def corpus_overlapping(params: Params, table: str, image_shard: int) -> list[str]:
    """The shards of ``scenes`` or ``questions`` about the scenes of an image shard."""
    start, stop = image_range(params, image_shard)
    shards = parts_overlapping(start, stop, params.corpus.shard_scenes)
    return [part(f"data/corpus/{table}", i) for i in shards]


def _block(params: Params, scenario: str) -> int | None:
    """Planned scenes that a scenario looks at together; None where each is for itself."""
    spec = params.scenarios.spec(scenario)
    return SCENARIOS.get(spec.registered, f"scenarios.noisy: {scenario}").block


def _looked_at(params: Params, scenario: str, shard: int) -> tuple[int, int]:
    """Planned scenes that a scenario looks at for an image shard: the shard's, or whole blocks."""
    start, stop = image_range(params, shard)
    block = _block(params, scenario) or 1
    return start - start % block, min(stop + -stop % block, params.corpus.n_scenes)


def scenario_scenes(params: Params, scenario: str, shard: int) -> list[str]:
    """The shards of ``scenes`` that a scenario reads for an image shard."""
    found = parts_overlapping(*_looked_at(params, scenario, shard), params.corpus.shard_scenes)
    return [part("data/corpus/scenes", i) for i in found]


def scenario_around(params: Params, scenario: str, shard: int) -> list[str]:
    """Clean images that a scenario may show instead; none where each is for itself."""
    if _block(params, scenario) is None:
        return []
    found = parts_overlapping(*_looked_at(params, scenario, shard), params.render.shard_images)
    return [part("data/images/clean", i) for i in found]


def scenario_weights(params: Params, scenario: str) -> list[str]:
    """Files of the reference model that a scenario attacks, if it does."""
    spec = params.scenarios.spec(scenario)
    return weights(params, _wanted(spec))


def image_parts(params: Params, folder: str) -> list[str]:
    """All shards of a table that is split like the images."""
    return [part(folder, i) for i in range(image_shards(params))]


def verdict_parts(params: Params, image_shard: int) -> list[str]:
    """The verdicts of the renderer and of all filters on an image shard."""
    return [part(f"data/verdicts/{f}", image_shard) for f in ("render", *params.filter.names)]


def reference_parts(params: Params) -> list[str]:
    """All shards of the scenes that the reference models are trained on."""
    shards = range(reference_shards(params))
    return [part("data/reference/scenes", shard) for shard in shards]


def reference_files(name: str) -> list[str]:
    """What training makes: the model's folder, and what is known of it."""
    files = [f"data/reference/{name}/{file}" for file in FILES]
    return [*files, f"results/reference/{name}/metrics.json", f"results/reference/{name}/loss.csv"]


def weights(params: Params, engine: str | None) -> list[str]:
    """Files of the reference model that is called ``engine``; none where it is not one."""
    if engine not in params.reference.models:
        return []
    return [f"data/reference/{engine}/{file}" for file in FILES]


def _wanted(item: Made) -> str | None:
    """Return the reference model that the kind of an item needs."""
    kind = item.made_by()
    return None if kind is None or kind.weights is None else kind.weights(item)


def filter_weights(params: Params, name: str) -> list[str]:
    """Files of the reference model that a filter looks with, if it does."""
    spec = next(f for f in params.filter.filters if f.name == name)
    return weights(params, _wanted(spec))


def model_weights(params: Params, name: str) -> list[str]:
    """Files of the reference model that a model under test is, if it is one."""
    return weights(params, _wanted(next(m for m in params.answer.models if m.name == name)))


def score_parts(params: Params) -> list[str]:
    """The scores of all models in all scenarios."""
    pairs = [(m.name, s) for m in params.answer.models for s in params.scenarios.names]
    return [part(f"data/scores/{model}/{scenario}", 0) for model, scenario in pairs]


def report_tables(params: Params) -> list[str]:
    """Every table that figures and report may read."""
    scenarios = params.scenarios.names
    folders = [f"data/images/{scenario}" for scenario in scenarios]
    folders += ["data/attempts"]
    folders += [f"data/verdicts/{f}" for f in ("render", *params.filter.names)]
    folders += [f"data/answers/{m.name}/{s}" for m in params.answer.models for s in scenarios]
    tables = [f for t in ("scenes", "questions") for f in corpus_parts(params, t)]
    tables += [f for folder in folders for f in image_parts(params, folder)]
    tables.append("data/consensus/part-00000.parquet")
    return tables + score_parts(params)


def validity_weights(params: Params) -> list[str]:
    """Files of the reference model that embeds the images, if one does."""
    return weights(params, params.validity.kmmd.encoder)


def validity_images(params: Params) -> list[str]:
    """Clean images and images of the noisy scenarios, and which of them are kept."""
    folders = [f"data/images/{s}" for s in dict.fromkeys((CLEAN, *params.scenarios.names))]
    return [f for folder in folders for f in image_parts(params, folder)] + all_verdicts(params)


def validity_files() -> list[str]:
    """What the stages validity and distances make."""
    return [f"results/validity/{name}" for name in (*CORRELATION_FILES, *DISTANCE_FILES)]


def figure_names(params: Params) -> list[str]:
    """Figures that are drawn.

    Raises
    ------
    UserError
        One of those asked for is not there.
    """
    names = params.figures.names
    if names == "all":
        return FIGURES.names()
    return [FIGURES.get(name, "figures.names").name for name in names]


def figure_files(name: str) -> list[str]:
    """What the job of a figure makes."""
    return [f"results/figures/{name}.{suffix}" for suffix in SUFFIXES]


def export_manifest(name: str) -> str:
    """The file that the job of an export writes last."""
    return f"results/exports/{name}/{MANIFEST}"


def needed_exports(params: Params, name: str) -> list[str]:
    """Manifests of the exports that one refers to."""
    return [export_manifest(n) for n in EXPORTS.get(name, "exports.formats").needs]


def export_tables(params: Params) -> list[str]:
    """Every table that exports may read."""
    folders = [f"data/images/{s}" for s in params.exports.scenarios]
    files = [f for t in ("scenes", "questions") for f in corpus_parts(params, t)]
    files += [f for folder in folders for f in image_parts(params, folder)]
    return [*files, *all_verdicts(params), "data/consensus/part-00000.parquet"]


def consensus_scores(params: Params) -> list[str]:
    """The scores of all models in the scenario that the consensus looks at."""
    scenario = first_scenario(params)
    return [part(f"data/scores/{m.name}/{scenario}", 0) for m in params.answer.models]


def all_verdicts(params: Params) -> list[str]:
    """The verdicts of the renderer and of all filters."""
    names = ("render", *params.filter.names)
    return [f for name in names for f in image_parts(params, f"data/verdicts/{name}")]


def stage_files(params: Params, name: str) -> list[str]:
    """What the jobs of a stage make; for the report its page, which needs the figures.

    Raises
    ------
    KeyError
        There is no such stage.
    """
    kind, _, item = name.partition("/")
    if kind in ("filter", "scenario", "answer"):
        folder = {"filter": "verdicts", "scenario": "images", "answer": "answers"}[kind]
        return image_parts(params, f"data/{folder}/{item}")
    if kind == "score":
        return [part(f"data/scores/{item}", 0)]
    if kind == "reference":
        return reference_files(item)
    return {
        "corpus": [f for t in ("scenes", "questions") for f in corpus_parts(params, t)],
        "render": [
            f
            for t in ("images/clean", "verdicts/render", "attempts", "layouts/clean")
            for f in image_parts(params, f"data/{t}")
        ],
        "reference_scenes": reference_parts(params),
        "consensus": [part("data/consensus", 0)],
        "audit": ["results/vocabulary_audit.csv"],
        "metrics": [
            *(f"results/{name}" for name in METRICS_FILES),
            *(f"results/plots/{name}" for name in PLOTS),
        ],
        "validity": [f"results/validity/{name}" for name in CORRELATION_FILES],
        "distances": [f"results/validity/{name}" for name in DISTANCE_FILES],
        "figures": [f for name in figure_names(params) for f in figure_files(name)],
        "exports": [
            f"results/exports/{INDEX}",
            *(export_manifest(name) for name in params.exports.formats),
        ],
        "report": ["results/report.html"],
    }[kind]
