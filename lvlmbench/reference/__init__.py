"""Two small vision-language models that the pipeline trains itself, on pictographs."""
