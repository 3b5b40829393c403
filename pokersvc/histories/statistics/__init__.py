"""What is worked out of many hands: rates, curves, and what discards gave away."""
