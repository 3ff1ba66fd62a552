"""Answers that were compared with references: scores, wins, bias, strengths (TouchStone)."""
