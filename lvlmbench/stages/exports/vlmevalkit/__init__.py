"""The snapshot as TSV files for VLMEvalKit."""
