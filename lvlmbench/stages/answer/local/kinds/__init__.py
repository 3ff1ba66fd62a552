"""Prompt formats, a file each."""
