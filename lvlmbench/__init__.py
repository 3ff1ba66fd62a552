"""lvlmbench: fresh, leak-free, exactly reproducible benchmarks of large vision-language models."""

__version__ = "0.1.0"
