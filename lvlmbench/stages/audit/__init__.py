"""Audit the vocabulary: which labels lead to removed images and wrong answers (Dysca, section
3.3).
"""
