"""The examples of README.md and docs: where they stand, and what checks each kind of them."""
