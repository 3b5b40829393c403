"""Tournaments: what they play, what they keep, and what they say of it."""
