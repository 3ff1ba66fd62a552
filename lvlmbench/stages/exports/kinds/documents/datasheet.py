"""A datasheet of a snapshot, by the sections of Gebru et al., "Datasheets for Datasets", 2021.

Every number is counted from the snapshot's tables.
"""

from __future__ import annotations

from collections.abc import Iterable

from lvlmbench.config import Params
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.registry import kinds_of
from lvlmbench.stages.exports.facts import Facts
from lvlmbench.stages.exports.markdown import code, counts, table
from lvlmbench.stages.exports.rights import CREDITS, LICENSE, Rights, rights
from lvlmbench.tables import TYPES

#: What is said of the clean scenario; kinds of others say what they do.
_CLEAN = "the image as it was drawn"


def _about(scenario: str) -> str:
    """Return what is done to a scenario's images; empty where its name is no kind."""
    kind = kinds_of("scenarios").find(scenario)
    return _CLEAN if scenario == CLEAN else kind.about if kind is not None else ""


def _listed(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _motivation(facts: Facts) -> str:
    return f"""\
**Why it was made.** To test what large vision-language models perceive, with questions that no
model was trained on before they are published: every scene is sampled anew from a seed, drawn, and
asked about. Metadata, questions and scenarios follow the paper Dysca (Zhang et al., 2024).

**Who made it.** Whoever ran the software lvlmbench with the parameters of snapshot
{code(facts.name)}; its id {code(facts.snapshot_id)} is a hash of its parameters, scenes, questions
and pictures. This sheet was written by the same program, which knows nothing of funding."""


def _questions(facts: Facts) -> str:
    rows = (
        (
            code(name),
            a.questions,
            a.images,
            a.scenes,
            *(a.types.get(t, 0) for t in facts.types),
            a.dropped,
        )
        for name, a in facts.scenarios.items()
    )
    head = ("scenario", "questions", "pictures", "scenes")
    types = (TYPES[t].label.lower() for t in facts.types)
    return table((*head, *types, "dropped by consensus"), rows)


def _subtasks(facts: Facts) -> str:
    names = dict.fromkeys(n for asked in facts.scenarios.values() for n in asked.subtasks)
    return table(
        ("subtask", *(code(name) for name in facts.scenarios)),
        ((code(n), *(a.subtasks.get(n, 0) for a in facts.scenarios.values())) for n in names),
    )


def _composition(params: Params, facts: Facts) -> str:
    sizes = ", ".join(f"{width} x {height}" for width, height in facts.sizes) or "none"
    known = [f"{code(name)}: {about}" for name in facts.scenarios if (about := _about(name))]
    persons = _listed(f"{name}: {counts(found)}" for name, found in facts.persons.items())
    return f"""\
**What an instance is.** A question about a picture, with the text that is sent to a model, its
options, the right answer, the metadata of the scene, and what was done to the picture.

**How many there are.** {facts.questions:,} questions; by scenario:

{_questions(facts)}

{_listed(known)}

By subtask:

{_subtasks(facts)}

Pictures are PNG of {sizes} pixels. Styles of the kept scenes: {counts(facts.styles)}.

**Whether it is a sample.** Yes: scenes are drawn at random from a vocabulary, balanced over
subtasks and entries. Another seed gives other scenes of the same kind. Frequencies are by design
and say nothing about the world.

**Labels.** The right answer follows from what the scene was made of. For free form it is a
reference caption, one of many right wordings.

**What is missing.** Of {facts.planned:,} planned scenes {facts.planned - facts.drawn:,} were not
drawn (by subtask: {counts(facts.undrawn)}), and filters removed {facts.drawn - facts.kept:,}. Null
in a column means that the scene has no such thing.

**How instances depend on each other.** Questions about one scene share its picture, and a scene
stands in every scenario: cluster by `scene_id`, pair by `question_id`.

**Splits.** Scenarios are conditions, not parts for training and testing. All of it is for testing.

**Errors and noise.** A picture may show something else than was asked for. The model consensus
(Dysca, section 3.3) marks questions that the best models answer wrongly together: see the last
column above. They are left in, marked `kept: false`.

**Persons.** No picture is a photograph: persons in them are drawn or generated. Their scenes carry
labels of what was to be drawn; in pictographs `race` is a skin tone:

{persons or "- none"}

{_named(facts)}"""


def _named(facts: Facts) -> str:
    if not facts.named:
        return (
            "No subtask of this export asks for persons or works by name (celebrities, films, "
            "anime, television)."
        )
    return (
        f"These subtasks ask for persons or works by name: {', '.join(map(code, facts.named))}. "
        "The pictures are generated likenesses. Rights of publicity and of works may apply where "
        "you are: look before you publish."
    )


def _collection(params: Params, facts: Facts) -> str:
    models = rights(params, facts).weights
    drawn = (
        f" Models of the renderer `diffusion`: {', '.join(map(code, models))}." if models else ""
    )
    return f"""\
**How it came about.** Nothing was collected from the web or from persons. A program sampled
metadata, wrote prompts and questions from templates, and drew the pictures. Different pictures by
renderer: {counts(facts.renderers)}.{drawn}
{facts.truth}

**Sampling.** Deterministic: every random choice follows from the snapshot's seed
({code(str(params.snapshot.seed))}), the stage and the id of the item. The same parameters give the
same scenes and questions.

**Time.** The tables hold no date, so that equal snapshots are equal files. When this one was made
is in the provenance of the run, if whoever made it published that.

**Consent, review.** There were no human subjects and no crowd workers."""


def _preprocessing(suite: str, facts: Facts) -> str:
    removed = _listed(
        f"{code(name)} removed {count:,} of the scenes that those before it kept"
        for name, count in facts.removed.items()
    )
    return f"""\
**What was done.** Filters looked at each drawn scene, in this order:

{removed or "- none"}

{facts.kept:,} scenes are left. The pictures of other scenarios are made from these; each row says
how (`perturbation`).

**Raw data.** Scenes and verdicts of all filters, also for what was removed, are in the tables of
the snapshot itself (`data/{suite}/scenes`, `data/{suite}/verdicts`), which this export was written
from."""


def _uses() -> str:
    return """\
**What it is for.** Comparing vision-language models on perception, on twenty subtasks, under
noise and attacks, with differences paired by question.

**What it is not for.** Training or tuning a model that is then tested with it: answers stand beside
questions. Estimating how often things occur. Judging persons: labels of age, gender, race and
expression say what was to be drawn, and nothing else.

**What to mind.** Pictures are synthetic; a score on them need not be the score on photographs. A
model that refuses or gives no option is counted as unscored beside the mean, and both numbers
belong in a report. Adversarial pictures were computed against the model named in the row; on others
they show transfer."""


def _distribution(held: Rights) -> str:
    text = f"""\
**Licence.** {code(LICENSE)} says what holds, {code(CREDITS)} whom to credit."""
    if held.openmoji:
        text += (
            " Pictures of the renderer `pictograph` hold changed graphics of OpenMoji and are "
            "under CC BY-SA 4.0."
        )
    if held.weights:
        text += (
            " For pictures of the renderer `diffusion` the licences of the weights decide: "
            f"{', '.join(map(code, held.weights))}."
        )
    return f"""{text}

**How.** As files: Parquet for Hugging Face `datasets` with Croissant metadata, and the forms of
evaluation tools. Publishing answers with questions makes them learnable: publish the parameters
and the seed later than the scores, or take another seed for the next round."""


def _maintenance(facts: Facts) -> str:
    return f"""\
**Versions.** A snapshot does not change: other scenes have another id than
{code(facts.snapshot_id)}. A faulty entry of the vocabulary is left out by a parameter of the next
snapshot.

**Reports of errors.** To whoever published the snapshot, with the `item_id`. It leads to the
scene, the picture, and what each filter said.

**Who keeps it.** The publisher. Whoever has the parameters and the software can make it again; the
project's reproducibility statement says which parts come out exactly, and where."""


def datasheet(params: Params, facts: Facts) -> str:
    """DATASHEET.md."""
    sections = {
        "Motivation": _motivation(facts),
        "Composition": _composition(params, facts),
        "Collection": _collection(params, facts),
        "Preprocessing, cleaning, labelling": _preprocessing(params.suite, facts),
        "Uses": _uses(),
        "Distribution": _distribution(rights(params, facts)),
        "Maintenance": _maintenance(facts),
    }
    head = (
        f"# Datasheet of snapshot {code(facts.name)}\n\n"
        'By the sections of Gebru et al., "Datasheets for Datasets" (2021). Every number is '
        "counted from the tables of the snapshot."
    )
    return "\n\n".join([head, *(f"## {t}\n\n{s}" for t, s in sections.items())]) + "\n"
