"""Looking at a picture part by part: windows, what is in them, and what that says of a question."""
