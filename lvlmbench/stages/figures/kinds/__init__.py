"""The figures, each registered by name: one file for those that belong together."""
