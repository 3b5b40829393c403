"""Betting by itself: no cards, no game."""
