"""Ask servers: limits, pace, budget, retries, and what their failures mean."""
