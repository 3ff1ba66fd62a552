"""The forms, each registered by name: one file a form."""
