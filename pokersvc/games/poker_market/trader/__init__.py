"""The bot `trader` of the Poker Market, and the weaker bots that people may choose instead of it."""
