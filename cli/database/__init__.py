"""The database of a command, and its maintenance."""
