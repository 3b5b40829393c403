"""The box that a stranger's program plays in, and what the program may see and do there."""
