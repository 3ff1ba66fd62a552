"""The benchmarks, a folder each: what to sample, what to ask."""
