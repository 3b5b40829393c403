"""The box in which a stranger's program plays, and the things that the program may see and do there."""
