"""The vocabulary M (Dysca, section 3.1): every list and word that scenes are made of."""

from lvlmbench.scene.vocabulary.entries import Entry, VocabularyList
from lvlmbench.scene.vocabulary.load import Vocabulary, load_vocabulary

__all__ = ["Entry", "Vocabulary", "VocabularyList", "load_vocabulary"]
