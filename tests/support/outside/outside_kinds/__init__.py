"""What another package may add, a file a kind; its entry points stand in its metadata."""
