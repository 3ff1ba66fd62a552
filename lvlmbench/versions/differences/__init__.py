"""What changed between two versions of a snapshot: settings, items, scores; as data, in words."""
