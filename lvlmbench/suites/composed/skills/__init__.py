"""The skills, a file each."""
