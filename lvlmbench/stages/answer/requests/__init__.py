"""Keep replies: a cache of what was answered, and how far a model has come."""
