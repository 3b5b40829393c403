"""The Poker Market."""
