"""Check, before a run begins, that kinds, engines and renderers can do what is asked."""
