"""The kinds of scenarios, a module or a folder each."""
