"""How things stand to each other, where they are, their order."""

import pytest

from support.reading import told


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("A cup and a plate stand on the table.", ["cup on table", "plate on table"]),
    ],
)
def test_relations_are_of_each_of_several(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The lemon is under the tiger.", ["lemon", "lemon below tiger", "tiger"]),
        ("The chestnut is to the right of a cup.", ["chestnut", "chestnut right_of cup", "cup"]),
    ],
)
def test_things_that_are_colors_too_are_somewhere(text: str, claims: list[str]) -> None:
    assert set(claims) == set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("A bear sits on a rock. To its left, there is a bowl of nuts.", ["bowl left_of bear"]),
    ],
)
def test_pronouns_in_relations(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("A vase is flanked by two lamps.", ["vase next_to lamp"]),
        ("A cup is between a fork and a knife.", ["cup between fork, knife"]),
    ],
)
def test_verbs_and_participles(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "The image shows a red car parked on the left and a small dog sitting next to it.",
            ["car at left", "dog next_to car"],
        ),
        (
            "Left: a piano. Right: a harp and a drum.",
            ["piano at left", "harp at right", "drum at right"],
        ),
        (
            "**Foreground**\n- a lizard on a stone\n- two tulips\n\n**Background**\n- a palace",
            ["lizard at foreground", "tulip at foreground", "palace at background"],
        ),
        ("A bird sits in the top left corner.", ["bird at top left"]),
    ],
)
def test_places(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "From largest to smallest: house, tree, bicycle.",
            ["house rank 1", "tree rank 2", "bicycle rank 3"],
        ),
    ],
)
def test_ranks(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("A desk, beneath which a dog sits.", ["dog below desk"]),
        ("A cup. On its left there's a spoon.", ["spoon left_of cup"]),
        ("A cup. Beneath it, and probably to the left, there is a bee.", ["bee below cup"]),
        ("The cup is left of the dog and a bit higher.", ["cup left_of dog", "cup above dog"]),
        ("The cup is behind the dog and left of the lamp.", ["cup left_of lamp"]),
        ("**Cup** - at the top; above the bee, the boot and the lamp.",
         ["cup above bee", "cup above boot", "cup above lamp"]),
        ("- Cup: rightmost; on top of the box.", ["cup at right", "cup on box"]),
        ("- Cup: below the jar.\n- Jar: behind the dog.", ["cup below jar", "jar behind dog"]),
    ],
)  # fmt: skip
def test_relations_open_and_go_on(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Sorted by size:\nThe dog could be fifth, and what appears to be a mill is the smallest.",
         ["dog rank 5", "mill rank -1"]),
        ("Largest \N{RIGHTWARDS ARROW} smallest: cup > dog > lamp.",
         ["cup rank 1", "dog rank 2", "lamp rank 3"]),
        ("The largest is the cup; then the dog in second place.", ["cup rank 1", "dog rank 2"]),
    ],
)  # fmt: skip
def test_ranks_are_of_their_own_clause(text: str, claims: list[str]) -> None:
    ranks = {each.removeprefix("maybe ") for each in told(text) if " rank " in each}
    assert set(claims) == ranks, told(text)
