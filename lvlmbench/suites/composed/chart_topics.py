"""What charts are about: neutral words of ours, from which no value follows."""

from __future__ import annotations

from dataclasses import dataclass

FRUIT = ("apples", "pears", "plums", "figs", "kiwis", "limes", "dates", "mangos")
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
TOWNS = ("Arvel", "Bonto", "Caldo", "Drevik", "Elmar", "Fonsa", "Gorrin", "Halvo", "Ister", "Jorda")
CLUBS = ("chess", "judo", "choir", "drama", "dance", "radio", "robots", "rowing")
NAMES = ("Ada", "Ben", "Cleo", "Dario", "Emma", "Finn", "Gita", "Hugo", "Ines", "Jon")
TEAMS = ("Hawks", "Bears", "Lynx", "Otters", "Wolves", "Crows", "Foxes", "Moles")
TREES = ("oak", "elm", "birch", "pine", "maple", "alder", "ash", "beech")
ROOMS = ("hall", "attic", "office", "lab", "studio", "garage", "shop")
YEARS = ("2015", "2016", "2017", "2018", "2019", "2020", "2021", "2022")
#: Names of many bars and points.
LETTERS = tuple("ABCDEFGHIJKLMNOP")
WEEKS = tuple(str(n) for n in range(1, 25))

#: Several lines or bars of each category, or columns of a table.
STAFF = ("Anna", "Boris", "Clara", "Deniz", "Ewa")
SIDES = ("north", "south", "east", "west", "mid")
GROUPS = ("boys", "girls", "men", "women", "staff")
TERMS = ("spring", "summer", "autumn", "winter")


@dataclass(frozen=True)
class Topic:
    """A title, its unit, what one of its categories is called, and their pool.

    Attributes
    ----------
    ordered
        Whether the categories have an order in time.
    """

    title: str
    unit: str
    noun: str
    pool: tuple[str, ...]
    series: tuple[str, ...]
    ordered: bool = False


TOPICS = (
    Topic("Fruit sold", "kg", "fruit", FRUIT, STAFF),
    Topic("Members", "", "club", CLUBS, GROUPS),
    Topic("Visitors", "", "town", TOWNS, TERMS),
    Topic("Parks", "", "town", TOWNS, SIDES),
    Topic("Books read", "", "person", NAMES, TERMS),
    Topic("Points scored", "", "team", TEAMS, TERMS),
    Topic("Trees planted", "", "tree", TREES, STAFF),
    Topic("Chairs", "", "room", ROOMS, STAFF),
    Topic("Tickets sold", "", "day", DAYS, STAFF, True),
    Topic("Letters sent", "", "month", MONTHS, STAFF, True),
    Topic("Rain", "mm", "month", MONTHS, SIDES, True),
    Topic("Bikes repaired", "", "day", DAYS, STAFF, True),
    Topic("New students", "", "year", YEARS, SIDES, True),
)

#: Titles of many bars, and of lines over many weeks.
LETTERED = (
    Topic("Height of plants", "cm", "plant", LETTERS, ()),
    Topic("Weight of parcels", "kg", "parcel", LETTERS, ()),
    Topic("Seats", "", "hall", LETTERS, ()),
    Topic("Length of planks", "cm", "plank", LETTERS, ()),
)
WEEKLY = (
    Topic("Calls by week", "", "week", WEEKS, STAFF, True),
    Topic("Rain by week", "mm", "week", WEEKS, SIDES, True),
    Topic("Visitors by week", "", "week", WEEKS, GROUPS, True),
)

#: Titles of shares.
SHARES = (
    Topic("Time spent", "%", "club", CLUBS, ()),
    Topic("Harvest", "%", "fruit", FRUIT, ()),
    Topic("Votes", "%", "person", NAMES, ()),
    Topic("Trees in the park", "%", "tree", TREES, ()),
    Topic("Floor space", "%", "room", ROOMS, ()),
    Topic("Matches won", "%", "team", TEAMS, ()),
)
