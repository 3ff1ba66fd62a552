"""What is seen with what: statistics of association, and what they select (VALOR-Eval, 3.1)."""
