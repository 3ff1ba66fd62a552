"""Compare the snapshot with published benchmarks: rank correlations (Dysca, section 4.4)."""
