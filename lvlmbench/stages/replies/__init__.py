"""What servers and chat templates write around an answer, and the answer without it."""
