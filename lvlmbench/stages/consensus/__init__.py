"""Find questions that all models answer alike, and wrongly."""
