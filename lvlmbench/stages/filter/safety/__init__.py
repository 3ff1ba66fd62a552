"""What says whether an image shows what a benchmark must not show (docs/filters.md)."""
