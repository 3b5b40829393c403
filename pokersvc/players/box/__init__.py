"""The box in which a stranger's bot plays, and the things that the bot may see and do there."""
