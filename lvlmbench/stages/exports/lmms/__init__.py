"""The snapshot as a task folder for lmms-eval."""
