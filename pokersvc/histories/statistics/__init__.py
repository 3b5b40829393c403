"""Statistics of many hands: rates, curves, and the chances that discards gave away."""
