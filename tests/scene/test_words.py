"""Words that scenes show: common, for anybody to read, and no names."""

from __future__ import annotations

import re
from collections import Counter

import pytest
import yaml

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.scene.vocabulary.words import WordRules, common_words

FOLDER = PROJECT_ROOT / "data" / "vocabulary"

#: Beginnings that no word may have; not those of the file, nor taken from it.
OFFENSIVE = """
    abduc abort abus addict agoni alcoho amput anarch angri anguish annoy anus anxi arous
    arson assass assaul atroc autops bastar betray bigot bitch bleed blood bomb boob bondag
    booz breast brib brothel brutal bulli burgl butcher butt buttock cadaver cancer carnag
    casket cleavag cocain coffin condom contempt convict corps cowar crap crimi crippl cruci
    cruel crying cunt dagger damn dead death deceas defec defil demen demon depress despai
    despi devil diarr dick disabl diseas disgrac disgus divorc doom dread drown drug drunk
    dumb dying ejac erect erotic evil excre execution explod explosi faggot fascis fatal fear
    feces feloni feroc fetus fiend filth fool forni fraud freak funer furi gangst genoci
    ghetto gore grenad grief griev groin guilt gun gypsy harass harlot hate hatred haunt hell
    heroin homici homo hooker horri hostag hostil humilia idiot ignor illeg illness imbec
    inferior infest injur insan insult jail jealo jerk jihad kidnap kill kinky lecher leper
    lewd lesbi loath lonel lunat lust lynch maggot maim malic manic mania martyr massacr
    misery mobst molest morgu moron mourn mucus murder mutil naked narco naught nausea nazi
    negro nigg nipple nude nudi obes obscen offens opium orgas orgy orphan ovary overdos pain
    panic paranoi pathet penis pervers pervert pimp piss plague poison poop porn prick prison
    prosti psycho puberty puke punish pus pussy queer racis rape rapis rectum revenge revolt
    rifle riot rotten ruthless sadis sadness satan savag scream screw seduc semen sewage
    sexual shame shit shoot sick slaught slave slut smug sorrow sperm spit stab starv stench
    stink strangl stupid suffer suici swastik sweat tampon terrib terror testic theft thief
    thong threat thug toilet tomb tortur toxic tragi traitor trauma tumor tyrant ugly urin
    vagin vengea venom victim villain viol vomit vulgar vulva warfar weapon weep whip whore
    wicked widow womb worthl wound wreck
"""

#: What begins like them and is harmless.
HARMLESS = """
    butter butterfly button buttons corps crucial defect despite fearless hello heroine paint
    painted painter painting push pushing stability stable sweater viola violet violin
    violinist
"""

NAMES = """
    adam alan albert alice amazon amsterdam andrew anna barbara beijing berlin boston brian
    canada chicago china daniel david denis diana edward elizabeth emily emma england eric
    europe florida ford france fred george germany google harry helen henry honda india
    ireland israel italy jacob james jane japan jason jean jenny jerry jesus jim joe john
    joseph julia karl kate kevin korea laura linda london lucy luke maria martin mary mexico
    michael microsoft mike moscow nancy nick nike norman oliver oscar paris paul peter philip
    poland ralph richard rob robert rome ronald ross russia ruth sally sam sarah scotland sony
    spain stephen steven susan sweden terry texas thomas timothy toby tokyo tom tommy toyota
    troy turk victor vienna wales walter warsaw washington wayne
"""

ORDINARY = """
    apple bakery ballet basket bicycle bird bread breakfast bridge bright butter button candle
    carpet castle chair cheese chocolate circle cloud coffee color country dance daughter
    diamond dinner doctor dragon dream earth eagle easter elephant engine evening family
    farmer feather finger flower forest fountain friend garden gentle giant ghost golden grape
    grass guitar hammer harbor harvest honey horse house island jacket jungle kettle kitchen
    ladder lake lemon letter library light lion machine market meadow melody milk mirror
    monkey moon morning mountain museum music needle night ocean office orange orchestra
    painter paper parrot pencil pepper piano picture pillow pirate planet pocket potato queen
    rabbit rain river rose salt school season shadow shelter ship silver snow soldier spoon
    spring stable star station stone story summer sunshine table teacher thunder ticket tiger
    tomato tower train treasure tree turtle umbrella valley village violin wagon walnut water
    wheel whisper wind window winter wonder yellow zebra
"""


@pytest.fixture(scope="module")
def words() -> tuple[str, ...]:
    return load_vocabulary(FOLDER).words


def test_words_are_common_first_and_of_all_lengths(words: tuple[str, ...]) -> None:
    assert len(words) == len(set(words)) > 6500
    assert all(re.fullmatch(r"[a-z]{4,9}", word) for word in words)
    assert words.index("time") < words.index("parrot")
    lengths = Counter(map(len, words))
    assert set(lengths) == set(range(4, 10)) and min(lengths.values()) > 800


def test_nobody_reads_what_hurts(words: tuple[str, ...]) -> None:
    found = {word for word in words if word.startswith(tuple(OFFENSIVE.split()))}
    assert found == {*HARMLESS.split()}


def test_no_names_of_persons_places_and_brands(words: tuple[str, ...]) -> None:
    assert not {*NAMES.split()} & {*words}


def test_ordinary_words_stay(words: tuple[str, ...]) -> None:
    assert not {*ORDINARY.split()} - {*words}


def test_each_block_has_a_reason_and_keeps_a_word_out() -> None:
    blocked = yaml.safe_load((FOLDER / "text.yaml").read_text())["blocked"]
    everything = common_words(WordRules(10**6, 4, 9, ()))
    for reason, listed in blocked.items():
        assert listed == sorted(listed), reason
    by = [each for listed in blocked.values() for each in listed]
    assert len(by) == len({*by})
    for each in by:
        stem = each.removesuffix("*")
        hit = [w for w in everything if (w.startswith(stem) if each != stem else w == stem)]
        assert hit, f"{each} blocks nothing"
