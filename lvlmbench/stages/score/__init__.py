"""From answers to scores (Dysca, section 3.4)."""
