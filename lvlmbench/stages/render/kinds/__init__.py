"""The renderers, a folder each."""
