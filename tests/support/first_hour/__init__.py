"""What a newcomer does in the first hour, task by task, and which jobs each task runs."""
