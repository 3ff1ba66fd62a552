"""What `make bench` runs benchmarks with, and what it writes of them."""
