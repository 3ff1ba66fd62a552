"""How a snapshot compares with other benchmarks and with other images (Dysca, section 4.4)."""
