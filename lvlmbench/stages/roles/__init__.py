"""Models that work for the benchmark: examiner, validator, judge, and how they are asked.

A role is filled by an embedded engine of its own registry, or by any engine of a model: a server
that speaks the OpenAI chat protocol, local weights. Each role is filled for itself. What is asked
goes the way of all answers: the same pacing, budget, journal and cache.
"""
