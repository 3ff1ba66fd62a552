"""Planting answers: what each says, and how much of it is so."""
