"""Hands written as other programs read them: PHH, OHH, and PokerStars' text."""
