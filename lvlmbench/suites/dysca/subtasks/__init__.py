"""What Dysca samples and asks: a file a subtask, or a family of them (sections 3.1, 3.2)."""
