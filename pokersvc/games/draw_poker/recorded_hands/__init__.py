"""A hand that was dealt elsewhere: how it becomes a game, its events, and what stands in the place of its deck."""
