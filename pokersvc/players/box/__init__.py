"""The box that a stranger's program plays in: what it may see and do, and what it may not."""
