"""How planted answers are put into words: plain sentences, a paragraph that flows, a list."""
