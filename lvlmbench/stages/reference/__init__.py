"""Two small vision-language models trained on pictographs: pinned, or trained by the pipeline."""
