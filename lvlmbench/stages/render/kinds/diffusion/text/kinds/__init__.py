"""Text engines: a file each."""
