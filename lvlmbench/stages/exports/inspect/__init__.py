"""The snapshot as JSON lines, images and tasks for inspect_ai."""
