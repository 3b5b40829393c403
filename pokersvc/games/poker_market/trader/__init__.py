"""The kinds of bots of the Poker Market: `trader`, the levels below it, and the older kinds."""
