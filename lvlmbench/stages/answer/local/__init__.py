"""Run a vision-language model from local weights."""
