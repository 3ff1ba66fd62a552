"""The embedded judge: words, WordNet and measured geometry, no language model."""
