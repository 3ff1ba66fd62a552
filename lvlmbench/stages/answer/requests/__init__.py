"""Send requests: limits, budget, retries, what was answered before."""
