"""What the oracle knows of each skill's wording: one file a skill, found by itself."""
