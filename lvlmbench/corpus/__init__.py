"""From metadata to prompts and questions (Dysca, sections 3.1 to 3.3)."""
