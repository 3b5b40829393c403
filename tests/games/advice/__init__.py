"""Advice on hands of draw poker, and the discards that it judges."""
