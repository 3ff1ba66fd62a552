"""Dysca: one subject a scene, in many styles, asked about in three ways (Dysca, sections 3.1 to
3.3).
"""
