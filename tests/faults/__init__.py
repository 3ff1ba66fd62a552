"""Faults put in on purpose: kills, full disks, folders that cannot be written, damaged bytes."""
