"""The subsets, a file each."""
