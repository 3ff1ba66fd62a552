"""Where landmarks are, and what else they are called: knowledge of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Place(NamedTuple):
    """Of a landmark.

    Attributes
    ----------
    country
        Names of the country that it is in, the usual one first.
    also
        What else it is called.
    """

    country: tuple[str, ...]
    also: tuple[str, ...] = ()


_UK = ("the United Kingdom", "United Kingdom", "UK", "Great Britain", "Britain", "England")
_US = ("the United States", "United States", "USA", "US", "America", "United States of America")
_UAE = ("the United Arab Emirates", "United Arab Emirates", "UAE", "Emirates")

#: Label of the vocabulary -> where it is.
PLACES: Mapping[str, Place] = {
    "Statue of Liberty": Place(_US, ("Liberty Statue", "Lady Liberty")),
    "Tokyo Tower": Place(("Japan",)),
    "Eiffel Tower": Place(("France",), ("Tour Eiffel",)),
    "Mount Fuji": Place(("Japan",), ("Fuji", "Fujisan", "Mt. Fuji", "Mt Fuji")),
    "moai of Easter Island": Place(("Chile",), ("moai", "Easter Island", "Rapa Nui")),
    "Kaaba": Place(("Saudi Arabia",), ("Kaba", "Ka'bah")),
    "Pyramids of Giza": Place(
        ("Egypt",), ("Giza", "pyramids", "pyramid of Giza", "Egyptian pyramids")
    ),
    "Lighthouse of Alexandria": Place(("Egypt",), ("Pharos", "Pharos of Alexandria")),
    "Hanging Gardens of Babylon": Place(("Iraq",), ("Hanging Gardens",)),
    "Great Wall of China": Place(("China",), ("Great Wall", "Chinese Wall")),
    "Taj Mahal": Place(("India",)),
    "Colosseum": Place(("Italy",), ("Coliseum",)),
    "Leaning Tower of Pisa": Place(("Italy",), ("Leaning Tower", "Tower of Pisa")),
    "Big Ben": Place(_UK, ("Elizabeth Tower",)),
    "Tower Bridge": Place(_UK),
    "Stonehenge": Place(_UK),
    "Golden Gate Bridge": Place(_US, ("Golden Gate",)),
    "Christ the Redeemer": Place(("Brazil",), ("Cristo Redentor",)),
    "Chichen Itza": Place(("Mexico",), ("Chichén Itzá", "El Castillo", "Kukulcan")),
    "Sydney Opera House": Place(("Australia",), ("Opera House",)),
    "Brandenburg Gate": Place(("Germany",), ("Brandenburger Tor",)),
    "Arc de Triomphe": Place(("France",), ("Arch of Triumph", "Triumphal Arch")),
    "Saint Basil's Cathedral": Place(
        ("Russia",), ("St. Basil's Cathedral", "St Basil's Cathedral", "Saint Basil's")
    ),
    "Parthenon": Place(("Greece",), ("Acropolis",)),
    "Angkor Wat": Place(("Cambodia",), ("Angkor",)),
    "Burj Khalifa": Place(_UAE, ("Burj Dubai",)),
}
