"""The catalogue of aspects: its shape, what its families are given, and mistakes in its files."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from lvlmbench.config import Params, validate, validate_project
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.layers import merge
from lvlmbench.core.errors import UserError
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.suites.autodavis.catalogue import Aspect, Catalogue, catalogue_of, chosen
from lvlmbench.suites.autodavis.family import FAMILIES
from lvlmbench.suites.autodavis.knowledge import Property
from lvlmbench.suites.graphs.stock import stock_of
from support.documents.reading import example
from support.render_scenes import vocabulary

GENERAL, FINE = 4, 6
#: Request -> fewest aspects that the embedded examiner can draw and ask about.
MINIMA = {
    "basic_understanding": 24,
    "spatial_understanding": 24,
    "semantic_understanding": 12,
    "reasoning_capacity": 18,
    "atmospheric_understanding": 12,
}
#: Fewest labels of a sort: four are offered, of which pairs look alike, ever others.
FEWEST = 14


def params_of(folder: str | Path = "data/aspects", *requests: str, **own: object) -> Params:
    corpus = {
        "drawable_by": "pictograph",
        "subtasks": [*(requests or MINIMA)],
        "autodavis": {"aspects": str(folder), **own},
    }
    return validate({"suite": "autodavis", "kind": "autodavis", "corpus": corpus})


def aspects_of(found: Catalogue) -> Iterator[Aspect]:
    for request in found.requests:
        yield from found.aspects(request, GENERAL, FINE)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return catalogue_of(params_of())


@pytest.fixture(scope="module")
def aspects(catalogue: Catalogue) -> list[Aspect]:
    return [*aspects_of(catalogue)]


def test_each_request_has_four_general_aspects_with_six_fine_ones_each(
    catalogue: Catalogue,
) -> None:
    assert {*catalogue.requests} == {*MINIMA} == {*subtasks_of("autodavis")}
    for request in catalogue.requests.values():
        assert [len(one.fine) for one in request.general] == [FINE] * GENERAL, request.request


def test_names_are_slugs_and_differ_whatever_their_capitals(
    catalogue: Catalogue, aspects: list[Aspect]
) -> None:
    general = [one for each in catalogue.requests.values() for one in each.general]
    named = [(one.name, one.called) for one in general]
    for level in (named, [(each.fine.name, each.fine.called) for each in aspects]):
        for words in zip(*level, strict=True):
            assert max(Counter(word.casefold() for word in words).values()) == 1, words
        for name, _ in level:
            assert re.fullmatch("[a-z0-9_]+", name), name


def test_introductions_and_guidance_are_sentences_of_which_no_two_are_the_same(
    aspects: list[Aspect],
) -> None:
    for texts in (
        [each.fine.introduction for each in aspects],
        [each.fine.guidance for each in aspects],
    ):
        assert max(Counter(texts).values()) == 1
        for text in texts:
            assert re.fullmatch(r"[A-Z][^\n]*\.", text), text
    assert max(len(each.fine.introduction.split()) for each in aspects) <= 30


def test_so_many_aspects_can_be_drawn_of_each_request(aspects: list[Aspect]) -> None:
    drawable = Counter(each.request for each in aspects if each.fine.family)
    assert {name: max(drawable[name], least) for name, least in MINIMA.items()} == drawable


def test_each_family_takes_its_settings_and_is_asked_about_something(
    aspects: list[Aspect],
) -> None:
    drawable = [each.fine for each in aspects if each.fine.family]
    for fine in drawable:
        assert fine.made() is not None, fine.name
    assert {str(fine.family) for fine in drawable} == {*FAMILIES.ours()}
    assert all(each.fine.made() is None for each in aspects if not each.fine.family)


def test_no_two_aspects_of_a_request_are_one_and_the_same_ability(aspects: list[Aspect]) -> None:
    asked = Counter(
        (each.request, each.fine.family, settings(each)) for each in aspects if each.fine.family
    )
    assert max(asked.values()) == 1, asked.most_common(1)


def settings(aspect: Aspect) -> str:
    kind = FAMILIES.get(str(aspect.fine.family), aspect.fine.name)
    return "" if kind.settings is None else repr(aspect.fine.own(kind.settings))


def test_labels_of_sorts_are_drawable_and_enough(aspects: list[Aspect]) -> None:
    stock = stock_of(vocabulary(), "pictograph")
    for fine in (each.fine for each in aspects):
        for about in (fine.model_extra or {}).values():
            labels = getattr(about, "labels", ())
            assert {*labels} <= {*stock.by_label}, fine.name
            assert not labels or len({*labels}) == len(labels) >= FEWEST, fine.name
            for name in getattr(about, "lists", ()):
                assert sum(kind.list == name for kind in stock.kinds) > 10, (fine.name, name)


def test_facts_are_about_things_that_can_be_drawn_and_are_asked_about(
    catalogue: Catalogue, aspects: list[Aspect]
) -> None:
    lists = vocabulary().lists.values()
    drawable = {e.label for one in lists for e in one.for_renderer("pictograph").entries}
    for what, known in catalogue.facts.items():
        assert {*known} <= drawable - {PERSON}, (what, {*known} - drawable)
    extra = [about for each in aspects for about in (each.fine.model_extra or {}).values()]
    assert {about.what for about in extra if isinstance(about, Property)} == {*catalogue.facts}


@pytest.fixture
def folder(tmp_path: Path, root: Path) -> Path:
    copy = tmp_path / "aspects"
    shutil.copytree(root / "data" / "aspects", copy)
    return copy


def edited(path: Path, change: Callable[[str], str]) -> None:
    text = path.read_text(encoding="utf-8")
    assert change(text) != text
    path.write_text(change(text), encoding="utf-8")


def mistake(folder: Path, **own: object) -> str:
    """The line about the first mistake in a folder, and nothing but a line."""
    params = params_of(folder, "basic_understanding", **own)
    with pytest.raises(UserError) as found:
        for aspect in chosen(params, "params.yaml: autodavis")["basic_understanding"]:
            aspect.fine.made()
    line = str(found.value)
    assert "\n" not in line
    assert all((found.value.where, found.value.what, found.value.fix))
    return line


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("guidance:", "guidence:", ("basic.yaml", "guidence", "not a known key", "guidance")),
        ("seen: {lists: [animal]}", "seen: {list: [animal]}", ("seen.list", "lists")),
        ("family: color\n", "family: colour\n", ("colour", "is no family", "color")),
        ("family: color\n", "family: color\n        seen: {}\n", ("seen", "no use", "color")),
        ("{what: count}", "{what: counts}", ("numbers.what", "counts")),
        ("name: tools", "name: Tools", ("name", "small letters")),
        ("called: Tools and instruments", "called: VEHICLES", ("vehicles", "rename one")),
        ("name: tools", "name: whereabouts", ("whereabouts", "rename one")),
        ("request: basic_understanding", "request: basics", ("basics", "no subtask")),
        ("request: basic_u", "request: spatial_u", ("spatial_understanding", "two files")),
        ("general:\n", "general: [\n", ("basic.yaml:", "not valid YAML")),
    ],
)
def test_a_mistake_in_a_file_is_told_in_a_line(
    folder: Path, old: str, new: str, parts: tuple[str, ...]
) -> None:
    edited(folder / "basic.yaml", lambda text: text.replace(old, new, 1))
    line = mistake(folder)
    for part in parts:
        assert part in line, line


def test_a_folder_that_is_missing_or_holds_no_file_for_a_request_is_told(folder: Path) -> None:
    assert "is not a folder" in mistake(folder / "none")
    (folder / "basic.yaml").unlink()
    assert "holds nothing about 'basic_understanding'" in mistake(folder)


def test_more_aspects_than_there_are_is_told(folder: Path) -> None:
    assert "general: is 5, but basic_understanding has 4" in mistake(folder, general=GENERAL + 1)
    assert "fine: is 7, but basic_understanding has 6" in mistake(folder, fine=FINE + 1)
    line = mistake(folder, only=["vehicle"])
    assert "'vehicle' is no aspect" in line
    assert "did you mean 'vehicles'?" in line


def test_a_file_is_read_again_once_it_changed(folder: Path) -> None:
    before = catalogue_of(params_of(folder))
    assert catalogue_of(params_of(folder)) is before
    edited(folder / "basic.yaml", lambda text: text.replace("called: Tools and", "called: All"))
    after = catalogue_of(params_of(folder)).requests["basic_understanding"].general[0]
    assert "All instruments" in [fine.called for fine in after.fine]


def test_the_example_of_a_family_is_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/extending.md, as it stands there: class, aspect and parameters."""
    title = "A family of questions"
    monkeypatch.setattr("lvlmbench.suites.autodavis.catalogue.PROJECT_ROOT", tmp_path)
    (tmp_path / "my-aspects").mkdir()
    (tmp_path / "my-aspects/spatial.yaml").write_text(example(title, "yaml"))
    profile = yaml.safe_load((PROJECT_ROOT / "profiles/autodavis.yaml").read_text())
    own = yaml.safe_load(example(title, "yaml", 1))
    suite = merge(profile["suites"]["autodavis"], own["suites"]["autodavis"])
    with FAMILIES.temporarily():
        exec(compile(example(title), title, "exec"), {"__name__": "example"})
        params = validate_project({"suites": {"autodavis": suite}}).suite("autodavis")
        (aspect,) = chosen(params, "my-exam.yaml")["spatial_understanding"]
        assert aspect.fine.made().__class__.__name__ == "Highest"


def test_what_is_often_right_is_known_from_so_many_answers_that_luck_says_little(
    catalogue: Catalogue, aspects: list[Aspect]
) -> None:
    """Of 36 answers one in nine is told as 2 to 22 %, and what was rare by luck is never offered
    wrongly, so that it is right wherever it stands."""
    drawn = {aspect.fine.name for aspect in aspects if aspect.fine.family}
    assert {*catalogue.prior} == drawn
    assert min(sum(told.values()) for told in catalogue.prior.values()) >= 200
