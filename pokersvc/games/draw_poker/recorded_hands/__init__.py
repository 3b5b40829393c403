"""Hands that were dealt elsewhere: their import as games, their events, and the records that replace a deck."""
