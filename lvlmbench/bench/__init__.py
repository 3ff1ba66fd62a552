"""Running ``benchmarks/*.py`` and telling what they and the stages of a snapshot have cost."""
