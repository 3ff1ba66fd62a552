"""Who people are, what they wear and do (VALOR-Eval: attributes of people)."""

from __future__ import annotations

from lvlmbench.scene.claims import Scope
from lvlmbench.scene.figures import phrases
from lvlmbench.scene.figures import telling as told
from lvlmbench.scene.figures.people import figure_of, person_of
from lvlmbench.scene.figures.sampling import several
from lvlmbench.scene.grammar import capitalized, enumeration
from lvlmbench.scene.graph import Graph, Object, Person
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.structured import Form
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.valor.subset import Site, Subset, subset

_QUESTIONS = (
    "Describe every person in this picture: who it is, what they wear, in which colors, and what "
    "they are doing.",
    "Who can be seen in this image? Tell for each person age, gender, clothes with their colors, "
    "and action.",
    "Describe the people in this picture one by one, with all their clothes and what each of them "
    "does.",
    "For each person in the image, say roughly how old they are, what clothes of which colors they "
    "have on, and what they do.",
    "What do the people in this image look like, what do they wear, and what are they doing?",
)
#: Height of the view box by how many people there are, in thousandths of the side.
_SPANS = {2: 560, 3: 515, 4: 515, 5: 470, 6: 415}

#: Action -> what somebody does, in plain words.
_DOES = {
    "standing": "stands still",
    "waving": "waves",
    "arms raised": "raises both arms",
    "arms stretched out": "stretches both arms out to the sides",
    "hands on hips": "poses with both hands on the hips",
    "arms crossed": "crosses both arms",
    "running": "is running",
    "sitting": "sits on a stool",
    "kneeling": "kneels",
    "standing on one leg": "balances on one leg",
}


def _plan(site: Site) -> Graph:
    """Plan people of whom no two are alike, from head to foot."""
    kit = site.kit
    setting, n = kit.setting("shape", "color", plain=True, without=(PERSON,)), kit.size()
    people = [person_of(each) for each in several(kit.draws.generator, n)]
    things = tuple(
        Object(
            f"o{at + 1}", PERSON, PERSON, "main" if at == 0 else "secondary",
            span=_SPANS[n], person=person,
        )
        for at, person in enumerate(people)
    )  # fmt: skip
    return Graph(things, setting=setting)


def said(kit: Kit, world: World) -> str:
    """Return who each person is, what can be told of the clothes, and what they do."""
    people = [one.object.person for one in world.things if one.object.person is not None]
    return " ".join(_said(person) for person in people)


def _said(person: Person) -> str:
    figure = figure_of(person)
    assert figure is not None, "people of this subset are drawn from head to foot"
    who = phrases.someone(figure)
    if figure.age != "child" and not told.clear(person, "gender"):
        who = "an elderly person" if figure.age == "elderly" else "a person"
    worn = [phrases.garment(kind, color) for kind, color in told.outfit(person)]
    wears = f", wearing {enumeration(worn)}" if worn else ""
    held = f", {phrases.holding(*figure.held)}" if figure.held else ""
    return f"{capitalized(who)} {_DOES[figure.action]}{wears}{held}."


@SUBTASKS.register("valor_people")
def people() -> Subset:
    """Return the subset: who people are, what they wear and do."""
    return subset(
        "valor_people", 3,
        things=(2, 6), span=(240, 300),
        owes=Scope(("attribute", "garment", "action"), ("age", "gender", "wears", "does")),
        form=Form(people=("age", "gender", "garments", "action", "holding")),
        questions=_QUESTIONS, plan=_plan, said=said,
    )  # fmt: skip
