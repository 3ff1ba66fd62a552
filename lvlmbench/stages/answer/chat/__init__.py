"""Talk to an OpenAI-compatible endpoint."""
