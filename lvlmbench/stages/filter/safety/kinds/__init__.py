"""Safety engines: a file each."""
