"""Hands that were dealt elsewhere: their import as games, their events, and what takes the place of a deck."""
