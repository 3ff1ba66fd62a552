"""Families of questions that aspects are asked about with."""
