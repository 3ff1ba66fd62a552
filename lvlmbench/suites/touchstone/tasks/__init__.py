"""The tasks, a file each or of several that are alike; importing one registers it."""
