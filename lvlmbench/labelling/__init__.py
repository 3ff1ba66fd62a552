"""What people say of a snapshot: sheets to label, labels that come back, how far they agree."""
