"""What a scene is made of: labels of the vocabulary, and what can be asked of them."""
