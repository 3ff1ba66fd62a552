"""What everything stands on: errors, registries, seeds, files, devices. Imports nothing of ours."""
