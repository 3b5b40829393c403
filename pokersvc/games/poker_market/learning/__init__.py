"""The Poker Market for programs that learn it."""
