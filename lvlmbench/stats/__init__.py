"""Statistics: estimates with intervals, comparisons and corrections; docs/metrics.md explains them.

Every number that the project prints with an interval is an
:class:`lvlmbench.stats.estimate.Estimate`.
"""
