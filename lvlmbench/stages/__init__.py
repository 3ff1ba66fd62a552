"""The stages of the pipeline, a folder each."""
