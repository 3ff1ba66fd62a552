"""Answers of models that run elsewhere: questions out, answers in, a leaderboard with all."""
