"""One module or folder a judge."""
