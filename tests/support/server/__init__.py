"""An OpenAI-compatible server of the tests' own."""
