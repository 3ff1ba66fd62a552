"""What suites of a user's own files share: JSON with its lines, pictures by name, what is told."""
